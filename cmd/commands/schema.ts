import { command, EXIT } from "../command.ts";
import { documentText } from "../views/rendered.ts";

export const schema = command({
  usage: "schema <kind>",
  describe: "Print the JSON Schema of a document or output",
  positionals: {
    kind: {
      type: "string",
      demandOption: true,
      describe:
        "OffsetChange, Resnapshot, Migration, Contexts, Facts, Plan, PlanReport, Run, RunList, Offsets, Translation, " +
        "Takeover, CutoverEvidence, Error",
    },
  },
  examples: [["schema OffsetChange > .schemas/offset-change.json", "for an editor or a linter"]],
  async run(args, host) {
    const { schemaText } = await import("../session/schemas.ts");
    host.stdout.write(documentText(await schemaText(args.kind)));
    return EXIT.done;
  },
});
