import { command } from "../command.ts";
import { observeOptions } from "../options/changes.ts";
import { filesPositional } from "../options/common.ts";
import { loaded } from "./loaded.ts";

export const observe = command({
  usage: "observe <files..>",
  describe: "Record the facts a plan needs, to plan elsewhere; holds no secrets",
  positionals: filesPositional,
  options: observeOptions,
  examples: [
    ["observe orders-replay.yaml --out facts.json", "with access to production"],
    ["plan orders-replay.yaml --facts facts.json", "without access"],
  ],
  run: loaded(async () => (await import("../session/planning.ts")).observeFiles),
});
