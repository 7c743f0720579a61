import { command, EXIT } from "../command.ts";
import { showOptions } from "../options/reports.ts";

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
