import { UsageError } from "../core/errors.ts";
import { nearest, orMeant } from "../core/values/nearest.ts";
import { truncate } from "../core/values/truncate.ts";
import { type Command, nameOf } from "./command.ts";

/** Where in the tree of commands a command line has led. */
export interface Place {
  /** Program, group, command. */
  readonly path: readonly string[];
  /** Undefined at the program itself. */
  readonly command: Command | undefined;
  /** What could follow. */
  readonly commands: readonly Command[];
}

/**
 * Options (with a dash) and commands of terraform and kubectl, as in their documentation, and the equivalent in cdcctl.
 */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["-auto-approve", "To apply without confirmation, pass --yes or -y."],
  ["-no-color", "Set NO_COLOR=1 in the environment. Output that is not a terminal is never coloured."],
  ["-output", "To choose the report format, pass --format json or -o json."],
  ["-dry-run", "`cdcctl plan` changes nothing: run it first, then apply the plan."],
  ["-filename", "Pass the file name, or -f FILE."],
  ["-lock-timeout", "cdcctl never waits for a lock; it reports the process that holds it."],
  ["get", "cdcctl connectors list"],
  ["describe", "cdcctl connectors show NAME; a run: cdcctl show RUN"],
  ["destroy", "cdcctl rollback RUN undoes a change."],
  ["fmt", "cdcctl validate FILE checks a plan file."],
  ["workspace", "Contexts name the environments: cdcctl contexts list"],
  ["config", "Contexts name the environments: cdcctl contexts list"],
]);

/** The first option that belongs to another tool; terraform's options start with one dash. */
function foreignOption(command: Command | undefined, argv: readonly string[]) {
  for (const word of argv) {
    const name = /^--?([a-z][a-z-]+)(?:=.*)?$/s.exec(word)?.[1] ?? "";
    const instead = ELSEWHERE.get(`-${name}`);
    const own = command?.options ?? {};
    const applies = !(name in own) && (name !== "output" || "format" in own);
    if (instead !== undefined && applies) return { word: shown(word), instead };
  }
  return undefined;
}

/** Rewords an error of the parser (yargs) for the operator. */
export function rewordProblem(message: string, place: Place, argv: readonly string[]): UsageError {
  const { path, command, commands } = place;
  const help = `${path.join(" ")} --help`;
  const words = path.slice(1).join(" ");
  const who = words === "" ? path.join(" ") : words;
  const foreign = foreignOption(command, argv);
  if (foreign !== undefined) return new UsageError(`${who} has no option ${foreign.word}`, foreign.instead);
  const unknown = /^Unknown (?:argument|command)s?: (.*)$/.exec(message)?.[1]?.split(", ");
  if (commands.length > 0 && !(unknown ?? []).some((word) => isOption(word, argv))) {
    const names = commands.filter(({ verbatim }) => verbatim !== true).map(nameOf);
    const word = argv.slice(path.length - 1).find((one) => !one.startsWith("-"));
    if (word === undefined)
      return new UsageError(`${words === "" ? "" : `${words}: `}name a command: ${names.join(", ")}`, help);
    const elsewhere = ELSEWHERE.get(word);
    const missing = `unknown command: ${[...path.slice(1), shown(word)].join(" ")}`;
    return elsewhere === undefined
      ? new UsageError(`${missing}${suggestion(word, names)}`, help)
      : new UsageError(missing, elsewhere);
  }
  if (unknown !== undefined) {
    const word = unknown.find((one) => isOption(one, argv) || argv.includes(one)) ?? "";
    if (!isOption(word, argv)) return new UsageError(`${who} does not take ${shown(word)}`, help);
    const dashes = argv.some((one) => one === `--${word}` || one.startsWith(`--${word}=`)) ? "--" : "-";
    const options = [...Object.keys(command?.options ?? {}), "help", "version"];
    return new UsageError(`${who} has no option ${dashes}${shown(word)}${suggestion(word, options, "--")}`, help);
  }
  if (/^Not enough non-option arguments/.test(message)) {
    const [[name, { describe }] = ["", {}]] = Object.entries(command?.positionals ?? {});
    return new UsageError(
      `${who} needs ` +
        `${command?.usage.split(" ").slice(1).join(" ") ?? name}${describe === undefined ? "" : `: ${describe}`}`,
      help,
    );
  }
  const missing = /^Missing required arguments?: (.*)$/.exec(message)?.[1];
  if (missing !== undefined) {
    const names = missing.split(", ").map((name) => `--${name}`);
    return new UsageError(`${who} needs ${names.join(", ")}`, help);
  }
  const valueless = /^Not enough arguments following: (.*)$/.exec(message)?.[1];
  if (valueless !== undefined) return new UsageError(`--${valueless} needs a value`, help);
  const invalid = /Argument: ([^,]+), Given: (.*), Choices: (.*)$/s.exec(message);
  if (invalid !== null) {
    const [, name = "", given = "", choices = ""] = invalid;
    const names = choices.replaceAll('"', "").split(", ");
    const what = name in (command?.positionals ?? {}) ? `<${name}>` : `--${name}`;
    return new UsageError(
      `${what} cannot be ${shown(given)}${suggestion(given.replaceAll('"', ""), names)}`,
      `Choose one of ${names.join(", ")}.`,
    );
  }
  return new UsageError(message.trim(), help);
}

