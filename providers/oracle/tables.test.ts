import { suite } from "uvu";
import * as assert from "uvu/assert";
import { linesOf } from "../../core/values/remedy.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import { healthyWorld, type ModificationRow, type OracleWorld, type TableRow } from "../sandbox/oracle/world.ts";
import type { OracleConnection } from "./oracle-port.ts";
import { against, failureOf } from "./testing/against-loopback.ts";

const PDB = "ORCLPDB1";

/** Names as Oracle allows them in double quotes. */
const HOSTILE = [
  "Price List",
  "a.b.c",
  "MiXeD",
  "$#_1",
  ".",
  "it's",
  "--",
  "semi;colon",
  "é✓",
  "n".repeat(128),
  "ü".repeat(64),
];

function row(name: string, more: Partial<TableRow> = {}): TableRow {
  return { owner: "SALES", name, pdb: PDB, columns: [], rowScn: 2_000_123n, ...more };
}

function seen(name: string, more: Partial<TableSeen> = {}): TableSeen {
  return { container: PDB, owner: "SALES", name, ...more };
}

function withTables(tables: TableRow[], changes: Partial<OracleWorld> = {}): OracleWorld {
  return healthyWorld({ tables, ...changes });
}

/** Two PDBs, with a table each. */
function twoPdbs(changes: Partial<OracleWorld> = {}): OracleWorld {
  return withTables([row("ORDERS"), row("STOCK", { pdb: "ORCLPDB2" })], {
    services: { ORCLCDB: "CDB$ROOT", [PDB]: PDB, ORCLPDB2: "ORCLPDB2" },
    ...changes,
  });
}

function withoutContainers(changes: Partial<OracleWorld> = {}): OracleWorld {
  const world = withTables([row("ORDERS", { pdb: null })], { services: { ORCLCDB: "ORCLCDB" }, ...changes });
  world.database.cdb = false;
  return world;
}

const names = (tables: readonly TableSeen[]) =>
  tables.map(({ container, owner, name }) => `${container}/${owner}/${name}`);

const dictionary = suite("the dictionary");

dictionary("names the tables of a PDB, in any spelling of the setting, and every visible container", () =>
  against(healthyWorld(), async (oracle) => {
    const { containers, tables } = await oracle.dictionary(["orclpdb1"]);
    assert.equal(containers, [
      { id: 1n, name: "CDB$ROOT", openMode: "READ WRITE" },
      { id: 2n, name: "PDB$SEED", openMode: "READ ONLY" },
      { id: 3n, name: PDB, openMode: "READ WRITE" },
    ]);
    assert.equal(names(tables).sort(), [
      `${PDB}/HR/EMPLOYEES`,
      `${PDB}/SALES/CUSTOMERS`,
      `${PDB}/SALES/LINES`,
      `${PDB}/SALES/ORDERS`,
      `${PDB}/SALES/Price List`,
    ]);
  }),
);

dictionary("returns names unchanged: quoted, mixed-case, with dots and blanks, of 128 bytes", () =>
  against(withTables(HOSTILE.map((name) => row(name, { owner: name }))), async (oracle) =>
    assert.equal(
      (await oracle.dictionary([PDB])).tables,
      HOSTILE.map((name) => seen(name, { owner: name })),
    ),
  ),
);

dictionary("omits what no connector captures", () => {
  const world = withTables([
    row("ORDERS"),
    row("BY_KEY", { iotType: "IOT" }),
    row("SYS_IOT_OVER_1", { iotType: "IOT_OVERFLOW" }),
    row("SYS_IOT_MAP_1", { iotType: "IOT_MAPPING" }),
    row("SCRATCH", { temporary: true }),
    row("PARTS", { nested: true }),
    row("OBJ$", { owner: "SYS" }),
    row("BIN$Uq2f8w==$0", { dropped: true }),
  ]);
  return against(world, async (oracle) =>
    assert.equal(names((await oracle.dictionary([PDB])).tables), [`${PDB}/SALES/ORDERS`, `${PDB}/SALES/BY_KEY`]),
  );
});

