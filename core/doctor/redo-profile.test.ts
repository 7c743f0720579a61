import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { MinedRows } from "../facts/redo/redo.ts";
import type { CapturedSet } from "../facts/tables/tables.ts";
import { hoursOf, profileOf, sampleOf } from "./redo-profile.ts";
import { archivedLog } from "./testing/build-preflight.ts";

const profile = suite("whose redo it is");

const GIB = 1_073_741_824n;
const at = (hour: number) => Date.parse("2026-11-21T00:00:00Z") + hour * 3_600_000;
const two = { thread: 2n };

profile("rates are by thread and by the hour in which a log was switched out", () => {
  // Each of these logs lasts an hour.
  const logs = [archivedLog(1n, 1.5), archivedLog(2n, 1.75), archivedLog(3n, 4), archivedLog(7n, 1.6, two)];
  assert.equal(hoursOf(logs, at(2), at(5)), [
    { since: "2026-11-21T02:00:00Z", thread: 1n, logs: 2, bytes: 2n * GIB },
    { since: "2026-11-21T02:00:00Z", thread: 2n, logs: 1, bytes: GIB },
  ]);
  assert.is(hoursOf(logs, at(2), at(5) + 1).length, 3, "up to, and not with, the end");
  assert.equal(hoursOf([archivedLog(1n, 1, { nextTime: undefined })], at(0), at(9)), []);
});

profile("a sample is the newest logs that can be read, by SCN", () => {
  const gone = archivedLog(9n, 9, { deleted: true, status: "D", name: undefined });
  const sample = sampleOf([archivedLog(8n), gone, archivedLog(6n), archivedLog(7n)], 2);
  assert.equal(sample?.logs.map(({ sequence }) => sequence).sort(), [7n, 8n]);
  assert.equal([sample?.from, sample?.to, sample?.bytes], [7_000n, 8_999n, 2n * GIB]);
  assert.is(sampleOf([gone], 2), undefined);
  assert.is(sampleOf([archivedLog(8n)], 5)?.logs.length, 1);
});

profile("redo of other threads in the same range is mined with it", () => {
  const logs = [archivedLog(6n), archivedLog(7n), archivedLog(7n, 8, { ...two, firstScn: 6_500n, nextScn: 7_500n })];
  const sample = sampleOf(logs, 1);
  assert.equal([sample?.from, sample?.to], [7_000n, 7_999n]);
  assert.is(sample?.logs.length, 2);
  assert.is(sample?.bytes, 2n * GIB);
});

const SAMPLE = sampleOf([archivedLog(7n)], 1);
const rows = (name: string | undefined, operation: string, count: bigint, truncates = 0n): MinedRows => ({
  container: "PDB1",
  owner: name === undefined ? undefined : "APP",
  table: name,
  operation,
  rows: count,
  truncates,
});
const ORDERS: CapturedSet = {
  known: true,
  tables: [{ container: "PDB1", owner: "APP", name: "ORDERS", fullName: "PDB1.APP.ORDERS" }],
};

function of(mined: readonly MinedRows[], captured: CapturedSet = ORDERS) {
  if (SAMPLE === undefined) throw new Error("no sample");
  return profileOf(SAMPLE, mined, captured, ["PDB1"]);
}

profile("rows are added up by table; begins, ends and rows without a table are counted separately", () => {
  const found = of([
    rows("ORDERS", "INSERT", 300n),
    rows("ORDERS", "DIRECT INSERT", 10n),
    rows("ORDERS", "UPDATE", 200n),
    rows("ORDERS", "LOB_WRITE", 5n),
    rows("SWAP", "DELETE", 600n),
    rows(undefined, "START", 40n),
    rows(undefined, "COMMIT", 39n),
    rows("ORDERS", "ROLLBACK", 1n),
    rows(undefined, "INTERNAL", 7n),
  ]);
  assert.equal([found.rows, found.controlRows, found.unnamedRows], [1_202n, 80n, 7n]);
  assert.equal(found.named, { rows: 1_115n, captured: 515n });
  const [swap, orders] = found.tables;
  assert.equal([swap?.name, swap?.captured, swap?.deletes], ["PDB1.APP.SWAP", false, 600n]);
  assert.equal(orders, {
    ...{ name: "PDB1.APP.ORDERS", captured: true, rows: 515n, inserts: 310n, updates: 200n, deletes: 0n, ddl: 0n },
    ...{ other: 5n, reload: undefined },
  });
});

const RELOADS: readonly (readonly [what: string, mined: readonly MinedRows[], reload: string | undefined])[] = [
  ["after a truncate", [rows("T", "DDL", 2n, 1n), rows("T", "INSERT", 1_000n)], "truncate and reload"],
  ["after another DDL", [rows("T", "DDL", 2n), rows("T", "INSERT", 1_000n)], undefined],
  ["a few rows after a truncate", [rows("T", "DDL", 1n, 1n), rows("T", "INSERT", 999n)], undefined],
  ["as many deletes", [rows("T", "DELETE", 1_000n), rows("T", "INSERT", 1_250n)], "delete and reload"],
  ["far more inserts than deletes", [rows("T", "DELETE", 1_000n), rows("T", "INSERT", 1_251n)], undefined],
  ["far more deletes than inserts", [rows("T", "DELETE", 1_300n), rows("T", "INSERT", 1_000n)], undefined],
  ["few deletes", [rows("T", "DELETE", 999n), rows("T", "INSERT", 1_000n)], undefined],
];

for (const [what, mined, reload] of RELOADS)
  profile(`${what}: ${reload ?? "no reload"}`, () => {
    assert.is(of(mined).tables[0]?.reload, reload);
  });

profile("if the captured tables are unknown, no table is reported as captured or not", () => {
  const found = of([rows("ORDERS", "INSERT", 3n)], { known: false, why: "not known", remedies: [] });
  assert.is(found.tables[0]?.captured, undefined);
  assert.is(found.named.captured, undefined);
  assert.is(found.unknown?.why, "not known");
});

profile.run();
