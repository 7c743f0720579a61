/**
 * The man pages, from what `--help` is made of: one a program and one a command of it, with all that is below it. In
 * man(7), as mandoc and groff both read it. They bear no date, so that the same sources give the same bytes.
 */
import type { Options } from "yargs";
import { type Command, nameOf } from "../command.ts";
import { PROGRAMS } from "../commands/catalogue.ts";
import type { Program } from "../main.ts";

type Lines = readonly string[];

/** @returns the text of each page, by its file name: `cdcctl-plan.1` */
export function manPages(version: string): ReadonlyMap<string, string> {
  const pages = PROGRAMS.flatMap((program) => [
    [program.name, programPage(program)] as const,
    ...shown(program.commands).map((one) => [`${program.name}-${nameOf(one)}`, commandPage(program, one)] as const),
  ]);
  return new Map(
    pages.map(([name, { describe, lines }]) => {
      const head = [
        `.TH ${roff(name.toUpperCase())} 1 "" "cdcctl ${roff(version)}" "cdcctl manual"`,
        // Nothing that is copied may be hyphenated or padded.
        ".nh",
        ".ad l",
        ...section("NAME", [`${roff(name)} \\- ${roff(describe.replace(/\.$/, ""))}`]),
      ];
      return [`${name}.1`, `${[...head, ...lines].join("\n")}\n`];
    }),
  );
}

function programPage(program: Program) {
  const { name, describe, sole } = program;
  const commands = shown(program.commands);
  const synopsis = `\\fB${roff(name)}\\fR${sole === undefined ? " \\fIcommand\\fR" : ""} [\\fIoptions\\fR]`;
  const lines = [
    ...section("SYNOPSIS", [synopsis]),
    ...section("DESCRIPTION", [prose(describe)]),
    ...section(
      "COMMANDS",
      commands.flatMap((one) => item(usage([name], one), one.describe)),
    ),
    // A script is its command: examples begin with the script's name in place of the command's.
    ...(sole === undefined ? [] : body(sole, ".SH", (line) => `${name}${line.slice(nameOf(sole).length)}`)),
    ...exitStatus(program),
    ...seeAlso(commands.map((one) => `${name}-${nameOf(one)}`)),
  ];
  return { describe, lines };
}

function commandPage(program: Program, command: Command) {
  const lines = [
    ...section("SYNOPSIS", [usage([program.name], command)]),
    ...section("DESCRIPTION", [prose(command.describe)]),
    ...(command.commands.length === 0
      ? body(command, ".SH", (line) => `${program.name} ${line}`)
      : below(command, [program.name, nameOf(command)])),
    ...exitStatus(program),
    ...seeAlso([program.name]),
  ];
  return { describe: command.describe, lines };
}

/** The commands of a group, each in a section of its own. */
function below(group: Command, path: Lines): Lines {
  return shown(group.commands).flatMap((command) => {
    const own = [...path, nameOf(command)];
    if (command.commands.length > 0) return below(command, own);
    return [
      `.SH "${roff(own.join(" "))}"`,
      usage(path, command),
      ".PP",
      prose(command.describe),
      ...body(command, ".SS", (line) => [...path, line].join(" ")),
    ];
  });
}

/** @param whole an example's line, with the words before it */
function body({ positionals, options, examples }: Command, heading: ".SH" | ".SS", whole: (line: string) => string) {
  const title = (text: string): string => (heading === ".SH" ? text.toUpperCase() : text);
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...section(
      title("Arguments"),
      Object.entries(positionals).flatMap(([name, one]) => item(`\\fI${roff(name)}\\fR`, described(one))),
      heading,
    ),
    ...section(
      title("Options"),
      sorted.flatMap(([name, one]) => item(spelled(name, one), described(one))),
      heading,
    ),
    ...section(
      title("Examples"),
      examples.flatMap(([line, what]) => [
        ".PP",
        `${roff(what)}:`,
        ".PP",
        ".RS 4",
        ".nf",
        roff(whole(line)),
        ".fi",
        ".RE",
      ]),
      heading,
    ),
  ];
}

/** `Exit codes: 0 done, 1 refused. Try it …`, as a list. */
function exitStatus({ epilogue }: Program): Lines {
  const [, said = ""] = /^Exit codes: (.*?)\.(?:\n|$)/s.exec(epilogue) ?? [];
  const codes = said.replaceAll("\n", " ").split(/,\s+(?=\d)/);
  return section(
    "EXIT STATUS",
    codes.flatMap((one) => item(one.slice(0, one.indexOf(" ")), one.slice(one.indexOf(" ") + 1))),
  );
}

function seeAlso(names: Lines): Lines {
  const pages = names.map((name) => `\\fB${roff(name)}\\fR(1)`);
  return section("SEE ALSO", pages.length === 0 ? [] : [pages.join(", ")]);
}

function section(title: string, lines: Lines, heading: ".SH" | ".SS" = ".SH"): Lines {
  return lines.length === 0 ? [] : [`${heading} ${title}`, ...(lines[0] === ".PP" ? lines.slice(1) : lines)];
}

function item(term: string, text: string): Lines {
  return [".TP", term, prose(text)];
}

/** `\fBcdcctl plan\fR \fIfiles\fR ... [\fIoptions\fR]` */
function usage(before: Lines, command: Command): string {
  const [name = "", ...taken] = command.usage.split(" ");
  const words = taken.map((word) => {
    const [, open = "", what = "", more = ""] = /^([<[])(.*?)(\.\.)?[>\]]$/.exec(word) ?? [];
    const several = more === "" ? "" : " ...";
    return open === "[" ? `[\\fI${roff(what)}\\fR${several}]` : `\\fI${roff(what)}\\fR${several}`;
  });
  return [`\\fB${roff([...before, name].join(" "))}\\fR`, ...words, "[\\fIoptions\\fR]"].join(" ");
}

/** `-o, --format text|json` */
function spelled(name: string, { alias = [], type, choices, default: preset }: Options): string {
  const names = [name, ...[alias].flat()].sort((a, b) => a.length - b.length);
  const dashed = names.map((one) => `\\fB${roff(one.length === 1 ? `-${one}` : `--${one}`)}\\fR`);
  if (type === "boolean")
    return [...dashed, ...(preset === true ? [`\\fB${roff(`--no-${name}`)}\\fR`] : [])].join(", ");
  const value = choices === undefined ? "\\fIvalue\\fR" : choices.map((one) => roff(String(one))).join("|");
  return `${dashed.join(", ")} ${value}`;
}

function described({ describe = "", type, default: preset, demandOption }: Options): string {
  const more = [
    ...(demandOption === true ? ["required"] : []),
    ...(preset === undefined || type === "boolean" ? [] : [`default: ${String(preset)}`]),
  ];
  return more.length === 0 ? describe : `${describe} (${more.join("; ")})`;
}

/** A paragraph; `code` of it is bold. */
function prose(words: string): string {
  return roff(words).replaceAll(/\\\(ga(.*?)\\\(ga/g, "\\fB$1\\fR");
}

/** Text as it stands: whatever it holds, no part of it is an instruction, and a dash can be copied. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("`", "\\(ga")
    .replaceAll("'", "\\(aq")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll('"', "\\(dq")
    .replaceAll(
      /[^\n -~]/gu,
      (letter) => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    )
    .replace(/^\./, "\\&.");
}

/** Those that the help shows. */
function shown(commands: readonly Command[]): readonly Command[] {
  return commands.filter(({ verbatim }) => verbatim !== true);
}
