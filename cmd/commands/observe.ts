import { command, EXIT } from "../command.ts";
import { connectorClassOption, filesPositional, stateOption, worldOptions } from "./common-options.ts";

export const observe = command({
  usage: "observe <files..>",
  describe: "Record what a plan would look at, to be planned with elsewhere; holds no secrets",
  positionals: filesPositional,
  options: {
    ...worldOptions,
    ...connectorClassOption,
    ...stateOption,
    out: { type: "string", requiresArg: true, demandOption: true, describe: "Write the facts to this file" },
  },
  examples: [
    ["observe orders-replay.yaml --out facts.json", "where production can be seen"],
    ["plan orders-replay.yaml --facts facts.json", "where it can't"],
  ],
  async run(args, host) {
    const { observeFiles } = await import("../session/planning.ts");
    await observeFiles(args, args.out, host);
    return EXIT.done;
  },
});
