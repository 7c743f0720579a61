import { command } from "../command.ts";
import { applyOptions } from "../options/changes.ts";
import { filesPositional } from "../options/common.ts";
import { changing } from "./loaded.ts";

export const apply = command({
  usage: "apply <files..>",
  describe: "Apply plan files or a resolved plan step by step; each step is recorded before it is taken",
  positionals: { files: { ...filesPositional.files, describe: "Plan files (YAML), or one resolved plan (JSON)" } },
  options: applyOptions,
  examples: [
    ["apply orders-replay.yaml", "plan, ask, apply"],
    ["apply orders-replay.plan.json --expect sha256:3f9c…", "apply exactly what was reviewed, from a pipeline"],
    ["apply orders-replay.yaml --yes --stop-timeout 20m", "without asking; wait longer for the stop"],
  ],
  run: changing(async () => (await import("../session/apply-files.ts")).applyFiles),
});
