import { command, EXIT } from "../command.ts";

export const explain = command({
  usage: "explain [code]",
  describe: "Say more about a check or refusal; without a code, list them",
  positionals: { code: { type: "string", describe: "Such as OFF103" } },
  examples: [
    ["explain OFF103", "what it means and what to do"],
    ["explain", "every code"],
  ],
  async run(args, host) {
    const { explainCode, listCodes } = await import("../views/codes-text.ts");
    host.stdout.write(args.code === undefined ? listCodes() : explainCode(args.code));
    return EXIT.done;
  },
});
