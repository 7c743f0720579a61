import { setTimeout as pause } from "node:timers/promises";
import type { Ended, Running } from "../machine.ts";
import { lastLine } from "./clean.ts";
import { apart, type Cluster } from "./cluster.ts";
import type { Chance } from "./random.ts";
import { atMost, settle, slowDown } from "./settle.ts";
import { deed, newTarget, type Operator, operatorOf, planOf, type Story } from "./story.ts";

/** Two operators, each with separate state and clock, change one connector with different plans, or the same one. */
export const rivalsRound = apart("interleavings", rivals);

/** Minutes by which the machines' clocks are ahead. */
const CLOCKS = [
  [0, 0],
  [0, -20],
  [-20, 0],
  [60, 0],
  [0, 60],
] as const;

/** When the second one begins: at once, after a while, or when the first one reaches a certain point. */
const POINTS = [
  "check everything again",
  'record "applying"',
  'recorded "applying"',
  "patch the stored offset",
  'record "applied"',
  "resume ",
] as const;

async function rivals(story: Story, { world }: Cluster, random: Chance): Promise<void> {
  const clocks = random.pick(CLOCKS);
  const same = random.likely(0.25);
  const [alice, bob] = (await Promise.all(
    ["alice", "bob"].map((name, index) =>
      operatorOf(story, world.folder, name, {
        worker: random.pick(world.real.workers).url,
        gateway: true,
        clock: clocks[index] ?? 0,
      }),
    ),
  )) as [Operator, Operator];
  if (clocks.some((clock) => clock !== 0))
    deed(story, `alice's clock is ahead by ${clocks[0]} min, bob's by ${clocks[1]}`);
  const first = newTarget(story, random);
  const second = same ? first : newTarget(story, random);
  const resume = random.likely(0.5) ? ["resume: true"] : [];
  const orders = await Promise.all([
    orderOf(alice, story, first, resume, !same && random.likely(0.15)),
    orderOf(bob, story, second, same || random.likely(0.5) ? resume : [], !same && random.likely(0.15)),
  ]);

  const slow = random.pick(["nobody", "alice", "bob"] as const);
  const slowed = slow === "nobody" ? undefined : slowDown(story, slow === "alice" ? alice : bob, random);
  const ofAlice = alice.start(...orders[0]);
  slowed?.begins("alice", ofAlice);
  await begin(ofAlice, random);
  const ofBob = bob.start(...orders[1]);
  slowed?.begins("bob", ofBob);
  const ended = await Promise.all([atMost(story, ofAlice, 150_000), atMost(story, ofBob, 150_000)]);
  slowed?.over();

  for (const [index, { code, stdout, stderr }] of ended.entries()) {
    const [mine, rival] = index === 0 ? [alice, bob] : [bob, alice];
    if (code === 3) await settle(story, mine);
    if (code !== 0 && hasLost(story, mine.name) && !`${stdout}${stderr}`.includes(rival.name))
      story.wrong.push(`${mine.name} lost to ${rival.name}, who is not named: ${lastLine(stdout, stderr)}`);
  }
  if (same) checkOnce(story, ended);
  await Promise.all([alice, bob].map((operator) => operator.run("status")));
}

/** Whether an operator stopped the connector or announced a change, and another one's change came first. */
function hasLost(story: Story, mine: string): boolean {
  const stopped = story.acts.find((act) => act.act === "call" && act.by === mine && act.path.endsWith("/stop"));
  const events = story.facts().flatMap((fact) => (fact.fact === "event" && fact.at >= story.began ? [fact] : []));
  const failed = events.some(({ operator, outcome }) => operator === mine && outcome === "failed");
  const theirs = events.some(
    ({ operator, outcome, at }) =>
      operator !== mine && outcome === "applied" && stopped !== undefined && at > stopped.at && at < ended(story, mine),
  );
  return failed || (stopped !== undefined && theirs);
}

function ended(story: Story, operator: string): number {
  const first = story.acts.find((act) => act.act === "command" && act.by === operator);
  return first?.act === "command" ? first.until : Number.POSITIVE_INFINITY;
}

async function orderOf(
  operator: Operator,
  story: Story,
  target: bigint,
  resume: readonly string[],
  admin: boolean,
): Promise<readonly string[]> {
  const skips = target > story.base;
  if (admin)
    return [
      ...["admin", "offsets", "set", "--connect-url", operator.gateway?.url ?? "", "--name", story.connector],
      ...["--scn", `${target}`, "--reason", "meant", ...(skips ? ["--allow-skip"] : [])],
      ...(resume.length > 0 ? ["--resume"] : []),
    ];
  // Allows either direction from where the other one moved.
  await operator.machine.write("plan.yaml", planOf(story, `scn: ${target}`, "allowSkip: true", ...resume));
  // If the other one stops the connector again, no commit comes.
  return ["apply", "plan.yaml", "--yes", "--resume-timeout", "60s"];
}

async function begin(first: Running, random: Chance): Promise<void> {
  if (random.likely(0.5)) return pause(random.int(0, 6000));
  const point = random.pick(POINTS);
  // It may never reach that point.
  await Promise.race([first.said(point, 60_000).catch(() => undefined), first.ended]);
  await pause(random.int(0, 300));
}

/** The same plan is applied once, and the second machine reports that it was, or that it is in progress. */
function checkOnce(story: Story, ended: readonly Ended[]): void {
  const patched = new Set(
    story.acts.flatMap((act) => (act.act === "call" && act.method === "PATCH" && act.status === 200 ? [act.by] : [])),
  );
  if (patched.size > 1) story.wrong.push("the same plan was carried out by both");
  if (ended.every(({ code }) => code === 1)) story.wrong.push("the same plan was carried out by nobody");
}
