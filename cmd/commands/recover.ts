import { command } from "../command.ts";
import { connectorClassOption, consentOptions, stateOption, waitOptions, worldOptions } from "./common-options.ts";

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
    yes: { ...consentOptions.yes, describe: "With --from-ops: take the change over without asking" },
    expect: {
      ...consentOptions.expect,
      describe: "With --from-ops: take over only this decision (sha256:…), without asking",
    },
    "allow-skip": {
      type: "boolean",
      default: false,
      describe: "With --from-ops: allow a forward move, which skips every commit in between",
    },
    resume: {
      type: "boolean",
      default: false,
      describe:
        "Start the connector that a settled run left stopped; repair its offset first where a late commit undid it",
    },
    abandon: {
      type: "boolean",
      default: false,
      describe: "End a run that can't be known any more: record it as failed, change nothing",
    },
  },
  examples: [
    ["recover", "after a kill, a lost reply, a Ctrl-C"],
    ["recover 2026-11-21T09-15-40Z-7f3a", "one of several"],
    ["recover 2026-11-21T09-15-40Z-7f3a --resume", "start the connector that the run left stopped"],
    ["recover --from-ops --context prod --connector orders-cdc", "from another machine: check, show, ask"],
  ],
  async run(args, host) {
    const { recoverRuns } = await import("../session/recovering.ts");
    return recoverRuns(args, host);
  },
});
