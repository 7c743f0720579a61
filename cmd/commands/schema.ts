import { command, EXIT } from "../command.ts";
import { schemaOptions, schemaPositional } from "../options/schema.ts";
import { documentText } from "../views/rendered.ts";

export const schema = command({
  usage: "schema <kind>",
  describe: "Print the JSON Schema of a document or output",
  positionals: schemaPositional,
  options: schemaOptions,
  examples: [
    ["schema OffsetChange > offset-change.json", "for an editor or a linter"],
    ["schema --path OffsetChange", "the installed path"],
  ],
  async run(args, host) {
    const { schemaPath, schemaText } = await import("../session/schemas.ts");
    host.stdout.write(documentText(args.path ? `${schemaPath(args.kind)}\n` : await schemaText(args.kind)));
    return EXIT.done;
  },
});
