import { command, EXIT } from "../command.ts";
import { formatOption } from "../options/common.ts";

export const explain = command({
  usage: "explain [code]",
  describe: "Explain a check or refusal; without a code, list all of them",
  positionals: { code: { type: "string", describe: "Such as OFF103" } },
  options: formatOption,
  examples: [
    ["explain OFF103", "what it means and what to do"],
    ["explain", "every code"],
    ["explain --format json", "every code, for a tool"],
  ],
  async run(args, host) {
    const [{ codesDocument, codesReport }, { reported, writeInForm }] = await Promise.all([
      import("../views/codes.ts"),
      import("../session/report-forms.ts"),
    ]);
    writeInForm(args.format, reported(codesReport, codesDocument, args.code), host);
    return EXIT.done;
  },
});
