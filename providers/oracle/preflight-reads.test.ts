import { suite } from "uvu";
import * as assert from "uvu/assert";
import { NEEDED_GRANTS } from "../../core/facts/database/needed-grants.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { makeReady, readyTable } from "../sandbox/check-scenarios.ts";
import { healthyWorld, type OracleWorld } from "../sandbox/oracle/world.ts";
import { grantOf } from "./grants.ts";
import { columnsOfNoteOf } from "./preflight-statements.ts";
import { DOCUMENTED_VIEWS } from "./testdata/documented-views.ts";
import { against, failureOf } from "./testing/against-loopback.ts";

const reads = suite("preflight reads of Oracle");

const PDBS = ["ORCLPDB1"];
const OBJECTS = NEEDED_GRANTS.filter(({ is }) => is === "view" || is === "package").map(({ name }) => name);

reads("return the session's user, and whether it includes all containers", async () => {
  await against(healthyWorld(), async (oracle) => {
    assert.equal(await oracle.account(), { user: "C##CDC", common: true });
  });
  const world = healthyWorld();
  world.database.cdb = false;
  world.services = { ORCLCDB: "ORCLCDB" };
  await against(world, async (oracle) => {
    assert.is((await oracle.account()).common, false);
  });
});

reads("return effective privileges and roles, in the root and in each PDB", async () => {
  const world = healthyWorld();
  world.rootOnly.add("SELECT ANY TABLE");
  world.denied.add("EXECUTE_CATALOG_ROLE");
  await against(world, async (oracle) => {
    const [root, pdb] = await oracle.rights(PDBS);
    assert.ok(root !== undefined && "privileges" in root && pdb !== undefined && "privileges" in pdb);
    assert.equal([root.container, pdb.container], ["CDB$ROOT", "ORCLPDB1"]);
    assert.ok(root.privileges.includes("SELECT ANY TABLE"));
    assert.not.ok(pdb.privileges.includes("SELECT ANY TABLE"));
    assert.equal(root.roles, []);
  });
});

reads("report, for a PDB that the login may not enter, the problem and the GRANT", async () => {
  const world = healthyWorld();
  world.denied.add("SET CONTAINER");
  await against(world, async (oracle) => {
    const [, pdb] = await oracle.rights(PDBS);
    assert.ok(pdb !== undefined && "problem" in pdb);
    assert.match(pdb.problem, "may not go into ORCLPDB1");
    assert.match(linesOf(pdb.remedies), "GRANT SET CONTAINER");
  });
});

reads("return the views and packages that a statement can name, in one call that runs none of them", async () => {
  const world = healthyWorld();
  for (const one of ["V$LOG", "V$LOGMNR_CONTENTS", "DBMS_LOGMNR"]) world.denied.add(one);
  await against(world, async (oracle) => {
    const tried = await oracle.tryObjects(OBJECTS);
    assert.equal(
      tried.filter(({ usable }) => !usable).map(({ name, code }) => [name, code]),
      [
        ["DBMS_LOGMNR", "ORA-06550"],
        ["V_$LOG", "ORA-00942"],
        ["V_$LOGMNR_CONTENTS", "ORA-00942"],
      ],
    );
    assert.is(world.seen.filter((sql) => !sql.startsWith("ALTER SESSION")).length, 1);
  });
});

reads("return supplemental logging of the database, its PDBs and its tables", async () => {
  const world = healthyWorld();
  world.tables = [
    readyTable(world, "A"),
    readyTable(world, "B", { logGroups: ["PRIMARY KEY LOGGING", "UNIQUE KEY LOGGING"] }),
    readyTable(world, "C", { owner: "SYS" }),
  ];
  world.pdbLogging["ORCLPDB1"] = { primaryKey: true, all: false };
  await against(world, async (oracle) => {
    assert.equal(await oracle.supplementalLogging(), { minimal: "YES", primaryKey: false, all: false });
    assert.equal(await oracle.pdbLogging(PDBS), [{ container: "ORCLPDB1", primaryKey: true, all: false }]);
    const groups = await oracle.logGroups(["orclpdb1"]);
    assert.equal(
      groups.map(({ container, owner, name, type, always }) => [container, owner, name, type, always]),
      [
        ["ORCLPDB1", "SALES", "A", "ALL COLUMN LOGGING", true],
        ["ORCLPDB1", "SALES", "B", "PRIMARY KEY LOGGING", true],
        ["ORCLPDB1", "SALES", "B", "UNIQUE KEY LOGGING", false],
      ],
    );
  });
});

