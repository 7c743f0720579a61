import { CallFailed } from "../../core/errors.ts";
import type { DatabaseSeen } from "../../core/facts/database/database.ts";
import { type Instant, parseInstant } from "../../core/values/instant.ts";
import { endOfLog } from "../../core/values/scn.ts";
import type {
  ArchiveDestination,
  ArchivedLog,
  ContainerSeen,
  OnlineLog,
  OpenTransaction,
  RedoThread,
} from "../../schemas/generated/facts.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import type { Row } from "./session.ts";

/** Converts rows to facts; columns are in the order of the select lists in `statements.ts`. */

export function databaseOf(row: Row): DatabaseSeen {
  const value = required(row, "V$DATABASE");
  return {
    dbid: BigInt(value(0)),
    name: value(1),
    container: value(2) === "YES",
    logMode: value(3),
    openMode: value(4),
    role: value(5),
    currentScn: BigInt(value(6)),
    resetlogsScn: BigInt(value(7)),
    version: value(8),
    connectedTo: value(9),
    zone: value(10),
  };
}

export function threadOf(row: Row): RedoThread {
  const value = required(row, "V$THREAD");
  const disabled = BigInt(row[5] ?? 0);
  return {
    thread: BigInt(value(0)),
    enabled: value(1),
    status: value(2),
    sequence: BigInt(value(3)),
    enableScn: BigInt(value(4)),
    disableScn: disabled === 0n ? undefined : disabled,
  };
}

export function destinationOf(row: Row): ArchiveDestination {
  const value = required(row, "V$ARCHIVE_DEST_STATUS");
  return { id: BigInt(value(0)), name: row[1] ?? "", status: value(2), type: row[3] ?? "" };
}

export function archivedLogOf(row: Row): ArchivedLog {
  const value = required(row, "V$ARCHIVED_LOG");
  return {
    thread: BigInt(value(0)),
    sequence: BigInt(value(1)),
    firstScn: BigInt(value(2)),
    nextScn: BigInt(value(3)),
    name: row[4] ?? undefined,
    status: value(5),
    deleted: value(6) === "YES",
    destination: BigInt(value(7)),
    standby: row[8] === "YES",
    resetlogsScn: BigInt(value(9)),
    bytes: BigInt(row[10] ?? 0),
    firstTime: instant(row[11]),
    nextTime: instant(row[12]),
  };
}

export function onlineLogOf(row: Row): OnlineLog {
  const value = required(row, "V$LOG");
  const next = row[3];
  return {
    thread: BigInt(value(0)),
    sequence: BigInt(value(1)),
    firstScn: BigInt(value(2)),
    nextScn: next === null || next === undefined ? undefined : endOfLog(BigInt(next)),
    status: value(4),
    archived: value(5) === "YES",
    member: row[7] ?? undefined,
    bytes: BigInt(value(6)),
  };
}

export function openTransactionOf(row: Row): OpenTransaction {
  const value = required(row, "GV$TRANSACTION");
  return {
    xid: { container: BigInt(value(0)), usn: BigInt(value(1)), slot: BigInt(value(2)), sqn: BigInt(value(3)) },
    startScn: BigInt(value(4)),
    startedAt: instant(row[5]),
    user: row[6] ?? undefined,
    clientId: row[7] ?? undefined,
  };
}

/** A restricted container shows its tables to no other container, so it is not reported as merely open. */
export function containerOf(row: Row): ContainerSeen {
  const value = required(row, "V$CONTAINERS");
  return {
    id: BigInt(value(3)),
    name: value(0),
    openMode: row[2] === "YES" ? `${value(1)} RESTRICTED` : value(1),
  };
}

export function tableOf(row: Row): TableSeen {
  const value = required(row, "CDB_TABLES");
  return { container: value(0), owner: value(1), name: value(2) };
}

/** `2026-11-21T08:14:02`, in UTC already; undefined for text that is not an instant. */
export function instant(text: string | null | undefined): Instant | undefined {
  return text === null || text === undefined ? undefined : parseInstant(`${text}Z`);
}

/** Returns a value by its column, which is never null according to the manual. */
export function required(row: Row, view: string): (column: number) => string {
  return (column) => {
    const value = row[column];
    if (value === null || value === undefined)
      throw new CallFailed("oracle", "protocol", {
        message: `${view} has a row without a value in column ${column + 1}, which the manual guarantees`,
      });
    return value;
  };
}
