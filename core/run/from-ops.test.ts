import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OffsetsSetDetails } from "../../schemas/generated/facts.ts";
import { attemptsOf, planAgain } from "../apply/testing/attempts.ts";
import { type Begun, fatesOf, lived, pastTheGap } from "../apply/testing/begun.ts";
import { snapshotAgain } from "../apply/testing/intents.ts";
import type { Fate } from "../apply/testing/memory-world.ts";
import { CONNECTOR, OPS_TOPIC, SIGNALS_TOPIC } from "../apply/testing/story.ts";
import type { ConnectorSettings } from "../facts/connector/settings.ts";
import { listDetail, recordedChanges } from "../facts/ops/ops-event.ts";
import { runFromOps, type TakenOver } from "./from-ops.ts";
import type { JournalEntry } from "./journal.ts";
import { runState } from "./state.ts";
import { offsetSubject } from "./subject.ts";

const taken = suite("a resnapshot that is taken over from the ops topic");

const settings = {
  prefix: "orders",
  opsTopic: OPS_TOPIC,
  signalsTopic: SIGNALS_TOPIC,
  valueConverter: undefined,
  valueConverterSchemas: undefined,
} as ConnectorSettings;

function takeOver({ world }: Begun): TakenOver {
  const over = runFromOps(world.events, CONNECTOR, {
    settings,
    connectUrl: "http://w:8083",
    context: undefined,
    clusterId: "k",
    operator: "ben",
    cdcctl: "test",
  });
  if (over === undefined) throw new Error("no change is in flight");
  return over;
}

/** The same run on another machine, whose journal begins with what the topic told. */
function elsewhere(begun: Begun) {
  const { started, events } = takeOver(begun);
  const run = attemptsOf(planAgain(snapshotAgain(), begun.world), begun.world, started.run);
  const entries = run.entries as JournalEntry[];
  for (const event of events) entries.push({ seq: BigInt(entries.length), at: begun.world.clock.now(), ...event });
  return run;
}

const REPEATED = [
  "command",
  "gap",
  "tables",
  "signal_id",
  "unlisted_tables",
  "evidence",
  "intent",
  "decision",
] as const;
const repeated = (details: OffsetsSetDetails | undefined) => REPEATED.map((name) => details?.[name]);

/** A run that dies around its PATCH, and leaves the connector stopped and its change in flight. */
async function killedAtPatch(fate: Fate, begun = pastTheGap()): Promise<Begun> {
  const { patchOffsets } = begun.world.connect;
  Object.assign(begun.world.connect, {
    patchOffsets: (...patch: Parameters<typeof patchOffsets>) => {
      begun.world.fates = [fate];
      return patchOffsets(...patch);
    },
  });
  assert.is(await begun.run.apply(), "killed");
  Object.assign(begun.world.connect, { patchOffsets });
  return begun;
}

taken("is settled, and its `applied` repeats the details of its `applying`", async () => {
  for (const fate of ["killed before", "killed after"] as const) {
    const begun = await killedAtPatch(fate);
    const report = await lived(elsewhere(begun).recover());
    const [applying, announced, applied] = begun.world.events;
    assert.is(report.outcome, "succeeded", report.message);
    assert.equal([announced?.details.outcome, announced?.details.taken_over], ["applying", "ana"]);
    assert.ok(report.message.includes(begun.world.signals[0] ?? "-"));
    assert.is(applied?.details.outcome, "applied");
    assert.equal(repeated(applied?.details), repeated(applying?.details));
    assert.ok(repeated(applied?.details).every((detail) => detail !== undefined));
    assert.is(begun.world.signals.length, 1);
  }
});

taken("its `failed` does the same, and its own machine reaches the same end", async () => {
  const begun = await killedAtPatch("killed before");
  Object.assign(begun.world.connect, {
    patchOffsets: async () => ({ answer: "rejected", status: 403, message: "no" }),
  });
  begun.world.stored = { ...begun.world.stored, resume_scn: 1n };
  const run = elsewhere(begun);
  assert.is((await lived(run.recover())).code, "APL807");
  const report = await lived(run.abandon());
  assert.match(report.message, /is unknown; the signal srcdb-cdc-admin-.* is written and can't be revoked$/);
  const [applying, announced, failed] = begun.world.events;
  assert.equal([announced?.details.outcome, announced?.details.taken_over], ["applying", "ana"]);
  assert.is(failed?.details.outcome, "failed");
  assert.equal(repeated(failed?.details), repeated(applying?.details));
  const home = await lived(begun.run.recover());
  assert.is(home.outcome, "failed", home.message);
  assert.is(begun.world.events.length, 3);
  assert.is(recordedChanges(begun.world.events, CONNECTOR).at(-1)?.outcome, "failed");
});

taken("knows whether the connector ran before: a rollback leaves one stopped that was", async () => {
  for (const ran of [true, false]) {
    const begun = await killedAtPatch("killed before", pastTheGap({}, ran ? "RUNNING" : "STOPPED"));
    assert.is(takeOver(begun).started.subject.ranBefore, ran);
  }
});

taken("keeps names apart that contain list separators", async () => {
  const anyName = fc.string({ unit: fc.constantFrom("A", ",", '"', " ", "\n", ".", "é", "😀"), minLength: 1 });
  await fc.assert(
    fc.property(fc.array(anyName, { minLength: 1 }), fc.array(anyName), (tables, unlisted) => {
      const { started } =
        runFromOps(
          [
            {
              at: "2026-11-21T00:00:00Z",
              server: "orders",
              details: {
                connector: CONNECTOR,
                command: "resnapshot",
                reason: "",
                operator: "ana",
                direction: "forward",
                previous_resume_scn: "1",
                new_resume_scn: "2",
                outcome: "applying",
                run: "2026-11-21T09-15-40Z-7f3a",
                previous_offset: "{}",
                new_offset: '{"resume_scn":2}',
                tables: listDetail(tables),
                ...(unlisted.length === 0 ? {} : { unlisted_tables: listDetail(unlisted) }),
              },
            },
          ],
          CONNECTOR,
          { settings, connectUrl: "", context: undefined, clusterId: "k", operator: "ben", cdcctl: "test" },
        ) ?? {};
      const subject = started && offsetSubject(started.subject);
      assert.equal(subject?.snapshot?.tables, tables);
      assert.equal(subject?.snapshot?.unlisted, unlisted);
    }),
  );
});

taken("writes no signal, although its own machine lost the acknowledgement of one", async () => {
  const begun = pastTheGap();
  fatesOf(SIGNALS_TOPIC, begun, "lost, applied");
  fatesOf(OPS_TOPIC, begun, "killed after");
  assert.is(await begun.run.apply(), "killed");
  const run = elsewhere(begun);
  assert.is((await lived(run.recover())).outcome, "succeeded");
  assert.is(begun.world.signals.length, 1);
  assert.is(runState(run.entries)?.signal?.id, begun.world.signals[0]);
});

taken.run();
