/**
 * One run of a resnapshot asks once; its plan file, carried out already, asks no second time, whatever has become of
 * its decision.
 */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { waitFor } from "../../providers/real/wait.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { type ChangedWorld, changesIn, failAll, inChangedWorld, OPS_TOPIC } from "./changed-world.ts";
import { type Change, PAST_GAP, positionOf, SIGNAL_ONLY } from "./changes.ts";
import { gate } from "./gate.ts";
import { runHere } from "./run-command.ts";
import { collected, contradictions } from "./story.ts";

const once = suite("a resnapshot is applied once");
const LIMITS = ["--settle", "300ms"];

const inWorld = (change: Change, name: string, act: (world: ChangedWorld) => Promise<void>): void =>
  inChangedWorld(once, `${change.name}: ${name}`, act, change);

const apply = (world: ChangedWorld, plan: string, ...more: string[]) =>
  runHere(["apply", plan, "--yes", ...LIMITS, ...more], world);
/** The snapshot as stored, in JSON; empty if there was none. */
const storedSnapshot = ({ sandbox }: ChangedWorld): string =>
  `${sandbox.connect.stored(CONNECTOR)[0]?.offset?.["snapshot"] ?? ""}`;
const produced = ({ sandbox }: ChangedWorld) => sandbox.broker.requests.filter(({ api }) => api === "Produce").length;

/** Applied once more: nothing is sent to anybody. */
async function nothingMore(world: ChangedWorld, ...more: string[]): Promise<void> {
  const before = [changesIn(world), produced(world)];
  const second = await apply(world, world.plan, ...more);
  assert.is(second.exit, 0, second.output);
  assert.match(second.output.replace(/\s+/g, " "), /(applied|carried out) already|already applied/);
  assert.equal([changesIn(world), produced(world)], before);
  assert.is((await world.signals()).length, 1);
}

for (const change of [PAST_GAP, SIGNAL_ONLY]) {
  inWorld(change, "the same plan file a second time writes no second signal", async (world) => {
    assert.is((await apply(world, world.plan)).exit, 0);
    await nothingMore(world);
  });

  inWorld(change, "nor if only the journals of this machine contain it", async (world) => {
    assert.is((await apply(world, world.plan)).exit, 0);
    // The topic is empty, as after its retention, or where somebody has made it anew.
    world.sandbox.broker.createTopic(OPS_TOPIC);
    await waitFor("the snapshot's end", () => !storedSnapshot(world).includes('"complete":false'));
    await nothingMore(world);
  });

  inWorld(change, "--again repeats it, with a new signal", async (world) => {
    assert.is((await apply(world, world.plan)).exit, 0);
    await waitFor("the first snapshot's end", () => !storedSnapshot(world).includes('"complete":false'));
    const again = await apply(world, world.plan, "--again");
    assert.is(again.exit, 0, again.output);
    const [first, second = "none", ...others] = await world.signals();
    assert.equal(others, []);
    assert.is.not(first, second);
    assert.ok(again.output.includes(second), again.output);
  });

  inWorld(change, "two operators on one machine at once: one applies it, the other is refused", async (world) => {
    const both = await Promise.all([apply(world, world.plan), apply(world, world.plan)]);
    const outputs = both.map(({ output }) => output).join("\n");
    assert.equal(both.map(({ exit }) => exit).sort(), [0, 1], outputs);
    assert.match(outputs, /STA701/);
    assert.is((await world.signals()).length, 1);
    assert.equal(contradictions(await collected(world)), []);
  });

  inWorld(change, "a resolved plan a second time writes no second signal", async (world) => {
    const saved = join(world.dir, "resnapshot.plan.json");
    const planned = await runHere(["plan", world.plan, "--out", saved], world);
    assert.is(planned.exit, 0, planned.output);
    assert.is((await apply(world, saved)).exit, 0);
    const before = [changesIn(world), produced(world)];
    const second = await apply(world, saved);
    assert.is(second.exit, 0, second.output);
    assert.equal([changesIn(world), produced(world)], before);
  });
}

inWorld(
  PAST_GAP,
  "an operator on another machine, with the same plan file, is refused because of the ops topic",
  async (world) => {
    assert.is((await apply(world, world.plan)).exit, 0);
    await nothingMore(world, "--state", join(world.dir, "elsewhere"));
  },
);

inWorld(PAST_GAP, "an operator on another machine is refused while the move is under way", async (world) => {
  const held = gate();
  const arrived = gate();
  failAll(world.sandbox, (arrival) => {
    if (arrival.system !== "connect" || arrival.method !== "PATCH") return undefined;
    arrived.open();
    return { connect: { hold: held.opened, when: "before" } };
  });
  const first = apply(world, world.plan);
  await arrived.opened;
  const before = changesIn(world);
  const other = await apply(world, world.plan, "--state", join(world.dir, "elsewhere"));
  assert.is(other.exit, 1, other.output);
  assert.match(other.output, /OPS603/);
  assert.is(changesIn(world), before);
  assert.is((await world.signals()).length, 1);
  held.open();
  assert.is((await first).exit, 0);
  assert.equal(contradictions(await collected(world)), []);
});

inWorld(
  PAST_GAP,
  "a run that was cut off after its signal is settled from another machine with that signal",
  async (world) => {
    failAll(world.sandbox, (arrival) =>
      arrival.system === "connect" && arrival.method === "PATCH" ? { connect: "500-applied" } : undefined,
    );
    const patience = { connect: { callMillis: 10_000, retryMillis: 600 }, patch: 100 };
    const cutOff = await runHere(["apply", world.plan, "--yes", ...LIMITS], { ...world, patience });
    assert.is(cutOff.exit, 3, cutOff.output);
    failAll(world.sandbox, undefined);
    const elsewhere = ["--from-ops", "--context", "sandbox", "--connector", "orders-cdc", "--yes", "--allow-skip"];
    const settled = await runHere(["recover", ...elsewhere, "--state", join(world.dir, "elsewhere"), ...LIMITS], world);
    assert.is(settled.exit, 0, settled.output);
    const [id, ...others] = await world.signals();
    assert.equal(others, []);
    const events = await world.opsEvents();
    // A takeover of a run is announced first.
    assert.equal(
      events.map(({ details }) => [
        details.command,
        details.outcome,
        details.signal_id,
        details.taken_over !== undefined,
      ]),
      [
        ["resnapshot", "applying", id, false],
        ["resnapshot", "applying", id, true],
        ["resnapshot", "applied", id, true],
      ],
    );
    const own = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(own.exit, 0, own.output);
    assert.is((await world.signals()).length, 1);
    assert.is(positionOf(world.sandbox.stored(), PAST_GAP), "from the target");
    assert.equal(contradictions(await collected(world)), []);
  },
);

once.run();
