import { UsageError } from "../../core/errors.ts";
import { command, EXIT } from "../command.ts";
import { filesPositional, formatOption, phaseOption } from "../options/common.ts";

export const validate = command({
  usage: "validate <files..>",
  describe: "Check plan files offline: schema and consistency, each problem with file, line, column and remedy",
  positionals: filesPositional,
  options: { ...formatOption, ...phaseOption },
  examples: [
    ["validate orders-replay.yaml", "before it is reviewed"],
    ["validate plans/*.yaml --format json", "for a pipeline"],
  ],
  async run(args, host) {
    const [{ readIntents }, { reported, writeInForm }, { validationDocument, validationReport }] = await Promise.all([
      import("../session/plan-files.ts"),
      import("../session/report-forms.ts"),
      import("../views/validation.ts"),
    ]);
    const validated = await readIntents(args).catch((error: unknown) => {
      if (args.format === "text" || !(error instanceof UsageError)) throw error;
      return error;
    });
    writeInForm(args.format, reported(validationReport, validationDocument, validated), host);
    return validated instanceof UsageError ? EXIT.usage : EXIT.done;
  },
});
