import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, STOPPED, STORED as STORED_OFFSET, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  type FactsParts,
  ITEMS,
  intent,
  LINES,
  ORDERS,
  pastTheGap,
  reading,
  resultOf,
} from "../kinds/resnapshot/testing/build-facts.ts";
import { earlierSnapshot, stoppedTablesUnlisted } from "./earlier-snapshots.ts";

const snapshotOf = (scope: readonly string[], done: readonly string[] = []) =>
  JSON.stringify({
    v: 1,
    complete: false,
    tables: Object.fromEntries(done.map((table) => [table, { done: true }])),
    scope,
  });
const storing = (parts: object): FactsParts => ({ stored: { ...STORED_OFFSET, ...parts } });
const unread = (...signals: readonly (readonly [id: string, type: string, tables: readonly string[]])[]) =>
  known({ end: 9n, unread: signals.map(([id, type, tables], i) => ({ offset: BigInt(7 + i), id, type, tables })) });

const UNFINISHED = storing({ snapshot: snapshotOf([ORDERS, ITEMS], [ORDERS]) });
const PENDING = storing({ snapshot_pending: ITEMS });
const UNREAD: FactsParts = { signals: unread(["s7", "snapshot", [ITEMS]]) };
const EARLIER = [UNFINISHED, PENDING, UNREAD];

const SNP919 = suite("SNP919 another snapshot before this one");

SNP919("passes where none is left: complete, never begun, or only other signals are unread", () => {
  for (const parts of [
    {},
    storing({ snapshot: '{"v":1,"complete":true,"tables":{}}', snapshot_pending: " " }),
    { signals: unread(["s7", "log-state", []], ["s8", "snapshot-stop", []]) },
  ])
    assert.is(effectOf(earlierSnapshot, reading(parts)), "none");
});

SNP919("blocks one that is unfinished, pending, or asked for by a signal that is still unread", () => {
  for (const [parts, words] of [
    [UNFINISHED, "a snapshot is unfinished (1 table left)"],
    [PENDING, "the snapshot of 1 table is pending"],
    [UNREAD, "the unread signal s7 (offset 7) starts a snapshot of 1 table"],
    [storing({ snapshot: '{"v":1,"complete":false,"tables":{}}' }), "a snapshot is unfinished (3 tables left)"],
  ] as const) {
    const on = reading(parts);
    assert.is(effectOf(earlierSnapshot, on, intent({ accept: ["SNP919"] })), "blocks");
    assert.is(effectOf(earlierSnapshot, on, intent({ by: "admin" })), "blocks");
    assert.match(resultOf(earlierSnapshot, on), words);
    assert.match(resultOf(earlierSnapshot, on), "this signal is rejected, not queued");
    assert.match(resultOf(earlierSnapshot, on), "spec.waitForSnapshot");
  }
});

SNP919("ignores an unread signal that was rejected, and names one that was accepted", () => {
  const answered = (outcome: string) => {
    const base = reading(UNREAD).facts.opsHistory;
    assert.ok(base.known);
    const answers = [{ id: "s7", outcome, message: "" }];
    return reading({ ...UNREAD, opsHistory: { ...base, value: { ...base.value, answers } } });
  };
  assert.is(effectOf(earlierSnapshot, answered("rejected")), "none");
  assert.match(resultOf(earlierSnapshot, answered("ok")), "the signal s7 (offset 7) starts a snapshot");
});

SNP919("past a gap it says what the other snapshot leaves, and that waiting does not help", () => {
  for (const parts of EARLIER) {
    assert.match(
      resultOf(earlierSnapshot, pastTheGap(parts)),
      "as they were before the gap, and this signal is rejected",
    );
    const waiting = intent({ waitForSnapshot: 60_000n });
    const on = pastTheGap(parts, waiting);
    assert.is(effectOf(earlierSnapshot, on, waiting), "blocks");
    assert.match(resultOf(earlierSnapshot, on, waiting), "waiting does not help: its task can't run");
    assert.not.match(resultOf(earlierSnapshot, on, waiting), "spec.waitForSnapshot: ");
  }
});

SNP919("is waited for where the task runs, and not where it is stopped", () => {
  const waiting = intent({ waitForSnapshot: 60_000n });
  for (const parts of EARLIER) {
    assert.is(effectOf(earlierSnapshot, reading(parts, waiting), waiting), "none");
    const stopped = reading({ ...parts, connector: { status: STOPPED } }, waiting);
    assert.is(effectOf(earlierSnapshot, stopped, waiting), "blocks");
    assert.match(resultOf(earlierSnapshot, stopped, waiting), "waiting does not help: it is STOPPED");
    assert.match(resultOf(earlierSnapshot, stopped, waiting), "Start orders-cdc, let the snapshot end");
  }
});

SNP919("passes where it is stopped first, past a gap too", () => {
  const stopping = intent({ stopRunningSnapshot: true });
  for (const parts of EARLIER)
    for (const on of [reading(parts, stopping), pastTheGap(parts, stopping)])
      assert.is(effectOf(earlierSnapshot, on, stopping), "none");
});

SNP919("never passes while the signals are unknown: acceptable, whatever the stored offset says", () => {
  const on = reading({ signals: unseen("TOPIC_AUTHORIZATION_FAILED") });
  assert.is(effectOf(earlierSnapshot, on), "blocks");
  assert.is(effectOf(earlierSnapshot, on, intent({ accept: ["SNP919"] })), "accepted");
});

const SNP920 = suite("SNP920 tables of the stopped snapshot that are not named");

const stopping = intent({ stopRunningSnapshot: true });

SNP920("does not apply where nothing is stopped", () => {
  for (const parts of EARLIER) assert.is(effectOf(stoppedTablesUnlisted, reading(parts)), "none");
  assert.is(effectOf(stoppedTablesUnlisted, reading({}, stopping), stopping), "none");
});

SNP920("refuses tables with unread chunks, and those that are pending, by name", () => {
  for (const parts of EARLIER)
    for (const on of [reading(parts, stopping), pastTheGap(parts, stopping)]) {
      assert.is(effectOf(stoppedTablesUnlisted, on, stopping), "blocks");
      assert.match(resultOf(stoppedTablesUnlisted, on, stopping), `would never be read to the end: ${ITEMS}`);
    }
});

SNP920("passes where each of them is named, in any case; tables that are done need not be", () => {
  const all = intent({ stopRunningSnapshot: true, tables: [LINES, ITEMS] });
  for (const parts of [...EARLIER, { signals: unread(["s7", "snapshot", [ITEMS.toLowerCase()]]) }])
    assert.is(effectOf(stoppedTablesUnlisted, reading(parts, all), all), "none");
});

SNP920("covers every captured table where the snapshot has no scope", () => {
  const initial = storing({ snapshot: JSON.stringify({ v: 1, complete: false, tables: { [ITEMS]: { done: true } } }) });
  assert.is(effectOf(stoppedTablesUnlisted, reading(initial, stopping), stopping), "none");
  const one = intent({ stopRunningSnapshot: true, tables: [ORDERS] });
  assert.match(resultOf(stoppedTablesUnlisted, reading(initial, one), one), LINES);
});

SNP919.run();
SNP920.run();
