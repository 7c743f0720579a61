import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Cell, putRow, tableRows } from "../table-rows.ts";
import { formatMoment, type Moment } from "./sql/moment.ts";
import type { Relation } from "./sql/scope.ts";
import { tableNamed } from "./table-relation.ts";
import { healthyWorld, type TableRow } from "./world.ts";

const generated = suite("a generated table");

const COLUMNS = [
  { name: "ID", dataType: "NUMBER", nullable: false },
  { name: "NAME", dataType: "VARCHAR2", nullable: true },
  { name: "AT", dataType: "DATE", nullable: true },
];
const COUNT = 50;
const KEY = [0];

const valuesAt = (at: number): readonly Cell[] => [
  String(at * 10),
  at % 3 === 0 ? null : `n${at}`,
  `2026-11-20 18:30:${String(at).padStart(2, "0")}`,
];

function relationOf(part: Partial<TableRow>): Relation {
  const world = healthyWorld();
  world.tables = [{ owner: "SALES", name: "T", pdb: "ORCLPDB1", columns: COLUMNS, ...part }];
  const relation = tableNamed(world, "ORCLPDB1", "SALES.T", world.currentScn());
  assert.ok(relation);
  return relation as Relation;
}

function stored(): Relation {
  const rows = tableRows(KEY);
  for (let at = 0; at < COUNT; at++) putRow(rows, 100n, valuesAt(at));
  return relationOf({ rows });
}

const made = (): Relation => relationOf({ generated: { key: KEY, count: COUNT, valuesAt } });

generated("has the rows that the same table has when it is held", () => {
  assert.equal([...made().rows], [...stored().rows]);
  assert.is([...made().rows].length, COUNT);
});

generated("is found through its index like the held one", async () => {
  const [one, other] = [made(), stored()];
  const key = fc.option(fc.bigInt(-20n, 520n), { nil: undefined });
  await fc.assert(
    fc.property(key, key, (above, upTo) => {
      const found = [...(one.index?.rows([], above, upTo) ?? [])];
      assert.equal(found, [...(other.index?.rows([], above, upTo) ?? [])]);
      const wanted = (id: bigint) => (above === undefined || id > above) && (upTo === undefined || id <= upTo);
      const ids = Array.from({ length: COUNT }, (_, at) => BigInt(at * 10)).filter(wanted);
      assert.equal(
        found.map(([id]) => id),
        ids,
      );
    }),
  );
});

generated("computes no column that is not read", () => {
  const all = [...made().rows];
  const places = new Set([1]);
  const few = [...(made().only?.(places).rows ?? [])];
  assert.equal(
    few.map((row) => row[1]),
    all.map((row) => row[1]),
  );
  assert.ok(few.every((row) => row[0] === null && row[2] === null));
});

for (const [is, text] of [
  ["DATE", "0001-01-01 00:00:00"],
  ["DATE", "0099-12-31 23:59:59"],
  ["DATE", "0100-03-01 00:00:00"],
  ["DATE", "1901-01-01 00:00:00"],
  ["DATE", "1969-12-31 23:59:59"],
  ["DATE", "9999-12-31 23:59:59"],
  ["TIMESTAMP(6)", "0001-01-01 00:00:00.000001"],
  ["TIMESTAMP(6)", "0004-02-29 12:00:00.500000"],
  ["TIMESTAMP(6)", "1969-12-31 23:59:59.999999"],
  ["TIMESTAMP(6)", "1970-01-01 00:00:00.000001"],
] as const)
  generated(`shows a ${is} of ${text} unchanged`, () => {
    const columns = [{ name: "AT", dataType: is, nullable: true }];
    const [row] = [...relationOf({ columns, generated: { key: [], count: 1, valuesAt: () => [text] } }).rows];
    const moment = row?.[0] as Moment;
    const fraction = is === "DATE" ? "" : ".FF6";
    assert.is(formatMoment(moment, `YYYY-MM-DD HH24:MI:SS${fraction}`), text);
    assert.is(formatMoment(moment, `SYYYY-MM-DD HH24:MI:SS${fraction}`), ` ${text}`);
  });

generated("requires the privilege to flash back, and an SCN that has passed", () => {
  const part = { generated: { key: KEY, count: COUNT, valuesAt } };
  const tables = [{ owner: "SALES", name: "T", pdb: "ORCLPDB1", columns: COLUMNS, ...part }];
  const seen = (scn: bigint, denied: readonly string[]) =>
    tableNamed(healthyWorld({ tables, denied: new Set(denied) }), "ORCLPDB1", "SALES.T", scn);
  assert.throws(() => seen(100n, ["FLASHBACK ANY TABLE"]), /insufficient privileges/);
  assert.throws(() => seen(10n ** 15n, []), /not a valid system change number/);
  assert.ok(seen(100n, []));
  assert.is(seen(100n, ["SELECT ANY TABLE"]), undefined);
});

generated.run();
