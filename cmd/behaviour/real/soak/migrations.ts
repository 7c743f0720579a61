import { cp } from "node:fs/promises";
import { startGateway } from "../gateway.ts";
import { type Ended, newMachine } from "../machine.ts";
import { fillTable, type MigrationScene, migrationScene, OPEN_SCN, tableFor } from "../migration-scene.ts";
import { aimAt, type ChangingCall, changingCall, diesAt, diesSoon, sleepsAt, stepCall } from "./calls.ts";
import { lastLine } from "./clean.ts";
import { type Cluster, lastStored, type Round, resumeScn } from "./cluster.ts";
import { stateAt } from "./invariants.ts";
import { journaledRuns } from "./journals.ts";
import { throughFrozen, untilQuiet } from "./late.ts";
import { type Phase, type Placement, phaseViolations, placementText } from "./migration-rules.ts";
import type { Chance } from "./random.ts";
import { atMost, settle, statusIsTrue, withoutNext } from "./settle.ts";
import { type Allowed, type Command, deed, newStory, type Operator, operatorOf, type Story } from "./story.ts";
import { eventOf, type Fact } from "./truth.ts";

/** The calls of a migration's phases, in their order. */
const CALLS: readonly { readonly phase: Phase; readonly call: (legacy: string, next: string) => ChangingCall }[] = [
  { phase: "cutover", call: (legacy) => changingCall(`PUT stop ${legacy}`) },
  { phase: "cutover", call: (_, next) => changingCall(`POST connector ${next}`) },
  { phase: "cutover", call: (_, next) => changingCall(`PUT resume ${next}`) },
  { phase: "rollback", call: (_, next) => changingCall(`PUT stop ${next}`) },
  { phase: "rollback", call: () => stepCall("record-applying") },
  { phase: "rollback", call: (_, next) => changingCall(`DELETE offsets of ${next}`) },
  { phase: "rollback", call: () => stepCall("record-outcome") },
  { phase: "rollback", call: (_, next) => changingCall(`DELETE connector ${next}`) },
  { phase: "rollback", call: (legacy) => changingCall(`PUT resume ${legacy}`) },
  { phase: "rollback", call: (_, next) => changingCall(`null records to ${next}.cdc.txjournal`) },
  { phase: "rollback", call: (_, next) => changingCall(`DELETE topic ${next}`) },
  { phase: "retire", call: (legacy) => changingCall(`DELETE connector ${legacy}`) },
  { phase: "retire", call: () => changingCall("DELETE topic ORCLCDB") },
];
/** Those that a frozen leader answers. */
const OF_THE_LEADER = CALLS.filter(({ call }) => call("legacy", "next").http !== undefined);

let scenes = 0;

/** A migration that has come to the start of a phase. */
interface Ready {
  readonly story: Story;
  readonly it: MigrationScene;
  readonly alice: Operator;
  readonly phase: Phase;
  readonly plan: string;
  readonly begun: number;
  /** The ops topic's events, for the story, once the phase is over. */
  readonly told: Fact[];
  leave(): Promise<void>;
}

/**
 * One freeze of the leader serves all migrations, each at one call of one of its phases. It thaws when every command
 * has ended.
 */
export async function freezeMigrationsRound(
  cluster: Cluster,
  random: Chance,
  width: number,
): Promise<readonly Story[]> {
  const { world } = cluster;
  const leader = await world.real.leader();
  const followers = world.real.workers.filter((_, index) => index !== leader);
  const begin = random.int(0, OF_THE_LEADER.length - 1);
  const prepared = await Promise.all(
    Array.from({ length: width }, async (_, index) => {
      const chosen = OF_THE_LEADER[(begin + index) % OF_THE_LEADER.length] ?? random.pick(OF_THE_LEADER);
      const worker = random.of(index).pick(followers).url;
      const one = await ready(cluster, chosen.phase, worker, { late: true, people: true });
      return { ...one, call: chosen.call(one.it.legacy, one.it.next) };
    }),
  );
  // Only now: no call may time out before the leader is frozen.
  const began = await Promise.all(
    prepared.map(async (one) => {
      const { story, alice, plan, call } = one;
      const held = aimAt(story, alice, call);
      const running = alice.start("apply", plan, "--yes", "--resume-timeout", "60s");
      await held.reached(running);
      deed(story, `${call.entry} waits for the leader to be frozen`);
      return { ...one, held, running };
    }),
  );
  if ((await world.real.leader()) !== leader) throw new Error("another worker leads now");
  await throughFrozen(leader, began, cluster);
  const stories = began.map(({ story }) => story);
  await untilQuiet(cluster, stories);
  await Promise.all(began.map((one) => afterwards(one, cluster)));
  return stories;
}

