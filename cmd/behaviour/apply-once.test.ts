/** Applied once; one at a time; a change in flight is seen, and settled from any machine. */
import { readFile, writeFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeOpsEvent, recordedChanges } from "../../core/facts/ops/ops-event.ts";
import { runState } from "../../core/run/state.ts";
import { instantOf } from "../../core/values/instant.ts";
import { CLUSTER_ID, CONNECTOR, PREFIX } from "../../providers/sandbox/sandbox.ts";
import { planFile } from "../../providers/sandbox/scenario.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";
import {
  type Arrival,
  type ChangedWorld,
  changesIn,
  failAll,
  inChangedWorld,
  OPS_TOPIC,
  RECOVER_FROM_OPS,
} from "./changed-world.ts";
import { positionOf, TARGET_SCN } from "./changes.ts";
import { runHere, startProcess } from "./run-command.ts";
import { collected, contradictions } from "./story.ts";

const once = suite("applied once");
const LIMITS = ["--settle", "300ms"];
const KEY = { clusterId: CLUSTER_ID, connector: CONNECTOR };

const inWorld = (name: string, act: (world: ChangedWorld) => Promise<void>): void => inChangedWorld(once, name, act);

const apply = (world: ChangedWorld, plan: string, ...more: string[]) =>
  runHere(["apply", plan, "--yes", ...LIMITS, ...more], world);

inWorld("the same plan file a second time changes nothing", async (world) => {
  assert.is((await apply(world, world.plan)).exit, 0);
  const before = changesIn(world);
  const second = await apply(world, world.plan);
  assert.is(second.exit, 0, second.output);
  assert.match(second.output, /already applied/);
  assert.is(changesIn(world), before);
});

inWorld("a resolved plan that was overtaken by later runs is refused, unless --again is given", async (world) => {
  const saved = join(world.dir, "replay.plan.json");
  assert.is((await runHere(["plan", world.plan, "--out", saved], world)).exit, 0);
  assert.is((await apply(world, saved)).exit, 0);
  const other = await world.writePlan(
    "ahead.yaml",
    planFile("ahead", "skip some", `scn: ${TARGET_SCN + 20_000n}`, "resume: true", "allowSkip: true"),
  );
  const between = await apply(world, other);
  assert.is(between.exit, 0, between.output);
  const before = changesIn(world);
  const refused = await apply(world, saved);
  assert.is(refused.exit, 1, refused.output);
  assert.match(refused.output, /APL812/);
  assert.is(changesIn(world), before);
  const again = await apply(world, saved, "--again");
  assert.is(again.exit, 0, again.output);
  assert.equal(contradictions(await collected(world)), []);
});

inWorld("the lock names its holder, and nothing is touched", async (world) => {
  const lock = await stateDirectory(join(world.dir, "state")).lock(KEY, "rollback");
  const { exit, output } = await apply(world, world.plan);
  await lock.release();
  assert.is(exit, 1, output);
  const words = output.replace(/\s+/g, " ");
  for (const part of [userInfo().username, hostname(), `pid ${process.pid}`, "rollback", "since 20"])
    assert.ok(words.includes(part), `${part} is not in: ${words}`);
  assert.match(output, /STA701/);
  assert.is(changesIn(world), 0);
});

inWorld("leftovers of a process killed before its first journal entry block nothing", async (world) => {
  const writer = await stateDirectory(join(world.dir, "state")).create({ ...KEY, run: "2026-01-01T00-00-00Z-0000" });
  await writer.close();
  const recovered = await runHere(["recover", "--yes"], world);
  assert.is(recovered.exit, 0, recovered.output);
  const applied = await apply(world, world.plan);
  assert.is(applied.exit, 0, applied.output);
});

inWorld("an unsettled run is reported before anything else is done", async (world) => {
  await killedAt(world, "patch-offset", isPatch);
  const before = changesIn(world);
  const { exit, output } = await apply(world, world.plan, "--again");
  assert.is(exit, 1, output);
  assert.match(output, /APL813|OPS603/);
  assert.match(output, /cdcctl recover/);
  assert.is(changesIn(world), before);
});

function foreign(world: ChangedWorld, ageMillis: number): void {
  const event = {
    at: instantOf(Date.now() - ageMillis),
    server: PREFIX,
    details: {
      connector: CONNECTOR,
      command: "offsets set",
      reason: "by hand",
      operator: "mallory",
      direction: "backward",
      previous_resume_scn: "2044511",
      new_resume_scn: "2000001",
      outcome: "applying" as const,
    },
  };
  const { key, value } = encodeOpsEvent(event, "json");
  world.sandbox.broker.append(OPS_TOPIC, { key: Buffer.from(key), value: Buffer.from(value) });
}

