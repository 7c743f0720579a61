import { UsageError } from "../../core/errors.ts";
import { command, EXIT } from "../command.ts";
import { filesPositional, findingsOptions, phaseOption } from "../options/common.ts";

export const validate = command({
  usage: "validate <files..>",
  describe: "Check plan files offline: schema and consistency, each problem with file, line, column and remedy",
  positionals: filesPositional,
  options: { ...findingsOptions, ...phaseOption },
  examples: [
    ["validate orders-replay.yaml", "before it is reviewed"],
    ["validate plans/*.yaml --format json", "for a pipeline"],
    ["validate plans/*.yaml --format sarif > validate.sarif", "for code scanning: each problem at its line"],
  ],
  async run(args, host) {
    const [{ judging }, { readIntents }, { reported, writeInForm }, { validationDocument, validationReport }] =
      await Promise.all([
        import("../session/forges/judging.ts"),
        import("../session/plan-files.ts"),
        import("../session/report-forms.ts"),
        import("../views/error-text.ts"),
      ]);
    return judging("validate", args, host, async (show) => {
      const validated = await readIntents(args).catch((error: unknown) => {
        if (args.format === "text" || !(error instanceof UsageError)) throw error;
        return error;
      });
      await show({
        judged: async () => (await import("../views/forges/forms.ts")).judgedInput(validated),
        report: (format) => writeInForm(format, reported(validationReport, validationDocument, validated), host),
      });
      return validated instanceof UsageError ? EXIT.usage : EXIT.done;
    });
  },
});