dictionary("distinguishes PDBs, and reads those that are named", () =>
  against(twoPdbs(), async (oracle) => {
    assert.equal(names((await oracle.dictionary(["ORCLPDB2"])).tables), ["ORCLPDB2/SALES/STOCK"]);
    assert.equal((await oracle.dictionary([PDB, "ORCLPDB2", "orclpdb2", "GONE"])).tables.length, 2);
  }),
);

dictionary("without names is that of the current container: a PDB, or a database without containers", async () => {
  await against(
    twoPdbs(),
    async (oracle) => {
      const { containers, tables } = await oracle.dictionary([]);
      assert.equal(containers, [{ id: 4n, name: "ORCLPDB2", openMode: "READ WRITE" }]);
      assert.equal(names(tables), ["ORCLPDB2/SALES/STOCK"]);
    },
    { service: "ORCLPDB2" },
  );
  await against(withoutContainers(), async (oracle) => {
    const { containers, tables } = await oracle.dictionary([]);
    assert.equal(containers, [{ id: 0n, name: "ORCLCDB", openMode: "READ WRITE" }]);
    assert.equal(names(tables), ["ORCLCDB/SALES/ORDERS"]);
  });
});

dictionary("shows that a PDB is closed, or restricted, and then has no table of it", async () => {
  for (const [mode, shown] of [
    ["MOUNTED", "MOUNTED"],
    ["RESTRICTED", "READ WRITE RESTRICTED"],
  ] as const)
    await against(twoPdbs({ openModes: { ORCLPDB2: mode } }), async (oracle) => {
      const { containers, tables } = await oracle.dictionary([PDB, "ORCLPDB2"]);
      assert.is(containers.find(({ name }) => name === "ORCLPDB2")?.openMode, shown);
      assert.equal(names(tables), [`${PDB}/SALES/ORDERS`]);
    });
});

dictionary(
  "returns which containers answered: one without tables is empty, a missing one is not known to be",
  async () => {
    const empty = { tables: [row("ORDERS")] };
    await against(twoPdbs(empty), async (oracle) => {
      const { tables, answering } = await oracle.dictionary([PDB, "orclpdb2"]);
      assert.equal(names(tables), [`${PDB}/SALES/ORDERS`]);
      assert.equal([...answering].sort(), [PDB, "ORCLPDB2"]);
    });
    await against(twoPdbs({ omitted: new Set(["ORCLPDB2"]) }), async (oracle) => {
      const { containers, tables, answering } = await oracle.dictionary([PDB, "ORCLPDB2"]);
      assert.ok(containers.some(({ name, openMode }) => name === "ORCLPDB2" && openMode === "READ WRITE"));
      assert.equal(names(tables), [`${PDB}/SALES/ORDERS`]);
      assert.equal(answering, [PDB]);
    });
    await against(withoutContainers(), async (oracle) =>
      assert.equal((await oracle.dictionary([])).answering, ["ORCLCDB"]),
    );
  },
);

dictionary("of a login without CONTAINER_DATA shows only the root", () =>
  against(healthyWorld({ containerData: false }), async (oracle) => {
    const { containers, tables } = await oracle.dictionary([PDB]);
    assert.equal(containers, [{ id: 1n, name: "CDB$ROOT", openMode: "READ WRITE" }]);
    assert.equal(await oracle.containers(), containers);
    assert.equal(tables, []);
  }),
);

dictionary("makes as many round trips for 100,000 tables as for ten", async () => {
  const trips: number[] = [];
  for (const count of [10, 100_000]) {
    const world = withTables(Array.from({ length: count }, (_, at) => row(`TABLE_${at}`)));
    await against(world, async (oracle) => {
      await oracle.threads();
      const before = world.roundTrips;
      assert.is((await oracle.dictionary([PDB])).tables.length, count);
      trips.push(world.roundTrips - before);
    });
  }
  assert.equal(trips, [3, 3]);
});

dictionary.run();

const activity = suite("the activity of tables");

const counted = (inserts: bigint, more: Partial<ModificationRow> = {}): ModificationRow => ({
  partition: null,
  subpartition: null,
  inserts,
  updates: 0n,
  deletes: 0n,
  at: Date.UTC(2026, 10, 20, 18),
  truncated: false,
  ...more,
});