reads("return whether a table's own log group contains its key, if it has one", async () => {
  const world = healthyWorld();
  const key = { name: "PK", columns: ["ID", "NOTE"] };
  const own = (name: string, ...columns: string[]) =>
    readyTable(world, name, { primaryKey: key, logGroups: ["USER LOG GROUP"], logGroupColumns: columns });
  const { primaryKey: _, ...keyless } = own("KEYLESS", "ID");
  world.tables = [own("WHOLE", "NOTE", "ID"), own("HALF", "ID"), keyless, readyTable(world, "ALL_COLUMNS")];
  await against(world, async (oracle) => {
    assert.equal(
      (await oracle.logGroups(PDBS)).map(({ name, holdsKey }) => [name, holdsKey]),
      [
        ["WHOLE", true],
        ["HALF", false],
        ["KEYLESS", undefined],
        ["ALL_COLUMNS", undefined],
      ],
    );
    world.omitted.add("CDB_LOG_GROUP_COLUMNS ORCLPDB1");
    assert.match((await failureOf(oracle.logGroups(PDBS))).message, "CDB_LOG_GROUP_COLUMNS shows nothing");
  });
});

reads("return columns that no miner reads, and those that were requested by name", async () => {
  const world = healthyWorld();
  const long = "X".repeat(31);
  const columns = [
    { name: "ID", dataType: "NUMBER", nullable: false, identity: true },
    { name: "Code", dataType: "VARCHAR2", nullable: true },
    { name: "PLAIN", dataType: "VARCHAR2", nullable: true },
    { name: long, dataType: "DATE", nullable: true },
    { name: "SYS_NC00005$", dataType: "JSON", nullable: true, hidden: "by Oracle" as const },
    { name: "BODY", dataType: "JSON", nullable: true, hidden: "by its owner" as const },
    { name: "ITEMS", dataType: "ITEM_LIST", nullable: true, nestedTable: true },
  ];
  world.tables = [readyTable(world, "T", { columns })];
  await against(world, async (oracle) => {
    const found = (names: readonly string[]) =>
      oracle.columnsOfNote(PDBS, names).then((all) => all.map(({ column }) => column));
    assert.equal(await found([]), ["ID", long, "BODY"]);
    assert.equal(await found(["CODE", "NO_SUCH"]), ["ID", "Code", long, "BODY"]);
    assert.equal(
      (await oracle.nestedTables(PDBS)).map(({ name, column }) => [name, column]),
      [["T", "ITEMS"]],
    );
  });
});

reads(
  "return which tables have a key: an enforced primary key, or a unique index on columns that are never null",
  async () => {
    const world = healthyWorld();
    const { primaryKey: _, ...bare } = readyTable(world, "BARE");
    const unique = (name: string, ...indexes: readonly (readonly string[])[]) => ({
      ...bare,
      name,
      uniqueIndexes: indexes.map((columns, at) => ({ name: `${name}_U${at}`, columns: [...columns] })),
    });
    world.tables = [
      readyTable(world, "KEYED"),
      bare,
      unique("UNIQUE_NOT_NULL", ["ID"]),
      unique("UNIQUE_NULLABLE", ["ID", "NOTE"]),
      unique("SECOND_INDEX", ["NOTE"], ["ID"]),
      unique("EXPRESSION", ["SYS_NC00003$"]),
    ];
    await against(world, async (oracle) => {
      const keyed = await oracle.keyedTables(PDBS);
      assert.equal(
        keyed.map(({ name, by }) => [name, by]),
        [
          ["KEYED", "primary key"],
          ["UNIQUE_NOT_NULL", "unique index"],
          ["SECOND_INDEX", "unique index"],
        ],
      );
    });
  },
);