/** The command of a phase is killed at some moment or call, and recovered. */
export const killMigrationsRound = disturbed(async (one, _cluster, random) => {
  const { story, alice, plan } = one;
  const start = async () => alice.start("apply", plan, "--yes");
  if (random.likely(0.5)) {
    await diesAt(story, alice, someCall(one, random), start);
  } else {
    await diesSoon(story, await start(), random.int(500, 15_000));
  }
  await settle(story, alice);
});

/**
 * The command of a phase falls asleep at a call, and wakes to what another operator has applied: the return from its
 * cutover, or the same phase.
 */
export const asleepMigrationsRound = disturbed(async (migration, { world }, random) => {
  const { story, it, alice, plan, phase } = migration;
  const order = phase === "cutover" ? await it.plan("rollback") : plan;
  const worker = random.pick(world.real.workers).url;
  const machine = await newMachine(world.folder, {}, { environment: { CDCCTL_OPERATOR: "bob" } });
  // Plan files, evidence and contexts, and nothing of alice's runs.
  await cp(alice.machine.home, machine.home, { recursive: true, filter: (path) => !path.endsWith("/.local") });
  const contexts = ".config/cdcctl/contexts.yaml";
  await machine.write(contexts, (await machine.read(contexts)).replace(alice.gateway?.url ?? "", worker));
  const bob = await operatorOf(story, world.folder, "bob", { worker, machine });
  let settled: Ended | undefined;
  const start = async () => alice.start("apply", plan, "--yes");
  const { code, stdout } = await sleepsAt(story, alice, someCall(migration, random), start, async () => {
    if (phase === "cutover") await world.createTopic(`${it.next}.cdc.ops`);
    settled = await atMost(story, bob.start("apply", order, "--yes", "--settle", "2s"), 240_000);
  });
  const back = /started it after the stop[\s\S]*cdcctl recover (\S+) --abandon/.exec(withoutNext(stdout))?.[1];
  if (code === 3 && back !== undefined) {
    deed(story, "bob's return stands: the cutover is abandoned");
    await atMost(story, alice.start("recover", back, "--abandon", "--yes"), 120_000);
  }
  if (code === 3) await settle(story, alice);
  if (settled?.code === 3) await settle(story, bob);
  await statusIsTrue(story, alice, bob);
});

const someCall = ({ it, phase }: Ready, random: Chance): ChangingCall =>
  random.pick(CALLS.filter((one) => one.phase === phase)).call(it.legacy, it.next);

/** Trials of the phases, each with one operator whose calls go through a gateway. */
function disturbed(play: (one: Ready, cluster: Cluster, random: Chance) => Promise<void>): Round {
  return async (cluster, random, width) =>
    Promise.all(
      Array.from({ length: width }, async (_, index) => {
        const chance = random.of(index);
        const phase = chance.pick(["cutover", "cutover", "rollback", "rollback", "retire"] as const);
        const worker = chance.pick(cluster.world.real.workers).url;
        const one = await ready(cluster, phase, worker, { people: true }, chance.likely(0.5));
        await play(one, cluster, chance);
        await afterwards(one, cluster);
        return one.story;
      }),
    );
}

/** Its facts are both connectors' states and the ops topic's events; what else is promised the trial checks. */
function storyOf({ label, truth }: Cluster, name: string, allows: Allowed, told: readonly Fact[]): Story {
  const targets = (connector: string) => truth.facts(connector).filter(({ fact }) => fact === "target");
  return newStory({
    kind: "migrations",
    trial: `${label}, ${name}`,
    connector: `${name}-cdc`,
    base: 0n,
    allows,
    facts: () => [...targets(`${name}-legacy`), ...targets(`${name}-cdc`), ...told].sort((a, b) => a.at - b.at),
  });
}

