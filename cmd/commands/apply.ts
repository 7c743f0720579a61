import { command } from "../command.ts";
import {
  connectorClassOption,
  consentOptions,
  filesPositional,
  stateOption,
  waitOptions,
  worldOptions,
} from "./common-options.ts";

export const apply = command({
  usage: "apply <files..>",
  describe: "Carry out plan files or a resolved plan, step by step, each step recorded before it is taken",
  positionals: { files: { ...filesPositional.files, describe: "Plan files (YAML), or one resolved plan (JSON)" } },
  options: {
    ...worldOptions,
    ...connectorClassOption,
    ...stateOption,
    ...consentOptions,
    ...waitOptions,
    "max-age": { type: "string", requiresArg: true, default: "24h", describe: "How old a resolved plan may be" },
    again: { type: "boolean", default: false, describe: "Repeat a decision that was applied already" },
  },
  examples: [
    ["apply orders-replay.yaml", "plan, ask, apply"],
    ["apply orders-replay.plan.json --expect sha256:3f9c…", "apply exactly what was reviewed, from a pipeline"],
    ["apply orders-replay.yaml --yes --stop-timeout 20m", "without asking; wait longer for the stop"],
  ],
  async run(args, host) {
    const { applyFiles } = await import("../session/apply-files.ts");
    return applyFiles(args, host);
  },
});
