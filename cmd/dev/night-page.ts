import { type Story, type StoryStep, sourceOf } from "../transcripts/night.ts";

/** Outputs of more lines are shortened. */
const WHOLE = 14;
const HEAD = 3;
const TAIL = 5;
/** A value is looked for in what was printed by so many commands before. */
const NEAR = 1;

/** docs/three-in-the-morning.md: the first commands, every incident by its symptom, and how it was solved. */
export function nightPage(note: string, stories: readonly Story[]): string {
  const rows = stories.map(
    ({ title, steps: [first] }) => `| ${partOf(first, "Symptom")} | [${title}](#${anchorOf(title)}) |`,
  );
  return `${note}

# Three in the morning

Find the symptom and follow its story. Each was played against the sandbox, and every command in it is one that an
output before it has printed: after the first command nothing has to be known by heart. For everything else there is
[symptoms.md](symptoms.md), and behind every code \`cdcctl explain CODE\`.

## First, always

\`\`\`sh
cdcctl status --context prod
cdcctl connectors list --context prod
cdcctl admin offsets show --context prod --name orders-cdc --check-redo
\`\`\`

The first says whether a change was left unfinished, here or, by the ops topic, on another machine. The second shows
every connector with state, position, lag, unsettled runs and changes in flight. The third says where the connector
stands, draws it ([how to read it](diagnostics.md#the-scn-timeline)), and says whether it could go on from there. None
of them changes anything. For whoever takes over: \`cdcctl report orders-cdc --context prod --out orders-cdc.html\`.

## Symptoms

| Symptom | Story |
| --- | --- |
${rows.join("\n")}

${stories.map(storySection).join("\n\n")}
`;
}

/** The anchor that GitHub makes of a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}

function storySection({ title, steps }: Story): string {
  const last = steps.at(-1);
  const blocks = steps.flatMap((step, at) => {
    const paragraphs = paragraphsOf(step).filter((one) => !one.startsWith("Outcome: "));
    const taken = linesTaken(step, steps.slice(at + 1), steps.slice(0, at + 1));
    const block = blockOf(step, (line) => taken.has(line) || introduces(line, step, title));
    if (block === undefined && paragraphs.length === 0) throw new Error(`"${step.command}" says nothing of itself`);
    return [...paragraphs.map(printed), ...(block === undefined ? [] : [block])];
  });
  return [`## ${title}`, ...blocks, printed(`Outcome: ${partOf(last, "Outcome")}`)].join("\n\n");
}

/** Comment lines as paragraphs: one begins with each of the words that have a place on the page. */
function paragraphsOf({ comment }: StoryStep): readonly string[] {
  const paragraphs: string[] = [];
  for (const line of comment) {
    const last = paragraphs.pop();
    if (last === undefined || /^(?:Symptom|It means|Outcome): /.test(line)) {
      if (last !== undefined) paragraphs.push(last);
      paragraphs.push(line);
    } else paragraphs.push(`${last} ${line}`);
  }
  return paragraphs;
}

function partOf(step: StoryStep | undefined, name: string): string {
  const paragraph = step === undefined ? undefined : paragraphsOf(step).find((one) => one.startsWith(`${name}: `));
  if (paragraph === undefined) throw new Error(`"${step?.command}" has no ${name}`);
  return capital(paragraph.slice(name.length + 2));
}

const NAMES: readonly (readonly [said: string, shown: string])[] = [
  ["Symptom: ", "**Symptom.** "],
  ["It means: ", "**What it means.** "],
  ["Outcome: ", "**Outcome.** "],
];

function printed(paragraph: string): string {
  const name = NAMES.find(([prefix]) => paragraph.startsWith(prefix));
  return name === undefined ? paragraph : `${name[1]}${capital(paragraph.slice(name[0].length))}`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Whether a line is the verdict of a command, or where a command that only looks says what the page did. */
function introduces(line: string, { command }: StoryStep, title: string): boolean {
  if (/^(?:refused|failed|not finished): /.test(line)) return true;
  const code = /^CDC-\d{4}/.exec(title)?.[0];
  return code !== undefined && / (?:show|inspect) /.test(command) && line.includes(code);
}

/** The lines of a step's output that later commands were taken from, or that hold a value which these fill in. */
function linesTaken(step: StoryStep, later: readonly StoryStep[], upTo: readonly StoryStep[]): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const [at, one] of later.entries()) {
    const source = sourceOf(one, [...upTo, ...later.slice(0, at)]);
    if (source?.of === step) for (const line of source.lines) taken.add(line);
  }
  const values = later.slice(0, NEAR).flatMap(({ command }) => command.match(/(?<= )[\d:.]{6,}(?= |$)/g) ?? []);
  for (const line of [...step.stdout, ...step.stderr])
    if (values.some((value) => line.includes(value))) taken.add(line);
  return taken;
}

/** Undefined for what only stands in for something outside of cdcctl: its comment says what was done. */
function blockOf({ command, stdout, stderr }: StoryStep, kept: (line: string) => boolean): string | undefined {
  if (command.startsWith("touch ")) return undefined;
  const withErrors = stdout.length === 0 || stderr.some((line) => kept(line));
  const shown = shortened([...stdout, ...(withErrors ? stderr : [])], kept);
  return ["```text", `$ ${command}`, ...shown, "```"]
    .join("\n")
    .replaceAll(/\bYYYY-MM-DDThh-mm-ssZ-run\d+/g, "RUN")
    .replaceAll(/(sha256:digest-\d+)\.+/g, "$1…");
}

function shortened(lines: readonly string[], kept: (line: string) => boolean): readonly string[] {
  if (lines.length <= WHOLE) return lines;
  const whole = lines.map((line, at) => at < HEAD || at >= lines.length - TAIL || kept(line));
  return lines.flatMap((line, at) => {
    // A line alone takes no more room than what would stand for it.
    if (whole[at] || (whole[at - 1] && whole[at + 1])) return [line];
    return whole[at - 1] ? ["…"] : [];
  });
}
