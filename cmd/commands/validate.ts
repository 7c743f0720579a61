import { command, EXIT } from "../command.ts";
import { filesPositional, formatOption } from "./common-options.ts";

export const validate = command({
  usage: "validate <files..>",
  describe: "Check plan files offline: schema and sense, each problem with file, line, column and remedy",
  positionals: filesPositional,
  options: { format: { ...formatOption.format, choices: ["text", "json"] } },
  examples: [
    ["validate orders-replay.yaml", "before it is reviewed"],
    ["validate plans/*.yaml --format json", "for a pipeline"],
  ],
  async run(args, host) {
    const [{ readIntents }, { printJson }] = await Promise.all([
      import("../session/plan-files.ts"),
      import("../../core/values/json.ts"),
    ]);
    const [{ UsageError }, { errorDocument }] = await Promise.all([
      import("../../core/errors.ts"),
      import("../views/error-json.ts"),
    ]);
    try {
      const intents = await readIntents(args.files, host);
      const documents = intents.map(({ kind, metadata, target, origin }) => ({
        kind,
        name: metadata.name,
        connector: target.connector,
        file: origin.file,
      }));
      host.stdout.write(
        args.format === "json"
          ? `${printJson({ apiVersion: "cdcctl/v1", kind: "Validation", valid: true, documents, problems: [] })}\n`
          : documents
              .map(({ file, kind, name, connector }) => `${file}: ${kind} ${name} for ${connector} is valid\n`)
              .join(""),
      );
      return EXIT.done;
    } catch (error) {
      if (args.format !== "json" || !(error instanceof UsageError)) throw error;
      const { apiVersion, ...shown } = errorDocument(error);
      const problems = "problems" in shown ? shown.problems : [];
      host.stdout.write(`${printJson({ apiVersion, kind: "Validation", valid: false, documents: [], problems })}\n`);
      return EXIT.usage;
    }
  },
});
