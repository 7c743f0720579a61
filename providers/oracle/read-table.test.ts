import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { TableLayout } from "../../core/facts/tables/layout.ts";
import type { OracleValue } from "../../core/ports/oracle.ts";
import { linesOf } from "../../core/values/remedy.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import type { KeyRange, TableRead } from "../../schemas/generated/verification-job.ts";
import { healthyWorld, type OracleWorld, type TableRow } from "../sandbox/oracle/world.ts";
import { type Cell, putRow, removeRow, tableRows, truncateRows } from "../sandbox/table-rows.ts";
import type { OracleConnection } from "./oracle-port.ts";
import { against, failureOf } from "./testing/against-loopback.ts";

const PDB = "ORCLPDB1";
const SCN = 2_040_000n;

type ColumnOf = TableRow["columns"][number];

function column(name: string, dataType = "NUMBER", more: Partial<ColumnOf> = {}): ColumnOf {
  return { name, dataType, nullable: false, ...more };
}

/** A table with a primary key of its first columns. */
function table(name: string, columns: ColumnOf[], keyColumns: number, more: Partial<TableRow> = {}): TableRow {
  const key = columns.slice(0, keyColumns).map((one) => one.name);
  return {
    owner: "SALES",
    name,
    pdb: PDB,
    columns,
    ...(keyColumns === 0 ? {} : { primaryKey: { name: `PK_${name}`, columns: key } }),
    rows: tableRows(key.map((_, at) => at)),
    ...more,
  };
}

function filled(row: TableRow, scn: bigint, all: readonly (readonly Cell[])[]): TableRow {
  if (row.rows !== undefined) for (const values of all) putRow(row.rows, scn, values);
  return row;
}

function worldOf(...tables: TableRow[]): OracleWorld {
  return healthyWorld({ tables });
}

const seen = (name: string): TableSeen => ({ container: PDB, owner: "SALES", name });

async function readOf(oracle: OracleConnection, name: string, scn = SCN): Promise<TableRead> {
  const layout = await layoutOf(oracle, name);
  const key = layout.key?.columns ?? [];
  return {
    table: seen(name),
    columns: layout.columns,
    key: key.flatMap((wanted) => layout.columns.filter((one) => one.name === wanted)),
    scn,
  };
}

async function layoutOf(oracle: OracleConnection, name: string): Promise<TableLayout> {
  const layout = await oracle.layout(seen(name));
  assert.ok(layout !== undefined, `no layout of ${name}`);
  return layout as TableLayout;
}

async function all(
  oracle: OracleConnection,
  read: TableRead,
  batch = 1000,
  range?: KeyRange,
): Promise<readonly (readonly OracleValue[])[]> {
  const rows: (readonly OracleValue[])[] = [];
  for await (const some of oracle.rowsAsOf(read, range, batch)) {
    assert.ok(some.length > 0 && some.length <= batch);
    rows.push(...some);
  }
  return rows;
}

const layouts = suite("the layout of a table");

layouts("has its columns in order, with their types, and its primary key", () =>
  against(
    worldOf(
      table(
        "ORDERS",
        [
          column("ID", "NUMBER", { precision: 18n, scale: 0n }),
          column("LINE"),
          column("PLACED", "TIMESTAMP(6)", { scale: 6n, nullable: true }),
          column("TOTAL", "NUMBER", { virtual: true, nullable: true }),
          column("SECRET", "VARCHAR2", { hidden: "by its owner", nullable: true }),
          column("SYS_NC00006$", "RAW", { hidden: "by Oracle", nullable: true }),
        ],
        2,
        { statistics: { rows: 1_204n, rowBytes: 88n } },
      ),
    ),
    async (oracle) => {
      assert.equal(await oracle.layout(seen("ORDERS")), {
        ...seen("ORDERS"),
        columns: [
          { ...plain("ID"), precision: 18, scale: 0 },
          plain("LINE"),
          { ...plain("PLACED", "TIMESTAMP(6)"), scale: 6, nullable: true },
          { ...plain("TOTAL"), virtual: true, nullable: true },
          { ...plain("SECRET", "VARCHAR2"), hidden: true, nullable: true },
        ],
        key: { is: "primary key", name: "PK_ORDERS", columns: ["ID", "LINE"] },
        rows: 1_204n,
        rowBytes: 88n,
      });
    },
  ),
);

