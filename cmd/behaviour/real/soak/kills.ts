import { setTimeout as pause } from "node:timers/promises";
import { diesAt, diesSoon } from "./calls.ts";
import { apart, type Cluster } from "./cluster.ts";
import { ENTRIES, entryOf } from "./journals.ts";
import type { Chance } from "./random.ts";
import { atMost, fromOps, settle, statusIsTrue } from "./settle.ts";
import { deed, type Operator, operatorOf, type Story, startApply } from "./story.ts";

/** apply is killed; its machine recovers, or another one before it, which may be killed too. */
export const killsRound = apart("kills", kill);

async function kill(story: Story, { world }: Cluster, random: Chance): Promise<void> {
  const worker = () => random.pick(world.real.workers).url;
  const alice = await operatorOf(story, world.folder, "alice", { worker: worker() });
  await killedApply(story, alice, random);
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
    await statusIsTrue(story, bob);
  }
  await statusIsTrue(story, alice);
}

/** An apply that is killed once its journal has a certain number of entries, or at a random moment. */
export async function killedApply(story: Story, operator: Operator, random: Chance): Promise<void> {
  const start = async () => (await startApply(story, operator, random, random.likely(0.5))).running;
  if (random.likely(0.75)) return diesAt(story, operator, { entry: entryOf(random.int(1, ENTRIES)) }, start);
  await diesSoon(story, await start(), random.int(500, 12_000));
}
