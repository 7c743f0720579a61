import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { detailsOf } from "../apply/steps/record-event.ts";
import type { ConnectorKind, IntentOf } from "../document/intent.ts";
import { encodeOpsEvent } from "../facts/ops/ops-event.ts";
import { encodeSignal } from "../facts/ops/signal.ts";
import { kindOf, runStarted } from "../kinds/catalogue.ts";
import { CHECKS } from "../kinds/checks.ts";
import type { Facts } from "../kinds/facts.ts";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { created } from "../kinds/migration/testing/story.ts";
import { planOffsetChange } from "../kinds/offset-change/plan.ts";
import * as offsetChange from "../kinds/offset-change/testing/build-facts.ts";
import { known, STORED, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { planResnapshot } from "../kinds/resnapshot/plan.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import {
  effectOf,
  intent,
  pastTheGap,
  reading,
  resultOf,
  tables,
  topic,
} from "../kinds/resnapshot/testing/build-facts.ts";
import type { Plan } from "../plan/plan.ts";
import type { RunState } from "../run/state.ts";
import { eventTooLarge, opsEventBytes, returnEventBytes, signalBytes, signalTooLarge } from "./record-size.ts";
import { worded } from "./testing/wording.ts";

const OPS607 = suite("OPS607 an ops event larger than its topic accepts");

const allButOne = intent({ tables: ["ORCLPDB1.SALES.T1"], skipGapForUnlistedTables: "all" });
const manyTables = { tables: tables(60_000) };
const limitedOps = (maxMessageBytes: ReturnType<typeof unseen> | bigint) =>
  known(topic({ maxMessageBytes: typeof maxMessageBytes === "bigint" ? known(maxMessageBytes) : maxMessageBytes }));

OPS607("passes for a change of usual size, of either kind", () => {
  assert.is(effectOf(eventTooLarge, pastTheGap()), "none");
  assert.is(offsetChange.effectOf(eventTooLarge, offsetChange.reading()), "none");
});

OPS607("refuses an event of very many unlisted tables before anything is done, with sizes and remedy", () => {
  const on = pastTheGap(manyTables, allButOne);
  assert.is(effectOf(eventTooLarge, on, { ...allButOne, accept: ["OPS607"] }), "blocks");
  assert.is(
    effectOf(eventTooLarge, on, { ...allButOne, origin: { by: "admin", file: undefined, lines: {} } }),
    "blocks",
  );
  const text = resultOf(eventTooLarge, on, allButOne);
  assert.match(
    text,
    /^the ops event may have up to \d,\d{3},\d{3} bytes; orders\.cdc\.ops takes 1,048,588 \(max\.message\.bytes\)/,
  );
  assert.match(text, /--entity-name orders\.cdc\.ops --add-config max\.message\.bytes=\d+/);
  assert.match(text, "all 59999 unlisted ones");
});

OPS607("is satisfied by its own remedy", () => {
  const [, limit = "0"] =
    /max\.message\.bytes=(\d+)/.exec(resultOf(eventTooLarge, pastTheGap(manyTables, allButOne), allButOne)) ?? [];
  assert.is(
    effectOf(eventTooLarge, pastTheGap({ ...manyTables, opsTopic: limitedOps(BigInt(limit)) }, allButOne), allButOne),
    "none",
  );
});

OPS607("does not apply to a signal alone, which is not recorded", () => {
  assert.is(
    effectOf(eventTooLarge, reading({ ...manyTables, opsTopic: limitedOps(1n) }, allButOne), allButOne),
    "none",
  );
});

OPS607("counts a stored offset that contains a large snapshot twice", () => {
  const tables = { X: { done: false, frontier: ["x".repeat(400_000)] } };
  const snapshot = JSON.stringify({ v: 1, complete: false, tables });
  assert.is(offsetChange.effectOf(eventTooLarge, offsetChange.reading({ stored: { ...STORED, snapshot } })), "none");
  const twice = { ...STORED, snapshot, more: "x".repeat(200_000) };
  assert.is(offsetChange.effectOf(eventTooLarge, offsetChange.reading({ stored: twice })), "blocks");
});

OPS607("applies to a rollback to the legacy connector too: the removed offset is in the event", () => {
  const on = (snapshot: string, opsTopic?: ReturnType<typeof limitedOps>) =>
    migration.goingBack({
      next: created({
        offsets: [{ partition: { server: "orders" }, offset: { v: 1n, resume_scn: 2200000n, snapshot } }],
      }),
      ...(opsTopic === undefined ? {} : { opsTopic }),
    });
  assert.ok(CHECKS.rollback.some(({ code }) => code === "OPS607"));
  const wanted = migration.intent({ phase: "rollback", accept: ["OPS607"] });
  assert.is(migration.effectOf(eventTooLarge, on("{}"), wanted), "none");
  const large = on("x".repeat(2_000_000));
  assert.is(migration.effectOf(eventTooLarge, large, wanted), "blocks");
  assert.match(
    migration.resultOf(eventTooLarge, large, wanted),
    /may have up to 2,\d{3},\d{3} bytes; orders\.cdc\.ops takes/,
  );
  const bytes = BigInt(returnEventBytes(wanted, on("{}")) ?? 0);
  assert.is(migration.effectOf(eventTooLarge, on("{}", limitedOps(bytes)), wanted), "none");
  assert.is(migration.effectOf(eventTooLarge, on("{}", limitedOps(bytes - 1n)), wanted), "blocks");
});

