import { command, EXIT } from "../command.ts";
import { formatOption, stateOption, worldOptions } from "./common-options.ts";

export const status = command({
  usage: "status",
  describe:
    "Where the latest run of each connector stands; exit 3 when one is not settled or was undone since, 1 when " +
    "an offset has no place in its database",
  options: {
    ...stateOption,
    ...formatOption,
    connector: { type: "string", requiresArg: true, describe: "Of this connector only" },
    position: {
      type: "boolean",
      default: false,
      describe: "Look where each connector stands now, and draw it: offset, redo, open transactions",
    },
    check: {
      type: "boolean",
      default: true,
      describe: "Ask the workers whether the latest change of each connector still stands; --no-check asks nobody",
    },
    ...worldOptions,
  },
  examples: [
    ["status", "is anything left to settle?"],
    ["status --position", "and where do the connectors stand in the redo?"],
  ],
  async run(args, host) {
    const { statusReport } = await import("../session/showing.ts");
    const { text, unsettled, misplaced } = await statusReport(args, host);
    host.stdout.write(text);
    if (unsettled) return EXIT.unfinished;
    return misplaced ? EXIT.refused : EXIT.done;
  },
});
