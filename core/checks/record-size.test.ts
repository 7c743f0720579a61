import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { detailsOf } from "../apply/steps/record-event.ts";
import type { ConnectorKind, IntentOf } from "../document/intent.ts";
import { encodeOpsEvent } from "../facts/ops/ops-event.ts";
import { planOffsetChange } from "../kinds/offset-change/plan.ts";
import * as offsetChange from "../kinds/offset-change/testing/build-facts.ts";
import { planResnapshot } from "../kinds/resnapshot/plan.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import type { ConnectorPlan } from "../plan/plan.ts";
import { runStarted } from "../run/start.ts";
import type { RunState } from "../run/state.ts";
import type { Readings } from "./check.ts";
import { opsEventBytes } from "./record-size.ts";

const size = suite("how large a record will be");

/** What is really written for a plan, at its longest: the `failed` event. */
function written(plan: ConnectorPlan): number {
  const run = "2026-11-21T09-15-40Z-7f3a";
  const started = { seq: 0n, at: plan.plannedAt, ...runStarted(plan, { run, operator: "ana", cdcctl: "0.1.0" }) };
  assert.ok(plan.offset);
  const state = {
    started,
    body: { previous: plan.offset.before, entry: { partition: plan.offset.partition, offset: plan.offset.after } },
    signal: { type: "signal-fixed", id: `srcdb-cdc-admin-${"0".repeat(36)}`, signalsFrom: [], answersFrom: [] },
  } as unknown as RunState;
  const details = detailsOf(state, run, "ana", "failed", "Connect refused the offset (400): no");
  const event = { at: plan.plannedAt, server: plan.world.prefix, details };
  const { key, value } = encodeOpsEvent(event, started.subject.opsFormat);
  return key.length + value.length;
}

function bounds(intent: IntentOf<ConnectorKind>, reading: Readings[ConnectorKind], plan: ConnectorPlan): void {
  const bytes = opsEventBytes(intent, reading);
  assert.ok(bytes !== undefined);
  const real = written(plan);
  // A detail that the estimate forgets makes it too small, one that it doubles makes it no estimate any more.
  assert.ok(real + 61 < bytes, `${real} bytes are written, ${bytes} were estimated`);
  assert.ok(bytes < real + 12_000, `${real} bytes are written, ${bytes} were estimated`);
}

const anyName = fc.string({ unit: "binary", minLength: 40, maxLength: 128, size: "max" });
const anyTables = fc
  .uniqueArray(anyName, { minLength: 100, maxLength: 200, size: "max" })
  .map((names) => names.map((name) => resnapshot.table(name)));

size("is never below what is written of a resnapshot, whatever its tables are called", async () => {
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

size("is never below what is written of names with commas, each of which is quoted", () => {
  const intent = resnapshot.intent({ skipGapForUnlistedTables: "all" });
  const odd = Array.from({ length: 2000 }, (_, i) => resnapshot.table(`A,${i}`));
  const parts = { tables: [resnapshot.table("ORDERS"), resnapshot.table("LINES"), ...odd] };
  const facts = resnapshot.facts({ ...parts, catalogue: resnapshot.PURGED });
  bounds(intent, resnapshot.pastTheGap(parts, intent), planResnapshot(intent, facts));
});

size("is never below what is written of an offset change, whatever the offset carries along", async () => {
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

size("of a signal alone there is no event", () => {
  assert.is(opsEventBytes(resnapshot.intent(), resnapshot.reading()), undefined);
});

size("of what can't be told yet there is no size", () => {
  const avro = { connector: { valueConverter: "io.confluent.connect.avro.AvroConverter" } };
  assert.is(opsEventBytes(resnapshot.intent(), resnapshot.pastTheGap(avro)), undefined);
  assert.is(opsEventBytes(offsetChange.intent(), offsetChange.reading({ stored: { resume_scn: "x" } })), undefined);
});

size.run();
