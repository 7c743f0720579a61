import { command } from "../command.ts";
import {
  connectorClassOption,
  consentOptions,
  formatOption,
  stateOption,
  waitOptions,
  worldOptions,
} from "./common-options.ts";

export const rollback = command({
  usage: "rollback [run]",
  describe: "Plan and apply the way back from a run",
  positionals: { run: { type: "string", describe: "Default: the latest run that succeeded" } },
  options: {
    ...worldOptions,
    ...connectorClassOption,
    ...stateOption,
    ...consentOptions,
    ...waitOptions,
    ...formatOption,
    out: { type: "string", requiresArg: true, describe: "Write the resolved plan of the way back and apply nothing" },
    "move-back": {
      type: "boolean",
      default: false,
      describe: "The connector has run since: move only the resume SCN back",
    },
    resume: { type: "boolean", describe: "Start the connector afterwards (default: as it was before the run)" },
  },
  examples: [
    ["rollback", "plan, ask, apply"],
    ["rollback 2026-11-21T09-15-40Z-7f3a --out back.plan.json", "have the way back reviewed first"],
    ["rollback --yes --no-resume", "leave the connector stopped"],
  ],
  async run(args, host) {
    if (args.format !== "text" && args.out === undefined) {
      const { UsageError } = await import("../../core/errors.ts");
      throw new UsageError("--format is of the plan that --out writes", "Give --out PLAN, or leave --format out.");
    }
    const { rollBack } = await import("../session/rolling-back.ts");
    return rollBack(args, host);
  },
});
