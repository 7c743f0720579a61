/** The dictionary of all containers: what a session sees of it depends on its container, and on the open containers. */

import type { SqlValue } from "./sql/values.ts";
import { columns, date, type Rows, type View, yes } from "./view.ts";
import type { OracleWorld, TableRow } from "./world.ts";

export const DICTIONARY_VIEWS: Readonly<Record<string, View>> = {
  V$CONTAINERS: {
    columns: columns("CON_ID NAME:128 OPEN_MODE:10 RESTRICTED:3"),
    rows: (world, container) =>
      containers(world)
        .filter(({ name }) => isShown(world, container, name))
        .map(({ id, name }) => {
          const mode = modeOf(world, name);
          const restricted = mode === "MOUNTED" ? null : yes(mode === "RESTRICTED");
          return [id, name, mode === "RESTRICTED" ? "READ WRITE" : mode, restricted];
        }),
  },
  CDB_USERS: {
    columns: columns("CON_ID USERNAME:128 ORACLE_MAINTAINED:1"),
    rows: (world, container) => {
      const owners = new Map(
        tablesShown(world, container).map(({ id, table: { owner } }) => [
          JSON.stringify([String(id), owner]),
          { id, owner },
        ]),
      );
      const everywhere = [...world.oracleMaintained, ...Object.keys(world.users)];
      for (const id of new Set(openContainers(world, container).map((one) => one.id)))
        for (const owner of everywhere) owners.set(JSON.stringify([String(id), owner]), { id, owner });
      return [...owners.values()].map(({ id, owner }) => [id, owner, world.oracleMaintained.has(owner) ? "Y" : "N"]);
    },
  },
  CDB_TABLES: {
    columns: columns(
      "CON_ID OWNER:128 TABLE_NAME:128 TEMPORARY:1 NESTED:3 IOT_TYPE:12 DROPPED:3 LAST_ANALYZED@ NUM_ROWS " +
        "AVG_ROW_LEN ROW_MOVEMENT:8",
    ),
    rows: (world, container) =>
      tablesShown(world, container)
        .flatMap(withItsNested)
        .map(({ id, table }) => [
          id,
          table.owner,
          table.name,
          table.temporary ? "Y" : "N",
          yes(table.nested ?? false),
          table.iotType ?? null,
          yes(table.dropped ?? false),
          table.analyzed === undefined ? null : date(world, table.analyzed),
          table.statistics?.rows ?? null,
          table.statistics?.rowBytes ?? null,
          table.rowMovement === true ? "ENABLED" : "DISABLED",
        ]),
  },
  CDB_TAB_COLS: {
    columns: columns(
      "CON_ID OWNER:128 TABLE_NAME:128 COLUMN_NAME:128 DATA_TYPE:128 NULLABLE:1 COLUMN_ID INTERNAL_COLUMN_ID " +
        "DATA_PRECISION DATA_SCALE VIRTUAL_COLUMN:3 HIDDEN_COLUMN:3 USER_GENERATED:3 IDENTITY_COLUMN:3 " +
        "DEFAULT_LENGTH",
    ),
    rows: (world, container) =>
      tablesShown(world, container).flatMap(({ id, table: { owner, name, columns } }) =>
        columns.map((column, index): readonly SqlValue[] => [
          id,
          owner,
          name,
          column.name,
          column.dataType,
          column.nullable ? "Y" : "N",
          column.hidden === undefined ? BigInt(index + 1) : null,
          BigInt(index + 1),
          column.precision ?? null,
          column.scale ?? null,
          yes(column.virtual ?? false),
          yes(column.hidden !== undefined),
          yes(column.hidden !== "by Oracle"),
          yes(column.identity ?? false),
          column.byDefault === undefined ? null : BigInt(column.byDefault.length),
        ]),
      ),
  },
  // CDB_TAB_COLS shows other containers too; a LONG only of the session's own.
  DBA_TAB_COLS: {
    columns: columns("OWNER:128 TABLE_NAME:128 COLUMN_NAME:128 DEFAULT_LENGTH DATA_DEFAULT~"),
    rows: (world, container) =>
      tablesShown(world, container)
        .filter(({ id }) => id === containerId(world, container))
        .flatMap(({ table: { owner, name, columns: of } }) =>
          of.map((column): readonly SqlValue[] => [
            owner,
            name,
            column.name,
            column.byDefault === undefined ? null : BigInt(column.byDefault.length),
            column.byDefault ?? null,
          ]),
        ),
  },
  CDB_CONSTRAINTS: {
    columns: columns("CON_ID OWNER:128 CONSTRAINT_NAME:128 CONSTRAINT_TYPE:1 TABLE_NAME:128 STATUS:8"),
    rows: (world, container) =>
      tablesShown(world, container).flatMap(({ id, table: { owner, name, primaryKey } }) =>
        primaryKey === undefined ? [] : [[id, owner, primaryKey.name, "P", name, "ENABLED"]],
      ),
  },
  CDB_CONS_COLUMNS: {
    columns: columns("CON_ID OWNER:128 CONSTRAINT_NAME:128 COLUMN_NAME:4000 POSITION"),
    rows: (world, container) =>
      tablesShown(world, container).flatMap(({ id, table: { owner, primaryKey } }) =>
        (primaryKey?.columns ?? []).map((column, at) => [id, owner, primaryKey?.name ?? "", column, BigInt(at + 1)]),
      ),
  },
  CDB_INDEXES: {
    columns: columns("CON_ID OWNER:128 INDEX_NAME:128 TABLE_OWNER:128 TABLE_NAME:128 UNIQUENESS:9 STATUS:8"),
    rows: (world, container) =>
      tablesShown(world, container).flatMap(({ id, table }) =>
        indexesOf(table).map((index) => [id, table.owner, index.name, table.owner, table.name, "UNIQUE", "VALID"]),
      ),
  },
  CDB_IND_COLUMNS: {
    columns: columns("CON_ID INDEX_OWNER:128 INDEX_NAME:128 COLUMN_NAME:4000 COLUMN_POSITION"),
    rows: (world, container) =>
      tablesShown(world, container).flatMap(({ id, table }) =>
        indexesOf(table).flatMap((index) =>
          index.columns.map((column, at) => [id, table.owner, index.name, column, BigInt(at + 1)]),
        ),
      ),
  },
  CDB_LOG_GROUPS: {
    columns: columns("CON_ID OWNER:128 LOG_GROUP_NAME:128 TABLE_NAME:128 LOG_GROUP_TYPE:28 ALWAYS:11"),
    rows: (world, container) =>
      tablesShown(world, container).flatMap(({ id, table: { owner, name, logGroups = [] } }) =>
        logGroups.map((type, at): readonly SqlValue[] => [
          id,
          owner,
          groupName(at),
          name,
          type,
          /^(UNIQUE|FOREIGN)/.test(type) ? "CONDITIONAL" : "ALWAYS",
        ]),
      ),
  },
  CDB_LOG_GROUP_COLUMNS: {
    columns: columns("CON_ID OWNER:128 LOG_GROUP_NAME:128 TABLE_NAME:128 COLUMN_NAME:4000 POSITION LOGGING_PROPERTY:6"),
    rows: (world, container) =>
      tablesShown(world, container).flatMap(({ id, table: { owner, name, logGroups = [], ...table } }) =>
        logGroups.flatMap((type, index) =>
          type === "USER LOG GROUP"
            ? (table.logGroupColumns ?? table.primaryKey?.columns ?? []).map(
                (column, position): readonly SqlValue[] => [
                  id,
                  owner,
                  groupName(index),
                  name,
                  column,
                  BigInt(position + 1),
                  "LOG",
                ],
              )
            : [],
        ),
      ),
  },
  CDB_SUPPLEMENTAL_LOGGING: {
    columns: columns("CON_ID MINIMAL:3 PRIMARY_KEY:3 ALL_COLUMN:3"),
    rows: (world, container) =>
      openContainers(world, container).map(({ id, name }) => {
        const own = world.pdbLogging[name];
        const minimal = world.database.supplementalLogMin !== "NO";
        return [id, yes(minimal), yes(own?.primaryKey ?? false), yes(own?.all ?? false)];
      }),
  },
  CDB_NESTED_TABLES: {
    columns: columns("CON_ID OWNER:128 TABLE_NAME:128 PARENT_TABLE_NAME:128 PARENT_TABLE_COLUMN:4000"),
    rows: (world, container) =>
      tablesShown(world, container).flatMap(({ id, table: { owner, name, columns: of } }) =>
        of.flatMap((column) =>
          column.nestedTable === true ? [[id, owner, storageOf(name, column.name), name, column.name]] : [],
        ),
      ),
  },
  CDB_OBJECTS: {
    columns: columns("CON_ID OWNER:128 OBJECT_NAME:128 OBJECT_TYPE:23 LAST_DDL_TIME@ ORACLE_MAINTAINED:1"),
    rows: (world, container) =>
      tablesShown(world, container).map(({ id, table }) => [
        id,
        table.owner,
        table.name,
        "TABLE",
        date(world, table.lastDdl ?? world.database.resetlogsTime),
        world.oracleMaintained.has(table.owner) ? "Y" : "N",
      ]),
  },
  CDB_TAB_MODIFICATIONS: {
    columns: columns(
      "CON_ID TABLE_OWNER:128 TABLE_NAME:128 PARTITION_NAME:128 SUBPARTITION_NAME:128 INSERTS UPDATES DELETES " +
        "TIMESTAMP@ TRUNCATED:3",
    ),
    rows: (world, container) =>
      tablesShown(world, container).flatMap(({ id, table: { owner, name, modifications = [] } }) =>
        modifications.map((row): readonly SqlValue[] => [
          id,
          owner,
          name,
          row.partition,
          row.subpartition,
          row.inserts,
          row.updates,
          row.deletes,
          date(world, row.at),
          yes(row.truncated),
        ]),
      ),
  },
};