reads("return more columns by name than one list of Oracle's accepts", async () => {
  const lists = Array.from(columnsOfNoteOf(1, 2500).matchAll(/IN \(([^)]*)\)/g), ([, list = ""]) => list.split(","));
  for (const { length } of lists) assert.ok(length <= 1000, "ORA-01795");
  const world = healthyWorld();
  world.tables = [readyTable(world, "T")];
  const names = Array.from({ length: 1500 }, (_, at) => (at === 1400 ? "NOTE" : `C${at}`));
  await against(world, async (oracle) => {
    assert.equal(
      (await oracle.columnsOfNote(PDBS, names)).map(({ column }) => column),
      ["NOTE"],
    );
  });
});

reads("make as many round trips for thousands of tables as for two", async () => {
  const trips = async (tables: number): Promise<number> => {
    const world = healthyWorld();
    makeReady(world);
    world.tables = Array.from({ length: tables }, (_, at) => readyTable(world, `TABLE_${at}`));
    await against(world, async (oracle) => {
      await oracle.logGroups(PDBS);
      await oracle.columnsOfNote(PDBS, ["NOTE"]);
      await oracle.nestedTables(PDBS);
      assert.is((await oracle.keyedTables(PDBS)).length, tables);
    });
    return world.roundTrips;
  };
  assert.is(await trips(3000), await trips(2));
});

reads("return nothing for a container that a view leaves out, with the view and the container", async () => {
  const world = healthyWorld();
  makeReady(world);
  const columns = [{ name: "ITEMS", dataType: "ITEM_LIST", nullable: true, nestedTable: true }];
  world.tables.push(readyTable(world, "BASKETS", { columns }));
  await against(world, async (oracle) => {
    const reading: Readonly<Record<string, () => Promise<unknown>>> = {
      CDB_LOG_GROUPS: () => oracle.logGroups(PDBS),
      CDB_TAB_COLS: () => oracle.columnsOfNote(PDBS, []),
      CDB_NESTED_TABLES: () => oracle.nestedTables(PDBS),
      CDB_CONSTRAINTS: () => oracle.keyedTables(PDBS),
      CDB_INDEXES: () => oracle.keyedTables(PDBS),
      CDB_SUPPLEMENTAL_LOGGING: () => oracle.pdbLogging(PDBS),
    };
    for (const [view, read] of Object.entries(reading)) {
      world.omitted.clear();
      await read();
      world.omitted.add(`${view} ORCLPDB1`);
      assert.match((await failureOf(read())).message, `${view} shows nothing of the PDB ORCLPDB1`);
    }
    // Indexes without their columns are no keys that are missing.
    for (const view of ["CDB_TAB_COLS", "CDB_IND_COLUMNS"]) {
      world.omitted.clear();
      world.omitted.add(`${view} ORCLPDB1`);
      assert.match((await failureOf(oracle.keyedTables(PDBS))).message, "the PDB ORCLPDB1");
    }
  });
});

reads("return the same for a database without containers", async () => {
  const world = healthyWorld();
  world.database.cdb = false;
  world.services = { ORCLCDB: "ORCLCDB" };
  const { primaryKey: _, ...bare } = readyTable(world, "BARE", {
    columns: [{ name: "BODY", dataType: "BFILE", nullable: true }],
  });
  world.tables = [readyTable(world, "ORDERS"), bare].map((table) => ({ ...table, pdb: null }));
  await against(world, async (oracle) => {
    const rights = await oracle.rights([]);
    assert.equal(
      rights.map(({ container }) => container),
      ["ORCLCDB"],
    );
    const names = (rows: readonly { readonly container: string; readonly name: string }[]) =>
      rows.map(({ container, name }) => `${container} ${name}`);
    assert.equal(names(await oracle.logGroups([])), ["ORCLCDB ORDERS", "ORCLCDB BARE"]);
    assert.equal(names(await oracle.columnsOfNote([], [])), ["ORCLCDB BARE"]);
    assert.equal(names(await oracle.keyedTables([])), ["ORCLCDB ORDERS"]);
    assert.equal(await oracle.nestedTables([]), []);
  });
});

