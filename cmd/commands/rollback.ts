import { command } from "../command.ts";
import { rollbackOptions } from "../options/changes.ts";
import { runPositional } from "../options/common.ts";

export const rollback = command({
  usage: "rollback [run]",
  describe: "Plan and apply the way back from a run",
  positionals: { run: { ...runPositional.run, describe: "Default: the latest run, unless that is itself a rollback" } },
  options: rollbackOptions,
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
