import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal } from "../errors.ts";
import { sameOffset } from "../facts/offset/stored-offset.ts";
import { changedSince, offsetBack, rollbackIntent, rollbackReason } from "../kinds/connector/rollback.ts";
import { planOffsetChange } from "../kinds/offset-change/plan.ts";
import { type RunState, runState, type StepState } from "../run/state.ts";
import { offsetSubject } from "../run/subject.ts";
import { waysToSettle } from "../run/ways-to-settle.ts";
import { canonicalJson, type JsonObject } from "../values/json.ts";
import { type Attempts, attemptsOf, planAgain, planNow } from "./testing/attempts.ts";
import { moveTo, snapshotAgain } from "./testing/intents.ts";
import { type MemoryWorld, memoryWorld } from "./testing/memory-world.ts";
import { migrationWorld, phaseOf } from "./testing/migration-world.ts";
import { PREVIOUS_SCN, STORED } from "./testing/story.ts";

const rollback = suite("rollback");

const scalar = fc.oneof(fc.string(), fc.bigInt({ min: 0n, max: 1n << 62n }), fc.boolean());
const HELD = ["v", "dbid", "resetlogs_scn", "resume_scn"];
/** Whatever a connector may store: numbers as text, fields that nobody here knows, no ledger, no redo address. */
const anyOffset: fc.Arbitrary<JsonObject> = fc
  .record({
    scn: fc.bigInt({ min: PREVIOUS_SCN - 1000n, max: PREVIOUS_SCN }),
    asText: fc.boolean(),
    left: fc.subarray(Object.keys(STORED).filter((name) => !HELD.includes(name))),
    more: fc.dictionary(fc.stringMatching(/^x_[a-z]{1,8}$/), scalar, { maxKeys: 4 }),
    threads: fc.constantFrom(undefined, "", '{"1":{"resume_scn":5}}'),
  })
  .map(({ scn, asText, left, more, threads }) => ({
    ...more,
    v: 1n,
    dbid: STORED["dbid"] ?? null,
    resetlogs_scn: STORED["resetlogs_scn"] ?? null,
    resume_scn: asText ? scn.toString() : scn,
    ...Object.fromEntries(left.map((name) => [name, STORED[name] ?? null])),
    ...(threads === undefined ? {} : { threads }),
  }));
const anyTarget = fc.bigInt(PREVIOUS_SCN - 30_000n, PREVIOUS_SCN + 30_000n);

async function applied(world: MemoryWorld, intent: Parameters<typeof planNow>[0], run: string): Promise<Attempts> {
  const attempts = attemptsOf(planNow(intent, world), world, run);
  const report = await attempts.apply();
  assert.is(report === "killed" ? report : report.outcome, "succeeded", report === "killed" ? "" : report.message);
  return attempts;
}

function stateOf({ entries }: Attempts): RunState {
  const state = runState(entries);
  if (state === undefined) throw new Error("a run that has not begun");
  return state;
}

rollback("restores every field while the connector has not run since", async () => {
  await fc.assert(
    fc.asyncProperty(anyOffset, anyTarget, fc.constantFrom("none", "all"), async (before, scn, forgetReleased) => {
      const world = memoryWorld(before, "STOPPED");
      const intent = moveTo(scn, { resume: false, forgetReleased: forgetReleased as "none" | "all" });
      const plan = planOffsetChange(intent, world.facts(), {});
      fc.pre(plan.outcome.state === "ready");
      const there = await applied(world, intent, "2026-11-21T09-15-40Z-0001");
      assert.not.ok(sameOffset(world.stored, before));
      const back = rollbackIntent(stateOf(there), world.stored, { resume: undefined, moveBack: false });
      await applied(world, back, "2026-11-21T09-15-40Z-0002");
      assert.is(canonicalJson(world.stored), canonicalJson(before));
      assert.is(world.state, "STOPPED");
    }),
    { numRuns: 300 },
  );
});

