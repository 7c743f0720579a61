import { suite } from "uvu";
import * as assert from "uvu/assert";
import { planResnapshot } from "../../kinds/resnapshot/plan.ts";
import { attemptsOf } from "../testing/attempts.ts";
import { type Begun, killedAfter, lived, pastTheGap, signalOnly } from "../testing/begun.ts";
import { snapshotAgain } from "../testing/intents.ts";
import { memoryWorld } from "../testing/memory-world.ts";
import { OPS_TOPIC, SIGNALS_TOPIC, STORED } from "../testing/story.ts";

const waiting = suite("waiting for an earlier snapshot");

const RUNNING_SNAPSHOT = {
  ...STORED,
  snapshot: '{"v":1,"complete":false,"tables":{},"scope":["ORCLPDB1.SALES.LINES"]}',
};

function waitingFor(stored: object = RUNNING_SNAPSHOT, millis = 600_000n): Begun {
  const world = memoryWorld({ ...STORED, ...stored });
  const intent = snapshotAgain({ resume: false, waitForSnapshot: millis });
  return { world, run: attemptsOf(planResnapshot(intent, world.snapshotFacts()), world) };
}

const ended = ({ world }: Begun) => {
  world.stored = { ...world.stored, snapshot: '{"v":1,"complete":true,"tables":{}}' };
  delete (world.stored as Record<string, unknown>)["snapshot_pending"];
};

waiting("writes the signal once the stored offset shows that none is left", async () => {
  for (const stored of [RUNNING_SNAPSHOT, { snapshot_pending: "ORCLPDB1.SALES.LINES" }]) {
    const begun = waitingFor(stored);
    let before: readonly string[] = ["not looked"];
    begun.world.after(300_000, () => {
      before = begun.world.signals;
      ended(begun);
    });
    const report = await lived(begun.run.apply());
    assert.equal([report.outcome, before.length, begun.world.signals.length], ["succeeded", 0, 1], report.message);
    assert.ok(begun.world.clock.elapsed() >= 300_000);
  }
});

waiting(
  "waits for an unread signal that starts a snapshot, by name or by prefix, and passes over other keys",
  async () => {
    for (const [key, waits] of [
      ["orders-cdc", true],
      ["orders", true],
      ["another", false],
    ] as const) {
      const begun = waitingFor();
      ended(begun);
      for (const of of [key, key])
        await begun.world.kafka.append(SIGNALS_TOPIC, {
          key: new TextEncoder().encode(of),
          value: new TextEncoder().encode('{"id":"earlier","type":"snapshot","data":{"tables":["A.B"]}}'),
        });
      begun.world.after(60_000, () => {
        begun.world.stored = { ...begun.world.stored, signal_offset: 1n };
      });
      assert.is((await lived(begun.run.apply())).outcome, "succeeded");
      assert.is(begun.world.clock.elapsed() >= 60_000, waits, key);
    }
  },
);

waiting("refuses without harm when it takes too long, or the task can't go on", async () => {
  for (const [befall, words] of [
    [() => {}, /^after 10 min a snapshot is unfinished/],
    [
      ({ world }: Begun) => Object.assign(world, { state: "STOPPED" }),
      /^orders-cdc is STOPPED: it can't finish its snap/,
    ],
    [
      ({ world }: Begun) => Object.assign(world, { taskFails: true }),
      /^orders-cdc is FAILED .*can't finish its snapshot/,
    ],
    [
      ({ world }: Begun) => Object.assign(world, { state: "gone" }),
      /could not be watched: Connector orders-cdc not fo/,
    ],
  ] as const) {
    const begun = waitingFor();
    begun.world.after(1000, () => befall(begun));
    const report = await lived(begun.run.apply());
    assert.equal([report.outcome, report.code, report.changed], ["refused", "SNP919", false]);
    assert.match(report.message, words);
    assert.is(begun.world.signals.length, 0);
  }
});

waiting("goes on after a kill", async () => {
  const begun = waitingFor();
  killedAfter("step-started", begun);
  assert.is(await begun.run.apply(), "killed");
  begun.world.after(5000, () => ended(begun));
  assert.is((await lived(begun.run.recover())).outcome, "succeeded");
  assert.is(begun.world.signals.length, 1);
});

waiting.run();