/**
 * Rejects what the parser accepts: an option given twice or empty, and `--no-` for an option that cannot be negated.
 */
export function checkValues(
  command: Command,
  args: Readonly<Record<string, unknown>>,
  place: Place,
  argv: readonly string[],
): void {
  const help = `${place.path.join(" ")} --help`;
  const words = place.path.slice(1).join(" ") || place.path.join(" ");
  for (const [name, { type, requiresArg, array }] of Object.entries(command.options)) {
    const value = args[name];
    if (type === "boolean") {
      const odd = argv.find((word) => word.startsWith(`--${name}=`) && !/=(?:true|false)$/.test(word));
      if (odd !== undefined) throw new UsageError(`${shown(odd)}: --${name} takes no value`, help);
    } else if (Array.isArray(value) && array === true) {
      if (value.includes("")) throw new UsageError(`--${name} is empty`, help);
    } else if (Array.isArray(value)) {
      throw new UsageError(`--${name} is given ${value.length === 2 ? "twice" : `${value.length} times`}`, help);
    } else if (value === false) {
      throw new UsageError(`${words} has no option --no-${name}`, help);
    } else if (value === "" && (requiresArg === true || isEmptied(name, argv))) {
      throw new UsageError(`--${name} is empty`, help);
    }
  }
  for (const name of Object.keys(command.positionals)) {
    if ([args[name]].flat().includes("")) throw new UsageError(`${words}: an argument is empty`, help);
  }
}

/** `--option ""`, for example from an unset shell variable; `--option` alone has a meaning of its own. */
function isEmptied(name: string, argv: readonly string[]): boolean {
  return argv.some((word, at) => word === `--${name}=` || (word === `--${name}` && argv[at + 1] === ""));
}

function isOption(word: string, argv: readonly string[]): boolean {
  return argv.some(
    (one) =>
      one === `--${word}` ||
      one.startsWith(`--${word}=`) ||
      one === `--no-${word}` ||
      // -xy is -x -y.
      (word.length === 1 && new RegExp(`^-[^-]*${word.replaceAll(/[^\w]/g, "\\$&")}`).test(one)),
  );
}

function suggestion(word: string, words: readonly string[], dashes = ""): string {
  const near = nearest(word, words) ?? words.find((one) => word.length > 1 && one.startsWith(word));
  return orMeant(near && `${dashes}${near}`);
}

/** Quotes and truncates a word of the command line. */
function shown(word: string): string {
  return truncate(word, 60);
}
