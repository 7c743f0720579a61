import { command } from "../command.ts";
import { recoverOptions } from "../options/changes.ts";
import { runPositional } from "../options/common.ts";
import { changing } from "./loaded.ts";

export const recover = command({
  usage: "recover [run]",
  describe: "Settle an interrupted run: finish it or roll it back",
  positionals: { run: { ...runPositional.run, describe: "Default: the only unsettled run" } },
  options: recoverOptions,
  examples: [
    ["recover", "after a kill, a lost reply, a Ctrl-C"],
    ["recover 2026-11-21T09-15-40Z-7f3a", "one of several"],
    ["recover 2026-11-21T09-15-40Z-7f3a --resume", "start the connector the run left stopped"],
    ["recover --from-ops --context prod --connector orders-cdc", "from another machine; shows the change and asks"],
  ],
  run: changing(async () => (await import("../session/recovering.ts")).recoverRuns),
});
