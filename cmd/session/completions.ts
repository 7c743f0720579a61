import type { Options } from "yargs";
import { type Command, nameOf } from "../command.ts";
import type { Host } from "../host.ts";
import type { Program } from "../main.ts";

/** Placeholder for file names, which the shell completes. */
const FILES = ":files";
/** A word that a shell may show and insert: one line, no invisible characters, and not read as an option. */
const OFFERED = /^(?!-)[^\p{C}\p{Zl}\p{Zp}]+$/u;

/** Options given so far that decide where names are looked up. */
type Given = Readonly<Record<string, string>>;

/** Names known on this machine: a completion uses no network and no login. */
const NAMES = {
  contexts: async (given: Given, host: Host) => (await openContexts(given, host)).names,
  connectors: async (given: Given, host: Host) => {
    const [contexts, runs] = await Promise.all([
      openContexts(given, host).catch(() => undefined),
      storedRuns(given, host).catch(() => []),
    ]);
    const configured = (contexts?.names ?? []).flatMap((name) => contexts?.outline(name).connectors ?? []);
    return [...configured.map(([name]) => name), ...runs.map(({ connector }) => connector)];
  },
  runs: async (given: Given, host: Host) => (await storedRuns(given, host)).map(({ run }) => run),
  codes: async () => (await import("../views/codes.ts")).CODES.map(({ code }) => code),
  kinds: async () => (await import("../../core/document/kinds.ts")).KINDS,
  schemas: async () => (await import("../options/schema.ts")).SCHEMA_KINDS,
  scenarios: async () => [
    "list",
    ...(await import("../../providers/sandbox/scenarios.ts")).SCENARIOS.map(({ name }) => name),
  ],
  files: async () => [FILES],
} as const;

type Names = keyof typeof NAMES;

/** The kind of value of an option or positional; prefixed by the command where several share a name. */
const VALUES: Readonly<Record<string, readonly Names[]>> = {
  "--context": ["contexts"],
  "--connector": ["connectors"],
  "--name": ["connectors"],
  "--scenario": ["scenarios"],
  "--accept": ["codes"],
  "--contexts": ["files"],
  "--state": ["files"],
  "--config": ["files"],
  "--command-config": ["files"],
  "--facts": ["files"],
  "--out": ["files"],
  "--output": ["files"],
  "--input": ["files"],
  "--report": ["files"],
  "--target-config": ["files"],
  "--legacy-config": ["files"],
  "--check-evidence": ["files"],
  "--work-dir": ["files"],
  "--dir": ["files"],
  "--approvals": ["files"],
  "--key": ["files"],
  "--signers": ["files"],
  "--policy": ["files"],
  files: ["files"],
  context: ["contexts"],
  dir: ["files"],
  name: ["connectors"],
  run: ["runs"],
  code: ["codes"],
  "plan-or-run": ["runs", "files"],
  "connector-plan-or-run": ["connectors", "runs", "files"],
  "approve plan": ["files"],
  "init kind": ["kinds"],
  "schema kind": ["schemas"],
};

/**
 * The possible completions of the last word, sorted; includes `:files` where a file name is possible. Sources that
 * cannot be read are skipped, because errors would disturb typing.
 *
 * @param words of an unfinished command line; the first may name a program (default: the first program)
 */
export async function completions(
  words: readonly string[],
  programs: readonly Program[],
  host: Host,
): Promise<readonly string[]> {
  const named = programs.find(({ name }) => name === words[0]?.split("/").at(-1));
  const typed = named === undefined ? words : words.slice(1);
  const last = typed.at(-1) ?? "";
  const place = placeOf(named ?? programs[0], typed.slice(0, -1));
  const { given, positionals, awaiting } = readWords(place.rest, place.command);
  const [, optionBefore, begun] = /^(--[^=]+)=(.*)$/s.exec(last) ?? [];
  const valued = awaiting ?? optionNamed(optionBefore, place.command);
  if (valued !== undefined) {
    const values = await valuesOf(`--${valued.name}`, valued.option, given, host);
    if (awaiting !== undefined || begun === undefined) return fitting(values, last);
    return fitting(values, begun).map((word) => (word === FILES ? word : `${optionBefore}=${word}`));
  }
  if (last.startsWith("-"))
    return [...Object.entries(place.command?.options ?? {}).flatMap(spellings), "--help"]
      .filter((word) => word.startsWith(last))
      .sort();
  const taken = Object.entries(place.command?.positionals ?? {});
  const [name, option] = taken[positionals] ?? taken.filter(([, { array }]) => array === true).at(-1) ?? [];
  if (place.command === undefined || name === undefined || option === undefined)
    return fitting(place.commands.filter(({ verbatim }) => verbatim !== true).map(nameOf), last);
  const ofCommand = `${nameOf(place.command)} ${name}`;
  return fitting(await valuesOf(ofCommand in VALUES ? ofCommand : name, option, given, host), last);
}

/** The command that the first words name, its subcommands, and the remaining words. */
function placeOf(program: Program | undefined, words: readonly string[]) {
  let command: Command | undefined = program?.sole;
  let commands = program?.commands ?? [];
  let used = 0;
  for (const word of words) {
    const next = commands.find((one) => nameOf(one) === word);
    if (next === undefined) break;
    [command, commands] = [next, next.commands];
    used++;
  }
  return { command, commands, rest: words.slice(used) };
}

interface NamedOption {
  readonly name: string;
  readonly option: Options;
}

/**
 * Parses the finished words: options and their values, the number of positionals, and the option that awaits its value.
 */
function readWords(words: readonly string[], command: Command | undefined) {
  const given: Record<string, string> = {};
  let positionals = 0;
  let awaiting: NamedOption | undefined;
  for (const word of words) {
    const [, spelled = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const found = optionNamed(spelled, command);
    if (awaiting !== undefined) {
      given[awaiting.name] = word;
      awaiting = undefined;
    } else if (found === undefined) positionals += word.startsWith("-") && word !== "-" ? 0 : 1;
    else if (value !== undefined) given[found.name] = value;
    else if (found.option.type !== "boolean") awaiting = found;
  }
  return { given, positionals, awaiting };
}

/** @param spelled `--format`, `--name` where it is an alias, `-o` */
function optionNamed(spelled: string | undefined, command: Command | undefined): NamedOption | undefined {
  const name = /^--?(.+)$/.exec(spelled ?? "")?.[1];
  const found = Object.entries(command?.options ?? {}).find(
    ([own, { alias = [] }]) => name !== undefined && [own, alias].flat().includes(name),
  );
  return found === undefined ? undefined : { name: found[0], option: found[1] };
}

function spellings([name, { type, default: preset }]: readonly [string, Options]): readonly string[] {
  return type === "boolean" && preset === true ? [`--${name}`, `--no-${name}`] : [`--${name}`];
}

async function valuesOf(key: string, option: Options, given: Given, host: Host): Promise<readonly string[]> {
  if (option.choices !== undefined) return option.choices.map(String);
  const found = (VALUES[key] ?? []).map((names) => NAMES[names](given, host).catch((): readonly string[] => []));
  return (await Promise.all(found)).flat();
}

function fitting(words: readonly string[], begun: string): readonly string[] {
  const fits = words.filter((word) => word === FILES || (word.startsWith(begun) && OFFERED.test(word)));
  return [...new Set(fits)].sort();
}

async function openContexts(given: Given, host: Host) {
  const { contextsOf } = await import("./contexts.ts");
  return contextsOf(given, host);
}

async function storedRuns(given: Given, host: Host) {
  const { openState } = await import("./places.ts");
  return openState(given, host).list();
}