/** Brings a migration to the start of a phase. @param deletes whether a rollback deletes the new connector's topics */
async function ready(cluster: Cluster, phase: Phase, worker: string, allows: Allowed, deletes = false): Promise<Ready> {
  const { world } = cluster;
  const name = `move-${++scenes}`;
  const told: Fact[] = [];
  const story = storyOf(cluster, name, allows, told);
  const gateway = await startGateway(worker, {
    hear: (passed) => story.acts.push({ act: "call", by: "alice", until: Date.now(), ...passed }),
  });
  world.oracle.tables = [...world.oracle.tables, tableFor(name)];
  const it = await migrationScene(world, name, gateway.url);
  const alice = { ...(await operatorOf(story, world.folder, "alice", { worker, machine: it.machine })), gateway };
  const done = async (before: Phase | "verify"): Promise<void> => {
    const { code, stdout, stderr } = await alice.run("apply", await it.plan(before), "--yes", "--settle", "2s");
    if (code !== 0) throw new Error(`${before} of ${it.next}, undisturbed, ended with ${code}: ${stdout}\n${stderr}`);
  };
  if (phase !== "cutover") {
    await world.createTopic(`${it.next}.cdc.ops`);
    await done("cutover");
    await world.untilState(it.next, "RUNNING");
  }
  if (phase === "rollback")
    for (const [topic, key] of keptRecords(it.next)) {
      await world.createTopic(topic);
      await world.append(topic, { key, value: "{}" });
    }
  if (phase === "retire") {
    await fillTable(world, it.name);
    await done("verify");
  }
  const plan = await it.plan(phase, ...(deletes && phase === "rollback" ? ["deleteTopics: true"] : []));
  return {
    ...{ story, it, alice, phase, plan, told, begun: Date.now() },
    leave: () => gateway.close(),
  };
}

/** What the new connector's other topics hold of it, by their names: the keys. */
const keptRecords = (prefix: string): readonly (readonly [string, string])[] => [
  [`${prefix}.cdc.txjournal`, JSON.stringify({ server: prefix, con_id: 3, xid: "8.14.2207", chunk: 0, generation: 1 })],
];

/** Held against the rules, when late calls have taken effect. */
async function afterwards({ story, it, alice, phase, begun, told, leave }: Ready, cluster: Cluster): Promise<void> {
  const { world, truth } = cluster;
  const placed = async (): Promise<Placement> => {
    await truth.caughtUp();
    return placementOf(it, cluster);
  };
  const ended = await placed();
  deed(story, placementText(ended));
  const last = story.acts.findLast((act) => act.act === "command" && act.args[0] === "apply");
  if (last?.act === "command" && last.code === 3) await settle(story, alice);
  await followed(story, alice);
  const settled = await placed();
  const topics = await world.topics();
  const recordsOf = async (topic: string) => (topics.includes(topic) ? world.records(topic) : []);
  const events = (await recordsOf(`${it.next}.cdc.ops`)).flatMap(({ value, timestamp }, position) => {
    const read = eventOf(BigInt(position), value);
    return read === undefined ? [] : [{ ...read.fact, at: Number(timestamp), exact: true }];
  });
  told.push(...events);
  const left = await Promise.all(
    keptRecords(it.next).map(async ([topic]) => ((await recordsOf(topic)).at(-1)?.value ?? null) !== null && topic),
  );
  const since = (connector: string) => truth.facts(connector).filter(({ at }) => at >= begun);
  story.wrong.push(
    ...phaseViolations({
      ...{ phase, events, ended, settled, late: story.allows.late === true },
      legacy: since(it.legacy),
      next: since(it.next),
      journals: (await Promise.all(story.operators.map(journaledRuns))).flat().filter((run) => run.begun >= begun),
      commands: story.acts.filter((act): act is Command => act.act === "command" && act.at >= begun),
      topicsGone: it.legacyTopics.filter((topic) => !topics.includes(topic)),
      recordsLeft: left.filter((topic) => topic !== false),
    }),
  );
  await leave();
  await world.real.call("DELETE", `/connectors/${it.legacy}`);
}

/** Follows `next:` of `status` until nothing is left to do. */
async function followed(story: Story, alice: Operator): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const status = await alice.run("status");
    if (status.code === 0) return;
    const next = /^(?:next:)? *cdcctl (recover\b[^#\n]*)/m.exec(status.stdout)?.[1];
    if (next === undefined) {
      story.wrong.push(`status does not say what to do: ${lastLine(status.stdout, status.stderr)}`);
      return;
    }
    await atMost(story, alice.start(...next.trim().split(" "), "--yes", "--settle", "2s"), 240_000);
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
