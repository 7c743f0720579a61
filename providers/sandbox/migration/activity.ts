import { type ChangeHistory, commitInto, emptyHistory, type HistoryColumn, withCommit } from "../change-history.ts";
import type { OracleWorld, TableRow } from "../oracle/world.ts";
import { type TableRows, tableRows } from "../table-rows.ts";
import { AFTERWARDS, BEGINNING_SCN, LOADED, MEANWHILE, ORDERS, PAST, type Scene } from "./orders-script.ts";

/**
 * The activity of the database during a migration. It advances only when a connector reads it, so that every run sees
 * the same.
 */
export interface Activity {
  /** Append-only. */
  history(): ChangeHistory;
  currentScn(): bigint;
  /** The open transactions. */
  open(): readonly { readonly xid: string; readonly startScn: bigint }[];
  /** The SCN at which the oldest open transaction began; undefined without one. */
  oldestOpen(): bigint | undefined;
  /**
   * Advances the activity when a connector commits. The part after the cutover begins with the first read of the new
   * connector.
   */
  advance(seenBy: "legacy" | "new"): void;
}

/**
 * How long ago the database reached the SCN at which it waits for the cutover: a verification checks the state of half
 * a minute ago, and must include later changes.
 */
const WAITED_MILLIS = 60_000;

/** Adds the table of the script, with its activity, to a database. */
export function ordersActivity(world: OracleWorld): Activity {
  let history = emptyHistory(ORDERS);
  let scn = BEGINNING_SCN;
  let cutOver = false;
  moveBack(world, WAITED_MILLIS);
  const rows = tableRows(ORDERS.key);
  const table = ordersTable(world, rows);
  world.tables = [table, ...world.tables.filter(({ name }) => name !== ORDERS.name)];
  const open = new Map<string, bigint>();

  const play = (scene: Scene): void => {
    if ("begins" in scene) {
      open.set(scene.begins, scene.scn);
      world.transactions.push(openRow(world, scene.begins, scene.scn, scene.user));
    }
    if ("commits" in scene) {
      const startScn = scene.from ?? scene.scn - 5n;
      const committed = { xid: scene.commits, user: scene.user, startScn, commitScn: scene.scn };
      history = withCommit(history, committed, scene.deeds);
      const transaction = history.transactions.at(-1);
      if (transaction !== undefined) commitInto(rows, ORDERS, transaction);
      table.rowScn = scene.scn;
      open.delete(scene.commits);
      world.transactions = world.transactions.filter(({ startScn }) => startScn !== scene.from);
    }
    if (scene.scn > scn) scn = scene.scn;
  };

  for (const scene of [LOADED, ...PAST]) play(scene);
  const [meanwhile, afterwards] = [[...MEANWHILE], [...AFTERWARDS]];
  const { scnAt } = world.scnTimes;
  world.currentScn = () => scn;
  world.scnTimes = {
    ...world.scnTimes,
    scnAt(time) {
      const at = scnAt(time);
      return at < scn ? at : scn;
    },
  };
  return {
    history: () => history,
    currentScn: () => scn,
    open: () => [...open].map(([xid, startScn]) => ({ xid, startScn })),
    oldestOpen: () => [...open.values()].toSorted((a, b) => (a < b ? -1 : 1))[0],
    advance(seenBy) {
      cutOver ||= seenBy === "new";
      // SCNs advance with time once the script is played.
      const next = meanwhile.shift() ?? (cutOver ? (afterwards.shift() ?? { scn: scnAt(world.now()) }) : undefined);
      if (next !== undefined) play(next);
    },
  };
}

/** Moves the times of all SCNs back. */
function moveBack(world: OracleWorld, millis: number): void {
  const { timeOf, scnAt } = world.scnTimes;
  world.scnTimes = {
    ...world.scnTimes,
    timeOf: (scn) => timeOf(scn) - millis,
    scnAt: (time) => scnAt(time + millis),
  };
  for (const log of world.archivedLogs) {
    log.firstTime -= millis;
    log.nextTime -= millis;
  }
  for (const log of world.onlineLogs) log.firstTime -= millis;
}

function ordersTable({ scnTimes: { timeOf } }: OracleWorld, rows: TableRows): TableRow {
  const { owner, name, pdb, columns, key } = ORDERS;
  return {
    owner,
    name,
    pdb,
    columns: columns.map((column, i) => columnRow(column, key.includes(i))),
    primaryKey: { name: "ORDERS_PK", columns: key.map((at) => columns[at]?.name ?? "") },
    rows,
    statistics: { rows: 12n, rowBytes: 96n },
    lastDdl: timeOf(1_980_000n),
  };
}

function columnRow(column: HistoryColumn, isKey: boolean): TableRow["columns"][number] {
  const { name } = column;
  switch (column.type) {
    case "NUMBER":
      return {
        ...{ name, dataType: "NUMBER", nullable: false },
        ...{ precision: BigInt(column.precision), scale: BigInt(column.scale) },
      };
    case "TIMESTAMP":
      return { name, dataType: `TIMESTAMP(${column.scale})`, nullable: false, scale: BigInt(column.scale) };
    case "VARCHAR2":
      return { name, dataType: "VARCHAR2", nullable: column.nullable === true && !isKey };
  }
}

function openRow({ scnTimes }: OracleWorld, xid: string, startScn: bigint, user: string) {
  const [usn = 0n, slot = 0n, sequence = 0n] = xid.split(".").map(BigInt);
  const startTime = scnTimes.timeOf(startScn);
  return { instance: 1n, container: 3n, usn, slot, sequence, startScn, startTime, user, clientId: "nightly-load" };
}
