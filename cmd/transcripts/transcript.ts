/**
 * A transcript: a text file that is a script and the record of what it gave.
 *
 *   # What is shown, in a sentence.
 *   world: orders
 *
 *   # Why this command.
 *   $ cdcctl plan orders-replay.yaml        [fault: kill after PATCH]
 *   exit 0
 *   what it wrote to stdout
 *   --- stderr
 *   what it wrote to stderr
 */
export interface Transcript {
  readonly about: string;
  /** Name of the world that it runs in. */
  readonly world: string;
  readonly steps: readonly TranscriptStep[];
}

export interface TranscriptStep {
  /** Comment lines above the command, without the hash. */
  readonly comment: readonly string[];
  /** The command as a shell takes it. */
  readonly command: string;
  /** What happens meanwhile: `fault: kill after PATCH`, `terminal: yes`. */
  readonly note: string | undefined;
}

export interface StepResult {
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const COMMAND = /^\$ (.*?)(?:\s{2,}\[(.*)\])?$/;

/** Reads the script of a transcript; what the commands gave before is passed over. */
export function parseTranscript(text: string, file: string): Transcript {
  const lines = text.split("\n");
  const about = /^# (.+)$/.exec(lines[0] ?? "")?.[1];
  const world = /^world: ([\w-]+)$/.exec(lines[1] ?? "")?.[1];
  if (about === undefined || world === undefined) throw new Error(`${file}: begin with "# sentence" and "world: name"`);
  const steps = lines.flatMap((line, index): readonly TranscriptStep[] => {
    const match = COMMAND.exec(line);
    if (match === null) return [];
    const above = lines.slice(2, index);
    const start = above.findLastIndex((one) => !one.startsWith("# ")) + 1;
    const comment = above.slice(start).map((one) => one.slice(2));
    return [{ comment, command: match[1] ?? "", note: match[2] }];
  });
  if (steps.length === 0) throw new Error(`${file} runs no command`);
  return { about, world, steps };
}

/** Writes a transcript with what its commands gave. */
export function printTranscript({ about, world, steps }: Transcript, results: readonly StepResult[]): string {
  const printed = steps.map(({ comment, command, note }, index) => {
    const { exit, stdout, stderr } = results[index] ?? { exit: "not run", stdout: "", stderr: "" };
    const lines = [
      ...comment.map((line) => `# ${line}`),
      `$ ${command}${note === undefined ? "" : `        [${note}]`}`,
      `exit ${exit}`,
      ...linesOf(stdout),
      ...(stderr === "" ? [] : ["--- stderr", ...linesOf(stderr)]),
    ];
    if (lines.slice(comment.length + 1).some((line) => COMMAND.test(line)))
      throw new Error(`the output of "${command}" can't be told from a command`);
    return `${lines.join("\n")}\n`;
  });
  return [`# ${about}\nworld: ${world}\n`, ...printed].join("\n");
}

/** The lines, without spaces at their ends and empty lines at the end: editors remove them. */
function linesOf(text: string): readonly string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
