import { command } from "../command.ts";
import { rollbackOptions } from "../options/changes.ts";
import { runPositional } from "../options/common.ts";

export const rollback = command({
  usage: "rollback [run]",
  describe: "Plan and apply the rollback of a run",
  positionals: { run: { ...runPositional.run, describe: "Default: the latest run, unless it is a rollback itself" } },
  options: rollbackOptions,
  examples: [
    ["rollback", "plan, ask, apply"],
    ["rollback 2026-11-21T09-15-40Z-7f3a --out back.plan.json", "have the rollback reviewed first"],
    ["rollback --yes --no-resume", "leave the connector stopped"],
  ],
  async run(args, host) {
    const [{ UsageError }, { rollBack }, { reporting }] = await Promise.all([
      import("../../core/errors.ts"),
      import("../session/rolling-back.ts"),
      import("../session/machine-output.ts"),
    ]);
    const { format, events, out } = args;
    if (out === undefined && format !== "text" && format !== "json")
      throw new UsageError(
        `--format ${format} applies only together with --out`,
        "Pass --out PLAN, or --format json for the finished run.",
      );
    if (out !== undefined && events)
      throw new UsageError(
        "--events applies only without --out",
        "With --out the plan is written and nothing is applied.",
      );
    return out === undefined ? reporting(args, host, (reporter) => rollBack(args, reporter)) : rollBack(args, host);
  },
});