interface Container {
  readonly id: bigint;
  readonly name: string;
}

/** 1 is the root, 2 the seed, PDBs from 3; 0 the database without containers. */
function containers({ database, services }: OracleWorld): readonly Container[] {
  if (!database.cdb) return [{ id: 0n, name: database.name }];
  const pdbs = [...new Set(Object.values(services))].filter((name) => name !== "CDB$ROOT");
  return ["CDB$ROOT", "PDB$SEED", ...pdbs].map((name, at) => ({ id: BigInt(at + 1), name }));
}

/** @returns undefined for an unknown container */
export function containerId(world: OracleWorld, name: string): bigint | undefined {
  return containers(world).find((one) => one.name === name)?.id;
}

export function modeOf({ openModes, database }: OracleWorld, name: string): string {
  return openModes[name] ?? (name === "PDB$SEED" ? "READ ONLY" : database.openMode);
}

/** Whether a session sees rows of `V$` views of a container; every session sees those of the whole database, 0. */
export function showsContainer(world: OracleWorld, from: string): (id: bigint) => boolean {
  const shown = new Set(containers(world).flatMap(({ id, name }) => (isShown(world, from, name) ? [id] : [])));
  return (id) => id === 0n || shown.has(id);
}

/**
 * Whether a session in one container sees another: in the root, those of its CONTAINER_DATA; elsewhere, only its own.
 */