reads("report a view without a grant, and the GRANT", async () => {
  const world: OracleWorld = healthyWorld();
  world.denied.add("CDB_LOG_GROUPS");
  await against(world, async (oracle) => {
    try {
      await oracle.logGroups(PDBS);
      assert.unreachable();
    } catch (error) {
      assert.match(String(error), "may not read CDB_LOG_GROUPS");
    }
  });
});

reads("check the grant of every view that a statement reads", () => {
  const granted = new Set(
    NEEDED_GRANTS.map(({ name, is }) => `GRANT ${is === "view" ? `SELECT ON ${name}` : name} TO CDC;`),
  );
  for (const view of Object.keys(DOCUMENTED_VIEWS))
    assert.ok(granted.has(grantOf(view, { user: "CDC", common: false })), view);
});

reads(
  "return what the database keeps: undo, statistics, saved states, dictionaries, and on Amazon RDS archived logs",
  async () => {
    const world = healthyWorld();
    const [first, second] = world.archivedLogs;
    if (first !== undefined && second !== undefined) {
      first.dictionary = "begin";
      second.dictionary = "end";
      world.archivedLogs.push({ ...second, resetlogsScn: 99n }, { ...second, standby: true });
    }
    await against(world, async (oracle) => {
      assert.is(await oracle.undoRetention(), 900n);
      assert.is(await oracle.fixedStatistics(), 1_312n);
      assert.equal(await oracle.savedStates(), PDBS);
      const build = { thread: 1n, sequence: 118n, firstScn: 2_000_000n };
      assert.equal(await oracle.dictionaryLogs(), [
        { ...build, begins: true, ends: false },
        { thread: 1n, sequence: 119n, firstScn: 2_010_000n, begins: false, ends: true },
      ]);
      assert.equal(await oracle.rdsArchive(), { isRds: false });
      world.rdsRetention = "24";
      assert.equal(await oracle.rdsArchive(), { isRds: true, hours: 24n });
      for (const odd of ["", "two days", "-1"]) {
        world.rdsRetention = odd;
        assert.is((await failureOf(oracle.rdsArchive())).kind, "protocol", odd);
      }
    });
  },
);

reads("return tables whose rows may move, LOB columns, and columns that Avro cannot write", async () => {
  const world = healthyWorld();
  const column = (name: string, dataType: string) => ({ name, dataType, nullable: true });
  const columns = [
    column("ID_2", "NUMBER"),
    column("BODY", "CLOB"),
    column("NO#", "NUMBER"),
    column("2ND", "NUMBER"),
    column("MENÜ", "NUMBER"),
    column("_OK", "NUMBER"),
  ];
  world.tables = [{ ...readyTable(world, "ORDERS"), columns, rowMovement: true }, readyTable(world, "LINES")];
  await against(world, async (oracle) => {
    assert.equal(await oracle.movingTables(PDBS), [{ container: "ORCLPDB1", owner: "SALES", name: "ORDERS" }]);
    assert.equal((await oracle.columnsOfNote(PDBS, [])).map((one) => one.column).sort(), [
      "2ND",
      "BODY",
      "MENÜ",
      "NO#",
    ]);
    world.omitted.add("CDB_TABLES ORCLPDB1");
    assert.match((await failureOf(oracle.movingTables(PDBS))).message, "CDB_TABLES shows nothing of the PDB ORCLPDB1");
  });
});

reads.run();
