import { command, EXIT } from "../command.ts";
import { filesPositional, formatOption } from "../options/common.ts";
import { textOf } from "../views/rendered.ts";

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
    const [{ readIntents }, { jsonText }] = await Promise.all([
      import("../session/plan-files.ts"),
      import("../views/json-text.ts"),
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
          ? jsonText({ apiVersion: "cdcctl/v1", kind: "Validation", valid: true, documents, problems: [] })
          : textOf(
              documents.map(({ file, kind, name, connector }) => `${file}: ${kind} ${name} for ${connector} is valid`),
            ),
      );
      return EXIT.done;
    } catch (error) {
      if (args.format !== "json" || !(error instanceof UsageError)) throw error;
      const { apiVersion, ...shown } = errorDocument(error);
      const problems = "problems" in shown ? shown.problems : [];
      host.stdout.write(jsonText({ apiVersion, kind: "Validation", valid: false, documents: [], problems }));
      return EXIT.usage;
    }
  },
});