const plain = (name: string, dataType = "NUMBER") => ({
  name,
  dataType,
  precision: undefined,
  scale: undefined,
  nullable: false,
  virtual: false,
  hidden: false,
});

layouts("has the defaults of its columns, as written; none for a virtual one", () =>
  against(
    worldOf(
      table(
        "ORDERS",
        [
          column("ID"),
          column("STATUS", "VARCHAR2", { byDefault: "'NEW'  " }),
          column("LONG_ONE", "VARCHAR2", { byDefault: `'${"x".repeat(5000)}'` }),
          column("TOTAL", "NUMBER", { virtual: true, nullable: true, byDefault: '"ID"*2' }),
        ],
        1,
      ),
    ),
    async (oracle) => {
      const { columns } = await layoutOf(oracle, "ORDERS");
      assert.equal(
        columns.map(({ byDefault }) => byDefault),
        [undefined, { text: "'NEW'  " }, { text: `'${"x".repeat(5000)}'` }, undefined],
      );
    },
  ),
);

layouts("exists without defaults if they are unreadable, with the reason", () => {
  const world = worldOf(table("ORDERS", [column("ID"), column("STATUS", "VARCHAR2", { byDefault: "'NEW'" })], 1));
  world.denied.add("DBA_TAB_COLS");
  return against(world, async (oracle) => {
    const { columns } = await layoutOf(oracle, "ORDERS");
    assert.is(columns[0]?.byDefault, undefined);
    assert.match(JSON.stringify(columns[1]?.byDefault), /"unread":".*DBA_TAB_COLS/);
  });
});

layouts("uses the first unique index on columns that are never null if there is no primary key, else none", () =>
  against(
    worldOf(
      table("T", [column("A"), column("B"), column("N", "NUMBER", { nullable: true })], 0, {
        uniqueIndexes: [
          { name: "U1", columns: ["A", "N"] },
          { name: "U2", columns: ["SYS_NC00009$"] },
          { name: "U4", columns: ["A"] },
          { name: "U3", columns: ["B", "A"] },
        ],
      }),
      table("NONE", [column("A")], 0),
    ),
    async (oracle) => {
      assert.equal((await layoutOf(oracle, "T")).key, { is: "unique index", name: "U3", columns: ["B", "A"] });
      assert.is((await layoutOf(oracle, "NONE")).key, undefined);
    },
  ),
);

layouts("is missing for a table that does not exist, in this container or at all", () =>
  against(worldOf(table("ORDERS", [column("ID")], 1)), async (oracle) => {
    assert.is(await oracle.layout(seen("GONE")), undefined);
    assert.is(await oracle.layout({ ...seen("ORDERS"), container: "CDB$ROOT" }), undefined);
  }),
);

layouts.run();

const rows = suite("the rows of a table as of an SCN");

const EVERY_TYPE: readonly (readonly [type: string, cell: Cell, read: OracleValue])[] = [
  ["NUMBER", "12345678901234567890.123456789", "12345678901234567890.123456789"],
  ["NUMBER", "-0.000000000000000000000000000001", "-.000000000000000000000000000001"],
  ["NUMBER", "9007199254740993", "9007199254740993"],
  ["FLOAT", "0.1", ".1"],
  ["BINARY_DOUBLE", "0.1", "0.1"],
  ["BINARY_DOUBLE", "1e300", "1e+300"],
  ["DATE", "2026-11-20 18:30:00", " 2026-11-20T18:30:00"],
  ["TIMESTAMP(9)", "2026-11-20 18:30:00.123456789", " 2026-11-20T18:30:00.123456789"],
  ["TIMESTAMP(6) WITH TIME ZONE", "2026-11-20 18:30:00.5+05:30", " 2026-11-20T13:00:00.500000000Z"],
  ["TIMESTAMP(6) WITH LOCAL TIME ZONE", "2026-11-20 18:30:00.000001+00:00", " 2026-11-20T18:30:00.000001000Z"],
  ["INTERVAL DAY(2) TO SECOND(6)", "+02 03:04:05.123456", "+02 03:04:05.123456"],
  ["INTERVAL YEAR(2) TO MONTH", "+01-06", "+01-06"],
  ["RAW", Buffer.from("00ff10", "hex"), Buffer.from("00ff10", "hex")],
  ["VARCHAR2", "Grüße ✓ 😀", "Grüße ✓ 😀"],
  ["CHAR", "ab  ", "ab  "],
  ["CLOB", "a text ✓", "a text ✓"],
  ["CLOB", "", ""],
  ["BLOB", Buffer.from("0102", "hex"), Buffer.from("0102", "hex")],
  ["BLOB", Buffer.alloc(0), new Uint8Array(0)],
];

rows("are exact, whatever their type; nulls are nulls", () => {
  const columns = [column("ID"), ...EVERY_TYPE.map(([type], at) => column(`C${at + 1}`, type, { nullable: true }))];
  const made = filled(table("T", columns, 1), 10n, [
    ["1", ...EVERY_TYPE.map(([, cell]) => cell)],
    ["2", ...EVERY_TYPE.map(() => null)],
  ]);
  return against(worldOf(made), async (oracle) => {
    const [first, second] = await all(oracle, await readOf(oracle, "T"));
    for (const [at, [type, , expected]] of EVERY_TYPE.entries()) {
      const value = first?.[at + 1];
      assert.equal(
        value instanceof Uint8Array ? [...value] : value,
        expected instanceof Uint8Array ? [...expected] : expected,
        type,
      );
    }
    assert.equal(second, ["2", ...EVERY_TYPE.map(() => null)]);
  });
});

rows("are those that existed then: inserted before, changed and deleted since", () => {
  const made = filled(table("T", [column("ID"), column("NOTE", "VARCHAR2")], 1), 100n, [
    ["1", "a"],
    ["2", "b"],
    ["3", "c"],
  ]);
  if (made.rows !== undefined) {
    putRow(made.rows, 200n, ["2", "B"]);
    removeRow(made.rows, 300n, ["3"]);
    putRow(made.rows, 400n, ["4", "d"]);
  }
  return against(worldOf(made), async (oracle) => {
    const at = async (scn: bigint) => (await all(oracle, await readOf(oracle, "T", scn))).map((row) => row.join(""));
    assert.equal(await at(99n), []);
    assert.equal(await at(100n), ["1a", "2b", "3c"]);
    assert.equal(await at(299n), ["1a", "2B", "3c"]);
    assert.equal(await at(300n), ["1a", "2B"]);
    assert.equal(await at(400n), ["1a", "2B", "4d"]);
  });
});

rows("are returned once each, in the order of the key, whatever the size of the batches", () =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(fc.nat(4), fc.nat(3), fc.nat(3)), { selector: String, maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 5 }),
      async (keys, batch, parts) => {
        const made = filled(
          table("T", [column("A"), column("B", "VARCHAR2"), column("C", "DATE")], 3),
          10n,
          keys.map(([a, b, c]) => [String(a), `b${b}`, `2026-11-2${c} 00:00:00`]),
        );
        const sorted = keys.map((key) => key.join()).sort();
        await against(worldOf(made), async (oracle) => {
          const read = await readOf(oracle, "T");
          const textOf = (found: readonly (readonly OracleValue[])[]) =>
            found.map(([a, b, c]) => [a, String(b).slice(1), String(c).slice(10, 11)].join());
          assert.equal(textOf(await all(oracle, read, batch)), sorted);
          const ranges = await oracle.ranges(read, BigInt(keys.length), parts);
          assert.ok(ranges.length <= parts);
          const inRanges: string[] = [];
          for (const range of ranges) inRanges.push(...textOf(await all(oracle, read, batch, range)));
          assert.equal(inRanges, sorted);
        });
      },
    ),
    { numRuns: 25 },
  ),
);

