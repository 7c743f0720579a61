import { command, EXIT } from "../command.ts";
import { reportOptions } from "../options/reports.ts";

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
