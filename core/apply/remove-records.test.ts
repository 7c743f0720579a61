import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RemovedRecords } from "../../schemas/generated/plan.ts";
import { Refusal } from "../errors.ts";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import type { Plan } from "../plan/plan.ts";
import { removalSteps } from "../plan/steps.ts";
import { runFromOps } from "../run/from-ops.ts";
import type { JournalEntry } from "../run/journal.ts";
import { runState } from "../run/state.ts";
import { base64Of } from "../values/base64.ts";
import { type Attempts, attemptsOf, planAgain, planNow } from "./testing/attempts.ts";
import { fatesOf, lived, settledThrough } from "./testing/begun.ts";
import { moveTo } from "./testing/intents.ts";
import { type Fate, type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { CONNECTOR, OPS_TOPIC, PREVIOUS_SCN, SIGNALS_TOPIC } from "./testing/story.ts";

const removal = suite("a step that removes records");

const JOURNAL = "orders.cdc.txjournal";
const SCHEMA = "orders.cdc.schema";
const TARGET = PREVIOUS_SCN + 20_000n;

const chunk = (xid: string, number = 0, server = "orders") =>
  JSON.stringify({ server, con_id: 3, xid, chunk: number, generation: 7 });
const layout = (table: string, server = "orders") => JSON.stringify({ server, pdb: "ORCLPDB1", owner: "SALES", table });
const enveloped = (key: string) => JSON.stringify({ schema: { type: "struct" }, payload: JSON.parse(key) });

/** A forward move that removes these records first, and a world with the topics. */
function begun(...records: readonly RemovedRecords[]): { readonly world: MemoryWorld; readonly run: Attempts } {
  const world = memoryWorld();
  for (const key of [chunk("5.2.802"), chunk("5.2.802", 1), enveloped(chunk("5.2.802", 2)), chunk("8.1.7")])
    world.put(JOURNAL, "a chunk", key);
  world.put(JOURNAL, "a chunk", chunk("5.2.802", 0, "billing"));
  world.put(JOURNAL, "ended since", chunk("9.9.9"));
  world.put(JOURNAL, null, chunk("9.9.9"));
  for (const key of [layout("ORDERS"), layout("LINES"), layout("ORDERS", "billing")]) world.put(SCHEMA, "{}", key);
  const planned = planNow(moveTo(TARGET), world);
  const steps = planned.steps.flatMap((step) =>
    step.step === "patch-offset" ? [...removalSteps(records), step] : [step],
  );
  return { world, run: attemptsOf({ ...planned, steps } as Plan, world) };
}

const transaction: RemovedRecords = { topic: JOURNAL, of: "journal", only: ["3:5.2.802"] };

/** Keys of the null records in a topic, in their order. */
async function cleared({ kafka }: MemoryWorld, topic: string): Promise<readonly string[]> {
  const { records } = await kafka.read(topic, { from: "beginning", records: 1000, millis: 1000 });
  return records.flatMap(({ key, value }) => (value === null && key !== null ? [new TextDecoder().decode(key)] : []));
}
const before = [chunk("9.9.9")];
const own = [chunk("5.2.802"), chunk("5.2.802", 1), enveloped(chunk("5.2.802", 2))];

removal("writes null records for the chunks of the named transaction only, byte for byte", async () => {
  const { world, run } = begun(transaction);
  const report = await lived(run.apply());
  assert.is(report.outcome, "succeeded", report.message);
  assert.equal(await cleared(world, JOURNAL), [...before, ...own]);
  assert.equal(await cleared(world, SCHEMA), []);
});

removal("pins the keys in the journal before the first null record, and only after the stop", async () => {
  const { run } = begun(transaction);
  await lived(run.apply());
  const types = run.entries.map((entry) =>
    "step" in entry ? `${entry.type} ${entry.step}` : "call" in entry ? `${entry.type} ${entry.call}` : entry.type,
  );
  const at = (type: string) => types.indexOf(type);
  assert.ok(at("step-done record-applying") < at("records-pinned"));
  assert.ok(at("records-pinned") < at(`call-sent null records to ${JOURNAL}`));
  assert.ok(at("step-done remove-records") < at("patch-sent"));
  const keys = own.map((key) => ({ partition: 0n, key: base64Of(new TextEncoder().encode(key)) }));
  assert.equal(runState(run.entries)?.removal?.topics, [{ topic: JOURNAL, keys }]);
});

removal("removes all of the prefix, and a table's layout by its name, but nothing of another prefix", async () => {
  const { world, run } = begun(
    { topic: JOURNAL, of: "journal" },
    { topic: SCHEMA, of: "schema", only: ["ORCLPDB1.SALES.ORDERS"] },
  );
  assert.is((await lived(run.apply())).outcome, "succeeded");
  assert.equal(await cleared(world, JOURNAL), [...before, ...own, chunk("8.1.7")]);
  assert.equal(await cleared(world, SCHEMA), [layout("ORDERS")]);
});

removal("stops at a key that it can't read, having changed nothing but the connector's state", async () => {
  const { world, run } = begun(transaction);
  world.put(JOURNAL, "a chunk", "not JSON");
  const report = await lived(run.apply());
  assert.equal([report.outcome, report.code], ["failed", "APL821"]);
  assert.match(report.message, /the key at partition 0, offset 7 of orders\.cdc\.txjournal can't be read/);
  assert.equal(await cleared(world, JOURNAL), before);
  assert.equal([world.patches.length, world.state], [0, "RUNNING"]);
});

removal("backs out when the broker refuses the first null record", async () => {
  const begins = begun(transaction);
  fatesOf(JOURNAL, begins, "refused");
  const report = await lived(begins.run.apply());
  assert.equal([report.outcome, report.code, begins.world.state], ["failed", "APL821", "RUNNING"]);
});

removal("is past the point of no return once a null record may be written", async () => {
  const begins = begun(transaction);
  const { patchOffsets } = begins.world.connect;
  begins.world.connect.patchOffsets = async () => ({ answer: "rejected", status: 400, message: "no" });
  const report = await lived(begins.run.apply());
  assert.is(report.outcome, "unfinished", report.message);
  assert.is(begins.world.state, "STOPPED");
  begins.world.connect.patchOffsets = patchOffsets;
});

removal("writes nothing while another user has started the connector", async () => {
  const { world, run } = begun(transaction);
  fatesOf("orders.cdc.ops", { world, run }, "answered");
  const { append } = world.kafka;
  Object.assign(world.kafka, {
    append: (topic: string, record: Parameters<typeof append>[1]) => {
      if (topic === "orders.cdc.ops") world.state = "RUNNING";
      return append(topic, record);
    },
  });
  const report = await lived(run.apply());
  assert.is(report.code, "APL804", report.message);
  assert.equal(await cleared(world, JOURNAL), before);
});

removal("says what it has removed for good where it backs out, settled as failed from another machine", async () => {
  const { world, run } = begun(transaction);
  const { append } = world.kafka;
  world.kafka.append = async (topic, record) => {
    const at = await append(topic, record);
    const removed = (await cleared(world, JOURNAL)).length;
    if (topic === JOURNAL && removed === before.length + own.length) world.fates = ["killed before"];
    return at;
  };
  assert.is(await run.apply(), "killed");
  world.kafka.append = append;
  const over = runFromOps(world.events, CONNECTOR, {
    settings: { prefix: "orders", opsTopic: OPS_TOPIC, signalsTopic: SIGNALS_TOPIC } as ConnectorSettings,
    connectUrl: "http://w:8083",
    context: undefined,
    clusterId: "k",
    operator: "ben",
    cdcctl: "test",
  });
  if (over === undefined) throw new Error("no run is in flight");
  const away = attemptsOf(planAgain(moveTo(TARGET), world), world, over.started.run);
  for (const [seq, event] of over.events.entries())
    (away.entries as JournalEntry[]).push({ seq: BigInt(seq), at: world.clock.now(), ...event });
  assert.is((await lived(away.abandon())).outcome, "abandoned");
  const report = await lived(run.recover());
  assert.is(report.outcome, "failed", report.message);
  assert.ok(report.remedies.includes(`What this run has removed from ${JOURNAL} is not restored.`));
  assert.equal([report.changed, world.patches.length], [true, 0]);
});

const FORGED: readonly (readonly [what: string, topic: string, key: string])[] = [
  ["of another transaction", JOURNAL, chunk("8.1.7")],
  ["of another connector", JOURNAL, chunk("5.2.802", 0, "billing")],
  ["of another topic", SCHEMA, layout("ORDERS")],
  ["that is none of this topic's", JOURNAL, layout("ORDERS")],
];

for (const [what, topic, key] of FORGED)
  removal(`clears no key ${what} that somebody wrote into the run's journal`, async () => {
    const { world, run } = begun(transaction);
    const { fate } = world;
    world.fate = () => (run.entries.at(-1)?.type === "records-pinned" ? "killed before" : fate());
    assert.is(await run.apply(), "killed");
    world.fate = fate;
    const forged = { topic, keys: [{ partition: 0n, key: base64Of(new TextEncoder().encode(key)) }] };
    const entries = run.entries as JournalEntry[];
    const at = entries.findIndex(({ type }) => type === "records-pinned");
    entries[at] = { ...entries[at], topics: [forged] } as JournalEntry;
    const refused = await run.recover().catch((failure: unknown) => failure);
    assert.ok(refused instanceof Refusal && refused.code === "APL823", String(refused));
    assert.equal([await cleared(world, JOURNAL), await cleared(world, SCHEMA)], [before, []]);
    assert.is(world.patches.length, 0);
  });

const FATES: readonly Fate[] = ["lost", "lost, applied", "lost, applied later", "killed before", "killed after"];
for (const fate of FATES)
  for (let at = 0; at < 34; at++)
    removal(`comes to the same end when call or entry ${at} is ${fate}`, async () => {
      const { world, run } = begun(transaction);
      let removedFirst = true;
      const { patchOffsets } = world.connect;
      world.connect.patchOffsets = async (...patch) => {
        const gone = new Set(await cleared(world, JOURNAL));
        removedFirst &&= own.every((key) => gone.has(key));
        return patchOffsets(...patch);
      };
      const fates: Fate[] = [...Array.from({ length: at }, (): Fate => "answered"), fate];
      await settledThrough(fates, world, run, () => undefined);
      const state = runState(run.entries);
      assert.ok(removedFirst, "the offset is moved only once the records are gone");
      const touched = new Set(await cleared(world, JOURNAL));
      assert.equal(
        [...touched].filter((key) => ![...before, ...own].includes(key)),
        [],
      );
      // Half removed is never the end: the chunks are gone and the offset has moved, or neither.
      const isMoved = state?.ended?.outcome === "succeeded";
      assert.is(touched.size, isMoved ? before.length + own.length : before.length, `${state?.ended?.outcome}`);
    });

removal.run();
