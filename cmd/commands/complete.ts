import { type Command, EXIT } from "../command.ts";
import type { Program } from "../main.ts";
import { textOf } from "../views/rendered.ts";

/**
 * What the completion scripts call: the words that fit at the end of an unfinished command line, one a line. The line
 * begins with the name of one of the programs; without one it is `cdcctl`'s.
 */
export function completer(programs: () => readonly Program[]): Command {
  return {
    usage: "complete [words..]",
    describe: "",
    options: {},
    positionals: { words: { type: "string", array: true } },
    examples: [],
    commands: [],
    verbatim: true,
    async run(args, host) {
      const { completions } = await import("../session/completions.ts");
      const words = ((args["words"] ?? []) as readonly string[]).map(String);
      host.stdout.write(textOf(await completions(words[0] === "--" ? words.slice(1) : words, programs(), host)));
      return EXIT.done;
    },
  };
}
