import { thrownBy } from "../core/change/holding.ts";
import { CallFailed, Refusal, UsageError } from "../core/errors.ts";
import { type Command, EXIT, nameOf } from "./command.ts";
import { type Host, processHost, textOptions, VERSION } from "./host.ts";
import { exitAfterOutput } from "./output.ts";
import { screened, writeLine } from "./screen.ts";
import { tracing } from "./session/tracing.ts";
import { bugLines, errorDocument, renderError } from "./views/error-text.ts";
import { jsonText } from "./views/json-text.ts";
import { documentText, textOf } from "./views/rendered.ts";

export interface Program {
  readonly name: string;
  readonly describe: string;
  readonly commands: readonly Command[];
  /** The program's only command; `commands` is empty. */
  readonly sole?: Command;
  readonly epilogue: string;
}

const LEFT_BEHIND_MILLIS = 100;

/** Runs a program with what the process owns, and sets its exit code. */
export async function runInProcess(program: Program): Promise<void> {
  const host = processHost();
  process.exitCode = await exitAfterOutput(await run(program, host), host);
  // All output is written. A connection that a frozen system never closes must not keep the process alive.
  setTimeout(() => process.exit(), LEFT_BEHIND_MILLIS).unref();
}

/**
 * Runs one command line.
 *
 * @returns the exit code: 0 done, 1 refused or a call failed, 2 something to change (`--detailed-exitcode`), 3 changed
 * and not finished, 64 usage or configuration, 70 a bug
 */
export async function run(program: Program, unscreened: Host): Promise<number> {
  const host = screened(unscreened);
  try {
    const [first, ...words] = host.argv;
    const verbatim = program.commands.find((command) => command.verbatim === true && nameOf(command) === first);
    if (verbatim !== undefined) return await verbatim.run({ words }, host);
    const { parseCommandLine } = await import("./command-line.ts");
    const parsed = await parseCommandLine(program, host);
    if ("command" in parsed) return await parsed.command.run(parsed.args, withTracing(parsed.args, host));
    host.stdout.write(documentText(`${parsed.print}\n`));
    return EXIT.done;
  } catch (error) {
    return reportError(thrownBy(error), host);
  }
}

/** Reports calls to systems if `--verbose` is given. */
function withTracing(args: Readonly<Record<string, unknown>>, host: Host): Host {
  if (args["verbose"] !== true) return host;
  // The other members are inherited, as in `screened`.
  return Object.create(host, { trace: { value: tracing((line) => writeLine(host.stderr, line)) } }) as Host;
}

/**
 * Prints an error on stderr; with `--format json` also as a document on stdout, so that a pipeline always finds one
 * there. Anything unexpected is a bug, printed with what to report.
 */
function reportError(error: unknown, host: Host): number {
  if (error instanceof UsageError || error instanceof Refusal || error instanceof CallFailed) {
    if (asksForJson(host.argv)) host.stdout.write(jsonText(errorDocument(error)));
    host.stderr.write(renderError(error, textOptions(host.stderr)));
    return error instanceof UsageError ? EXIT.usage : EXIT.refused;
  }
  host.stderr.write(
    textOf([
      `This is a bug in cdcctl ${VERSION}. Please report it with the lines below (review them first) and ` +
        "what you did.",
      ...bugLines(error),
    ]),
  );
  return EXIT.bug;
}

/** Searches the raw words: the command line may be unparseable. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, index) =>
      /^(?:--format|-o)=json$/.test(word) || (/^(?:--format|-o)$/.test(word) && argv[index + 1] === "json"),
  );
}
