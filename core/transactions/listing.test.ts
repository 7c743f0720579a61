import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ListedTransaction, listTransactions, type TransactionsSeen } from "./inspect.ts";
import {
  AT,
  buffered,
  database,
  inJournal,
  inTask,
  journaled,
  known,
  open,
  seen,
  unknown,
} from "./testing/build-transactions.ts";

const list = suite("the listing of open transactions");

function only(change: Partial<TransactionsSeen>): ListedTransaction {
  const [first, ...more] = listTransactions(seen(change));
  assert.equal(more, []);
  if (first === undefined) throw new Error("nothing is listed");
  return first;
}

const BOTH = {
  buffered: inTask(
    buffered("8.14.2207", {
      journaled: true,
      events: 900n,
      heapBytes: 10n,
      spilledBytes: 30n,
      firstScn: 2_020_004n,
      user: undefined,
    }),
  ),
  journaled: inJournal(
    journaled("3:8.14.2207", { changes: 400n, bytes: 20n, user: "BATCH", clientId: "nightly-load" }),
  ),
};

list("one in both sources is one row: figures of the task, lowest first SCN, user from either source", () => {
  const row = only(BOTH);
  const { id, changes, bytes, firstScn, user, clientId } = row;
  assert.equal(
    { id, changes, bytes, firstScn, user, clientId },
    { id: "3:8.14.2207", changes: 900n, bytes: 40n, firstScn: 2_020_000n, user: "BATCH", clientId: "nightly-load" },
  );
  assert.ok(row.buffered !== undefined && row.journaled !== undefined);
});

list("a journaled one is as old as its first SCN, by the database's clock", () => {
  const times = known({ now: "2026-11-21T09:20:00Z", times: [{ scn: 2_020_000n, at: "2026-11-21T09:00:00Z" }] });
  assert.equal(only({ ...BOTH, times }).age, { known: true, millis: 1_200_000n, by: "first SCN" });
  const ahead = known({ now: "2026-11-21T08:00:00Z", times: [{ scn: 2_020_000n, at: "2026-11-21T09:00:00Z" }] });
  assert.equal(only({ ...BOTH, times: ahead }).age, { known: true, millis: 0n, by: "first SCN" });
});

list("by a clock other than the database's only the task's age is known", () => {
  const times = known({ now: undefined, times: [{ scn: 2_020_000n, at: "2026-11-21T08:54:02Z" }] });
  assert.equal(only({ ...BOTH, times }).age, { known: true, millis: 600_000n, by: "task" });
  const { age } = only({ journaled: BOTH.journaled, times });
  assert.match(age.known ? "" : age.why, /does not report its time/);
});

list("if Oracle no longer knows the SCN, the age is the task's, or unknown", () => {
  const times = known({ now: AT, times: [{ scn: 2_020_000n, at: undefined }] });
  assert.equal(only({ ...BOTH, times }).age, { known: true, millis: 600_000n, by: "task" });
  const { age } = only({ journaled: BOTH.journaled, times });
  assert.match(age.known ? "" : age.why, /Oracle no longer knows/);
});

list("one whose age the task does not know, and that is not in the journal, has none", () => {
  const { age } = only({ buffered: inTask(buffered("8.14.2207", { ageMillis: undefined })), times: undefined });
  assert.equal(age, { known: false, why: "the task does not know when it began", about: "transaction" });
});

list("one that is only buffered has the task's age, whatever the database knows", () => {
  const times = known({ now: AT, times: [{ scn: 2_020_000n, at: "2026-11-21T09:00:00Z" }] });
  assert.equal(only({ buffered: inTask(buffered("8.14.2207")), times }).age, {
    known: true,
    millis: 600_000n,
    by: "task",
  });
});

list("what the sources do not contain comes from the session that still has it", () => {
  const row = only({
    buffered: inTask(buffered("8.14.2207", { user: undefined })),
    database: known(database(open("3:8.14.2207", { user: "REPORTS", clientId: "r-1" }))),
  });
  assert.equal([row.id, row.user, row.clientId, row.inDatabase.still], ["3:8.14.2207", "REPORTS", "r-1", "yes"]);
});

list("without the database, nothing is reported as ended", () => {
  for (const change of [{ database: unknown("no grant") }, { database: undefined, times: undefined }]) {
    const row = only({ ...BOTH, ...change });
    assert.is(row.inDatabase.still, "unknown");
  }
  const { age } = only({ journaled: BOTH.journaled, times: unknown("no grant") });
  assert.equal(age, { known: false, why: "no grant", about: "source" });
});

list("one unreadable source leaves the other's rows", () => {
  assert.is(only({ ...BOTH, journaled: unknown("no brokers") }).id, "8.14.2207");
  assert.is(only({ ...BOTH, buffered: { ...BOTH.buffered, transactions: unknown("no JVM") } }).id, "3:8.14.2207");
  assert.is(only({ ...BOTH, buffered: undefined }).changes, 400n);
});

list("the lowest first SCN comes first, and an id of another form is shown as it is", () => {
  const rows = listTransactions(
    seen({
      buffered: inTask(buffered("odd id", { firstScn: 2_030_000n }), buffered("1.1.1", { firstScn: 2_010_000n })),
      journaled: inJournal(journaled("3:2.2.2")),
    }),
  );
  assert.equal(
    rows.map(({ id }) => id),
    ["1.1.1", "3:2.2.2", "odd id"],
  );
  assert.is(rows[2]?.inDatabase.still, "unknown");
});

list.run();