function isShown({ containerData }: OracleWorld, from: string, name: string): boolean {
  return from === name || (from === "CDB$ROOT" && containerData);
}

/**
 * The containers whose dictionaries are visible to a session: a mounted one has none, and the root omits restricted
 * containers and the seed.
 */
function openContainers(world: OracleWorld, from: string): readonly Container[] {
  return containers(world).filter(({ name }) => {
    if (world.omitted.has(name)) return false;
    const mode = modeOf(world, name);
    const answers = mode !== "MOUNTED" && (from === name || (mode !== "RESTRICTED" && name !== "PDB$SEED"));
    return answers && isShown(world, from, name);
  });
}

/** An enforced primary key has an index of its name. */
function indexesOf({ primaryKey, uniqueIndexes = [] }: TableRow) {
  return [...(primaryKey === undefined ? [] : [primaryKey]), ...uniqueIndexes];
}

function tablesShown(world: OracleWorld, from: string): readonly { readonly id: bigint; readonly table: TableRow }[] {
  const ids = new Map(openContainers(world, from).map(({ id, name }) => [name, id]));
  const own = [...ids.values()].flatMap((id) => OF_SYS.map((table) => ({ id, table })));
  return world.tables.reduce((shown, table) => {
    const id = ids.get(table.pdb ?? world.database.name);
    if (id !== undefined) shown.push({ id, table });
    return shown;
  }, own);
}

/** Some of the tables that every container has: with a unique index, a log group, a primary key. */
const OF_SYS: readonly TableRow[] = [
  { name: "DUAL", columns: [{ name: "DUMMY", dataType: "VARCHAR2", nullable: true }] },
  {
    name: "OBJ$",
    columns: [{ name: "OBJ#", dataType: "NUMBER", nullable: false }],
    uniqueIndexes: [{ name: "I_OBJ1", columns: ["OBJ#"] }],
  },
  {
    name: "SEQ$",
    columns: [{ name: "OBJ#", dataType: "NUMBER", nullable: false }],
    logGroups: ["USER LOG GROUP" as const],
    logGroupColumns: ["OBJ#"],
  },
  {
    name: "SCHEDULER$_JOB",
    columns: [{ name: "OBJ#", dataType: "NUMBER", nullable: false }],
    primaryKey: { name: "SCHEDULER$_JOB_PK", columns: ["OBJ#"] },
  },
].map((table) => ({ owner: "SYS", pdb: null, ...table }));

/** Adds the tables that store its nested tables. */
function withItsNested({ id, table }: { readonly id: bigint; readonly table: TableRow }) {
  const nested = table.columns
    .filter((column) => column.nestedTable === true)
    .map((column) => ({ id, table: { ...table, name: storageOf(table.name, column.name), nested: true } }));
  return [{ id, table }, ...nested];
}

function groupName(at: number): string {
  return `SYS_C00${7000 + at}`;
}

function storageOf(table: string, column: string): string {
  return `${table}_${column}_NT`;
}

/** Removes the rows of containers in which a view failed. */
export function withoutLeftOut(world: OracleWorld, view: string, rows: Rows): Rows {
  const silent = new Set(
    containers(world).flatMap(({ id, name }) => (world.omitted.has(`${view} ${name}`) ? [id] : [])),
  );
  return silent.size === 0 ? rows : rows.filter(([id]) => typeof id !== "bigint" || !silent.has(id));
}
