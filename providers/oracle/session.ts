import { CallFailed } from "../../core/errors.ts";
import type { ConnectionDescription } from "./connect-descriptor.ts";
import { DamagedAnswer, fromDriver, guarded } from "./damaged-answer.ts";
import { type Binds, type Driver, type DriverConnection, loadDriver } from "./driver.ts";
import { credentials } from "./login.ts";
import { type Doing, isDenial, isLost, translate } from "./oracle-failure.ts";
import { ACCOUNT } from "./preflight-statements.ts";
import { type TrustMaterial, trustMaterial } from "./trust-material.ts";

/** One row: values in the order of the select list, NUMBER as text, null where there is none. */
export type Row = readonly (string | null)[];

/** Rows a fetch brings: `execute().rows` copies all rows so far for every batch, `getRows` does not. */
const BATCH = 1000;

/** For what is read of every table there is, so that 100,000 of them come in one answer and not in a hundred. */
export const WHOLE_DICTIONARY = 250_000;

/** One database session. Calls queue: a session answers one at a time. Logs in on the first call. */
export interface Session {
  readonly doing: Doing;
  /**
   * The same with what the database says of its user, as a GRANT has to know it. Never fails: what it does not say
   * stays unknown.
   */
  doingAs(): Promise<Doing>;
  /**
   * Reads everything a query gives. Sent once more over a new connection when the first is lost: a read changes
   * nothing.
   */
  query(
    sql: string | ((serverVersion: number) => string),
    binds?: (driver: Driver) => Binds,
    rowsAFetch?: number,
  ): Promise<readonly Row[]>;
  /** Runs a PL/SQL block. @returns its OUT binds. */
  run<Out>(sql: string, binds: (driver: Driver) => Binds, again?: "once-when-lost"): Promise<Out>;
  /**
   * Anything else that a connection can do, `sql` being what it is about. One attempt: with a connection that is lost
   * goes what the session was set up with. Work of several round trips says `answered` after each: the database has so
   * long for each of them.
   */
  use<T>(
    sql: string,
    work: (connection: DriverConnection, driver: Driver, answered: () => void) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/** Whether the database answers at all, for all sessions of one port: where it has frozen, none asks it again. */
export interface Vitals {
  frozen?: CallFailed;
}

/**
 * How long the driver may take to end a call whose time is up: it asks the database to cancel it, and waits for the
 * answer without end.
 */
const CANCEL_MILLIS = 2_000;
/** How long a session may take to log off. What does not answer is left behind. */
const LOGOFF_MILLIS = 2_000;

export function openSession(description: ConnectionDescription, vitals: Vitals = {}): Session {
  const doing: Doing = { address: description.address, user: description.user };
  let connecting: Promise<DriverConnection> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /**
   * A login that failed has failed for every call that waits: each further try would bring the account nearer to being
   * locked.
   */
  let refused: { readonly why: unknown } | undefined;
  let closed = false;

  async function call<T>(
    sqlOf: (serverVersion: number) => string,
    work: (connection: DriverConnection, driver: Driver, sql: string, answered: () => void) => Promise<T>,
    attempts: number,
  ): Promise<T> {
    if (closed) throw new CallFailed({ system: "oracle", kind: "lost", message: `${doing.address}: closed` });
    if (refused !== undefined) throw refused.why;
    if (vitals.frozen !== undefined) throw vitals.frozen;
    const driver = await loadDriver();
    connecting ??= connect(driver, description);
    let connection: DriverConnection;
    try {
      connection = await connecting;
    } catch (error) {
      connecting = undefined;
      refused = { why: error instanceof DamagedAnswer ? unreadable(error, doing.address) : translate(error, doing) };
      throw refused.why;
    }
    const sql = sqlOf(connection.oracleServerVersion);
    try {
      return await unlessFrozen((answered) => work(connection, driver, sql, answered));
    } catch (error) {
      if (error === vitals.frozen) {
        // Logging off would wait for it as well.
        connecting = undefined;
        throw error;
      }
      if (error instanceof DamagedAnswer) {
        // Where the next answer begins in its bytes, nobody knows.
        connecting = undefined;
        await drop(connection);
        throw unreadable(error, doing.address);
      }
      if (!isLost(error))
        throw translate(error, { ...(isDenial(error) ? await asTold(connection, driver) : doing), sql });
      connecting = undefined;
      await drop(connection);
      if (attempts <= 1) throw translate(error, { ...doing, sql });
      return call(sqlOf, work, attempts - 1);
    }
  }

  /** @throws CallFailed where the database neither answers nor cancels in time */
  async function unlessFrozen<T>(work: (answered: () => void) => Promise<T>): Promise<T> {
    const { callMillis } = description;
    let timer: NodeJS.Timeout | undefined;
    const frozen = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        vitals.frozen ??= frozenAfter(description);
        reject(vitals.frozen);
      }, callMillis + Math.min(callMillis, CANCEL_MILLIS));
    });
    const working = work(() => timer?.refresh());
    // Its failure may come when nobody waits for it any more.
    working.catch(() => undefined);
    try {
      return await Promise.race([working, frozen]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function asTold(connection: DriverConnection, driver: Driver): Promise<Doing> {
    try {
      const [row] = await readAll(connection, driver, ACCOUNT, {}, 1);
      return row === undefined ? doing : { ...doing, common: row[1] === "YES" };
    } catch {
      return doing;
    }
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    waiting++;
    const turn = queue.then(work).finally(() => {
      waiting--;
      if (waiting === 0) refused = undefined;
    });
    queue = turn.catch(() => undefined);
    return turn;
  }

  return {
    doing,
    doingAs: () =>
      inTurn(() =>
        call(
          () => ACCOUNT,
          (connection, driver) => asTold(connection, driver),
          1,
        ),
      ).catch(() => doing),
    query: (sql, binds, rowsAFetch = BATCH) =>
      inTurn(() =>
        call(
          typeof sql === "string" ? () => sql : sql,
          (connection, driver, text, answered) =>
            readAll(connection, driver, text, binds?.(driver) ?? {}, rowsAFetch, answered),
          2,
        ),
      ),
    run: <Out>(sql: string, binds: (driver: Driver) => Binds, again?: "once-when-lost") =>
      inTurn(() =>
        call(
          () => sql,
          async (connection, driver, text) => (await connection.execute(text, binds(driver), {})).outBinds as Out,
          again === undefined ? 1 : 2,
        ),
      ),
    use: (sql, work) =>
      inTurn(() =>
        call(
          () => sql,
          (connection, driver, _, answered) => work(connection, driver, answered),
          1,
        ),
      ),
    async close() {
      closed = true;
      await queue;
      const connection = await connecting?.catch(() => undefined);
      connecting = undefined;
      if (connection !== undefined) await drop(connection);
    },
  };
}

/** All that a query gives over a connection. @param answered is told of each answer of the database */
export async function readAll(
  connection: DriverConnection,
  driver: Driver,
  sql: string,
  binds: Binds,
  rowsAFetch: number,
  answered: () => void = () => undefined,
): Promise<Row[]> {
  const { resultSet } = await connection.execute(sql, binds, {
    resultSet: true,
    prefetchRows: rowsAFetch,
    fetchArraySize: rowsAFetch,
    fetchTypeHandler: ({ dbType }: { readonly dbType: unknown }) =>
      dbType === driver.DB_TYPE_NUMBER ? { type: driver.STRING } : undefined,
  });
  if (resultSet === undefined) throw new Error("a query returned no result set");
  answered();
  const rows: Row[] = [];
  try {
    for (;;) {
      const batch = (await resultSet.getRows(rowsAFetch)) as readonly Row[];
      answered();
      for (const row of batch) rows.push(row);
      if (batch.length < rowsAFetch) return rows;
    }
  } finally {
    await resultSet.close();
  }
}

async function connect(driver: Driver, description: ConnectionDescription): Promise<DriverConnection> {
  const { connectMillis, callMillis } = description;
  const material: TrustMaterial = await trustMaterial(description.trust, description.ownKey, {
    needsKey: description.login.by === "certificate",
  });
  const seconds = connectMillis / 1000;
  const login = await credentials(description.login);
  const attempt = driver.getConnection({
    ...login,
    connectString: description.connectString,
    connectTimeout: Math.ceil(seconds),
    transportConnectTimeout: Math.ceil(seconds),
    program: "cdcctl",
    ...(description.tnsAdmin === undefined ? {} : { configDir: description.tnsAdmin }),
    ...(description.matchServerName === undefined ? {} : { sslServerDNMatch: description.matchServerName }),
    ...material,
  });
  const connection = guarded(await within(connectMillis + 500, fromDriver(attempt), description.address));
  connection.callTimeout = callMillis;
  return connection;
}

/** The driver's own limit ends before the logon proper begins; a server that hangs there would hold us for ever. */
async function within(millis: number, attempt: Promise<DriverConnection>, address: string): Promise<DriverConnection> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      attempt.then(drop, () => undefined);
      reject(
        new CallFailed({
          system: "oracle",
          kind: "timeout",
          message: `${address}: no answer in time while logging in`,
          remedy: "Check whether the database is overloaded or hangs. Pass --timeout to wait longer.",
        }),
      );
    }, millis);
  });
  try {
    return await Promise.race([attempt, late]);
  } finally {
    clearTimeout(timer);
  }
}

function frozenAfter({ address, callMillis }: ConnectionDescription): CallFailed {
  return new CallFailed({
    system: "oracle",
    kind: "timeout",
    message: `${address}: the database neither answered nor cancelled the call within ${callMillis / 1000} s`,
    remedy: "Check whether the database or the network to it is hanging. Pass --timeout to wait longer.",
  });
}

function unreadable(cause: DamagedAnswer, address: string): CallFailed {
  return new CallFailed({
    system: "oracle",
    kind: "protocol",
    message: `${address}: the answer of the database is damaged, or not one of Oracle's protocol`,
    remedy:
      "Check host and port, and the network between this host and the database " +
      "(proxies, firewalls that inspect traffic).",
    cause,
  });
}

/** Ends a connection, also one that is broken already or frozen. */
async function drop(connection: DriverConnection): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // What fails is gone, which was the intention.
  const closed = connection.close().catch(() => undefined);
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LOGOFF_MILLIS);
  });
  await Promise.race([closed, late]);
  clearTimeout(timer);
}
