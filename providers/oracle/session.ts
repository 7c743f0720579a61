import { CallFailed } from "../../core/errors.ts";
import { within } from "../within.ts";
import type { ConnectionDescription } from "./connect-descriptor.ts";
import { DamagedAnswer, fromDriver, guarded } from "./damaged-answer.ts";
import { type Binds, type Driver, type DriverConnection, loadDriver } from "./driver.ts";
import { credentials } from "./login.ts";
import { type Doing, isDenial, isLost, translate } from "./oracle-failure.ts";
import { ACCOUNT } from "./preflight-statements.ts";
import { allOf, fetching, textBinds } from "./table-query.ts";
import { type TrustMaterial, trustMaterial } from "./trust-material.ts";

/** One row: values in the order of the select list, NUMBER as text. */
export type Row = readonly (string | null)[];

/** Rows of one fetch: `execute().rows` copies all rows so far for every batch, `getRows` does not. */
const BATCH = 1000;

/**
 * Rows of one fetch for queries of all tables, so that 100,000 of them are returned in one answer and not in a hundred.
 */
const WHOLE_DICTIONARY = 250_000;

/** One database session. Calls queue: a session answers one at a time. Logs in on the first call. */
export interface Session {
  readonly doing: Doing;
  /**
   * The same with the kind of its user in the database, which a GRANT depends on. Never fails: what the database does
   * not report stays unknown.
   */
  doingAs(): Promise<Doing>;
  /** Reads all rows of a query. It is repeated over a new connection if the first is lost: a read changes nothing. */
  query(
    sql: string | ((serverVersion: number) => string),
    binds?: (driver: Driver) => Binds,
    rowsAFetch?: number,
  ): Promise<readonly Row[]>;
  /** Runs a PL/SQL block. @returns its OUT binds. */
  run<Out>(sql: string, binds: (driver: Driver) => Binds, again?: "once-when-lost"): Promise<Out>;
  /**
   * Runs any other work on the connection; `sql` is the statement for messages. It is not repeated, because the
   * settings of a session are lost with its connection. Work of several round trips calls `answered` after each,
   * because the time limit applies to each of them.
   */
  use<T>(
    sql: string,
    work: (connection: DriverConnection, driver: Driver, answered: () => void) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/** State shared by all sessions of one port: once the database has frozen, none of them calls it again. */
export interface Vitals {
  frozen?: CallFailed;
}

/**
 * How long the driver may take to end a call after its timeout: it requests the cancellation and waits for the answer
 * without a limit.
 */
const CANCEL_MILLIS = 2_000;
/** How long a session may take to log off. A session that does not answer is abandoned. */
const LOGOFF_MILLIS = 2_000;

/** @param stop cancels the running call when it is aborted, and refuses further ones: they fail with its reason */
export function openSession(description: ConnectionDescription, vitals: Vitals = {}, stop?: AbortSignal): Session {
  const doing: Doing = { address: description.address, user: description.user };
  let connecting: Promise<DriverConnection> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  /** A failed login fails every waiting call: each further attempt would bring the account closer to being locked. */
  let refused: { readonly why: unknown } | undefined;
  let closed = false;

  async function attempt<T>(
    sqlOf: (serverVersion: number) => string,
    work: (connection: DriverConnection, driver: Driver, sql: string, answered: () => void) => Promise<T>,
    attempts: number,
  ): Promise<T> {
    stop?.throwIfAborted();
    if (closed) throw new CallFailed("oracle", "lost", { message: `${doing.address}: closed` });
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
      return await unlessFrozen(description, vitals, stop, (answered) => work(connection, driver, sql, answered));
    } catch (error) {
      if (stop?.aborted === true) {
        connecting = undefined;
        await connection.break().catch(() => undefined);
        await drop(connection);
        throw stop.reason;
      }
      if (error === vitals.frozen) {
        // Logging off would wait for the database as well.
        connecting = undefined;
        throw error;
      }
      if (error instanceof DamagedAnswer) {
        // The position of the next answer in its bytes is unknown.
        connecting = undefined;
        await drop(connection);
        throw unreadable(error, doing.address);
      }
      if (!isLost(error))
        throw translate(error, { ...(isDenial(error) ? await withAccount(connection, driver, doing) : doing), sql });
      connecting = undefined;
      await drop(connection);
      if (attempts <= 1) throw translate(error, { ...doing, sql });
      return attempt(sqlOf, work, attempts - 1);
    }
  }

  /** Calls one after the other. */
  function call<T>(...parts: Parameters<typeof attempt<T>>): Promise<T> {
    waiting++;
    const turn = queue
      .then(() => attempt(...parts))
      .finally(() => {
        waiting--;
        if (waiting === 0) refused = undefined;
      });
    queue = turn.catch(() => undefined);
    return turn;
  }

  return {
    ...callsOf(call, doing),
    async close() {
      closed = true;
      await queue;
      const connection = await connecting?.catch(() => undefined);
      connecting = undefined;
      if (connection !== undefined) await drop(connection);
    },
  };
}

/** One call, when its turn has come. @param attempts how often it is made, where the connection is lost */
type Call = <T>(
  sqlOf: (serverVersion: number) => string,
  work: (connection: DriverConnection, driver: Driver, sql: string, answered: () => void) => Promise<T>,
  attempts: number,
) => Promise<T>;

/** What a session can be asked. */
function callsOf(call: Call, doing: Doing): Omit<Session, "close"> {
  return {
    doing,
    doingAs: () =>
      call(
        () => ACCOUNT,
        (connection, driver) => withAccount(connection, driver, doing),
        1,
      ).catch(() => doing),
    query: (sql, binds, rowsAFetch = BATCH) =>
      call(
        typeof sql === "string" ? () => sql : sql,
        (connection, driver, text, answered) =>
          readAll(connection, driver, text, binds?.(driver) ?? {}, rowsAFetch, answered),
        2,
      ),
    run: <Out>(sql: string, binds: (driver: Driver) => Binds, again?: "once-when-lost") =>
      call(
        () => sql,
        async (connection, driver, text) => (await connection.execute(text, binds(driver), {})).outBinds as Out,
        again === undefined ? 1 : 2,
      ),
    use: (sql, work) =>
      call(
        () => sql,
        (connection, driver, _, answered) => work(connection, driver, answered),
        1,
      ),
  };
}

/** @throws CallFailed if the database neither answers nor cancels in time; at once when `stop` is aborted */
async function unlessFrozen<T>(
  description: ConnectionDescription,
  vitals: Vitals,
  stop: AbortSignal | undefined,
  work: (answered: () => void) => Promise<T>,
): Promise<T> {
  stop?.throwIfAborted();
  const { callMillis } = description;
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      vitals.frozen ??= frozenAfter(description);
      reject(vitals.frozen);
    }, callMillis + Math.min(callMillis, CANCEL_MILLIS));
    stop?.addEventListener("abort", () => reject(stop.reason), { once: true });
  });
  const working = work(() => timer?.refresh());
  // It may fail when its result is no longer awaited.
  working.catch(() => undefined);
  try {
    return await Promise.race([working, ended]);
  } finally {
    clearTimeout(timer);
  }
}