rows("of a table without key are all returned, equal ones as often as they exist", () => {
  const made = filled(table("T", [column("A"), column("B", "VARCHAR2", { nullable: true })], 0), 10n, [
    ["1", "x"],
    ["1", "x"],
    ["2", null],
    ["1", "y"],
  ]);
  return against(worldOf(made), async (oracle) => {
    const read = await readOf(oracle, "T");
    for (const batch of [1, 2, 3, 4, 5, 1000])
      assert.equal((await all(oracle, read, batch)).map((row) => row.join("/")).sort(), ["1/x", "1/x", "1/y", "2/"]);
    assert.equal(await oracle.ranges(read, 4n, 4), [undefined]);
  });
});

rows("with large objects have length and digest of what is too long, with and without a key", async () => {
  // A part ends between the halves of a character, wherever it ends.
  const long = `${"x".repeat(65_535)}${"😀".repeat(40_000)}é`;
  const raw = Buffer.alloc(200_000, 7);
  for (const keyColumns of [0, 1]) {
    const made = filled(
      table(
        "T",
        [column("ID"), column("DOC", "CLOB", { nullable: true }), column("PIC", "BLOB", { nullable: true })],
        keyColumns,
      ),
      10n,
      [
        ["1", long, raw],
        ["2", "x".repeat(16_384), null],
      ],
    );
    await against(worldOf(made), async (oracle) => {
      const [first, second] = await all(oracle, await readOf(oracle, "T"));
      const digest = (bytes: Buffer) => ({ length: bytes.length, sha256: createHash("sha256").update(bytes).digest() });
      assert.equal(first?.slice(1), [digest(Buffer.from(long)), digest(raw)]);
      assert.equal(second, ["2", "x".repeat(16_384), null]);
    });
  }
});

