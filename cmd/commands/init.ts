import { command, EXIT } from "../command.ts";
import { text } from "../options/common.ts";
import { writeLine } from "../screen.ts";
import { documentText } from "../views/rendered.ts";

export const init = command({
  usage: "init <kind>",
  describe: "Write a commented plan file to start from",
  positionals: { kind: { type: "string", demandOption: true, describe: "OffsetChange, Resnapshot or Migration" } },
  options: {
    out: text("Write to this file instead of standard output; never overwrites an existing file"),
    context: text("The context that the plan file names"),
    connector: text("The connector; for a Migration, the legacy connector", { alias: "name" }),
    tables: text("Comma-separated tables (PDB.OWNER.TABLE or OWNER.TABLE) to snapshot or to verify"),
    scn: text("The SCN that an OffsetChange moves to"),
  },
  examples: [
    ["init OffsetChange > orders-replay.yaml", "start a plan file"],
    ["init OffsetChange --context prod --connector orders-cdc --scn 2169287", "start with known values"],
    ["init OffsetChange --out orders-replay.yaml", "the same, without overwriting an existing file"],
  ],
  async run(args, host) {
    const [{ kindNamed, planFileToEdit }, { scnOf, tablesOf }] = await Promise.all([
      import("../../core/document/kinds.ts"),
      import("../session/typed-values.ts"),
    ]);
    const { context, connector, scn, tables } = args;
    const kind = kindNamed(args.kind);
    const given = {
      context,
      connector,
      scn: scn === undefined ? undefined : scnOf(scn),
      tables: tables === undefined ? undefined : tablesOf(tables),
    };
    const template =
      `# For completion in an editor, set its schema to the output of: cdcctl schema --path ${kind}\n` +
      planFileToEdit(kind, given);
    if (args.out === undefined) host.stdout.write(documentText(template));
    else {
      const { shellFile } = await import("../../core/values/shell-word.ts");
      const { writeNewFile } = await import("../session/write-file.ts");
      await writeNewFile(args.out, template);
      writeLine(host.stderr, `wrote ${args.out}: fill in the reason and the blank values`);
      writeLine(host.stderr, `next:  cdcctl validate ${shellFile(args.out)}`);
      writeLine(host.stderr, `       cdcctl plan ${shellFile(args.out)}`);
    }
    return EXIT.done;
  },
});
