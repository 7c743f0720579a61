import { counted } from "../../../core/values/amounts.ts";
import { escapeTerminal } from "../../../core/values/escape.ts";
import { lineOf } from "../../../core/values/remedy.ts";
import { trunc } from "../layout.ts";
import { type Rendered, textOf } from "../rendered.ts";
import type { Judged } from "./forms.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A forge that takes lines of a job's output for commands. */
interface Forge {
  /** Whether the job is one of it, and where the repository is then. */
  readonly isSeen: (env: Environment) => boolean;
  /** An annotation as one line. */
  readonly line: (judged: Judged, grade: "error" | "warning") => string;
}

/** Both forges keep so many of each grade and step; their runners drop the rest. */
const MOST_ANNOTATIONS = 10;
/** Their runners cut a message at 4096. */
const LONGEST = 1000;

const FORGES: readonly Forge[] = [
  {
    isSeen: ({ GITHUB_ACTIONS }) => GITHUB_ACTIONS === "true",
    line: (judged, grade) => {
      const { place, code, title } = judged;
      const properties = properly({
        ...{ file: place?.file, line: place?.line, col: place?.column, title: `${code} ${title}`.trim() },
      }).map(([name, value]) => `${name}=${percent(value, /[%:,]/g)}`);
      return `::${grade} ${properties.join(",")}::${percent(messageOf(judged), /[%\n]/g)}`;
    },
  },
  {
    isSeen: ({ TF_BUILD = "" }) => /^true$/i.test(TF_BUILD),
    line: (judged, grade) => {
      const { place, code } = judged;
      const properties = properly({
        ...{ type: grade, sourcepath: place?.file, linenumber: place?.line, columnnumber: place?.column, code },
      }).map(([name, value]) => `${name}=${azure(value, /[;\]]/g)};`);
      return `##vso[task.logissue ${properties.join("")}]${azure(messageOf(judged), /\n/g)}`;
    },
  },
];

/** The forge whose job this is, if it shows annotations. */
export function forgeOf(env: Environment): Forge | undefined {
  return FORGES.find(({ isSeen }) => isSeen(env));
}

/** Annotations of what was judged, the worst first; the last of each grade says how many there are more. */
export function annotations(judged: readonly Judged[], forge: Forge): Rendered {
  return textOf(
    (["error", "warning"] as const).flatMap((grade) => {
      const all = judged.filter((one) => one.grade === grade);
      const more = all.length - MOST_ANNOTATIONS;
      return all.slice(0, MOST_ANNOTATIONS).map((one, at) => {
        const isLast = more > 0 && at === MOST_ANNOTATIONS - 1;
        const rest = isLast ? ` (and ${counted(more, `more ${grade}`)}, in the report)` : "";
        return forge.line({ ...one, text: `${one.text}${rest}` }, grade);
      });
    }),
  );
}

function messageOf({ text, remedies }: Judged): string {
  const lines = [text, ...remedies.slice(0, 3).map(lineOf)];
  return trunc(lines.map(escapeTerminal).join("\n"), LONGEST);
}

function properly(of: {
  readonly [name: string]: string | number | bigint | undefined;
}): (readonly [string, string])[] {
  return Object.entries(of).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, escapeTerminal(String(value))] as const],
  );
}

function percent(text: string, characters: RegExp): string {
  return unforged(text).replace(
    characters,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/** Azure's agent reads a percent sign that is meant as such as %AZP25. */
function azure(text: string, characters: RegExp): string {
  return percent(text.replaceAll("%", "%AZP25"), characters);
}

/** Where the repository is, in a job of a forge. */
const ROOTS = ["GITHUB_WORKSPACE", "BUILD_SOURCESDIRECTORY", "CI_PROJECT_DIR", "WORKSPACE"] as const;

export function rootOf(env: Environment): string | undefined {
  return ROOTS.map((name) => env[name]).find((value) => value !== undefined && value !== "");
}

/** Whether the output is that of a job, whose runner may read commands in it. */
export function isInPipeline(env: Environment): boolean {
  return forgeOf(env) !== undefined || !/^(?:|0|false)$/i.test(env["CI"] ?? "");
}

/** What a runner takes for a command: GitHub's only after blanks at the beginning of a line, the others anywhere. */
const COMMANDS = /##(?:vso)?\[|^[^\S\n]*::/gim;
/** No command is longer until it is one. */
const MOST_KEPT = 5;

/**
 * Writes the last character of what begins a command as JSON does, so that a document keeps its meaning:
 * `##vso\u005btask`.
 */
function unforged(text: string): string {
  const last = (command: string) => command.charCodeAt(command.length - 1).toString(16);
  return text.replace(COMMANDS, (command) => `${command.slice(0, -1)}\\u00${last(command)}`);
}

/**
 * Lets no command through, also none that comes in several writes.
 *
 * @returns a function for the texts of one output, in their order
 */
export function shield(): (text: string) => string {
  let line = "";
  return (text) => {
    const safe = unforged(`${line}${text}`);
    const written = safe.slice(line.length);
    const last = safe.slice(safe.lastIndexOf("\n") + 1);
    // What it begins with is not needed once it can't be that of a command.
    line = /^\s*:?$/.test(last) ? last.trim() : last.length > MOST_KEPT ? `-${last.slice(-MOST_KEPT)}` : last;
    return written;
  };
}
