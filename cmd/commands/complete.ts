import { type Command, EXIT } from "../command.ts";
import type { Program } from "../main.ts";
import { textOf } from "../views/rendered.ts";

/**
 * Prints the words that complete an unfinished command line, one per line; the completion scripts call it. The command
 * line may begin with the name of a program; the default is `cdcctl`.
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
