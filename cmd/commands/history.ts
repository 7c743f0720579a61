import { command, EXIT } from "../command.ts";
import { formatOption, stateOption } from "./common-options.ts";

export const history = command({
  usage: "history",
  describe: "Every run of this machine, oldest first",
  options: {
    ...stateOption,
    ...formatOption,
    connector: { type: "string", requiresArg: true, describe: "Of this connector only" },
  },
  examples: [["history --connector orders-cdc", "what was done to it from here"]],
  async run(args, host) {
    const { historyReport } = await import("../session/showing.ts");
    host.stdout.write(await historyReport(args, host));
    return EXIT.done;
  },
});