rollback("refuses once the connector has run, and moves only the resume SCN back on request", async () => {
  await fc.assert(
    fc.asyncProperty(anyOffset, fc.bigInt(PREVIOUS_SCN - 30_000n, PREVIOUS_SCN - 10_000n), async (before, scn) => {
      const world = memoryWorld(before, "RUNNING");
      const there = await applied(world, moveTo(scn, { resume: true }), "2026-11-21T09-15-40Z-0001");
      const state = stateOf(there);
      const refusal = (() => {
        try {
          return rollbackIntent(state, world.stored, { resume: undefined, moveBack: false });
        } catch (error) {
          return error;
        }
      })();
      assert.instance(refusal, Refusal);
      assert.is((refusal as Refusal).code, "OFF111");
      const back = rollbackIntent(state, world.stored, { resume: false, moveBack: true });
      const now = world.stored;
      await applied(world, back, "2026-11-21T09-15-40Z-0002");
      const previous = state.body?.previous ?? {};
      assert.is(String(world.stored?.["resume_scn"]), String(previous["resume_scn"]));
      // The generation that it has reached stays: an older one would make its journal's chunks stale.
      assert.ok(BigInt(String(world.stored?.["journal_generation"])) >= BigInt(String(now?.["journal_generation"])));
    }),
    { numRuns: 200 },
  );
});

/** Nothing is acknowledged yet: the task drops what lies below the floor. */
const withCut = (floor: bigint): JsonObject => {
  const { last_commit_xid: _xid, last_commit_scn: _scn, last_commit_thread: _thread, ...rest } = STORED;
  return { ...rest, last_commit_xid: null, start_floor_scn: floor, start_open_scn: floor, start_open_xids: "3:9.1.44" };
};
const cutIn = (stored: JsonObject | null) => Object.keys(stored ?? {}).filter((name) => name.startsWith("start_"));

rollback("with --move-back below the floor of a first-start cut lifts the cut, and keeps it above", async () => {
  for (const [floor, left] of [
    [PREVIOUS_SCN + 5000n, 0],
    [PREVIOUS_SCN - 5000n, 3],
  ] as const) {
    const world = memoryWorld(withCut(floor), "RUNNING");
    const there = await applied(world, moveTo(PREVIOUS_SCN + 10_000n, { resume: true }), "2026-11-21T09-15-40Z-0001");
    assert.is(cutIn(world.stored).length, 3, "a forward move keeps it");
    const back = rollbackIntent(stateOf(there), world.stored, { resume: false, moveBack: true });
    await applied(world, back, "2026-11-21T09-15-40Z-0002");
    assert.ok(BigInt(String(world.stored?.["resume_scn"])) < PREVIOUS_SCN + 1000n, "it is moved back");
    assert.is(cutIn(world.stored).length, left, `${floor}`);
  }
});

rollback("of a resnapshot past a gap restores the first-start cut that the move past it has kept", async () => {
  const world = memoryWorld(withCut(PREVIOUS_SCN - 5000n), "STOPPED");
  world.purged = true;
  const before = world.stored;
  const there = await applied(world, snapshotAgain({ resume: false }), "2026-11-21T09-15-40Z-0001");
  assert.ok(BigInt(String(world.stored?.["resume_scn"])) > PREVIOUS_SCN);
  assert.is(cutIn(world.stored).length, 3);
  world.purged = false;
  const back = rollbackIntent(stateOf(there), world.stored, { resume: undefined, moveBack: false });
  await applied(world, back, "2026-11-21T09-15-40Z-0002");
  assert.is(canonicalJson(world.stored), canonicalJson(before));
});

rollback("has nothing to roll back where a run changed nothing, once it is settled", async () => {
  const world = memoryWorld();
  const run = attemptsOf(planNow(moveTo(PREVIOUS_SCN - 25_000n), world), world);
  world.fates = ["answered", "answered", "killed after"];
  await run.apply();
  const back = () => rollbackIntent(stateOf(run), world.stored, { resume: undefined, moveBack: false });
  assert.throws(back, /is not finished/);
  await run.abandon();
  assert.throws(back, /nothing to roll back/);
});

rollback("a plan that is applied twice changes the stored offset once", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyOffset,
      fc.bigInt(PREVIOUS_SCN - 30_000n, PREVIOUS_SCN - 10_000n),
      fc.boolean(),
      async (before, scn, resume) => {
        const world = memoryWorld(before);
        const intent = moveTo(scn, { resume });
        await applied(world, intent, "2026-11-21T09-15-40Z-0001");
        assert.is(planOffsetChange(intent, world.facts(), {}).outcome.state, "no-op");
        await world.settle();
        assert.is(planOffsetChange(intent, world.facts(), {}).outcome.state, "no-op");
        assert.is(world.patches.length, 1);
      },
    ),
    { numRuns: 200 },
  );
});

const back = { resume: undefined, moveBack: false };

/** A resnapshot past a gap, carried out while its connector stays stopped. */
async function resnapshotted(): Promise<{ readonly world: MemoryWorld; readonly run: Attempts }> {
  const world = memoryWorld(STORED, "STOPPED");
  world.purged = true;
  return { world, run: await applied(world, snapshotAgain({ resume: false }), "2026-11-21T09-15-40Z-0001") };
}

