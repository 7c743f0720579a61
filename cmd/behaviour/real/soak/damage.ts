import { readFile, writeFile } from "node:fs/promises";
import { digestOf } from "../../../../core/values/digest.ts";
import { printJson } from "../../../../core/values/json.ts";
import { lastLine, quietApply } from "./clean.ts";
import type { Cluster } from "./cluster.ts";
import { journalsOf } from "./journals.ts";
import { killedApply } from "./kills.ts";
import type { Chance } from "./random.ts";
import { fromOps, settleShortened } from "./settle.ts";
import { deed, newTarget, type Operator, operatorOf, planOf, playAll, type Story } from "./story.ts";

/** Damages the journal of a killed run. Half of the connectors are unaffected ones of the same machines. */
export async function damageRound(cluster: Cluster, random: Chance, width: number): Promise<readonly Story[]> {
  const stories = await cluster.stories("damaged journals", Math.max(2, width - (width % 2)));
  const half = stories.length / 2;
  await playAll(stories.slice(0, half), random, (story, chance, index) =>
    damage(story, stories[half + index], cluster, chance),
  );
  return stories;
}

/** Kinds of damage; `visible`: whether the journal shows it. */
const DAMAGES: readonly {
  readonly name: string;
  readonly visible: "yes" | "no" | "newer";
  readonly make: (text: string, random: Chance) => string;
}[] = [
  {
    name: "a flipped byte",
    visible: "yes",
    make: (text, random) => flipped(text, random.int(0, lastLineStart(text) - 2)),
  },
  {
    name: "a flipped byte in the last line",
    visible: "yes",
    make: (text, random) => flipped(text, random.int(lastLineStart(text), text.length - 2)),
  },
  { name: "the last line lost", visible: "no", make: (text) => text.slice(0, lastLineStart(text)) },
  {
    name: "truncated",
    visible: "no",
    make: (text, random) => text.slice(0, random.int(text.indexOf("\n") + 1, text.length - 1)),
  },
  {
    name: "truncated in its first line",
    visible: "yes",
    make: (text, random) => text.slice(0, random.int(1, text.indexOf("\n"))),
  },
  { name: "a line lost in the middle", visible: "yes", make: withoutALine },
  { name: "empty", visible: "yes", make: () => "" },
  { name: "zeros", visible: "yes", make: (text) => "\0".repeat(text.length) },
  {
    name: "an entry of a newer version",
    visible: "newer",
    make: (text) => text + lineOf(text, { type: "fenced", token: "7" }),
  },
  {
    name: "an outcome of a newer version",
    visible: "newer",
    make: (text) => text + lineOf(text, { type: "run-ended", outcome: "deferred", message: "deferred" }),
  },
];

async function damage(story: Story, other: Story | undefined, cluster: Cluster, random: Chance): Promise<void> {
  const { world } = cluster;
  const worker = random.pick(world.real.workers).url;
  const alice = await operatorOf(story, world.folder, "alice", { worker });
  await killedApply(story, alice, random);
  const [journal] = await journalsOf(alice, story.connector);
  const text = journal === undefined ? "" : await readFile(journal, "utf8");
  const lines = text.split("\n").length - 1;
  const { name, visible, make } = random.pick(DAMAGES);
  if (journal !== undefined && lines >= 2) {
    await writeFile(journal, make(text, random));
    deed(story, `${name}: ${journal}`);
  }
  if (other !== undefined) await quietApply(other, cluster, random.of("other"), alice.machine);

  const { code: status } = await alice.run("status");
  if (visible === "newer" && lines >= 2) {
    const { code, stdout, stderr } = await alice.run("recover", "--yes", "--settle", "2s");
    if (status !== 3 || code !== 3 || !/version|newer/i.test(`${stdout}${stderr}`))
      story.wrong.push(`a journal of a newer version: status ${status}, recover ${code}: ${lastLine(stdout, stderr)}`);
  }
  if (visible === "no" || lines < 2) {
    await settleShortened(story, alice);
  } else {
    const { code, stdout, stderr } = await alice.run(...fromOps(story));
    if (code !== 0)
      story.wrong.push(`recover --from-ops on the machine itself ends with ${code}: ${lastLine(stdout, stderr)}`);
  }
  await goesOn(story, alice, random);
}

/** Afterwards, a new change of the connector succeeds. */
export async function goesOn(story: Story, alice: Operator, random: Chance): Promise<void> {
  const target = newTarget(story, random);
  await alice.machine.write("next.yaml", planOf(story, `scn: ${target}`, "allowSkip: true"));
  const { code, stdout, stderr } = await alice.run("apply", "next.yaml", "--yes");
  if (code !== 0) story.wrong.push(`the next apply ends with ${code}: ${lastLine(stdout, stderr)}`);
}

const lastLineStart = (text: string): number => text.lastIndexOf("\n", text.length - 2) + 1;

function flipped(text: string, at: number): string {
  const bytes = Buffer.from(text);
  bytes[at] = (bytes[at] ?? 0) ^ 4;
  return bytes.toString("utf8");
}

function withoutALine(text: string, random: Chance): string {
  const lines = text.split("\n");
  lines.splice(random.int(0, Math.max(0, lines.length - 3)), 1);
  return lines.join("\n");
}

/** One more entry, with a valid checksum. */
function lineOf(text: string, event: Readonly<Record<string, string>>): string {
  const entry = { seq: BigInt(text.split("\n").length - 1), at: new Date().toISOString(), ...event };
  return `${printJson({ checksum: digestOf(entry), entry }, 0)}\n`;
}
