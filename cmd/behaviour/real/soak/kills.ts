import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Running } from "../machine.ts";
import { lastLine } from "./clean.ts";
import type { Cluster } from "./cluster.ts";
import type { Chance } from "./random.ts";
import { atMost, fromOps, settle } from "./settle.ts";
import { deed, newTarget, type Operator, operatorOf, planOf, playAll, type Story } from "./story.ts";

/** apply is killed; its machine recovers, or another one before it, which may be killed too. */
export async function killsRound(cluster: Cluster, random: Chance, width: number): Promise<readonly Story[]> {
  const stories = await cluster.stories("kills", width);
  await playAll(stories, random, (story, chance) => kill(story, cluster, chance));
  return stories;
}

async function kill(story: Story, { world }: Cluster, random: Chance): Promise<void> {
  const worker = () => random.pick(world.real.workers).url;
  const alice = await operatorOf(story, world.folder, "alice", { worker: worker() });
  await killedApply(story, alice, random, random.likely(0.5) ? ["resume: true"] : []);
  const way = random.pick(["home", "home", "second", "second killed", "both at once"] as const);
  deed(story, `recovered: ${way}`);
  if (way === "home") {
    await settle(story, alice);
  } else {
    const bob = await operatorOf(story, world.folder, "bob", { worker: worker() });
    const second = bob.start(...fromOps(story));
    if (way === "second killed") {
      await pause(random.int(500, 5000));
      second.signal("SIGKILL");
      deed(story, "bob's recover is killed");
    }
    if (way === "both at once") await pause(random.int(0, 3000));
    else await atMost(story, second, 240_000);
    await settle(story, alice);
    await atMost(story, second, 240_000);
    // A killed second machine settles its own run.
    if (way !== "second") await settle(story, bob);
    const { code } = await bob.run("status");
    if (code !== 0) story.wrong.push(`status of the second machine ends with ${code}`);
  }
  const { code, stdout, stderr } = await alice.run("status");
  if (code !== 0) story.wrong.push(`status at home ends with ${code}: ${lastLine(stdout, stderr)}`);
}

/** A few more entries than the journal of an undisturbed offset change with a resume. */
export const ENTRIES = 20;

/** An apply that is killed once its journal has a certain number of entries, or at a random moment. */
export async function killedApply(
  story: Story,
  operator: Operator,
  random: Chance,
  more: readonly string[],
): Promise<void> {
  const target = newTarget(story, random);
  await operator.machine.write("plan.yaml", planOf(story, `scn: ${target}`, "allowSkip: true", ...more));
  const apply = operator.start("apply", "plan.yaml", "--yes");
  if (random.likely(0.25)) {
    const millis = random.int(500, 12_000);
    await Promise.race([pause(millis), apply.ended]);
    deed(story, `killed after ${millis} ms`);
  } else {
    const entries = random.int(1, ENTRIES);
    await untilEntries(operator, story.connector, entries, apply);
    deed(story, `killed at entry ${entries} of the journal`);
  }
  apply.signal("SIGKILL");
  await apply.ended;
}

/** Waits until a connector's first journal has this number of entries, or the command has ended. */
export async function untilEntries(
  operator: Operator,
  connector: string,
  entries: number,
  running: Running,
): Promise<void> {
  let over = false;
  void running.ended.then(() => {
    over = true;
  });
  while (!over) {
    const [path] = await journalsOf(operator, connector);
    const text = path === undefined ? "" : await readFile(path, "utf8");
    if (text.split("\n").length - 1 >= entries) return;
    await pause(path === undefined ? 20 : 2);
  }
}

/** The paths of a connector's journals on a machine, the oldest first. */
export async function journalsOf(operator: Operator, connector: string): Promise<readonly string[]> {
  const state = join(operator.machine.home, ".local", "state", "cdcctl");
  const files = await readdir(state, { recursive: true }).catch(() => []);
  return files
    .filter((name) => name.includes(`/${connector}/`) && name.endsWith(".journal.jsonl"))
    .sort()
    .map((name) => join(state, name));
}