rows("can omit columns, also one of the key", () => {
  const made = filled(table("T", [column("A"), column("B"), column("C")], 2), 10n, [
    ["1", "1", "7"],
    ["1", "2", "8"],
    ["2", "1", "9"],
  ]);
  return against(worldOf(made), async (oracle) => {
    const read = await readOf(oracle, "T");
    const found = await all(oracle, { ...read, columns: read.columns.slice(2) }, 2);
    assert.equal(found, [["7"], ["8"], ["9"]]);
  });
});

rows("accept any name that a table or a column can have", () => {
  const made = filled(
    table("it's; a \\ ✓", [column("C1"), column("a.b c", "VARCHAR2"), column("--", "NUMBER")], 1),
    10n,
    [
      ["2", "x", "1"],
      ["1", "y", "2"],
    ],
  );
  return against(worldOf(made), async (oracle) =>
    assert.equal(await all(oracle, await readOf(oracle, "it's; a \\ ✓")), [
      ["1", "y", "2"],
      ["2", "x", "1"],
    ]),
  );
});

rows("are read in the table's own container, with settings that no server changes", () => {
  const world = worldOf(filled(table("T", [column("ID")], 1), 10n, [["1"]]));
  return against(world, async (oracle) => {
    await all(oracle, await readOf(oracle, "T"));
    assert.equal(
      world.seen.filter((sql) => sql.startsWith("ALTER SESSION")),
      [
        `ALTER SESSION SET CONTAINER = ${PDB}`,
        "ALTER SESSION SET NLS_NUMERIC_CHARACTERS = '.,' NLS_SORT = BINARY NLS_COMP = BINARY NLS_CALENDAR = " +
          "'GREGORIAN'",
      ],
    );
  });
});

rows("interrupted by a lost connection are read again from where they were", () => {
  const made = filled(
    table("T", [column("ID")], 1),
    10n,
    Array.from({ length: 50 }, (_, at) => [String(at + 1)]),
  );
  const world = worldOf(made);
  let batches = 0;
  world.fault = (sql) => (sql.includes("ROWNUM <= :most") && ++batches === 3 ? "disconnect" : undefined);
  return against(world, async (oracle) => {
    const found = await all(oracle, await readOf(oracle, "T"), 10);
    assert.equal(
      found.flat(),
      Array.from({ length: 50 }, (_, at) => String(at + 1)),
    );
    assert.ok(batches > 3);
  });
});

