import { setTimeout as pause } from "node:timers/promises";
import { first } from "../command-line.ts";
import { startGateway } from "../gateway.ts";
import { fillTable, type MigrationScene, migrationScene, OPEN_SCN, tableFor } from "../migration-scene.ts";
import { lastLine } from "./clean.ts";
import { type Cluster, lastStored, resumeScn } from "./cluster.ts";
import { stateAt } from "./invariants.ts";
import { throughFrozen, untilQuiet } from "./late.ts";
import type { Chance } from "./random.ts";
import { atMost, settle } from "./settle.ts";
import { deed, type Operator, operatorOf, type Story } from "./story.ts";

/**
 * The calls of a migration's phases, each of which a leader can be frozen at. `LEGACY` and `NEXT` stand for the
 * connectors.
 */
const CALLS = [
  { phase: "cutover", method: "PUT", path: "/LEGACY/stop" },
  { phase: "cutover", method: "POST", path: "/connectors" },
  { phase: "cutover", method: "PUT", path: "/NEXT/resume" },
  { phase: "rollback", method: "PUT", path: "/NEXT/stop" },
  { phase: "rollback", method: "DELETE", path: "/NEXT/offsets" },
  { phase: "rollback", method: "DELETE", path: "/connectors/NEXT" },
  { phase: "rollback", method: "PUT", path: "/LEGACY/resume" },
  { phase: "retire", method: "DELETE", path: "/connectors/LEGACY" },
] as const;

type Phase = (typeof CALLS)[number]["phase"];

/** The target states of both connectors, and whether the new one has a stored offset. */
interface Placement {
  readonly legacy: string;
  readonly next: string;
  readonly stored: boolean;
}

const LEGACY_ALONE: Placement = { legacy: "STARTED", next: "GONE", stored: false };
const TAKEN_OVER: Placement = { legacy: "STOPPED", next: "STARTED", stored: true };
const RETIRED: Placement = { legacy: "GONE", next: "STARTED", stored: true };

const ENDS: Readonly<Record<Phase, { readonly from: Placement; readonly to: Placement }>> = {
  cutover: { from: LEGACY_ALONE, to: TAKEN_OVER },
  rollback: { from: TAKEN_OVER, to: LEGACY_ALONE },
  retire: { from: TAKEN_OVER, to: RETIRED },
};

let scenes = 0;

/**
 * One freeze of the leader serves all migrations, each at one call of one of its phases. It thaws when every command
 * has ended.
 */
export async function freezeMigrationsRound(
  cluster: Cluster,
  random: Chance,
  width: number,
): Promise<readonly Story[]> {
  const { world, truth } = cluster;
  const leader = await world.real.leader();
  const followers = world.real.workers.filter((_, index) => index !== leader);
  const begin = random.int(0, CALLS.length - 1);
  const prepared = await Promise.all(
    Array.from({ length: width }, async (_, index) => {
      const call = CALLS[(begin + index) % CALLS.length] ?? CALLS[0];
      const name = `move-${++scenes}`;
      const story = storyOf(cluster, name);
      const gateway = await startGateway(random.of(index).pick(followers).url, {
        hear: (passed) => story.acts.push({ act: "call", by: "alice", until: Date.now(), ...passed }),
      });
      world.oracle.tables = [...world.oracle.tables, tableFor(name)];
      const it = await migrationScene(world, name, gateway.url);
      const alice = await operatorOf(story, world.folder, "alice", { worker: gateway.url, machine: it.machine });
      return { story, gateway, it, alice, call, plan: await ready(it, alice, cluster, call.phase) };
    }),
  );
  // Only now: no call may time out before the leader is frozen.
  const began = await Promise.all(
    prepared.map(async (one) => {
      const { story, gateway, it, alice, call, plan } = one;
      const path = call.path.replace("LEGACY", it.legacy).replace("NEXT", it.next);
      const held = gateway.hold(call.method, "there", path);
      const running = alice.start("apply", plan, "--yes", "--resume-timeout", "60s");
      await first(held.reached, running.ended);
      deed(story, `${call.method} ${path} waits for the leader to be frozen`);
      return { ...one, held, running };
    }),
  );
  if ((await world.real.leader()) !== leader) throw new Error("another worker leads now");
  await throughFrozen(leader, began, cluster);
  const stories = began.map(({ story }) => story);
  await untilQuiet(cluster, stories);
  await Promise.all(
    began.map(async ({ story, alice, it, call, gateway }) => {
      await afterwards(story, alice, it, cluster, call.phase);
      await truth.caughtUp();
      await gateway.close();
      await world.real.call("DELETE", `/connectors/${it.legacy}`);
    }),
  );
  return stories;
}

/** The command of a phase is killed, and recovered. */
export async function killMigrationsRound(cluster: Cluster, random: Chance, width: number): Promise<readonly Story[]> {
  const { world } = cluster;
  return Promise.all(
    Array.from({ length: width }, async (_, index) => {
      const chance = random.of(index);
      const name = `move-${++scenes}`;
      const story = storyOf(cluster, name);
      world.oracle.tables = [...world.oracle.tables, tableFor(name)];
      const worker = chance.pick(world.real.workers).url;
      const it = await migrationScene(world, name, worker);
      const alice = await operatorOf(story, world.folder, "alice", { worker, machine: it.machine });
      const phase = chance.pick(["cutover", "cutover", "rollback", "retire"] as const);
      const running = alice.start("apply", await ready(it, alice, cluster, phase), "--yes");
      await Promise.race([pause(chance.int(1000, 15_000)), running.ended]);
      running.signal("SIGKILL");
      deed(story, `the ${phase} is killed`);
      const { code } = await running.ended;
      if (code === undefined) await settle(story, alice);
      await afterwards(story, alice, it, cluster, phase);
      await world.real.call("DELETE", `/connectors/${it.legacy}`);
      return story;
    }),
  );
}

