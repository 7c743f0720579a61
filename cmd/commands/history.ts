import { command, EXIT } from "../command.ts";
import { historyOptions } from "../options/reports.ts";

export const history = command({
  usage: "history",
  describe: "Every run of this machine, oldest first",
  options: historyOptions,
  examples: [
    ["history --connector orders-cdc", "runs of one connector made from this machine"],
    ["history --ticket CHG-4711", "runs for one ticket"],
    ["history --since 7d --format markdown", "the last week, to paste into a report"],
  ],
  async run(args, host) {
    const { historyReport } = await import("../session/showing.ts");
    host.stdout.write(await historyReport(args, host));
    return EXIT.done;
  },
});
