/**
 * An incident as a transcript: solved from its symptom with what the commands print. `[done: TEXT]` marks what no
 * program of ours does, such as an RMAN command or an edit of a plan file.
 */
import { SCRIPTS } from "./goldens.ts";
import { parseTranscript, type TranscriptStep } from "./transcript.ts";

export interface Story {
  /** The name of its file: `killed-apply`. */
  readonly name: string;
  readonly title: string;
  /** Setup of the incident, not typed by the person on call. */
  readonly before: readonly StoryStep[];
  readonly steps: readonly StoryStep[];
}

export interface StoryStep extends TranscriptStep {
  readonly exit: string;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

const SYMPTOM = "Symptom: ";
/** How the person on call may start: with the paged code, the refused command, or one of these. */
const FIRST =
  /^cdcctl (?:explain CDC-\d{4}|status|(?:status|connectors list) --context \w+|(?:plan|apply) \S+\.yaml(?: .*)?)$/;
/** How long to wait is up to the operator; the tests have no half minute. */
const PATIENCE = /^--settle$/;

/** What the names of their files begin with. */
export const NIGHT = "night-";

/** Every story there is: those with a code of the connector first, as a page names it, then by their titles. */
export function nightStories(): readonly Story[] {
  const stories = SCRIPTS.filter(({ file }) => file.startsWith(NIGHT)).map(({ text, file }) => storyOf(text, file));
  const rank = ({ title }: Story) => (title.startsWith("CDC-") ? 0 : 1);
  return stories.sort((a, b) => rank(a) - rank(b) || (a.title < b.title ? -1 : 1));
}

/** Reads a story with what its commands gave. @throws Error where it has no symptom */
export function storyOf(text: string, file: string): Story {
  const { about, steps } = parseTranscript(text, file);
  const outputs = text.split(/^\$ .*\n/m).slice(1);
  const played = steps.map((step, at): StoryStep => ({ ...step, ...outputOf(outputs[at] ?? "") }));
  const begin = played.findIndex(({ comment }) => comment[0]?.startsWith(SYMPTOM));
  if (begin < 0) throw new Error(`${file}: no comment begins with "${SYMPTOM}"`);
  const name = file.replace(/^night-|\.transcript\.txt$/g, "");
  return { name, title: about, before: played.slice(0, begin), steps: played.slice(begin) };
}

function outputOf(text: string): Pick<StoryStep, "exit" | "stdout" | "stderr"> {
  const lines = text.split("\n");
  // The next command's comment, and the blank line above it.
  const end = lines.findLastIndex((line) => line !== "" && !line.startsWith("# ")) + 1;
  const [exit = "", ...output] = lines.slice(0, end);
  const split = output.indexOf("--- stderr");
  return {
    exit: exit.replace("exit ", ""),
    stdout: split < 0 ? output : output.slice(0, split),
    stderr: split < 0 ? [] : output.slice(split + 1),
  };
}

/** A step that no earlier output suggested, and why. */
export interface Stray {
  readonly command: string;
  readonly why: string;
}

/** Steps of a story that its earlier output did not suggest. */
export function straysOf({ steps }: Story): readonly Stray[] {
  return steps.flatMap((step, at): readonly Stray[] => {
    const { command, note } = step;
    if (at === 0) return FIRST.test(command) ? [] : [{ command, why: "nobody on call begins with it" }];
    // A refused or unconfirmed command may be repeated.
    if (command === steps[0]?.command) return [];
    return sourceOf(step, steps.slice(0, at)) === undefined ? [{ command, why: whyStray(note) }] : [];
  });
}

function whyStray(note: string | undefined): string {
  return note?.startsWith("done: ") ? `"${note.slice(6)}" was not printed before` : "it was not printed before";
}

/** The lines of an earlier step that a step was taken from, the latest first. */
export function sourceOf(
  { command, note }: TranscriptStep,
  earlier: readonly StoryStep[],
): { readonly of: StoryStep; readonly lines: readonly string[] } | undefined {
  const done = note?.startsWith("done: ") ? note.slice("done: ".length) : undefined;
  for (const of of earlier.toReversed()) {
    const lines = done === undefined ? commandIn(linesOf(of), command) : textIn(linesOf(of), done);
    if (lines !== undefined) return { of, lines };
  }
  return undefined;
}

const linesOf = ({ stdout, stderr }: StoryStep): readonly string[] => [...stdout, ...stderr];

function commandIn(lines: readonly string[], command: string): readonly string[] | undefined {
  const line = lines.find((one) =>
    [...one.matchAll(/\bcdcctl .*/g)].some(([printed]) => fills(command, printed.split(/`|\s{2,}/)[0] ?? "")),
  );
  return line === undefined ? undefined : [line];
}

/** Whether a command is the printed one, with something in the place of its placeholders. */
function fills(command: string, printed: string): boolean {
  const given = wordsOf(command);
  const wanted = wordsOf(printed.replace(/\.$/, ""));
  const own = given.filter((word, at) => !PATIENCE.test(word) && !PATIENCE.test(given[at - 1] ?? ""));
  return own.length === wanted.length && wanted.every((word, at) => PLACEHOLDER.test(word) || word === own[at]);
}

const PLACEHOLDER = /^(?:[A-Z]{2,}|"…"|[A-Z]+\.json)$/;

function wordsOf(line: string): readonly string[] {
  return line.match(/"[^"]*"|\S+/g) ?? [];
}

/** A text that may be wrapped where it was printed. */
function textIn(lines: readonly string[], text: string): readonly string[] | undefined {
  for (const [at] of lines.entries())
    for (const height of [1, 2, 3]) {
      const some = lines.slice(at, at + height);
      if (
        some
          .map((line) => line.trim())
          .join(" ")
          .includes(text)
      )
        return some;
    }
  return undefined;
}
