import yargs, { type Argv } from "yargs";
import { type Command, EXIT } from "./command.ts";
import { type Host, VERSION } from "./host.ts";

export interface Program {
  readonly name: string;
  readonly describe: string;
  readonly commands: readonly Command[];
  readonly epilogue: string;
}

/**
 * Runs one command line.
 *
 * @returns the exit code: 0 done, 1 refused or a call failed, 2 something to change (`--detailed-exitcode`), 3 changed and not finished,
 * 64 usage or configuration, 70 a bug
 */
export async function run(program: Program, host: Host): Promise<number> {
  let result: Promise<number> | undefined;
  const start = (command: Command, args: Readonly<Record<string, unknown>>) => {
    result = command.run(args, host);
  };
  try {
    const parser = commandLine(program, host, start);
    let printed = "";
    let problem: unknown;
    await parser.parseAsync([...host.argv], {}, (error, _args, output) => {
      problem = error;
      printed = output;
    });
    if (problem !== undefined && problem !== null) throw await usageError(problem, program, host.argv);
    if (result === undefined) {
      host.stdout.write(`${printed}\n`);
      return EXIT.done;
    }
    return await result;
  } catch (error) {
    return explain(error, host);
  }
}

function commandLine(
  program: Program,
  host: Host,
  start: (command: Command, args: Readonly<Record<string, unknown>>) => void,
): Argv {
  const parser = yargs([])
    .scriptName(program.name)
    .usage(`$0 <command>\n\n${program.describe}`)
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
    .demandCommand(1, "Name a command.")
    .recommendCommands()
    .exitProcess(false)
    .showHelpOnFail(false)
    // yargs lays out the help of a command before it runs it, whether anybody asked or not: unwrapped, that costs little.
    .wrap(
      host.argv.some((word) => word === "--help" || word === "-h") || host.argv.length === 0
        ? Math.min(120, host.stdout.columns ?? 100)
        : null,
    )
    .epilogue(program.epilogue);
  return withCommands(parser, program.commands, start);
}

function withCommands(parser: Argv, commands: readonly Command[], start: Parameters<typeof commandLine>[2]): Argv {
  return commands.reduce(
    (all, command) =>
      all.command({
        command: command.usage,
        describe: command.hidden === true ? false : command.describe,
        builder: (own: Argv) => {
          const examples = command.examples.map(([line, what]) => [`$0 ${line}`, what] as [string, string]);
          const options = own.options(command.options).example(examples);
          for (const [name, positional] of Object.entries(command.positionals)) {
            const { alias: _alias, requiresArg: _requires, ...taken } = positional;
            options.positional(name, taken as Parameters<typeof options.positional>[1]);
          }
          return command.commands.length === 0
            ? options
            : withCommands(options, command.commands, start).demandCommand(1, `Name a command of ${command.usage}.`);
        },
        handler: (args) => {
          if (command.commands.length === 0) start(command, args);
        },
      }),
    parser,
  );
}

async function usageError(problem: unknown, program: Program, argv: readonly string[]): Promise<Error> {
  const { UsageError } = await import("../core/errors.ts");
  if (problem instanceof Error && problem.name !== "YError") return problem;
  const message = problem instanceof Error ? problem.message : String(problem);
  const words = argv.filter((word) => /^[a-z-]+$/.test(word) && !word.startsWith("-")).slice(0, 2);
  const known = program.commands.some(({ usage }) => usage.split(" ")[0] === words[0]);
  return new UsageError(message.trim(), `${program.name} ${known ? `${words[0]} ` : ""}--help`);
}

/** Prints what went wrong in the words it came with. Anything unexpected is a bug, and says what to report. */
async function explain(error: unknown, host: Host): Promise<number> {
  const [{ UsageError, Refusal, CallFailed }, { renderError }] = await Promise.all([
    import("../core/errors.ts"),
    import("./views/error-text.ts"),
  ]);
  if (error instanceof UsageError || error instanceof Refusal || error instanceof CallFailed) {
    host.stderr.write(`${renderError(error, { colour: host.stderr.colour }).trimEnd()}\n`);
    return error instanceof UsageError ? EXIT.usage : EXIT.refused;
  }
  const { maskUserInfo } = await import("../core/values/secret.ts");
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  host.stderr.write(
    `This is a bug in cdcctl ${VERSION}. Please report it with the lines below (look through them first) and what you did.\n${maskUserInfo(trace)}\n`,
  );
  return EXIT.bug;
}
