import { UsageError } from "../../core/errors.ts";
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
    connector: text("The connector; of a Migration the legacy one", { alias: "name" }),
    tables: text("Comma-separated tables, PDB.OWNER.TABLE or OWNER.TABLE: of a Resnapshot, or to be verified"),
    scn: text("The SCN that an OffsetChange moves to"),
  },
  examples: [
    ["init OffsetChange > orders-replay.yaml", "start a plan file"],
    ["init OffsetChange --context prod --connector orders-cdc --scn 2169287", "with what is known already"],
    ["init OffsetChange --out orders-replay.yaml", "the same, without overwriting an existing file"],
  ],
  async run(args, host) {
    const [{ kindNamed, planFileToEdit }, { parseScn }] = await Promise.all([
      import("../../core/document/kinds.ts"),
      import("../../core/values/scn.ts"),
    ]);
    const { context, connector, tables } = args;
    const scn = args.scn === undefined ? undefined : parseScn(args.scn);
    if (args.scn !== undefined && scn === undefined)
      throw new UsageError(`--scn ${args.scn} is not a valid SCN`, "Give a positive integer, digits only.");
    const kind = kindNamed(args.kind);
    const given = {
      context,
      connector,
      scn,
      tables: tables?.split(",").map((name) => name.trim()),
    };
    const template =
      `# For completion in an editor, name as its schema what this prints: cdcctl schema --path ${kind}\n` +
      planFileToEdit(kind, given);
    if (args.out === undefined) host.stdout.write(documentText(template));
    else {
      const { shellFile } = await import("../../core/values/shell-word.ts");
      const { writeNewFile } = await import("../session/write-file.ts");
      await writeNewFile(args.out, template);
      writeLine(host.stderr, `wrote ${args.out}: set its reason, and what is left blank`);
      writeLine(host.stderr, `next:  cdcctl validate ${shellFile(args.out)}`);
      writeLine(host.stderr, `       cdcctl plan ${shellFile(args.out)}`);
    }
    return EXIT.done;
  },
});
