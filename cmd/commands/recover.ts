import { command } from "../command.ts";
import { connectorClassOption, stateOption, waitOptions, worldOptions } from "./common-options.ts";

export const recover = command({
  usage: "recover [run]",
  describe: "Settle an interrupted run: finish it or back out",
  positionals: { run: { type: "string", describe: "Default: the one run that is not settled" } },
  options: {
    ...worldOptions,
    ...connectorClassOption,
    ...stateOption,
    ...waitOptions,
    "from-ops": {
      type: "boolean",
      default: false,
      describe: "Settle the change in flight that the ops topic tells of, without local state",
    },
    context: { type: "string", requiresArg: true, describe: "With --from-ops: context of the connector" },
    connector: { type: "string", requiresArg: true, describe: "With --from-ops: the connector" },
    abandon: {
      type: "boolean",
      default: false,
      describe: "End a run that can't be known any more: record it as failed, change nothing",
    },
  },
  examples: [
    ["recover", "after a kill, a lost reply, a Ctrl-C"],
    ["recover 2026-11-21T09-15-40Z-7f3a", "one of several"],
    ["recover --from-ops --context prod --connector orders-cdc", "from another machine"],
  ],
  async run(args, host) {
    const { recoverRuns } = await import("../session/recovering.ts");
    return recoverRuns(args, host);
  },
});
