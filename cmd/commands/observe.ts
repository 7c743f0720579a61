import { command } from "../command.ts";
import { observeOptions } from "../options/changes.ts";
import { filesPositional } from "../options/common.ts";

export const observe = command({
  usage: "observe <files..>",
  describe: "Record what a plan would look at, to be planned with elsewhere; holds no secrets",
  positionals: filesPositional,
  options: observeOptions,
  examples: [
    ["observe orders-replay.yaml --out facts.json", "where production can be seen"],
    ["plan orders-replay.yaml --facts facts.json", "where it can't"],
  ],
  async run(args, host) {
    const { observeFiles } = await import("../session/planning.ts");
    return observeFiles(args, args.out, host);
  },
});
