import { setTimeout as wait } from "node:timers/promises";
import { CallFailed } from "../../core/errors.ts";
import type { DatabaseSettings } from "../../core/facts/connector/settings.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import type { Instant } from "../../core/values/instant.ts";
import type { Scn } from "../../core/values/scn.ts";
import type { OnlineLog, ScnTime } from "../../schemas/generated/facts.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import { describeConnection, type OracleLimits } from "./connect-descriptor.ts";
import { oraCode } from "./oracle-failure.ts";
import { preflightReads } from "./preflight-reads.ts";
import { mineRows, probeLogs } from "./probe-logs.ts";
import {
  archivedLogOf,
  containerOf,
  databaseOf,
  destinationOf,
  instant,
  onlineLogOf,
  openTransactionOf,
  required,
  tableOf,
  threadOf,
} from "./read-rows.ts";
import { keyRanges, readRows } from "./read-table.ts";
import { readRowScns } from "./row-scns.ts";
import { everyTableIn, openSession, type Row, type Session, type Vitals } from "./session.ts";
import * as sql from "./statements.ts";
import { activityOf } from "./table-activity.ts";
import { hasDefaults, layoutOf, readDefaults } from "./table-layout.ts";
import { textBinds } from "./table-query.ts";

export interface OracleConnection extends OraclePort {
  /** Settings that thin mode can't apply, one sentence each. */
  readonly notes: readonly string[];
}

const VERSION_18 = 1_800_000_000;
const INVALID_SCN = -8181;

/** A log switch ends within this many reads; a closed thread is read as often, and no more. */
const ATTEMPTS = 10;
const PAUSE_MILLIS = 150;

/** The time or SCN is outside the range that the database records: unknown, not a failure. */
const UNKNOWN_TIME: readonly (string | undefined)[] = ["ORA-08180", "ORA-08181", "ORA-08186"];

const DIVIDE_MILLIS = 15 * 60_000;

/**
 * Opens the source database over node-oracledb in thin mode, with the connector's own login. Nothing is loaded or
 * connected before the first call. Reads share one session and queue; the LogMiner probe and reads of rows have their
 * own.
 *
 * @throws UsageError at once for settings that can't be used, see `describeConnection`
 */
export function openOracle(settings: DatabaseSettings, limits: OracleLimits = {}): OracleConnection {
  const description = describeConnection(settings, limits);
  const divideMillis = Math.max(limits.divideMillis ?? DIVIDE_MILLIS, limits.callMillis ?? 0);
  const dividing = describeConnection(settings, { ...limits, callMillis: divideMillis });
  const vitals: Vitals = {};
  const session = openSession(description, vitals);
  const others = new Set<Session>();

  /** Runs work in a session of its own; from the beginning in another one if the first is lost. */
  async function inOwnSession<T>(work: (own: Session) => Promise<T>, attempts = 2, to = description): Promise<T> {
    const own = openSession(to, vitals);
    others.add(own);
    try {
      return await work(own);
    } catch (error) {
      if (attempts > 1 && error instanceof CallFailed && error.kind === "lost")
        return inOwnSession(work, attempts - 1, to);
      throw error;
    } finally {
      others.delete(own);
      await own.close();
    }
  }

  /** Opens a session that is closed with the port, unless it is closed before. */
  const ownSession = (to = description, stop?: AbortSignal): Session => {
    const own = openSession(to, vitals, stop);
    others.add(own);
    return {
      ...own,
      close() {
        others.delete(own);
        return own.close();
      },
    };
  };

  const aboutTable = (statement: string, { container, owner, name }: TableSeen): Promise<readonly Row[]> =>
    session.query(statement, (driver) => textBinds(driver, { container, owner, table_name: name }));

  const ofEveryTable = everyTableIn(session);

  const containers = async () => (await session.query(sql.CONTAINERS)).map(containerOf);

  return {
    ...preflightReads(session, inOwnSession),
    address: description.address,
    notes: description.notes,
    async database() {
      const [row] = await session.query((version) => (version < VERSION_18 ? sql.DATABASE_BEFORE_18 : sql.DATABASE));
      if (row !== undefined) return databaseOf(row);
      throw new CallFailed("oracle", "protocol", { message: `${description.address}: V$DATABASE returned no row` });
    },
    threads: async () => (await session.query(sql.THREADS)).map(threadOf),
    destinations: async () => (await session.query(sql.DESTINATIONS)).map(destinationOf),
    archivedLogs: async (from) => {
      const rows = await session.query(sql.ARCHIVED_LOGS, (driver) => textBinds(driver, { from_scn: String(from) }));
      return rows.map(archivedLogOf);
    },
    onlineLogs: (current) => readOnlineLogs(session, current),
    openTransactions: async () => (await session.query(sql.OPEN_TRANSACTIONS)).map(openTransactionOf),
    containers,
    timesOf: (scns) => timesOf(session, scns),
    scnAt: (at) => scnAt(session, at),
    probeLogs: (files) => inOwnSession((own) => probeLogs(own, files)),
    mineRows: (range, millis) => inOwnSession((own) => mineRows(own, range), 1, { ...description, callMillis: millis }),
    async dictionary(pdbs) {
      const seen = await containers();
      const tables = (await ofEveryTable(sql.tablesOf, pdbs)).map(tableOf);
      const answering = (await ofEveryTable(sql.answeringOf, pdbs)).map((row) => required(row, "CDB_USERS")(0));
      return { containers: seen, tables, answering };
    },
    async activity(pdbs) {
      const definitions = await ofEveryTable(sql.lastDdlOf, pdbs);
      const modifications = await ofEveryTable(sql.modificationsOf, pdbs);
      return activityOf(definitions, modifications, await ofEveryTable(sql.lastAnalyzedOf, pdbs));
    },
    lastDdl: async (pdbs) => activityOf(await ofEveryTable(sql.lastDdlOf, pdbs), [], []),
    rowScns: (tables) => inOwnSession((own) => readRowScns(own, tables, description.callMillis)),
    async layout(table) {
      const columns = await aboutTable(sql.COLUMNS_OF_TABLE, table);
      return layoutOf(table, {
        columns,
        defaults: hasDefaults(columns) ? await inOwnSession((own) => readDefaults(own, table)) : [],
        primaryKey: await aboutTable(sql.PRIMARY_KEY_OF_TABLE, table),
        uniqueIndexes: await aboutTable(sql.UNIQUE_INDEXES_OF_TABLE, table),
        size: await aboutTable(sql.SIZE_OF_TABLE, table),
      });
    },
    ranges: (read, rows, most, stop) => keyRanges(() => ownSession(dividing, stop), read, rows, most),
    rowsAsOf: (read, range, batch) => readRows(() => ownSession(), read, range, batch),
    async close() {
      await Promise.all([session, ...others].map((open) => open.close()));
    },
  };
}

