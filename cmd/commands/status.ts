import { command, EXIT } from "../command.ts";
import { formatOption, stateOption } from "./common-options.ts";

export const status = command({
  usage: "status",
  describe: "Where the latest run of each connector stands; exit 3 when one is not settled",
  options: {
    ...stateOption,
    ...formatOption,
    connector: { type: "string", requiresArg: true, describe: "Of this connector only" },
  },
  examples: [["status", "is anything left to settle?"]],
  async run(args, host) {
    const { statusReport } = await import("../session/showing.ts");
    const { text, unsettled } = await statusReport(args, host);
    host.stdout.write(text);
    return unsettled ? EXIT.unfinished : EXIT.done;
  },
});
