import { command, EXIT } from "../command.ts";
import { historyOptions } from "../options/reports.ts";

export const history = command({
  usage: "history",
  describe: "Every run of this machine, oldest first",
  options: historyOptions,
  examples: [["history --connector orders-cdc", "what was done to it from here"]],
  async run(args, host) {
    const { historyReport } = await import("../session/showing.ts");
    host.stdout.write(await historyReport(args, host));
    return EXIT.done;
  },
});