/**
 * Its facts are the states of both connectors; the trial itself checks what the rules of an offset change do not cover.
 */
function storyOf({ label, truth }: Cluster, name: string): Story {
  const targets = (connector: string) => truth.facts(connector).filter(({ fact }) => fact === "target");
  return {
    kind: "migrations",
    trial: `${label}, ${name}`,
    connector: `${name}-cdc`,
    base: 0n,
    began: Date.now(),
    allows: { late: true, people: true },
    acts: [],
    operators: [],
    targets: [],
    wrong: [],
    facts: () => [...targets(`${name}-legacy`), ...targets(`${name}-cdc`)].sort((one, other) => one.at - other.at),
  };
}

/** Brings the migration to the start of the phase. @returns the phase's plan file */
async function ready(it: MigrationScene, alice: Operator, { world }: Cluster, phase: Phase): Promise<string> {
  const done = async (name: Phase | "verify"): Promise<void> => {
    const { code, stdout, stderr } = await alice.run("apply", await it.plan(name), "--yes", "--settle", "2s");
    if (code !== 0) throw new Error(`${name} of ${it.next}, undisturbed, ended with ${code}: ${stdout}\n${stderr}`);
  };
  if (phase !== "cutover") {
    await world.createTopic(`${it.next}.cdc.ops`);
    await done("cutover");
    await world.untilState(it.next, "RUNNING");
  }
  if (phase === "retire") {
    await fillTable(world, it.name);
    await done("verify");
  }
  return it.plan(phase);
}

/** After late calls have taken effect: the world is unchanged or exactly as planned, and the output agrees. */
async function afterwards(
  story: Story,
  alice: Operator,
  it: MigrationScene,
  cluster: Cluster,
  phase: Phase,
): Promise<void> {
  const { from, to } = ENDS[phase];
  const placed = async (): Promise<Placement> => {
    await cluster.truth.caughtUp();
    return placementOf(it, cluster);
  };
  const apply = story.acts.findLast((act) => act.act === "command" && act.args[0] === "apply");
  if (apply?.act !== "command") throw new Error("nothing was applied");
  const doubted = /unproven|doubt/i.test(`${apply.stdout}${apply.stderr}`);
  // What a leftover task stores under a deleted name is invisible over REST; it can only be reported.
  const same = (one: Placement, other: Placement): boolean => isAt(one, other) || (doubted && isLeftover(one, other));
  const now = await placed();
  deed(story, `apply has ended with ${apply.code}; ${text(now)}`);
  if (apply.code === 1 && !same(now, from)) story.wrong.push(`apply: 1, and ${text(now)}`);
  if (apply.code === 0 && !same(now, to) && !doubted) story.wrong.push(`apply: 0 without a doubt, and ${text(now)}`);
  if (apply.code === 3) await settle(story, alice);
  await followed(story, alice);
  const end = await placed();
  if (!same(end, from) && !same(end, to)) story.wrong.push(`it is left in between: ${text(end)}`);
  if (apply.code === 0 && !same(end, to))
    story.wrong.push(`what status says does not lead to the planned end: ${text(end)}`);
}

/** Follows `next:` of `status` until nothing is left to do. */
async function followed(story: Story, alice: Operator): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const status = await alice.run("status");
    if (status.code === 0) return;
    const next = /^(?:next:)? *cdcctl (recover\b.*)$/m.exec(status.stdout)?.[1];
    if (next === undefined) {
      story.wrong.push(`status does not say what to do: ${lastLine(status.stdout, status.stderr)}`);
      return;
    }
    await atMost(story, alice.start(...next.trim().split(" "), "--settle", "2s"), 240_000);
  }
  story.wrong.push("what status says under next: does not settle it");
}

async function placementOf({ legacy, next }: MigrationScene, { truth, world }: Cluster): Promise<Placement> {
  const stateOf = async (connector: string): Promise<string> => {
    const facts = truth.facts(connector);
    const { status } = await world.real.call("GET", `/connectors/${connector}`);
    // A late stop sets a state also for a connector that is deleted.
    return facts.length === 0 || status === 404 ? "GONE" : stateAt({ facts }, Number.POSITIVE_INFINITY);
  };
  return {
    legacy: await stateOf(legacy),
    next: await stateOf(next),
    stored: resumeScn(lastStored(truth.facts(next))) >= OPEN_SCN,
  };
}

const text = ({ legacy, next, stored }: Placement): string =>
  `the legacy connector is ${legacy}, the new one is ${next} ${stored ? "with" : "without"} a stored offset`;

/** A new connector that has not committed yet starts by its settings. */
const isAt = (one: Placement, other: Placement): boolean =>
  one.legacy === other.legacy && one.next === other.next && (one.next === "STARTED" || one.stored === other.stored);

const isLeftover = (one: Placement, other: Placement): boolean =>
  one.next === "GONE" && isAt({ ...one, stored: other.stored }, other);
