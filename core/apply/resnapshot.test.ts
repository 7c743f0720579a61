import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runState } from "../run/state.ts";
import { lineOf } from "../values/remedy.ts";
import type { Attempts } from "./testing/attempts.ts";
import { lived, pastTheGap, signalOnly } from "./testing/begun.ts";
import { GAP_END } from "./testing/story.ts";

const ended = ({ entries }: Attempts) => runState(entries)?.ended?.outcome;
const SIGNAL = /srcdb-cdc-admin-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;

const success = suite("a resnapshot that is carried out");

success("where all redo is available only writes the signal: no stop, no event, the offset unchanged", async () => {
  const { world, run } = signalOnly();
  const report = await lived(run.apply());
  assert.is(report.outcome, "succeeded");
  assert.match(report.message, SIGNAL);
  assert.match(report.message, /is written, and the stored offset of orders-cdc is unchanged$/);
  assert.equal([report.moved, report.changed], [false, true]);
  assert.is(report.signal, world.signals[0]);
  assert.equal(world.events, []);
  assert.is(world.state, "RUNNING");
});

success("starts a stopped connector on request, and reports that it runs", async () => {
  const { world, run } = signalOnly({ resume: true }, "STOPPED");
  const report = await lived(run.apply());
  assert.match(report.message, /; the connector is running$/);
  assert.is(world.state, "RUNNING");
});

success("moves the offset past the gap to the first SCN after it and reports both", async () => {
  const { run } = pastTheGap();
  const report = await lived(run.apply());
  assert.match(report.message, SIGNAL);
  assert.ok(report.message.endsWith(`, as planned; the connector is resumed`), report.message);
  assert.ok(report.message.includes(`the stored offset of orders-cdc was set to ${GAP_END}`));
  assert.equal([report.moved, report.changed], [true, true]);
});

success("without `resume` the connector stays stopped", async () => {
  const { world, run } = pastTheGap({ resume: false });
  assert.match((await lived(run.apply())).message, /; the connector is stopped$/);
  assert.is(world.state, "STOPPED");
});

success("reports, where an answer is awaited, that the connector has accepted the signal", async () => {
  for (const { run } of [signalOnly({ waitForAck: 5000n }), pastTheGap({ waitForAck: 5000n })]) {
    const report = await lived(run.apply());
    assert.is(report.outcome, "succeeded");
    assert.match(report.message, /^the connector has accepted the signal srcdb-cdc-admin-/);
  }
});

success("records in every event the gap, the tables, the signal and the assertion", async () => {
  const { world, run } = pastTheGap();
  await run.apply();
  assert.equal(
    world.events.map(({ details }) => details.outcome),
    ["applying", "applied"],
  );
  for (const { details } of world.events) {
    assert.is(details.command, "resnapshot");
    assert.match(details.gap ?? "", /^CDC-2002 /);
    assert.is(details.tables, 'ORCLPDB1.SALES.ORDERS,"ORCLPDB1.SALES.LINES, OLD"');
    assert.is(details.signal_id, world.signals[0]);
    assert.is(details.unlisted_tables, "ORCLPDB1.SALES.CUSTOMERS,ORCLPDB1.SALES.LINES");
    assert.match(details.evidence ?? "", /^sha256:/);
    assert.match(details.intent ?? "", /^sha256:/);
  }
});

success.run();

const starting = suite("starting a connector for its signal");

starting("a failed task is reported with its trace and the way to continue", async () => {
  const begun = signalOnly({ resume: true }, "STOPPED");
  begun.world.taskFails = true;
  const report = await lived(begun.run.apply());
  assert.equal([report.outcome, report.changed], ["unfinished", true]);
  assert.is(report.message, "orders-cdc failed after it was started: CDC-2002 a log is gone");
  assert.match(report.remedies.map(lineOf).join("\n"), /restart\?includeTasks=true&onlyFailed=true/);
  begun.world.taskFails = false;
  assert.is((await lived(begun.run.recover())).outcome, "succeeded");
  assert.is(begun.world.signals.length, 1);
});

starting.run();

const waiting = suite("waiting for transactions");

const XID = { container: 3n, usn: 4n, slot: 9n, sqn: 771n };
const open = (until: number) => [
  { xid: XID, startScn: GAP_END - 5n, startedAt: undefined, user: "SALES", clientId: undefined, until },
];

waiting("ends when the last that began before the new position has ended; then the run continues", async () => {
  const begun = pastTheGap({ waitForTransactions: 60_000n });
  begun.world.transactions = [
    ...open(30_000),
    {
      ...open(1)[0],
      xid: { ...XID, sqn: 1n },
      startScn: GAP_END,
      until: 1e9,
    } as (typeof begun.world.transactions)[number],
  ];
  assert.is((await lived(begun.run.apply())).outcome, "succeeded");
  const stopped = begun.run.entries.find((entry) => entry.type === "step-started" && entry.step === "stop-connector");
  assert.ok(Date.parse(stopped?.at ?? "") >= Date.UTC(2026, 10, 21) + 30_000);
});

waiting("that times out refuses, names them, and has changed nothing", async () => {
  const begun = pastTheGap({ waitForTransactions: 60_000n });
  begun.world.transactions = open(1e9);
  const report = await lived(begun.run.apply());
  assert.equal([report.outcome, report.code, report.changed], ["refused", "TRX501", false]);
  assert.match(report.message, /^after 1 min a transaction is still open: 3:4\.9\.771 \(SALES\) from/);
  assert.equal([begun.world.signals, begun.world.events, begun.world.state], [[], [], "RUNNING"]);
});

waiting("can be cancelled by Ctrl-C: refused, and nothing was changed", async () => {
  const begun = pastTheGap({ waitForTransactions: 60_000n });
  begun.world.transactions = open(1e9);
  begun.world.after(5000, () => begun.run.interrupt());
  const report = await lived(begun.run.apply());
  assert.equal([report.outcome, report.changed], ["refused", false]);
  assert.is(report.message, "interrupted before anything was changed");
  assert.is(ended(begun.run), "refused");
  assert.equal([begun.world.signals, begun.world.state], [[], "RUNNING"]);
});

waiting("that is killed is recovered by waiting again", async () => {
  const begun = pastTheGap({ waitForTransactions: 60_000n });
  begun.world.transactions = open(30_000);
  begun.world.fates = ["answered", "answered", "killed after"];
  assert.is(await begun.run.apply(), "killed");
  assert.is((await lived(begun.run.recover())).outcome, "succeeded");
});

waiting.run();