rollback(
  "of a resnapshot into missing redo is refused until the logs are restored; then it restores every field",
  async () => {
    const { world, run } = await resnapshotted();
    const intent = rollbackIntent(stateOf(run), world.stored, back);
    const refused = planAgain(intent, world);
    assert.is(refused.outcome.state, "blocked");
    assert.equal(
      refused.findings.filter(({ effect }) => effect === "blocks").map(({ code }) => code),
      ["OFF102"],
    );
    world.purged = false;
    await applied(world, intent, "2026-11-21T09-15-40Z-0002");
    assert.is(canonicalJson(world.stored), canonicalJson(STORED));
  },
);

rollback("of a resnapshot says that the signal cannot be revoked, and is recorded as `offsets set`", async () => {
  const { world, run } = await resnapshotted();
  world.purged = false;
  const intent = rollbackIntent(stateOf(run), world.stored, back);
  assert.equal(intent.signalSent?.tables, offsetSubject(stateOf(run).started.subject)?.snapshot?.tables);
  assert.ok(intent.signalSent?.tables.length);
  const notice = planNow(intent, world).findings.find(({ code }) => code === "SNP912");
  assert.ok(notice?.seen?.includes(world.signals[0] ?? "-"), notice?.seen);
  await applied(world, intent, "2026-11-21T09-15-40Z-0002");
  const event = world.events.at(-1)?.details;
  assert.equal([event?.command, event?.outcome, event?.signal_id], ["offsets set", "applied", undefined]);
  assert.is(world.signals.length, 1);
});

rollback("is available for a resnapshot whose signal the connector refused: its offset moved", async () => {
  const world = memoryWorld();
  world.purged = true;
  world.answers = { outcome: "rejected", message: "no" };
  const run = attemptsOf(planNow(snapshotAgain({ waitForAck: 5000n }), world), world);
  const report = await run.apply();
  assert.is(report === "killed" ? report : report.outcome, "rejected");
  const intent = rollbackIntent(stateOf(run), world.stored, { resume: undefined, moveBack: true });
  assert.is(intent.signalSent?.id, world.signals[0]);
  assert.is(intent.resume, true);
});

rollback("of a signal alone is refused: nothing moved, and the signal cannot be revoked", async () => {
  const world = memoryWorld();
  const run = await applied(world, snapshotAgain({ resume: false }), "2026-11-21T09-15-40Z-0001");
  try {
    rollbackIntent(stateOf(run), world.stored, back);
    assert.unreachable();
  } catch (refusal) {
    assert.instance(refusal, Refusal);
    assert.is((refusal as Refusal).code, "APL808");
    assert.ok((refusal as Refusal).message.endsWith(`; its signal ${world.signals[0]} can't be revoked`));
  }
  const { connect } = world;
  const from = { connect, runs: [stateOf(run)], ...back };
  assert.match(await offsetBack(stateOf(run), from).then(String, String), "has not changed the offset");
});

rollback("of a run followed by another one names that one; once it is rolled back, the first can be", async () => {
  const world = memoryWorld(STORED, "STOPPED");
  const change = (intent: Parameters<typeof planNow>[0], tail: string) =>
    applied(world, intent, `2026-11-21T09-15-40Z-${tail}`);
  const first = stateOf(await change(moveTo(PREVIOUS_SCN - 10_000n, { resume: false }), "0001"));
  assert.is(changedSince(first, [first]), undefined);
  const second = stateOf(await change(moveTo(PREVIOUS_SCN - 20_000n, { resume: false }), "0002"));
  const later = changedSince(first, [first, second]);
  assert.is(later, second.started.run);
  assert.is(changedSince(second, [first, second]), undefined);
  const refused = (changedBy: string | undefined) => {
    try {
      rollbackIntent(first, world.stored, { ...back, changedSince: changedBy });
    } catch (refusal) {
      return refusal as Refusal;
    }
    return undefined;
  };
  assert.is(
    refused(later)?.message,
    `run ${later} has changed the offset of orders-cdc after run ${first.started.run}`,
  );
  assert.equal(refused(later)?.remedies, [{ text: "Roll back that run first", command: `cdcctl rollback ${later}` }]);
  assert.match(refused(undefined)?.message ?? "", /has run since/);
  const undone = stateOf(await change(rollbackIntent(second, world.stored, back), "0003"));
  assert.is(changedSince(first, [first, second, undone]), undefined);
  const runs = [first, second, undone];
  for (const moveBack of [false, true]) {
    const again = offsetBack(second, { connect: { offsets: async () => [] }, runs, resume: undefined, moveBack });
    const { code, message, remedies } = (await again.catch((refusal: unknown) => refusal)) as Refusal;
    const by = undone.started.run;
    assert.equal([code, remedies], ["APL808", [{ text: "To undo that rollback", command: `cdcctl rollback ${by}` }]]);
    assert.match(message, `run ${second.started.run} was rolled back by ${by}`);
  }
  await change(rollbackIntent(first, world.stored, back), "0004");
  assert.is(canonicalJson(world.stored), canonicalJson(STORED));
});