activity(
  "is when a table was defined last, in UTC, what was modified and when statistics were gathered, where there is " +
    "anything",
  () => {
    const lastDdl = Date.UTC(2026, 10, 20, 7, 30);
    const modified = counted(12n, { updates: 3n, deletes: 1n, truncated: true });
    const world = withTables([
      row("ORDERS", { lastDdl, modifications: [modified] }),
      row("STILL", { lastDdl, analyzed: lastDdl + 1000 }),
    ]);
    return against(world, async (oracle) =>
      assert.equal(await oracle.activity([PDB]), [
        {
          ...seen("ORDERS"),
          lastDdl: "2026-11-20T07:30:00Z",
          modifications: { inserts: 12n, updates: 3n, deletes: 1n, truncated: true, at: "2026-11-20T18:00:00Z" },
          analyzed: undefined,
        },
        {
          ...seen("STILL"),
          lastDdl: "2026-11-20T07:30:00Z",
          modifications: undefined,
          analyzed: "2026-11-20T07:30:01Z",
        },
      ]),
    );
  },
);

activity("of a partitioned table counts nothing twice, and is as late as its latest part", () => {
  const later = Date.UTC(2026, 10, 20, 19);
  const world = withTables([
    row("ALL_LEVELS", {
      modifications: [
        counted(10n),
        counted(6n, { partition: "P1", at: later }),
        counted(4n, { partition: "P2" }),
        counted(6n, { partition: "P1", subpartition: "S1", truncated: true }),
      ],
    }),
    row("PARTS_ONLY", { modifications: [counted(6n, { partition: "P1" }), counted(4n, { partition: "P2" })] }),
    row("STATISTICS_GATHERED_ABOVE", { modifications: [counted(1n), counted(6n, { partition: "P1", deletes: 2n })] }),
  ]);
  return against(world, async (oracle) => {
    const [all, parts, above] = (await oracle.activity([PDB])).map((one) => one.modifications);
    assert.equal(all, { inserts: 10n, updates: 0n, deletes: 0n, truncated: true, at: "2026-11-20T19:00:00Z" });
    assert.is(parts?.inserts, 10n);
    assert.equal([above?.inserts, above?.deletes], [6n, 2n]);
  });
});

activity("is none for a table that only statistics mention, whose changes were not monitored", () =>
  against(
    withTables([row("ORDERS"), row("OBJ$", { owner: "SYS", analyzed: Date.UTC(2026, 10, 20) })]),
    async (oracle) => assert.equal(names(await oracle.activity([PDB])), [`${PDB}/SALES/ORDERS`]),
  ),
);

activity("is limited to the requested containers, like the dictionary", async () => {
  await against(twoPdbs(), async (oracle) =>
    assert.equal(names(await oracle.activity(["orclpdb2"])), ["ORCLPDB2/SALES/STOCK"]),
  );
  await against(withoutContainers(), async (oracle) =>
    assert.equal(names(await oracle.activity([])), ["ORCLCDB/SALES/ORDERS"]),
  );
});

activity("makes three round trips, also for 100,000 tables", async () => {
  const world = withTables(
    Array.from({ length: 100_000 }, (_, at) => row(`T${at}`, { modifications: [counted(1n)], analyzed: at })),
  );
  await against(world, async (oracle) => {
    await oracle.threads();
    const before = world.roundTrips;
    assert.is((await oracle.activity([PDB])).length, 100_000);
    assert.is(world.roundTrips - before, 3);
  });
});

activity.run();

const rowScns = suite("the latest changes to rows");

rowScns("are read from tables in their own containers, in the requested order, with one call for 300", async () => {
  const many = Array.from({ length: 700 }, (_, at) => row(`T${at}`, { rowScn: BigInt(at) + 2n ** 54n }));
  const world = twoPdbs();
  world.tables.push(...many);
  await against(world, async (oracle) => {
    const asked = [seen("STOCK", { container: "ORCLPDB2" }), ...many.map(({ name }) => seen(name)), seen("ORDERS")];
    const answers = await oracle.rowScns(asked);
    assert.equal(names(answers), names(asked));
    assert.equal(
      answers.map(({ scn }) => scn),
      [2_000_123n, ...many.map((one) => one.rowScn), 2_000_123n],
    );
    const calls = world.seen.filter((sql) => sql.includes("ORA_ROWSCN")).length;
    assert.is(calls, 4);
    assert.equal(
      world.seen.filter((sql) => sql.startsWith("ALTER SESSION")),
      ["ALTER SESSION SET CONTAINER = ORCLPDB2", `ALTER SESSION SET CONTAINER = ${PDB}`],
    );
  });
});

