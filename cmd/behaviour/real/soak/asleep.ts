import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { canonicalJson } from "../../../../core/values/json.ts";
import type { Ended, Running } from "../machine.ts";
import type { RealWorld } from "../real-world.ts";
import { aimAt, type ChangingCall, callsOf, sleepsAt } from "./calls.ts";
import { lastLine } from "./clean.ts";
import { apart } from "./cluster.ts";
import { ENTRIES, entryOf, journalsOf } from "./journals.ts";
import { killedApply } from "./kills.ts";
import type { Chance } from "./random.ts";
import { atMost, fromOps, settle, settleShortened, statusIsTrue } from "./settle.ts";
import { deed, newTarget, type Operator, operatorOf, planOf, type Story, startApply } from "./story.ts";

/** apply falls asleep at some step; another machine finishes or abandons its run; then it wakes. */
export const asleepRound = apart("asleep", async (story, { world }, random) => {
  const worker = random.pick(world.real.workers).url;
  const alice = await operatorOf(story, world.folder, "alice", { worker, gateway: true });
  const call = random.likely(0.25) ? { entry: entryOf(random.int(1, ENTRIES)) } : random.pick(callsOf(story.connector));
  await sleepsWhileSettled(story, alice, call, world, random, async () => {
    const { running } = await startApply(story, alice, random, true);
    return running;
  });
});

/** A command falls asleep at a call, and wakes to what another machine has made of its run. */
export async function sleepsWhileSettled(
  story: Story,
  alice: Operator,
  call: ChangingCall,
  world: RealWorld,
  random: Chance,
  start: () => Promise<Running>,
): Promise<void> {
  const bob = await operatorOf(story, world.folder, "bob", { worker: random.pick(world.real.workers).url });
  const order = [...fromOps(story), ...(random.likely(0.5) ? ["--abandon"] : [])];
  let settled: Ended | undefined;
  const { code } = await sleepsAt(story, alice, call, start, async () => {
    settled = await atMost(story, bob.start(...order), 240_000);
  });
  if (code === 3) await settle(story, alice);
  if (settled?.code === 3) await settle(story, bob);
  await statusIsTrue(story, alice, bob);
}

/** A change is applied and rolled back; the offset is the one before, field by field, or the rollback is refused. */
export const rollbackRound = apart("rollbacks", async (story, cluster, chance) => {
  const alice = await operatorOf(story, cluster.world.folder, "alice", {
    worker: chance.pick(cluster.world.real.workers).url,
  });
  const runs = chance.likely(0.3);
  await (await startApply(story, alice, chance, runs)).running.ended;
  const rollback = alice.start("rollback", "--yes", ...(runs ? ["--move-back"] : []));
  if (chance.likely(0.5)) {
    await pause(chance.int(500, 8000));
    rollback.signal("SIGKILL");
    deed(story, "the rollback is killed");
  }
  const { code } = await atMost(story, rollback, 240_000);
  if (code === undefined || code === 3) await settle(story, alice);
  await cluster.truth.caughtUp();
  if (code === 0 && !runs && !isAsBefore(story)) story.wrong.push("the rollback stores something else");
  await statusIsTrue(story, alice);
});

/** Whether the offset that the first run replaced was stored again, field by field. */
function isAsBefore(story: Story): boolean {
  const facts = story.facts();
  const [first, ...later] = facts.slice(facts.findIndex((fact) => fact.fact === "event" && fact.at >= story.began));
  const before = first?.fact === "event" ? first.details["previous_offset"] : undefined;
  return later.some((fact) => fact.fact === "stored" && canonicalJson(fact.offset ?? null) === before);
}

/** One plan on two machines, one after the other: the second changes nothing, and says so. */
export const onceRound = apart("once", async (story, cluster, chance) => {
  const target = newTarget(story, chance);
  const plan = planOf(story, `scn: ${target}`, "allowSkip: true", ...(chance.likely(0.5) ? ["resume: true"] : []));
  let second: Ended | undefined;
  for (const name of ["alice", "bob"]) {
    const worker = chance.pick(cluster.world.real.workers).url;
    const operator = await operatorOf(story, cluster.world.folder, name, { worker });
    await operator.machine.write("plan.yaml", plan);
    second = await operator.run("apply", "plan.yaml", "--yes");
  }
  await cluster.truth.caughtUp();
  if (story.facts().some((fact) => fact.fact === "event" && fact.at >= story.began && fact.operator === "bob"))
    story.wrong.push("the second machine applied the same plan again");
  // A connector that stays stopped still has what the plan asks for.
  if (second?.code !== 0 || !/already applied|nothing to do/.test(second.stdout))
    story.wrong.push(`the second machine ends with ${second?.code}: ${lastLine(second?.stdout ?? "", "")}`);
});

/** Every changing call of apply is held: the journal has it already; then the machine dies, or goes on. */
export const writeAheadRound = apart("write-ahead", async (story, cluster, chance) => {
  const worker = chance.pick(cluster.world.real.workers).url;
  const alice = await operatorOf(story, cluster.world.folder, "alice", { worker, gateway: true });
  const calls = callsOf(story.connector);
  const aims = calls.map((call) => aimAt(story, alice, call));
  const dies = chance.int(0, calls.length);
  const { running: apply } = await startApply(story, alice, chance, true);
  for (const [index, aim] of aims.entries()) {
    await aim.reached(apply);
    if (index === dies) {
      apply.signal("SIGKILL");
      deed(story, `killed at ${calls[index]?.entry}`);
      break;
    }
    aim.release();
  }
  const { code } = await atMost(story, apply, 240_000);
  for (const aim of aims) aim.drop();
  if (code !== 0) await settle(story, alice);
  await statusIsTrue(story, alice);
});

/** The journal of a killed run is replaced by what a backup held of it: its first lines. */
export const restoredRound = apart("restored journals", async (story, cluster, chance) => {
  const { world } = cluster;
  const alice = await operatorOf(story, world.folder, "alice", { worker: chance.pick(world.real.workers).url });
  await killedApply(story, alice, chance);
  const [journal] = await journalsOf(alice, story.connector);
  if (journal === undefined) return;
  const lines = (await readFile(journal, "utf8")).split("\n");
  const kept = chance.int(1, Math.max(1, lines.length - 2));
  await alice.machine.write(journal.slice(alice.machine.home.length + 1), `${lines.slice(0, kept).join("\n")}\n`);
  deed(story, `the journal is restored from a backup: ${kept} of ${lines.length - 1} lines`);
  await settleShortened(story, alice);
  await statusIsTrue(story, alice);
});
