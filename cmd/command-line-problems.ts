import { nearest } from "../core/document/nearest.ts";
import { UsageError } from "../core/errors.ts";
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
 * What terraform and kubectl call it, and what it is here: options with a dash. Names of options and commands are those
 * of their own documentation.
 */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["-auto-approve", "To carry out without being asked: --yes, or -y."],
  ["-no-color", "Set NO_COLOR=1 in the environment; what is no terminal gets no colour anyway."],
  ["-output", "To choose the form of a report: --format json, or -o json."],
  ["-dry-run", "`cdcctl plan` changes nothing: plan first, and apply what it has shown."],
  ["-filename", "Name the file itself, or write -f FILE."],
  ["-lock-timeout", "A lock is never waited for: another cdcctl that holds it is named."],
  ["get", "cdcctl connectors list"],
  ["describe", "cdcctl connectors show NAME; a run: cdcctl show RUN"],
  ["destroy", "cdcctl rollback RUN takes a change back."],
  ["fmt", "cdcctl validate FILE checks a plan file."],
  ["workspace", "Contexts name the environments: cdcctl contexts list"],
  ["config", "Contexts name the environments: cdcctl contexts list"],
]);

/** The first option of another tool; terraform writes its own with one dash. */
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

/** Says in the operator's words what the parser (yargs) says in its own. */
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
    const missing = `there is no command ${[...path.slice(1), shown(word)].join(" ")}`;
    return elsewhere === undefined
      ? new UsageError(`${missing}${meant(word, names)}`, help)
      : new UsageError(missing, elsewhere);
  }
  if (unknown !== undefined) {
    const word = unknown.find((one) => isOption(one, argv) || argv.includes(one)) ?? "";
    if (!isOption(word, argv)) return new UsageError(`${who} does not take ${shown(word)}`, help);
    const dashes = argv.some((one) => one === `--${word}` || one.startsWith(`--${word}=`)) ? "--" : "-";
    const options = [...Object.keys(command?.options ?? {}), "help", "version"];
    return new UsageError(`${who} has no option ${dashes}${shown(word)}${meant(word, options, "--")}`, help);
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
      `${what} can't be ${shown(given)}${meant(given.replaceAll('"', ""), names)}`,
      `Choose one of ${names.join(", ")}.`,
    );
  }
  return new UsageError(message.trim(), help);
}

/**
 * What the parser lets pass: an option given twice, without a text, or with `--no-` where there is nothing to negate.
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
    } else if (value === "" && requiresArg === true) {
      throw new UsageError(`--${name} is empty`, help);
    }
  }
  for (const name of Object.keys(command.positionals)) {
    if ([args[name]].flat().includes("")) throw new UsageError(`${words}: an argument is empty`, help);
  }
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

function meant(word: string, words: readonly string[], dashes = ""): string {
  const near = nearest(word, words) ?? words.find((one) => word.length > 1 && one.startsWith(word));
  return near === undefined ? "" : `; did you mean ${dashes}${near}?`;
}

/** A word of anybody's length. */
function shown(word: string): string {
  return truncate(word, 60);
}
