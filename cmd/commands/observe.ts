import { command } from "../command.ts";
import { observeOptions } from "../options/changes.ts";
import { filesPositional } from "../options/common.ts";

export const observe = command({
  usage: "observe <files..>",
  describe: "Record the facts a plan needs, to plan elsewhere; holds no secrets",
  positionals: filesPositional,
  options: observeOptions,
  examples: [
    ["observe orders-replay.yaml --out facts.json", "with access to production"],
    ["plan orders-replay.yaml --facts facts.json", "without access"],
  ],
  async run(args, host) {
    const { observeFiles } = await import("../session/planning.ts");
    return observeFiles(args, args.out, host);
  },
});