const completion = suite("waiting for the end of the snapshot");

const ends = (table: string, more = "") => `{"type":"snapshot-complete","details":{"table":"${table}"${more}}}`;
const ORDERS = "ORCLPDB1.SALES.ORDERS";
const WAITS = { waitForCompletion: 600_000n };

/** The events of the snapshot, a while after the answer. */
function completes({ world }: Begun, ...events: readonly string[]): void {
  world.after(60_000, () => {
    for (const event of events) world.put(OPS_TOPIC, event);
  });
}

completion("succeeds at the end of the whole snapshot, not of a table, nor of one before the answer", async () => {
  for (const begin of [signalOnly, pastTheGap]) {
    const begun = begin(WAITS);
    begun.world.after(100, () => begun.world.put(OPS_TOPIC, ends("*")));
    begun.world.after(30_000, () => begun.world.put(OPS_TOPIC, ends(ORDERS)));
    completes(begun, ends("*"));
    const report = await lived(begun.run.apply());
    assert.is(report.outcome, "succeeded", report.message);
    assert.match(report.message, /^the snapshot of the signal srcdb-cdc-admin-.* is complete/);
    assert.ok(begun.world.clock.elapsed() >= 60_000);
  }
});

completion(
  "a named table that was skipped fails the run, and so does a stop; another table's skip does not",
  async () => {
    for (const [events, words] of [
      [[ends(ORDERS, ',"skipped":"no schema"'), ends("*")], `the snapshot has skipped ${ORDERS}: no schema`],
      [[ends("*", ',"stopped":"true"')], "a signal has stopped the snapshot before its end"],
    ] as const)
      for (const [begun, moved] of [
        [signalOnly(WAITS), false],
        [pastTheGap(WAITS), true],
      ] as const) {
        completes(begun, ...events);
        const report = await lived(begun.run.apply());
        assert.equal([report.outcome, report.changed], ["rejected", moved]);
        assert.match(report.message, words);
      }
    const other = signalOnly(WAITS);
    completes(other, ends("ORCLPDB1.SALES.NEW", ',"skipped":"no schema"'), ends("*"));
    assert.is((await lived(other.run.apply())).outcome, "succeeded");
  },
);

completion("a partial acceptance fails the run: a table that was not captured is not read", async () => {
  for (const more of [WAITS, { waitForAck: 5000n }]) {
    const begun = signalOnly(more);
    begun.world.answers = { outcome: "ok", message: `not captured, skipped: [${ORDERS}]` };
    const report = await lived(begun.run.apply());
    assert.is(report.outcome, "rejected");
    assert.match(report.message, `answered "ok" to the signal ${begun.world.signals[0]}: not captured, skipped`);
  }
});

completion("an end that does not come leaves the run open; recovery goes on, a kill in between or not", async () => {
  for (const [begun, moved] of [
    [signalOnly(WAITS), false],
    [pastTheGap(WAITS), true],
  ] as const) {
    const report = await lived(begun.run.apply());
    assert.equal([report.outcome, report.changed], ["unfinished", moved]);
    assert.match(report.message, "the snapshot of orders-cdc has not ended within 10 min");
    begun.world.put(OPS_TOPIC, ends("*"));
    killedAfter("recovery-started", begun);
    assert.is(await begun.run.recover(), "killed");
    assert.is((await lived(begun.run.recover())).outcome, "succeeded");
    assert.is(begun.world.signals.length, 1);
  }
});

completion("a kill between the finding and the end of the run changes neither", async () => {
  const begun = pastTheGap(WAITS);
  completes(begun, ends(ORDERS, ',"skipped":"no schema"'), ends("*"));
  killedAfter("step-failed", begun);
  assert.is(await begun.run.apply(), "killed");
  const report = await lived(begun.run.recover());
  assert.equal([report.outcome, report.changed], ["rejected", true]);
  assert.match(report.message, "has skipped");
});

completion("a connector that fails meanwhile is reported at once", async () => {
  const begun = signalOnly(WAITS);
  begun.world.after(60_000, () => Object.assign(begun.world, { taskFails: true }));
  const report = await lived(begun.run.apply());
  assert.is(report.outcome, "unfinished");
  assert.match(report.message, "it can't finish its snapshot until it runs");
});

completion.run();