async function withAccount(connection: DriverConnection, driver: Driver, doing: Doing): Promise<Doing> {
  try {
    const [row] = await readAll(connection, driver, ACCOUNT, {}, 1);
    return row === undefined ? doing : { ...doing, common: row[1] === "YES" };
  } catch {
    return doing;
  }
}

/** Reads all rows of a query over a connection. @param answered is called after each answer of the database */
export async function readAll(
  connection: DriverConnection,
  driver: Driver,
  sql: string,
  binds: Binds,
  rowsAFetch: number,
  answered?: () => void,
): Promise<Row[]> {
  // A statement that the driver keeps holds arrays of this length.
  const options = { ...fetching(driver, rowsAFetch), keepInStmtCache: rowsAFetch <= BATCH };
  return allOf<Row>(connection, sql, binds, options, answered);
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
  const answer = fromDriver(attempt);
  // The driver's own limit ends before the actual logon begins; a server that hangs there would block the process
  // forever.
  const opened = await within(connectMillis + 500, answer, () => {
    answer.then(drop, () => undefined);
    throw new CallFailed("oracle", "timeout", {
      message: `${description.address}: no answer in time while logging in`,
      remedy: "Check whether the database is overloaded or hangs. Pass --timeout to wait longer.",
    });
  });
  const connection = guarded(opened);
  connection.callTimeout = callMillis;
  return connection;
}

function frozenAfter({ address, callMillis }: ConnectionDescription): CallFailed {
  return new CallFailed("oracle", "timeout", {
    message: `${address}: the database neither answered nor cancelled the call within ${callMillis / 1000} s`,
    remedy: "Check whether the database or the network to it is hanging. Pass --timeout to wait longer.",
  });
}

function unreadable(cause: DamagedAnswer, address: string): CallFailed {
  return new CallFailed("oracle", "protocol", {
    message: `${address}: the answer of the database is damaged, or not one of Oracle's protocol`,
    remedy:
      "Check host and port, and the network between this host and the database " +
      "(proxies, firewalls that inspect traffic).",
    cause,
  });
}

/** Ends a connection, even if it is broken or frozen. */
async function drop(connection: DriverConnection): Promise<void> {
  // A connection that fails to close is closed already.
  const closed = connection.close().catch(() => undefined);
  await within(LOGOFF_MILLIS, closed, () => undefined);
}

/**
 * Returns a function that queries all tables at once: those of the named PDBs, or without names those of the current
 * container. Names of PDBs are converted to upper case.
 */
export function everyTableIn(
  session: Session,
): (
  statement: (pdbs: number) => string,
  pdbs: readonly string[],
  others?: Readonly<Record<string, string>>,
) => Promise<readonly Row[]> {
  return (statement, pdbs, others = {}) => {
    const names = [...new Set(pdbs.map((pdb) => pdb.toUpperCase()))];
    const texts = { ...Object.fromEntries(names.map((name, at) => [`pdb${at + 1}`, name])), ...others };
    return session.query(statement(names.length), (driver) => textBinds(driver, texts), WHOLE_DICTIONARY);
  };
}
