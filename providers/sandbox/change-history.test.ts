import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type ChangeHistory,
  commitInto,
  committedBetween,
  type Deed,
  emptyHistory,
  type HistoryTable,
  keyOf,
  type Row,
  rowsAsOf,
  type Transaction,
  withCommit,
} from "./change-history.ts";
import { rowsAt, tableRows } from "./table-rows.ts";

const history = suite("the history of a table");

const TABLE: HistoryTable = {
  database: "DB",
  pdb: "PDB",
  owner: "O",
  name: "T",
  columns: [
    { name: "ID", type: "NUMBER", precision: 10, scale: 0 },
    { name: "NAME", type: "VARCHAR2" },
  ],
  key: [0],
};

/**
 * Random transactions; only existing rows are deleted. Transactions overlap, but not on a row: a change locks it until
 * the commit, so the next transaction changes it later.
 */
const anyHistory: fc.Arbitrary<ChangeHistory> = fc
  .array(
    fc.record({
      gap: fc.bigInt({ min: 2n, max: 20n }),
      length: fc.bigInt({ min: 1n, max: 60n }),
      deeds: fc.array(fc.record({ id: fc.nat(6), remove: fc.boolean(), name: fc.string({ maxLength: 3 }) }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
    { maxLength: 12 },
  )
  .map((transactions) => {
    let made = emptyHistory(TABLE);
    let scn = 100n;
    const unlocked = new Map<number, bigint>();
    for (const [i, { gap, length, deeds }] of transactions.entries()) {
      scn += gap;
      const there = new Set(rowsAsOf(made, scn).map(([id]) => String(id)));
      const done: Deed[] = [];
      for (const { id, remove, name } of deeds) {
        if (remove && !there.has(String(id))) continue;
        done.push(remove ? { remove: [String(id)] } : { put: [String(id), name] });
        if (remove) there.delete(String(id));
        else there.add(String(id));
      }
      const startScn = deeds
        .map(({ id }) => (unlocked.get(id) ?? 0n) + 1n)
        .reduce((latest, free) => (free > latest ? free : latest), scn - length);
      for (const { id } of deeds) unlocked.set(id, scn);
      made = withCommit(made, { xid: `1.1.${i}`, user: "U", startScn, commitScn: scn }, done);
    }
    return made;
  });

const sorted = (rows: Iterable<Row>) => [...rows].map((row) => JSON.stringify(row)).sort();

/** The final state of a reader of the records. */
function replayed(transactions: readonly Transaction[], onto: ReadonlyMap<string, Row> = new Map()): Map<string, Row> {
  const rows = new Map(onto);
  for (const { before, after } of transactions.flatMap(({ changes }) => changes)) {
    const key = JSON.stringify(keyOf(TABLE, after ?? before ?? []));
    if (after === undefined) rows.delete(key);
    else rows.set(key, after);
  }
  return rows;
}

history("has the same rows as of every SCN as the database table that it is committed into", async () => {
  await fc.assert(
    fc.property(anyHistory, fc.bigInt({ min: 90n, max: 400n }), (made, scn) => {
      const table = tableRows(TABLE.key);
      for (const transaction of made.transactions) commitInto(table, TABLE, transaction);
      assert.equal(sorted(rowsAsOf(made, scn)), sorted(rowsAt(table, scn).map(({ values }) => values)));
    }),
  );
});

history(
  "delivered up to a commit by one connector and from the oldest open transaction on by another, is complete",
  async () => {
    await fc.assert(
      fc.property(anyHistory, fc.bigInt({ min: 90n, max: 400n }), (made, stopped) => {
        const legacy = committedBetween(made, 0n, stopped);
        const open = made.transactions.filter(({ startScn, commitScn }) => startScn <= stopped && commitScn > stopped);
        const start = open.map(({ startScn }) => startScn).reduce((a, b) => (a < b ? a : b), stopped);
        const after = committedBetween(made, 0n, 1_000n).filter(({ startScn }) => startScn >= start);
        const rows = replayed(after, replayed(legacy));
        assert.equal(sorted(rows.values()), sorted(rowsAsOf(made, 1_000n)));
      }),
    );
  },
);

history("contains the row before each change", async () => {
  await fc.assert(
    fc.property(anyHistory, ({ transactions }) => {
      const rows = new Map<string, Row>();
      for (const { before, after } of transactions.flatMap(({ changes }) => changes)) {
        const key = JSON.stringify(keyOf(TABLE, after ?? before ?? []));
        assert.equal(before, rows.get(key));
        if (after === undefined) rows.delete(key);
        else rows.set(key, after);
      }
    }),
  );
});

history("only moves forward, and deletes only existing rows", () => {
  const one = { xid: "1.1.1", user: "U", startScn: 5n, commitScn: 10n };
  const made = withCommit(emptyHistory(TABLE), one, [{ put: ["1", "a"] }]);
  assert.throws(() => withCommit(made, one, []), /a commit at 10/);
  assert.throws(() => withCommit(made, { ...one, startScn: 20n, commitScn: 20n }, []), /a commit at 20/);
  assert.throws(() => withCommit(made, { ...one, commitScn: 20n }, [{ remove: ["2"] }]), /no row \["2"\]/);
});

history.run();
