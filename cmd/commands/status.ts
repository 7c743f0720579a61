import { command, EXIT } from "../command.ts";
import { statusOptions } from "../options/reports.ts";

export const status = command({
  usage: "status",
  describe:
    "Status of the latest run of each connector, and changes of other machines in flight; exit 3 when one is " +
    "unsettled or was undone since, 1 when an offset does not belong to its database",
  options: statusOptions,
  examples: [
    ["status", "unsettled runs, if any"],
    ["status --context prod", "also changes of other machines, of every connector of these workers"],
    ["status --position", "positions of the connectors in the redo"],
    ["status --watch", "follow until settled"],
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