rows("are divided by a call that may take longer than others, and are one range if even that is too short", () => {
  const made = filled(
    table("T", [column("ID")], 1),
    10n,
    Array.from({ length: 50 }, (_, at) => [String(at + 1)]),
  );
  const world = worldOf(made);
  return against(
    world,
    async (oracle) => {
      const read = await readOf(oracle, "T");
      world.latency = 300;
      assert.is((await oracle.ranges(read, 50n, 2)).length, 2);
      world.latency = 0;
      world.fault = (sql) => (sql.includes("MOD(N") ? "hang" : undefined);
      assert.equal(await oracle.ranges(read, 50n, 2), [undefined]);
    },
    {},
    { callMillis: 200, divideMillis: 2_000 },
  );
});

rows("are divided until that is stopped, and the database is asked to cancel the call", () => {
  const made = filled(table("T", [column("ID")], 1), 10n, [["1"], ["2"], ["3"]]);
  const world = worldOf(made);
  return against(world, async (oracle) => {
    const read = await readOf(oracle, "T");
    const stop = new AbortController();
    world.fault = (sql) => {
      if (!sql.includes("MOD(N")) return undefined;
      setImmediate(() => stop.abort());
      return "hang";
    };
    const begun = Date.now();
    for (const _ of ["while it runs", "before it begins"])
      assert.is(await oracle.ranges(read, 3n, 2, stop.signal).catch((error: unknown) => error), stop.signal.reason);
    assert.ok(Date.now() - begun < 20_000, `${Date.now() - begun} ms`);
    assert.is((await readOf(oracle, "T")).key.length, 1);
    const whileLoggingIn = new AbortController();
    world.fault = () => "hang";
    const asked = oracle.ranges(read, 3n, 2, whileLoggingIn.signal).catch((error: unknown) => error);
    setImmediate(() => whileLoggingIn.abort());
    assert.is(await asked, whileLoggingIn.signal.reason);
    assert.ok(Date.now() - begun < 20_000, `${Date.now() - begun} ms`);
  });
});

const FAILURES: readonly (readonly [what: string, code: string, change: (table: TableRow) => void])[] = [
  ["undo does not reach back to", "ORA-01555", ({ rows: of }) => of && Object.assign(of, { undoFrom: SCN + 1n })],
  ["the table was truncated after", "ORA-01466", ({ rows: of }) => of && truncateRows(of, SCN + 1n)],
  [
    "a large object's earlier value is gone for",
    "ORA-22924",
    (one) => Object.assign(one, { unreadable: { code: 22_924, text: "snapshot too old" } }),
  ],
];

for (const [what, code, change] of FAILURES)
  rows(`of an SCN that ${what} are a failure with its code`, () => {
    const made = filled(table("T", [column("ID")], 1), 10n, [["1"]]);
    change(made);
    return against(worldOf(made), async (oracle) => {
      const failure = await failureOf(all(oracle, await readOf(oracle, "T")));
      assert.equal([failure.kind, failure.code], ["rejected", code]);
      assert.match(linesOf(failure.remedies), "later SCN");
    });
  });

rows("of a future SCN are a failure with its code", () =>
  against(worldOf(filled(table("T", [column("ID")], 1), 10n, [["1"]])), async (oracle) =>
    assert.is((await failureOf(all(oracle, await readOf(oracle, "T", 2n ** 60n)))).code, "ORA-08181"),
  ),
);

for (const privilege of ["SELECT ANY TABLE", "FLASHBACK ANY TABLE"])
  rows(`without ${privilege}: the table and the grants are named`, () => {
    const world = worldOf(filled(table("T", [column("ID")], 1), 10n, [["1"]]));
    world.denied.add(privilege);
    return against(world, async (oracle) => {
      const failure = await failureOf(all(oracle, await readOf(oracle, "T")));
      assert.is(failure.kind, "forbidden");
      assert.match(failure.message, 'may not read "SALES"."T"');
      assert.match(linesOf(failure.remedies), `GRANT ${privilege} TO C##CDC CONTAINER=ALL;`);
    });
  });

rows("end when the reader stops: no session is left", () => {
  const made = filled(
    table("T", [column("ID")], 1),
    10n,
    Array.from({ length: 50 }, (_, at) => [String(at + 1)]),
  );
  return against(worldOf(made), async (oracle) => {
    for await (const some of oracle.rowsAsOf(await readOf(oracle, "T"), undefined, 5)) {
      assert.is(some.length, 5);
      break;
    }
    await oracle.close();
  });
});

rows.run();
