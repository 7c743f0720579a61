import { command, EXIT } from "../command.ts";
import { planOptions } from "../options/changes.ts";
import { filesPositional } from "../options/common.ts";
import { writeLine } from "../screen.ts";

export const plan = command({
  usage: "plan <files..>",
  describe: "Observe, check and show what would change; changes nothing",
  positionals: filesPositional,
  options: planOptions,
  examples: [
    ["plan orders-replay.yaml", "show what would change"],
    ["plan orders-replay.yaml --out orders-replay.plan.json", "save it for a change ticket"],
    ["plan cutover.yaml --phase verify", "a migration phase other than the one in the file"],
    ["plan *.yaml --format markdown", "as a review comment"],
    ["plan orders-replay.yaml --facts facts.json", "a dry run without access to production"],
  ],
  async run(args, host) {
    const [{ planFiles, unsettledOf }, { planReport }] = await Promise.all([
      import("../session/planning.ts"),
      import("../session/plan-report.ts"),
    ]);
    if (args.out !== undefined) {
      const { DOCUMENTS, refuseOther } = await import("../session/files.ts");
      await refuseOther(args.out, DOCUMENTS.plan);
    }
    const { plans, unplanned } = await planFiles(args, host, { again: args.again });
    if (args.out !== undefined && unplanned.length === 0) {
      const { writeResolvedPlan } = await import("../session/resolved-files.ts");
      await writeResolvedPlan(args.out, plans, host);
    }
    const { format, files, out } = args;
    // Recorded facts may be old, and may come from other workers.
    const unsettled = args.facts === undefined ? await unsettledOf(plans, args, host) : [];
    host.stdout.write(
      planReport(plans, { format, files, out, flags: args, full: args.full, unplanned, unsettled }, host),
    );
    if (unplanned.length > 0) {
      const { reportUnplanned } = await import("../session/unplanned.ts");
      const exit = reportUnplanned(unplanned, host, "line");
      if (out !== undefined) writeLine(host.stderr, `not written: ${out}; some documents could not be planned`);
      return plans.some(({ outcome }) => outcome.state === "blocked") ? EXIT.refused : exit;
    }
    if (unsettled.length > 0 || plans.some(({ outcome }) => outcome.state === "blocked")) return EXIT.refused;
    return args["detailed-exitcode"] && plans.some(({ outcome }) => outcome.state === "ready")
      ? EXIT.somethingToChange
      : EXIT.done;
  },
});