OPS607("passes for a rollback that removes nothing: nothing is recorded then", () => {
  const on = migration.goingBack({ next: null, opsTopic: limitedOps(1n) });
  assert.is(migration.effectOf(eventTooLarge, on, migration.intent({ phase: "rollback" })), "none");
  const empty = migration.goingBack({ next: created({ offsets: [] }), opsTopic: limitedOps(1n) });
  assert.is(migration.effectOf(eventTooLarge, empty, migration.intent({ phase: "rollback" })), "none");
});

OPS607("passes exactly up to the limit", () => {
  const bytes = BigInt(opsEventBytes(intent(), pastTheGap()) ?? 0);
  assert.is(effectOf(eventTooLarge, pastTheGap({ opsTopic: limitedOps(bytes) })), "none");
  assert.is(effectOf(eventTooLarge, pastTheGap({ opsTopic: limitedOps(bytes - 1n) })), "blocks");
});

OPS607("warns only of a large event where the limit is unknown", () => {
  const opsTopic = limitedOps(unseen("no right to describe"));
  assert.is(effectOf(eventTooLarge, pastTheGap({ opsTopic })), "none");
  const on = pastTheGap({ ...manyTables, opsTopic }, allButOne);
  assert.is(worded(eventTooLarge).run(allButOne, on).verdict, "unknown");
  assert.is(effectOf(eventTooLarge, on, allButOne), "warns");
});

OPS607("leaves a missing or unreadable topic to OPS601", () => {
  for (const opsTopic of [known("missing" as const), unseen()])
    assert.is(effectOf(eventTooLarge, pastTheGap({ ...manyTables, opsTopic }, allButOne), allButOne), "none");
});

const SNP913 = suite("SNP913 a signal larger than its topic accepts");

const many = tables(60_000);
const allOfThem = intent({ tables: many.map(({ name }) => `ORCLPDB1.SALES.${name}`) });
const limitedSignals = (bytes: bigint) => known(topic({ maxMessageBytes: known(bytes) }));

SNP913("passes for a signal of usual size, whatever the limit", () => {
  assert.is(effectOf(signalTooLarge, reading()), "none");
  assert.is(effectOf(signalTooLarge, reading({ signalsTopic: known(topic({ maxMessageBytes: unseen() })) })), "none");
});

SNP913("refuses one that the topic would not accept, with both sizes, before anything is done", () => {
  for (const on of [reading({ tables: many }, allOfThem), pastTheGap({ tables: many }, allOfThem)]) {
    assert.is(effectOf(signalTooLarge, on, allOfThem), "blocks");
    assert.is(effectOf(signalTooLarge, on, { ...allOfThem, accept: ["SNP913"] }), "blocks");
    assert.match(
      resultOf(signalTooLarge, on, allOfThem),
      /the signal may have up to \d,\d{3},\d{3} bytes; orders\.cdc\.signals takes 1,048,588/,
    );
    assert.match(resultOf(signalTooLarge, on, allOfThem), "max.message.bytes=2097152");
    const fewer = resultOf(signalTooLarge, on, allOfThem).includes("Or name fewer tables");
    assert.is(fewer, on.way === "signal", "past a gap, the tables left out would lose changes");
  }
});

SNP913("passes exactly up to the limit", () => {
  const bytes = BigInt(signalBytes(reading()));
  assert.is(effectOf(signalTooLarge, reading({ signalsTopic: limitedSignals(bytes) })), "none");
  assert.is(effectOf(signalTooLarge, reading({ signalsTopic: limitedSignals(bytes - 1n) })), "blocks");
});

SNP913("passes where no named table is captured: no signal is written", () => {
  const none = intent({ tables: ["ORCLPDB1.SALES.GONE"] });
  assert.is(effectOf(signalTooLarge, reading({ signalsTopic: limitedSignals(1n) }, none), none), "none");
});

SNP913("counts the record that is sent, and its framing", () => {
  const on = reading();
  const { key, value } = encodeSignal({ id: `srcdb-cdc-admin-${"0".repeat(36)}`, tables: on.tables }, "orders-cdc");
  const framed = signalBytes(on) - key.length - value.length;
  assert.ok(framed >= 61 + 20 && framed < 1000, `${framed}`);
});

SNP913("warns of a large one where the limit is unknown", () => {
  const on = reading({ tables: many, signalsTopic: known(topic({ maxMessageBytes: unseen("no right") })) }, allOfThem);
  assert.is(worded(signalTooLarge).run(allOfThem, on).verdict, "unknown");
  assert.is(effectOf(signalTooLarge, on, allOfThem), "warns");
});