/** A run whose change stands, on a connector that stays stopped. */
async function moved(
  before: JsonObject | null = STORED,
): Promise<{ readonly world: MemoryWorld; readonly state: RunState }> {
  const world = memoryWorld(before, "STOPPED");
  const run = await applied(world, moveTo(PREVIOUS_SCN - 10_000n, { resume: false }), "2026-11-21T09-15-40Z-0001");
  return { world, state: stateOf(run) };
}

rollback("depends on what is stored under the run's own partition now, and on the later runs", async () => {
  const { world, state } = await moved();
  const elsewhere = { partition: { server: "billing" }, offset: { ...STORED, resume_scn: 7n } };
  const from = (offset: JsonObject | null, runs: readonly RunState[] = [state]) =>
    offsetBack(state, {
      connect: { offsets: async () => [elsewhere, { partition: { server: "orders" }, offset }] },
      runs,
      resume: undefined,
      moveBack: false,
    });
  assert.equal((await from(world.stored)).position, {
    to: "restore",
    run: state.started.run,
    offset: STORED,
    replacing: world.stored,
  });
  const ranOn = { ...world.stored, journal_generation: 8n };
  const later = stateOf(
    await applied(world, moveTo(PREVIOUS_SCN - 20_000n, { resume: false }), "2026-11-21T09-15-40Z-0002"),
  );
  assert.match(
    await offsetBack(state, { connect: { offsets: async () => [elsewhere] }, runs: [], ...back }).then(String, String),
    "orders-cdc has run since",
  );
  for (const [offset, runs, says] of [
    [ranOn, [state], /orders-cdc has run since 2026-11-21T09-15-40Z-0001/],
    [null, [state], /orders-cdc has run since/],
    [world.stored, [state, later], /run 2026-11-21T09-15-40Z-0002 has changed the offset of orders-cdc after/],
  ] as const)
    assert.match(await from(offset, runs).then(() => "no refusal", String), says);
});

const RUN = "2026-11-21T09-15-40Z-0001";
/** The same, as if it had gone otherwise. */
const otherwise = (state: RunState, parts: Partial<RunState>): RunState => ({ ...state, ...parts });
const bodyOf = ({ body }: RunState, parts: Partial<NonNullable<RunState["body"]>>) => body && { ...body, ...parts };
const UNREADABLE = { previous: { resume_scn: "x" } };
const signalled = (state: RunState, step: StepState): Partial<RunState> => ({
  body: undefined,
  signal: { type: "signal-pinned", id: "signal-1", signalsFrom: [], answersFrom: [] },
  steps: new Map([...state.steps, ["write-signal", step]]),
});

