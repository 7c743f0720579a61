import { command, EXIT } from "../command.ts";
import { text } from "../options/common.ts";
import { writeLine } from "../screen.ts";
import { documentText } from "../views/rendered.ts";

export const init = command({
  usage: "init <kind>",
  describe: "Write a commented plan file to start from",
  positionals: { kind: { type: "string", demandOption: true, describe: "OffsetChange, Resnapshot or Migration" } },
  options: { out: text("Write to this file instead of standard output; never overwrites an existing file") },
  examples: [
    ["init OffsetChange > orders-replay.yaml", "start a plan file"],
    ["init OffsetChange --out orders-replay.yaml", "the same, without overwriting an existing file"],
  ],
  async run(args, host) {
    const [{ kindNamed, planFileTemplate }, { schemaModeline }] = await Promise.all([
      import("../../core/document/kinds.ts"),
      import("../session/schemas.ts"),
    ]);
    const kind = kindNamed(args.kind);
    const template = `${schemaModeline(kind)}${planFileTemplate(kind)}`;
    if (args.out === undefined) host.stdout.write(documentText(template));
    else {
      const { shellFile } = await import("../../core/values/shell-word.ts");
      const { writeNewFile } = await import("../session/write-file.ts");
      await writeNewFile(args.out, template);
      writeLine(host.stderr, `wrote ${args.out}: set its reason, its target and its spec`);
      writeLine(host.stderr, `next:  cdcctl validate ${shellFile(args.out)}`);
      writeLine(host.stderr, `       cdcctl plan ${shellFile(args.out)}`);
    }
    return EXIT.done;
  },
});