rowScns("accept every name that a table can have", () =>
  against(withTables(HOSTILE.map((name, at) => row(name, { owner: name, rowScn: BigInt(at) }))), async (oracle) => {
    const answers = await oracle.rowScns(HOSTILE.map((name) => seen(name, { owner: name })));
    assert.equal(
      answers.map(({ scn, problem }) => [scn, problem]),
      HOSTILE.map((_, at) => [BigInt(at), undefined]),
    );
  }),
);

rowScns("never insert a name into the statement", () => {
  const world = withTables([row('"; DROP TABLE X; --')]);
  return against(world, async (oracle) => {
    await oracle.rowScns([seen('"; DROP TABLE X; --')]);
    assert.not.match(world.seen.join("\n"), "DROP TABLE");
  });
});

rowScns("are none for a table without rows, and a problem for an unreadable one", () => {
  const external = {
    code: 29_913,
    text: "error in executing ODCIEXTTABLEOPEN callout\nORA-29400: data cartridge error",
  };
  const { rowScn: _, ...empty } = row("EMPTY");
  const world = withTables([empty, row("EXTERNAL", { unreadable: external }), row("ORDERS")]);
  return against(world, async (oracle) => {
    const answers = await oracle.rowScns(["EMPTY", "EXTERNAL", "DROPPED", "ORDERS"].map((name) => seen(name)));
    assert.equal(answers, [
      { ...seen("EMPTY"), scn: undefined },
      { ...seen("EXTERNAL"), scn: undefined, problem: "ORA-29913: error in executing ODCIEXTTABLEOPEN callout" },
      {
        ...seen("DROPPED"),
        scn: undefined,
        problem:
          "ORA-00942: table or view does not exist (dropped since, or not granted: GRANT SELECT ANY TABLE TO " +
          "C##CDC CONTAINER=ALL;)",
      },
      { ...seen("ORDERS"), scn: 2_000_123n },
    ]);
  });
});

rowScns("of a database without containers need no change of container", () => {
  const world = withoutContainers();
  return against(world, async (oracle) => {
    assert.is((await oracle.rowScns([seen("ORDERS", { container: "ORCLCDB" })]))[0]?.scn, 2_000_123n);
    assert.not.ok(world.seen.some((sql) => sql.startsWith("ALTER SESSION")));
  });
});

rowScns("of a PDB that is closed, or dropped, are a problem of its tables only", () =>
  against(twoPdbs({ openModes: { ORCLPDB2: "MOUNTED" } }), async (oracle) => {
    const [closed, gone, wild, open] = await oracle.rowScns([
      seen("STOCK", { container: "ORCLPDB2" }),
      seen("STOCK", { container: "GONE" }),
      seen("STOCK", { container: "X; DROP" }),
      seen("ORDERS"),
    ]);
    assert.match(closed?.problem ?? "", "not open");
    assert.match(gone?.problem ?? "", "GONE");
    assert.match(wild?.problem ?? "", "is not a valid container name");
    assert.is(open?.scn, 2_000_123n);
  }),
);

rowScns("do not wait for a table that exceeds the call's limit, and continue with the others", () => {
  const world = withTables(["A", "HUGE", "B", "C"].map((name) => row(name, { takesForEver: name === "HUGE" })));
  return against(
    world,
    async (oracle) => {
      const answers = await oracle.rowScns(["A", "HUGE", "B", "C"].map((name) => seen(name)));
      assert.equal(
        answers.map(({ scn }) => scn),
        [2_000_123n, undefined, 2_000_123n, 2_000_123n],
      );
      assert.match(answers[1]?.problem ?? "", "not read within 0.3 s");
    },
    {},
    { callMillis: 300 },
  );
});

