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
    ["plan *.yaml --format gitlab --out-dir reports > note.md", "what a merge request of GitLab shows, and its note"],
    ["plan orders-replay.yaml --facts facts.json", "a dry run without access to production"],
  ],
  async run(args, host) {
    const [{ judging, textsOf }, { planFiles, unsettledOf }, { planReport }] = await Promise.all([
      import("../session/forges/judging.ts"),
      import("../session/planning.ts"),
      import("../session/plan-report.ts"),
    ]);
    return judging("plan", args, host, async (show) => {
      const { files, out, full } = args;
      if (out !== undefined) {
        const { DOCUMENTS, refuseOther } = await import("../session/files.ts");
        await refuseOther(out, DOCUMENTS.plan);
      }
      const { plans, unplanned } = await planFiles(args, host, { again: args.again });
      if (out !== undefined && unplanned.length === 0) {
        const { writeResolvedPlan } = await import("../session/resolved-files.ts");
        await writeResolvedPlan(out, plans, host);
      }
      // Recorded facts may be old, and may come from other workers.
      const unsettled = args.facts === undefined ? await unsettledOf(plans, args, host) : [];
      const found = { plans, unplanned, unsettled };
      const findings = () => import("../views/forges/findings.ts");
      await show({
        judged: async () => (await findings()).judgedPlans(found, await textsOf(plans.map(({ intent }) => intent))),
        counts: async () => (await findings()).terraformReport(plans),
        report: (format) =>
          host.stdout.write(planReport(plans, { ...found, format, files, out, flags: args, full }, host)),
      });
      const isBlocked = plans.some(({ outcome }) => outcome.state === "blocked");
      if (unplanned.length > 0) {
        const { reportUnplanned } = await import("../session/unplanned.ts");
        const exit = reportUnplanned(unplanned, host, "line");
        if (out !== undefined) writeLine(host.stderr, `not written: ${out}; some documents could not be planned`);
        return isBlocked ? EXIT.refused : exit;
      }
      if (isBlocked || unsettled.length > 0) return EXIT.refused;
      const isReady = plans.some(({ outcome }) => outcome.state === "ready");
      return args["detailed-exitcode"] && isReady ? EXIT.somethingToChange : EXIT.done;
    });
  },
});