/**
 * SCNs in one call: the length of an array bound to PL/SQL is limited, and so is the duration of a call, as with the
 * files of the probe.
 */
const SCNS_A_CALL = 10_000;

async function timesOf(session: Session, scns: readonly Scn[]): Promise<readonly ScnTime[]> {
  const times: ScnTime[] = [];
  for (let from = 0; from < scns.length; from += SCNS_A_CALL)
    for (const time of await timesInOneCall(session, scns.slice(from, from + SCNS_A_CALL))) times.push(time);
  return times;
}

async function timesInOneCall(session: Session, scns: readonly Scn[]): Promise<readonly ScnTime[]> {
  const { times, codes } = await session.run<{
    readonly times: readonly (string | null)[];
    readonly codes: readonly number[];
  }>(
    sql.TIMES_OF_SCNS,
    ({ BIND_IN, BIND_OUT, STRING, NUMBER }) => ({
      scns: { dir: BIND_IN, type: STRING, val: scns.map(String), maxSize: 64 },
      times: { dir: BIND_OUT, type: STRING, maxArraySize: scns.length, maxSize: 64 },
      codes: { dir: BIND_OUT, type: NUMBER, maxArraySize: scns.length },
    }),
    "once-when-lost",
  );
  const failed = codes.findIndex((code) => code !== 0 && code !== INVALID_SCN);
  if (failed >= 0) {
    const code = oraCode(codes[failed] ?? 0);
    const message = `${session.doing.address}: the time of SCN ${scns[failed]} could not be determined (${code})`;
    throw new CallFailed("oracle", "rejected", { message, code });
  }
  return scns.map((scn, at) => ({ scn, at: instant(times[at]) }));
}

async function scnAt(session: Session, at: Instant): Promise<Scn | undefined> {
  try {
    const [row] = await session.query(sql.SCN_AT, (driver) => textBinds(driver, { instant: at.slice(0, 19) }));
    const scn = row?.[0];
    return scn === null || scn === undefined ? undefined : BigInt(scn);
  } catch (error) {
    if (error instanceof CallFailed && UNKNOWN_TIME.includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * Reads the online logs, and reads them again during a log switch.
 *
 * Rule: reference: Oracle, "Is the redo from an SCN to now all present?", 4.
 *
 * @param current an SCN that was current before
 */
async function readOnlineLogs(session: Session, current: Scn | undefined): Promise<readonly OnlineLog[]> {
  for (let attempt = 1; ; attempt++) {
    const logs = (await session.query(sql.ONLINE_LOGS)).map(onlineLogOf);
    if (current === undefined || attempt === ATTEMPTS || !endsBefore(logs, current)) return logs;
    await wait(PAUSE_MILLIS);
  }
}

/** Whether the logs of some thread end at or below an SCN: the log that holds it is not listed yet. */
function endsBefore(logs: readonly OnlineLog[], current: Scn): boolean {
  const reach = new Map<bigint, boolean>();
  for (const { thread, nextScn, status } of logs) {
    if (status === "UNUSED") continue;
    reach.set(thread, (reach.get(thread) ?? false) || nextScn === undefined || nextScn > current);
  }
  return [...reach.values()].includes(false);
}
