import { setTimeout as pause } from "node:timers/promises";
import { waitFor } from "../../../../providers/real/wait.ts";
import type { Running } from "../machine.ts";
import { aimAt, callsToWorkers } from "./calls.ts";
import { lastLine } from "./clean.ts";
import { type Cluster, lastStored, resumeScn } from "./cluster.ts";
import { positionOf, stateAt } from "./invariants.ts";
import type { Chance } from "./random.ts";
import { atMost, settle } from "./settle.ts";
import { type Command, deed, type Operator, operatorOf, type Plan, playAll, type Story, startApply } from "./story.ts";

/** One freeze of the leader serves all connectors, each at one of its calls. It thaws when every command has ended. */
export async function freezeRound(cluster: Cluster, random: Chance, width: number): Promise<readonly Story[]> {
  const { world } = cluster;
  const stories = await cluster.stories("frozen leaders", width, { allows: { late: true }, atRest: true });
  const leader = await world.real.leader();
  const followers = world.real.workers.filter((_, index) => index !== leader);
  const began = await Promise.all(
    stories.map(async (story, index) => {
      const calls = callsToWorkers(story.connector);
      const call = calls[index % calls.length] ?? random.pick(calls);
      const worker = random.of(index).pick(followers).url;
      const alice = await operatorOf(story, world.folder, "alice", { worker, gateway: true });
      const held = aimAt(story, alice, call);
      const resume = call === calls.at(-1) || index % 2 === 0;
      // No task of a frozen worker is moved to another one for five minutes.
      const started = await startApply(story, alice, random.of(index), resume, "--resume-timeout", "60s");
      await held.reached(started.running);
      deed(story, `${call.entry} waits for the leader to be frozen`);
      return { story, alice, held, ...started };
    }),
  );
  await throughFrozen(leader, began, cluster);
  await untilQuiet(cluster, stories);
  await Promise.all(began.map(({ story, alice, ...plan }) => afterwards(story, alice, cluster, plan)));
  return stories;
}

/** Freezes the leader, releases every held call to it, and thaws it when every command has ended. */
export async function throughFrozen(
  leader: number,
  began: readonly {
    readonly story: Story;
    readonly running: Running;
    readonly held: { release(): void };
  }[],
  { world }: Cluster,
): Promise<void> {
  const note = (what: string) => {
    for (const { story } of began) deed(story, what);
  };
  world.real.freeze(leader);
  note(`worker ${leader}, the leader, is frozen`);
  for (const { held } of began) held.release();
  try {
    await Promise.all(began.map(({ story, running }) => atMost(story, running, 420_000)));
  } finally {
    world.real.thaw(leader);
    note(`worker ${leader} goes on`);
  }
  await world.real.leader();
}

/** Tasks that keep running after a stop, longer than the worker waits for them, and commit once more. */
export async function hungRound(cluster: Cluster, random: Chance, width: number): Promise<readonly Story[]> {
  const millis = cluster.of.grace === undefined ? 60_000 : 12_000;
  const stories = await cluster.stories("hung tasks", width, {
    settings: { "standin.hang.when.stopped.ms": String(millis) },
    allows: { late: true },
  });
  await playAll(stories, random, async (story, chance) => {
    const worker = chance.pick(cluster.world.real.workers).url;
    const alice = await operatorOf(story, cluster.world.folder, "alice", { worker });
    const plan = await startApply(story, alice, chance, chance.likely(0.5));
    await atMost(story, plan.running, 420_000);
    await pause(millis + 3000);
    deed(story, "the task has come back");
    await cluster.truth.caughtUp();
    await afterwards(story, alice, cluster, plan);
  });
  return stories;
}

/**
 * Asks once late calls have taken effect: is the output still true, and if not, did it state a doubt, and does `status`
 * report it?
 */
async function afterwards(
  story: Story,
  operator: Operator,
  { truth }: Cluster,
  { target, resume }: Pick<Plan, "target" | "resume">,
): Promise<void> {
  const apply = story.acts.find((act): act is Command => act.act === "command" && act.args[0] === "apply");
  const facts = story.facts();
  const undone =
    positionOf(story, resumeScn(lastStored(facts))) !== target ||
    stateAt({ facts }, Number.POSITIVE_INFINITY) !== (resume ? "STARTED" : "STOPPED");
  const output = `${apply?.stdout}${apply?.stderr}`;
  const status = await operator.run("status");
  if (apply?.code === 0 && undone) {
    deed(story, "what succeeded was undone");
    if (!/not proven|doubt/i.test(output)) story.wrong.push("apply ended with 0 without a doubt, and was undone");
    if (status.code !== 3) story.wrong.push(`status does not tell that it was undone: ${lastLine(status.stdout, "")}`);
    else await repair(story, operator, target, status.stdout, truth);
  }
  if (apply?.code === 3) await settle(story, operator);
  await truth.caughtUp();
}

/** Follows `next:` of `status`; then the change stands, and the connector runs. */
async function repair(
  story: Story,
  operator: Operator,
  target: bigint,
  status: string,
  truth: Cluster["truth"],
): Promise<void> {
  const next = /^(?:next:)? *cdcctl (recover \S+ --resume)/m.exec(status)?.[1];
  if (next === undefined) {
    story.wrong.push(`status does not say how the change is repaired: ${lastLine(status, "")}`);
    return;
  }
  const ended = await atMost(story, operator.start(...next.split(" "), "--yes", "--settle", "2s"), 240_000);
  await truth.caughtUp();
  const facts = story.facts();
  const stands = positionOf(story, resumeScn(lastStored(facts))) === target;
  if (ended.code !== 0 || !stands || stateAt({ facts }, Number.POSITIVE_INFINITY) !== "STARTED")
    story.wrong.push(
      `${next} ends with ${ended.code}, the change ${stands ? "stands" : "does not stand"}: ` +
        `${lastLine(ended.stdout, ended.stderr)}`,
    );
  const after = await operator.run("status");
  if (after.code !== 0) story.wrong.push(`status after ${next}: ${lastLine(after.stdout, after.stderr)}`);
}

/** Waits until the workers have rebalanced, and only the connectors' own commits have come for a while. */
export async function untilQuiet({ truth }: Cluster, stories: readonly Story[]): Promise<void> {
  const quiet = 8000;
  await waitFor(
    "the thawed worker to have done what it does",
    async () => {
      await truth.caughtUp();
      const last = Math.max(...stories.flatMap((story) => turns(story)));
      return Date.now() - last > quiet;
    },
    120_000,
  );
}

/** When a state was set, or an offset stored that goes on from another position than the one before. */
function turns(story: Story): readonly number[] {
  let position: bigint | undefined;
  return [
    story.acts.at(-1)?.at ?? 0,
    ...story.facts().flatMap((fact) => {
      if (fact.fact !== "stored") return [fact.at];
      const before = position;
      position = positionOf(story, resumeScn(fact));
      return position === before ? [] : [fact.at];
    }),
  ];
}