rowScns("stop after three tables that exceed the call's limit, and report the others", () => {
  const world = withTables(["A", "B", "C", "D"].map((name) => row(name, { takesForEver: true })));
  return against(
    world,
    async (oracle) => {
      const answers = await oracle.rowScns(["A", "B", "C", "D"].map((name) => seen(name)));
      assert.equal(answers.filter(({ problem }) => problem?.startsWith("not read within")).length, 3);
      assert.match(answers[3]?.problem ?? "", "not tried: 3 other tables took longer");
    },
    {},
    { callMillis: 200 },
  );
});

rowScns("of no table make no call", () => {
  const world = healthyWorld();
  return against(world, async (oracle) => {
    assert.equal(await oracle.rowScns([]), []);
    assert.is(world.roundTrips, 0);
  });
});

rowScns.run();

const failures = suite("failures of table reads");

const DENIED: readonly (readonly [
  what: string,
  says: string,
  grant: string,
  ask: (oracle: OracleConnection) => Promise<unknown>,
])[] = [
  ["V$CONTAINERS", "may not read V$CONTAINERS", "SELECT ON V_$CONTAINERS", (oracle) => oracle.dictionary([PDB])],
  ["CDB_TABLES", "may not read CDB_TABLES", "SELECT ANY DICTIONARY", (oracle) => oracle.dictionary([PDB])],
  ["CDB_USERS", "may not read CDB_USERS", "SELECT ANY DICTIONARY", (oracle) => oracle.dictionary([])],
  ["CDB_OBJECTS", "may not read CDB_OBJECTS", "SELECT ANY DICTIONARY", (oracle) => oracle.activity([PDB])],
  [
    "CDB_TAB_MODIFICATIONS",
    "may not read CDB_TAB_MODIFICATIONS",
    "SELECT ANY DICTIONARY",
    (oracle) => oracle.activity([]),
  ],
  ["SET CONTAINER", `may not go into ${PDB}`, "SET CONTAINER", (oracle) => oracle.rowScns([seen("ORDERS")])],
];

for (const [what, says, grant, ask] of DENIED)
  failures(`without ${what} the missing grant is named`, () =>
    against(healthyWorld({ denied: new Set([what]) }), async (oracle) => {
      const failure = await failureOf(ask(oracle));
      assert.is(failure.kind, "forbidden");
      assert.match(failure.message, says);
      assert.is(linesOf(failure.remedies), `GRANT ${grant} TO C##CDC CONTAINER=ALL;`);
    }),
  );

failures("a connection that breaks between containers: all is read again, each table in its own", () => {
  const world = twoPdbs();
  let breaks = 1;
  world.fault = (sql) =>
    sql.includes("ORA_ROWSCN") && world.seen.some((one) => one.endsWith("= ORCLPDB2")) && breaks-- > 0
      ? "disconnect"
      : undefined;
  return against(world, async (oracle) => {
    const answers = await oracle.rowScns([seen("ORDERS"), seen("STOCK", { container: "ORCLPDB2" })]);
    assert.equal(
      answers.map(({ scn, problem }) => [scn, problem]),
      [
        [2_000_123n, undefined],
        [2_000_123n, undefined],
      ],
    );
    assert.equal(
      world.seen.filter((sql) => sql.startsWith("ALTER SESSION")).map((sql) => sql.split(" ").at(-1)),
      [PDB, "ORCLPDB2", PDB, "ORCLPDB2"],
    );
  });
});

for (const [what, ask] of [
  ["CDB_TABLES", (oracle: OracleConnection) => oracle.dictionary([PDB])],
  ["CDB_TAB_MODIFICATIONS", (oracle: OracleConnection) => oracle.activity([PDB])],
  ["ORA_ROWSCN", (oracle: OracleConnection) => oracle.rowScns([seen("ORDERS")])],
] as const) {
  failures(`a connection that breaks once at ${what} is opened again`, () => {
    const world = healthyWorld();
    let breaks = 1;
    world.fault = (sql) => (sql.includes(what) && breaks-- > 0 ? "disconnect" : undefined);
    return against(world, async (oracle) => {
      await ask(oracle);
      assert.ok(breaks <= 0);
    });
  });
  failures(`a connection that breaks at every ${what} is lost`, () =>
    against(healthyWorld({ fault: (sql) => (sql.includes(what) ? "disconnect" : undefined) }), async (oracle) =>
      assert.is((await failureOf(ask(oracle))).kind, "lost"),
    ),
  );
}

failures.run();