SNP913("leaves a missing or unreadable topic to SNP906", () => {
  for (const signalsTopic of [known("missing" as const), unseen()])
    assert.is(effectOf(signalTooLarge, reading({ tables: many, signalsTopic }, allOfThem), allOfThem), "none");
});

const size = suite("the estimated size of a record");

/** What is really written for a plan, at its longest: the `failed` event. */
function written(plan: Plan<ConnectorKind>, facts: Facts): number {
  const run = "2026-11-21T09-15-40Z-7f3a";
  const started = { seq: 0n, at: plan.plannedAt, ...runStarted(plan, { run, operator: "ana", cdcctl: "0.1.0" }) };
  const pinned = kindOf(plan.intent).pin(plan, facts);
  assert.ok(typeof pinned === "object" && pinned.type === "body-pinned");
  const state = {
    started,
    body: { previous: pinned.previous, entry: pinned.body },
    signal: { type: "signal-pinned", id: `srcdb-cdc-admin-${"0".repeat(36)}`, signalsFrom: [], answersFrom: [] },
  } as unknown as RunState;
  const details = detailsOf(state, run, "ana", "failed", "Connect refused the offset (400): no");
  const event = { at: plan.plannedAt, server: plan.world.prefix, details };
  const { key, value } = encodeOpsEvent(event, started.subject.opsFormat);
  return key.length + value.length;
}

function bounds(
  intent: IntentOf<ConnectorKind>,
  reading: Parameters<typeof opsEventBytes>[1] & { readonly facts: Facts },
  plan: Plan<ConnectorKind>,
): void {
  const bytes = opsEventBytes(intent, reading);
  assert.ok(bytes !== undefined);
  const real = written(plan, reading.facts);
  // A detail that the estimate forgets makes it too small, one that it doubles makes it no estimate any more.
  assert.ok(real + 61 < bytes, `${real} bytes are written, ${bytes} were estimated`);
  assert.ok(bytes < real + 12_000, `${real} bytes are written, ${bytes} were estimated`);
}

const anyName = fc.string({ unit: "binary", minLength: 40, maxLength: 128, size: "max" });
const anyTables = fc
  .uniqueArray(anyName, { minLength: 100, maxLength: 200, size: "max" })
  .map((names) => names.map((name) => resnapshot.table(name)));

size("is never below what is written for a resnapshot, whatever its tables are called", async () => {
  const formats = fc.constantFrom(undefined, "json" as const, "json_schemas" as const);
  await fc.assert(
    fc.property(anyTables, formats, fc.string({ unit: "binary" }), (more, opsFormat, reason) => {
      const intent = resnapshot.intent({
        opsFormat,
        skipGapForUnlistedTables: "all",
        metadata: { name: "a", reason, ticket: undefined },
      });
      const parts = { tables: [resnapshot.table("ORDERS"), resnapshot.table("LINES"), ...more] };
      const facts = resnapshot.facts({ ...parts, catalogue: resnapshot.PURGED });
      bounds(intent, resnapshot.pastTheGap(parts, intent), planResnapshot(intent, facts));
    }),
    { numRuns: 60 },
  );
});

size("is never below what is written for names with commas, each of which is quoted", () => {
  const intent = resnapshot.intent({ skipGapForUnlistedTables: "all" });
  const odd = Array.from({ length: 2000 }, (_, i) => resnapshot.table(`A,${i}`));
  const parts = { tables: [resnapshot.table("ORDERS"), resnapshot.table("LINES"), ...odd] };
  const facts = resnapshot.facts({ ...parts, catalogue: resnapshot.PURGED });
  bounds(intent, resnapshot.pastTheGap(parts, intent), planResnapshot(intent, facts));
});

size("is never below what is written for an offset change, whatever the offset contains", async () => {
  const anyStored = fc
    .dictionary(fc.string(), fc.string({ unit: "binary", maxLength: 2000 }), { maxKeys: 5, noNullPrototype: true })
    .map((more) => ({ ...more, ...offsetChange.STORED }));
  await fc.assert(
    fc.property(anyStored, fc.constantFrom("none" as const, "all" as const), (stored, forgetReleased) => {
      const intent = offsetChange.intent({ forgetReleased });
      bounds(
        intent,
        offsetChange.reading({ stored }, intent),
        planOffsetChange(intent, offsetChange.facts({ stored })),
      );
    }),
    { numRuns: 60 },
  );
});

size("does not exist for a signal alone, which has no event", () => {
  assert.is(opsEventBytes(resnapshot.intent(), resnapshot.reading()), undefined);
});

size("does not exist while the content is unknown", () => {
  const avro = { connector: { valueConverter: "io.confluent.connect.avro.AvroConverter" } };
  assert.is(opsEventBytes(resnapshot.intent(), resnapshot.pastTheGap(avro)), undefined);
  assert.is(opsEventBytes(offsetChange.intent(), offsetChange.reading({ stored: { resume_scn: "x" } })), undefined);
  const wanted = migration.intent({ phase: "rollback" });
  const back = migration.goingBack({ next: created(), settings: { valueConverter: avro.connector.valueConverter } });
  assert.is(returnEventBytes(wanted, back), undefined);
});

OPS607.run();
SNP913.run();
size.run();
