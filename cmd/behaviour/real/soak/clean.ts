import { setTimeout as pause } from "node:timers/promises";
import type { Machine } from "../machine.ts";
import type { Cluster } from "./cluster.ts";
import type { Chance } from "./random.ts";
import { deed, newTarget, operatorOf, planOf, playAll, type Story } from "./story.ts";

/** Undisturbed trials: each connector gets its own plan, all at the same time. */
export async function cleanRound(cluster: Cluster, random: Chance, width: number): Promise<readonly Story[]> {
  return quietApplies("clean", cluster, random, width);
}

/** How long until the workers are restarted again, when each of them was. */
const BETWEEN_ROLLS_MILLIS = 40_000;

/**
 * The same while one worker after the other is restarted, the ones that the commands talk to among them; and again,
 * until all applies have ended.
 */
export async function rollingRound(cluster: Cluster, random: Chance, width: number): Promise<readonly Story[]> {
  const over = new AbortController();
  const wait = (millis: number) => pause(millis, undefined, { signal: over.signal }).catch(() => undefined);
  const chance = random.of("restarts");
  const roll = async (stories: readonly Story[]): Promise<void> => {
    await wait(chance.int(0, 8000));
    while (!over.signal.aborted) {
      for (let worker = 0; worker < cluster.of.workers && !over.signal.aborted; worker++) {
        for (const story of stories) deed(story, `worker ${worker} is restarted`);
        await cluster.world.real.restart(worker);
        await wait(chance.int(0, 8000));
      }
      await wait(BETWEEN_ROLLS_MILLIS);
    }
  };
  let restarting: Promise<void> = Promise.resolve();
  return quietApplies("rolling", cluster, random, width, (stories) => {
    restarting = roll(stories);
  }).finally(async () => {
    over.abort();
    await restarting;
  });
}

async function quietApplies(
  kind: string,
  cluster: Cluster,
  random: Chance,
  width: number,
  begin: (stories: readonly Story[]) => void = () => undefined,
): Promise<readonly Story[]> {
  const stories = await cluster.stories(kind, random.int(1, width), { atRest: true });
  begin(stories);
  await playAll(stories, random, (story, chance) => quietApply(story, cluster, chance));
  return stories;
}

/**
 * Applies one plan, which must succeed. @param machine one that has worked on other connectors before; default: a new
 * one
 */
export async function quietApply(story: Story, { world }: Cluster, random: Chance, machine?: Machine): Promise<void> {
  const worker = random.pick(world.real.workers).url;
  const alice = await operatorOf(story, world.folder, "alice", { worker, machine });
  const target = newTarget(story, random);
  const spec = [
    `scn: ${target}`,
    ...(target > story.base ? ["allowSkip: true"] : []),
    ...(random.likely(0.6) ? ["resume: true"] : []),
  ];
  await alice.machine.write("quiet.yaml", planOf(story, ...spec));
  const { code, stdout, stderr } = await alice.run("apply", "quiet.yaml", "--yes");
  if (code !== 0) story.wrong.push(`apply of an undisturbed connector ended with ${code}: ${lastLine(stdout, stderr)}`);
}

export function lastLine(stdout: string, stderr: string): string {
  const text = stdout.trim() === "" ? stderr : stdout;
  return text.trim().split("\n").slice(-6).join(" / ");
}
