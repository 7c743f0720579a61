import yargs, { type Argv } from "yargs";
import { type Command, nameOf } from "./command.ts";
import { checkValues, type Place, rewordProblem } from "./command-line-problems.ts";
import { type Host, VERSION } from "./host.ts";
import type { Program } from "./main.ts";

/** A parsed command line: a command with its arguments, or only a text to print (help, version). */
type CommandLine =
  | { readonly command: Command; readonly args: Readonly<Record<string, unknown>> }
  | { readonly print: string };

/** Marks a word that the parser would drop or take for an option: a single dash, and what stands behind `--`. */
const LITERAL = "\u0000";

type Start = (command: Command, args: Readonly<Record<string, unknown>>) => void;

/** @throws UsageError that names what is missing, unknown, given twice or empty */
export async function parseCommandLine(program: Program, host: Host): Promise<CommandLine> {
  const argv = withoutFileOption(program, withoutHelpCommand(host.argv));
  let requested: CommandLine | undefined;
  const start: Start = (command, args) => {
    requested = {
      command,
      args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, withoutLiterals(value)])),
    };
  };
  let printed = "";
  let problem: Error | string | undefined | null;
  await parserOf(program, host, start, asksForHelp(argv)).parseAsync(
    withLiterals(argv),
    {},
    (error: Error | string | null | undefined, _args, output) => {
      problem = error;
      printed = output;
    },
  );
  const place = placeOf(program, argv);
  if (problem instanceof Error && problem.name !== "YError") throw problem;
  if (problem !== undefined && problem !== null)
    throw rewordProblem(typeof problem === "string" ? problem : problem.message, place, argv);
  if (requested === undefined) return { print: printed };
  if ("command" in requested) checkValues(requested.command, requested.args, place, argv);
  return requested;
}

/** A dash stands for standard input, and behind `--` no word is an option. */
function withLiterals(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  const isLiteral = (word: string, at: number) => word === "-" || (end >= 0 && at > end && word.startsWith("-"));
  return argv.flatMap((word, at) => (at === end ? [] : isLiteral(word, at) ? `${LITERAL}${word}` : word));
}

function withoutLiterals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLiterals);
  return typeof value === "string" && value.startsWith(LITERAL) ? value.slice(LITERAL.length) : value;
}

/** `help plan` is `plan --help`. */
function withoutHelpCommand(argv: readonly string[]): readonly string[] {
  const [first, ...words] = argv;
  return first === "help" ? [...words.filter((word) => !word.startsWith("-")), "--help"] : argv;
}

/** Removes `-f` before a file, where the command takes files, as kubectl does. */
function withoutFileOption(program: Program, argv: readonly string[]): readonly string[] {
  return "files" in (placeOf(program, argv).command?.positionals ?? {}) ? argv.filter((word) => word !== "-f") : argv;
}

/**
 * Whether help may be requested. yargs lays out a command's help before every run, which takes longer than parsing, so
 * it gets the help texts only when they may be printed.
 */
function asksForHelp(argv: readonly string[]): boolean {
  return argv.length === 0 || argv.some((word) => /^--(help|version)|^-[^-]*h/.test(word));
}

/** The command that the first words lead to, as far as they are commands. */
function placeOf(program: Program, argv: readonly string[]): Place {
  let place: Place = { path: [program.name], command: program.sole, commands: program.commands };
  for (const word of argv) {
    const next: Command | undefined = place.commands.find((command) => nameOf(command) === word);
    if (next === undefined) break;
    place = { path: [...place.path, word], command: next, commands: next.commands };
  }
  return place;
}

function parserOf(program: Program, host: Host, start: Start, help: boolean): Argv {
  const parser = yargs([])
    .scriptName(program.name)
    .usage(program.sole === undefined ? `$0 <command>\n\n${program.describe}` : `$0 [options]\n\n${program.describe}`)
    .version(VERSION)
    .help()
    .alias({ h: "help" })
    .parserConfiguration({
      "parse-numbers": false,
      "parse-positional-numbers": false,
      "duplicate-arguments-array": true,
      "boolean-negation": true,
    })
    .strict()
    .demandCommand(program.sole === undefined ? 1 : 0)
    .exitProcess(false)
    .showHelpOnFail(false)
    .wrap(help ? Math.min(120, host.stdout.columns ?? 100) : null)
    .epilogue(program.epilogue);
  return program.sole === undefined
    ? withCommands(parser, program.commands, start, help, [])
    : withSole(parser, program.sole, start, help);
}

/** The program itself takes the command's options: its examples begin with the program's name. */
function withSole(parser: Argv, command: Command, start: Start, help: boolean): Argv {
  return withCommands(
    parser,
    [
      {
        ...command,
        usage: "$0",
        describe: "",
        examples: command.examples.map(([line, what]) => [line.slice(nameOf(command).length).trim(), what] as const),
      },
    ],
    (_asked, args) => start(command, args),
    help,
    [],
  );
}

function withCommands(
  parser: Argv,
  commands: readonly Command[],
  start: Start,
  help: boolean,
  path: readonly string[],
): Argv {
  return commands.reduce(
    (all, command) =>
      all.command({
        command: command.usage,
        describe: help && command.verbatim !== true && command.describe,
        builder: (own: Argv) => {
          const examples = command.examples.map(
            ([line, what]) => [`$0 ${[...path, line].join(" ")}`, what] as [string, string],
          );
          const options = own.options(help ? command.options : hidden(command.options));
          if (help) options.example(examples);
          for (const [name, positional] of Object.entries(command.positionals)) {
            const { alias: _alias, requiresArg: _requires, ...taken } = positional;
            options.positional(name, { ...taken, hidden: !help } as Parameters<typeof options.positional>[1]);
          }
          return command.commands.length === 0
            ? options
            : withCommands(options, command.commands, start, help, [...path, nameOf(command)]).demandCommand(1);
        },
        handler: (args) => {
          if (command.commands.length === 0) start(command, args);
        },
      }),
    parser,
  );
}

function hidden(options: Command["options"]): Command["options"] {
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, hidden: true }]));
}