for (const [what, from, code, message, remedies] of [
  [
    "that has sent no PATCH has nothing to roll back",
    (state) => rollbackIntent(otherwise(state, { attempts: 0n }), null, back),
    "APL808",
    `run ${RUN} has not changed the offset: there is nothing to roll back`,
    [],
  ],
  [
    "whose signal failed has nothing to roll back",
    (state) => rollbackIntent(otherwise(state, signalled(state, "failed")), null, back),
    "APL808",
    `run ${RUN} has not changed the offset: there is nothing to roll back`,
    [],
  ],
  [
    "whose signal is written has nothing to roll back either",
    (state) => rollbackIntent(otherwise(state, signalled(state, "done")), null, back),
    "APL808",
    `run ${RUN} has not changed the offset: there is nothing to roll back; its signal signal-1 can't be revoked`,
    [],
  ],
  [
    "that is not finished is recovered first",
    (state) => rollbackIntent(otherwise(state, { ended: undefined }), null, back),
    "APL808",
    `run ${RUN} is not finished`,
    waysToSettle(RUN),
  ],
  [
    "that has failed is not rolled back",
    (state) =>
      rollbackIntent(otherwise(state, { ended: state.ended && { ...state.ended, outcome: "failed" } }), null, back),
    "APL808",
    `run ${RUN} ended as failed: its change is not in effect`,
    [],
  ],
  [
    "of the first offset says how to remove it, since there is no earlier one",
    (state) => rollbackIntent(otherwise(state, { body: bodyOf(state, { previous: null }) }), null, back),
    "APL808",
    `no offset was stored before run ${RUN}, so there is none to restore`,
    [
      {
        text: "To remove the offset, while orders-cdc is stopped",
        command: "curl -X DELETE http://w:8083/connectors/orders-cdc/offsets",
      },
    ],
  ],
  [
    "that was followed by another one is refused until that is rolled back",
    (state) => rollbackIntent(state, null, { ...back, changedSince: "2026-11-21T09-15-40Z-0002" }),
    "OFF111",
    `run 2026-11-21T09-15-40Z-0002 has changed the offset of orders-cdc after run ${RUN}`,
    [{ text: "Roll back that run first", command: "cdcctl rollback 2026-11-21T09-15-40Z-0002" }],
  ],
  [
    "after a late commit offers to repair the run first",
    (state) => rollbackIntent(state, { ...STORED, resume_scn: PREVIOUS_SCN + 5n }, back),
    "OFF114",
    `a task of orders-cdc that kept running after its stop committed again after run ${RUN} and undid it`,
    [
      { text: "To repair it and start the connector", command: `cdcctl recover ${RUN} --resume` },
      "To keep it that way, resume the connector: it continues from its position before the run.",
    ],
  ],
  [
    "of a connector that has run since offers to move only the resume SCN back",
    (state) => rollbackIntent(state, null, back),
    "OFF111",
    `orders-cdc has run since ${RUN}: its old offset would repeat delivered transactions and drop journaled ones`,
    [
      {
        text: `To move only the resume SCN back to ${PREVIOUS_SCN}`,
        command: `cdcctl rollback ${RUN} --move-back`,
      },
    ],
  ],
  [
    "names no SCN to move back to where the previous offset is unreadable",
    (state) => rollbackIntent(otherwise(state, { body: bodyOf(state, UNREADABLE) }), null, back),
    "OFF111",
    `orders-cdc has run since ${RUN}: its old offset would repeat delivered transactions and drop journaled ones`,
    [{ text: "To move only the resume SCN back", command: `cdcctl rollback ${RUN} --move-back` }],
  ],
  [
    "does not move back to an unreadable offset",
    (state) => rollbackIntent(otherwise(state, { body: bodyOf(state, UNREADABLE) }), null, { ...back, moveBack: true }),
    "OFF105",
    `the offset before run ${RUN} can't be read`,
    [],
  ],
] as readonly (readonly [string, (state: RunState) => unknown, string, string, readonly unknown[]])[])
  rollback(what, async () => {
    const { state } = await moved();
    try {
      from(state);
    } catch (error) {
      const refusal = error as Refusal;
      assert.equal([refusal.code, refusal.message, refusal.remedies], [code, message, remedies]);
      return;
    }
    assert.unreachable();
  });

rollback("names the run that it rolls back, and its reason", async () => {
  const { world, state } = await moved();
  const { metadata, resume, signalSent } = rollbackIntent(state, world.stored, back);
  assert.is(metadata.reason, `rollback of ${RUN}: replay`);
  assert.equal([resume, signalSent], [false, undefined]);
  assert.is(rollbackReason(RUN, "x".repeat(2000)).length, 1000);
});

rollback("is refused only by later runs whose change is in place and that were not rolled back", async () => {
  const { world, state: first } = await moved();
  const change = async (intent: Parameters<typeof planNow>[0], tail: string) =>
    stateOf(await applied(world, intent, `2026-11-21T09-15-40Z-${tail}`));
  const second = await change(moveTo(PREVIOUS_SCN - 20_000n, { resume: false }), "0002");
  const undone = await change(rollbackIntent(second, world.stored, back), "0003");
  const third = await change(moveTo(PREVIOUS_SCN - 15_000n, { resume: false }), "0004");
  const failed = otherwise(third, { ended: third.ended && { ...third.ended, outcome: "failed" } });
  assert.is(changedSince(first, [first, second, undone, third]), third.started.run);
  assert.is(changedSince(first, [first, second, undone, failed]), undefined);
  assert.is(changedSince(first, [first, second]), second.started.run);
});

rollback("of a phase of a migration is another phase, never a move of an offset", async () => {
  const m = migrationWorld();
  const run = await m.run(phaseOf("cutover"));
  await run.apply();
  assert.throws(() => rollbackIntent(stateOf(run), null, back), /a migration is rolled back by a phase of its own/);
});

rollback.run();
