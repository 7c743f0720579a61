import { command, EXIT } from "../command.ts";
import { statusOptions } from "../options/reports.ts";

export const status = command({
  usage: "status",
  describe:
    "Where the latest run of each connector stands; exit 3 when one is not settled or was undone since, 1 when " +
    "an offset has no place in its database",
  options: statusOptions,
  examples: [
    ["status", "is anything left to settle?"],
    ["status --position", "and where do the connectors stand in the redo?"],
    ["status --watch", "and when is it settled?"],
  ],
  async run(args, host) {
    const { statusReport } = await import("../session/showing.ts");
    const { whileWatched } = await import("../session/watching.ts");
    return whileWatched(args, host, async () => {
      const { text, unsettled, misplaced } = await statusReport(args, host);
      return { text, exit: unsettled ? EXIT.unfinished : misplaced ? EXIT.refused : EXIT.done };
    });
  },
});