inWorld("another user's change in flight blocks, with its operator and age, unless it is accepted", async (world) => {
  // The workers tell the time in whole seconds.
  foreign(world, 3 * 3_600_000 + 90_000);
  const refused = await apply(world, world.plan);
  assert.is(refused.exit, 1, refused.output);
  assert.match(refused.output, /mallory/);
  assert.match(refused.output, /3 h 1 min/);
  assert.match(refused.output, /OPS603/);
  assert.is(changesIn(world), 0);
  const accepting = await world.writePlan(
    "accepting.yaml",
    planFile("orders-replay", "replay", `scn: ${TARGET_SCN}`, "resume: true", "accept: [OPS603]"),
  );
  const accepted = await apply(world, accepting);
  assert.is(accepted.exit, 0, accepted.output);
});

for (const [minutes, exit] of [
  [14, 1],
  [16, 0],
] as const) {
  inWorld(`admin ${exit === 1 ? "refuses" : "only warns of"} a change that began ${minutes} min ago`, async (world) => {
    foreign(world, minutes * 60_000);
    const set = ["admin", "offsets", "set", "--connect-url", world.sandbox.connect.url, "--name", CONNECTOR];
    const done = await runHere([...set, "--scn", String(TARGET_SCN), "--reason", "replay", "--resume"], world);
    assert.is(done.exit, exit, done.output);
    assert.match(done.output, /mallory/);
    assert.is(positionOf(world.sandbox.stored()), exit === 1 ? "as before" : "from the target");
  });
}

const isPatch = (arrival: Arrival) => arrival.system === "connect" && arrival.method === "PATCH";
const isStatus = (arrival: Arrival) => arrival.system === "connect" && arrival.path.endsWith("/status");

/** `apply` in a process of its own, killed at the first such request of a step. What was asked is still carried out. */
async function killedAt(world: ChangedWorld, step: string, matches: (arrival: Arrival) => boolean): Promise<void> {
  const { child, finished } = startProcess(["apply", world.plan, "--yes", ...LIMITS], world);
  const dead = finished.then(() => undefined);
  failAll(world.sandbox, (arrival) => {
    const begun = world
      .journal()
      .flatMap((entry) => (entry.type === "step-started" ? [entry.step] : []))
      .at(-1);
    if (begun !== step || !matches(arrival)) return undefined;
    child.kill("SIGKILL");
    return { connect: { hold: dead, when: "before" } };
  });
  const { exit, output } = await finished;
  failAll(world.sandbox, undefined);
  assert.is(exit, "SIGKILL", output);
}

for (const [where, matches] of [
  ["after its record", isStatus],
  ["during its PATCH", isPatch],
] as const) {
  inWorld(`a run killed ${where} is settled from another machine, and then on its own machine`, async (world) => {
    await killedAt(world, "patch-offset", matches);
    const elsewhere = join(world.dir, "elsewhere");
    const fromOps = RECOVER_FROM_OPS;
    const settled = await runHere([...fromOps, "--state", elsewhere, ...LIMITS], world);
    assert.is(settled.exit, 0, settled.output);
    const [change] = recordedChanges(await world.opsEvents(), CONNECTOR);
    assert.is(change?.outcome, "applied");
    assert.is(positionOf(world.sandbox.stored()), "at the target");
    const nothing = await runHere([...fromOps, "--state", join(world.dir, "third"), ...LIMITS], world);
    assert.is(nothing.exit, 0, nothing.output);
    assert.match(nothing.output, /nothing to recover/);
    const own = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(own.exit, 0, own.output);
    assert.equal(contradictions(await collected(world)), []);
  });
}

for (const kept of [0, 1, 3]) {
  inWorld(`a takeover that was cut off after ${kept} entries is completed`, async (world) => {
    await killedAt(world, "patch-offset", isPatch);
    const state = join(world.dir, "elsewhere");
    const store = stateDirectory(state);
    const fromOps = [...RECOVER_FROM_OPS, "--state", state];
    // Only reads are answered: the takeover is written, and the run stays open.
    failAll(world.sandbox, (arrival) =>
      arrival.system === "connect" && arrival.method !== "GET" ? { connect: "disconnect-before" } : undefined,
    );
    const patience = { connect: { callMillis: 10_000, retryMillis: 600 }, patch: 100 };
    const cutOff = await runHere([...fromOps, ...LIMITS], { ...world, patience });
    assert.is(cutOff.exit, 3, cutOff.output);
    failAll(world.sandbox, undefined);
    const [key] = await store.list();
    if (key === undefined) throw new Error("no journal was written");
    const path = join(state, CLUSTER_ID, CONNECTOR, `${key.run}.journal.jsonl`);
    const lines = (await readFile(path, "utf8")).split("\n").slice(0, kept);
    await writeFile(path, lines.map((line) => `${line}\n`).join(""));
    const taken = await runHere([...fromOps, ...LIMITS], world);
    assert.is(taken.exit, 0, taken.output);
    assert.is(runState(await store.read(key))?.ended?.outcome, "succeeded");
    assert.is(recordedChanges(await world.opsEvents(), CONNECTOR)[0]?.outcome, "applied");
    assert.is(positionOf(world.sandbox.stored()), "at the target");
  });
}

once.run();
