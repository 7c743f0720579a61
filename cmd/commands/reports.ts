import { command, EXIT } from "../command.ts";
import { historyOptions, reportOptions, showOptions, statusOptions } from "../options/reports.ts";

export const show = command({
  usage: "show <plan-or-run>",
  describe: "Show a resolved plan, or a run made on this machine, offline",
  positionals: {
    "plan-or-run": { type: "string", demandOption: true, describe: "File written by `plan --out`, or run id" },
  },
  options: showOptions,
  examples: [
    ["show orders-replay.plan.json", "what was planned"],
    ["show 2026-11-21T09-15-40Z-7f3a", "what was done"],
    ["show orders-replay.plan.json --format markdown", "as a review comment"],
  ],
  async run(args, host) {
    const { showPlanOrRun } = await import("../session/showing.ts");
    host.stdout.write(await showPlanOrRun(args["plan-or-run"], args, host));
    return EXIT.done;
  },
});

export const report = command({
  usage: "report <connector-plan-or-run>",
  describe: "Report on a connector, a plan or a run, as text, JSON, Markdown or HTML; changes nothing",
  positionals: {
    "connector-plan-or-run": {
      type: "string",
      demandOption: true,
      describe: "Run id, file (a plan file, or the output of `plan --out`), or connector name",
    },
  },
  options: reportOptions,
  examples: [
    ["report orders-cdc --context prod --out orders-cdc.html", "its current position"],
    ["report orders-replay.plan.json --out orders-replay.html", "to attach a plan to a ticket"],
    ["report orders-cdc --context prod --format markdown", "to paste into a ticket"],
    ["report 2026-11-21T09-15-40Z-7f3a --out run.html", "what was done"],
  ],
  async run(args, host) {
    const { writeReport } = await import("../session/report.ts");
    await writeReport(args["connector-plan-or-run"], args, host);
    return EXIT.done;
  },
});

export const status = command({
  usage: "status",
  describe:
    "Status of the latest run of each connector, and runs in flight on other machines; exit 3 when one is " +
    "unsettled or was undone since, 1 when an offset does not belong to its database",
  options: statusOptions,
  examples: [
    ["status", "unsettled runs, if any"],
    ["status --context prod", "also runs on other machines, for every connector of these workers"],
    ["status --position", "positions of the connectors in the redo"],
    ["status --watch", "follow until settled"],
    ["status --context prod --fail-on unsettled,undone,in-flight,lag=30m,redo-retention=24h", "for cron and CI"],
  ],
  async run(args, host) {
    const { statusReport } = await import("../session/showing.ts");
    const { whileWatched } = await import("../session/watching.ts");
    return whileWatched(args, host, () => statusReport(args, host));
  },
});

export const history = command({
  usage: "history",
  describe: "Every run of this machine, oldest first; with --ops every change that the ops topics record",
  options: historyOptions,
  examples: [
    ["history --connector orders-cdc", "runs of one connector made from this machine"],
    ["history --ticket CHG-4711", "runs for one ticket"],
    ["history --ops --context prod --since 30d", "changes of every machine"],
    ["history --since 7d --format markdown", "the last week, to paste into a report"],
  ],
  async run(args, host) {
    const { historyReport } = await import("../session/showing.ts");
    const { text, exit } = await historyReport(args, host);
    host.stdout.write(text);
    return exit;
  },
});
