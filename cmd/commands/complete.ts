import { type Command, EXIT, nameOf } from "../command.ts";
import { textOf } from "../views/rendered.ts";

/** What the completion scripts call: the words that fit at the end of an unfinished command line, one a line. */
export function completer(commands: () => readonly Command[]): Command {
  return {
    usage: "complete [words..]",
    describe: "",
    options: {},
    positionals: { words: { type: "string", array: true } },
    examples: [],
    commands: [],
    verbatim: true,
    async run(args, host) {
      const words = ((args["words"] ?? []) as readonly string[]).map(String);
      host.stdout.write(textOf(completions(words, commands())));
      return EXIT.done;
    },
  };
}

/** The words that can stand in place of the last one. Options and their values, commands; files are the shell's. */
function completions(words: readonly string[], commands: readonly Command[]): readonly string[] {
  const last = words.at(-1) ?? "";
  let level = commands;
  let current: Command | undefined;
  for (const word of words.slice(0, -1)) {
    const next = level.find((command) => nameOf(command) === word);
    if (next === undefined) continue;
    current = next;
    level = next.commands;
  }
  const option = current?.options[words.at(-2)?.replace(/^--/, "") ?? ""];
  const candidates =
    option?.choices !== undefined
      ? option.choices.map(String)
      : last.startsWith("-")
        ? [...Object.keys(current?.options ?? {}).map((name) => `--${name}`), "--help"]
        : [
            ...level.filter(({ verbatim }) => verbatim !== true).map(nameOf),
            ...Object.values(current?.positionals ?? {})
              .flatMap(({ choices }) => choices ?? [])
              .map(String),
          ];
  return candidates.filter((word) => word.startsWith(last)).sort();
}
