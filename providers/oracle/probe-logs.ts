import { CallFailed } from "../../core/errors.ts";
import type { MinedRows, RedoRange } from "../../core/facts/redo/redo.ts";
import type { LogProbe } from "../../schemas/generated/facts.ts";
import type { Driver } from "./driver.ts";
import { codeOf, type Doing, logMinerDenied, oraCode, translate } from "./oracle-failure.ts";
import { readAll, type Session } from "./session.ts";
import { ADD_LOG_FILES, END_LOGMINER, MINED_ROWS, START_LOGMINER } from "./statements.ts";
import { textBinds } from "./table-query.ts";

const FILES_A_CALL = 500;

/** The longest name in the views has 513 bytes; SQLERRM has 512, and is truncated to 1000 by the block. */
const NAME_BYTES = 2052;
const MESSAGE_BYTES = 4000;

interface Answer {
  readonly added: number;
  readonly codes: readonly number[];
  readonly messages: readonly (string | null)[];
}

const ADDED = "ORA-00000";

/** The file is in the list already, so it could be opened. */
const DUPLICATE = "ORA-01289";

/**
 * The task stops with CDC-2002 for these alone. Any other error does not show that redo is gone: it passes, or concerns
 * something else.
 *
 * Rule: reference: connector codes, CDC-2002.
 */
const GONE: readonly string[] = ["ORA-01284", "ORA-00308", "ORA-01285", "ORA-16226"];

/** No LogMiner session, so there is nothing to end. */
const NO_SESSION = "ORA-01307";

/** Codes that concern the login or the session, never a file. */
const NOT_ABOUT_A_FILE: Readonly<Record<string, (doing: Doing) => CallFailed>> = {
  "ORA-01031": (doing) => logMinerDenied(doing, "ORA-01031"),
  "ORA-65040": ({ address }) =>
    new CallFailed("oracle", "unsupported", {
      message: `${address}: LogMiner does not accept log files inside a pluggable database`,
      code: "ORA-65040",
      remedy: "Connect to the root's service (cdc.database.service).",
    }),
};

/**
 * Tries which files LogMiner can open: one call for 500 files, one more for all that failed (ORA-01284 can be a
 * temporary lock), one to end. The session must be used for nothing else.
 *
 * @throws CallFailed `forbidden` without EXECUTE on DBMS_LOGMNR, `unsupported` inside a pluggable database; for an
 * error that leaves open whether the file is there
 */
export async function probeLogs(session: Session, files: readonly string[]): Promise<readonly LogProbe[]> {
  return withLogs(session, files, async (probes) => probes);
}

/**
 * Mines a range, and ends LogMiner in any case. The session must be used for nothing else.
 *
 * @throws CallFailed as `probeLogs`; `missing` for a file that LogMiner can't open, `timeout`
 */
export async function mineRows(session: Session, { from, to, files }: RedoRange): Promise<readonly MinedRows[]> {
  return withLogs(session, files, async (probes) => {
    for (const one of probes)
      if (!one.opened)
        throw new CallFailed("oracle", "missing", {
          message: `${session.doing.address}: ${one.file} can't be opened: ${one.message.split("\n")[0]}`,
          code: one.code,
          remedy: "Run cdcctl admin offsets show --check-redo: it probes every required log.",
        });
    await session.run(START_LOGMINER, (driver) => textBinds(driver, { start_scn: String(from), end_scn: String(to) }));
    const rows = await session.use(MINED_ROWS, (connection, driver, answered) =>
      readAll(connection, driver, MINED_ROWS, {}, FILES_A_CALL, answered),
    );
    return rows.map(([container, owner, table, operation, count, truncates]) => ({
      container: container ?? undefined,
      owner: owner ?? undefined,
      table: table ?? undefined,
      operation: operation ?? "",
      rows: BigInt(count ?? 0),
      truncates: BigInt(truncates ?? 0),
    }));
  });
}

async function withLogs<T>(
  session: Session,
  files: readonly string[],
  work: (probes: readonly LogProbe[]) => Promise<T>,
): Promise<T> {
  if (files.length === 0) return work([]);
  const probes = new Map<string, LogProbe>();
  const wanted = [...new Set(files)];
  let added = 0;
  let result: T;

  async function add(some: readonly string[]): Promise<void> {
    const answer = await session.run<Answer>(ADD_LOG_FILES, (driver) => bindsOf(driver, some, added));
    added = answer.added;
    for (const [at, file] of some.entries()) {
      const message = answer.messages[at] ?? "";
      const code = codeOf(new Error(`${oraCode(answer.codes[at] ?? 0)}: ${message}`)) ?? ADDED;
      const failed = NOT_ABOUT_A_FILE[code];
      if (failed !== undefined) throw failed(await session.doingAs());
      probes.set(file, probe(file, code, message));
    }
  }

  try {
    for (let from = 0; from < wanted.length; from += FILES_A_CALL) await add(wanted.slice(from, from + FILES_A_CALL));
    const failed = wanted.filter((file) => probes.get(file)?.opened === false);
    if (failed.length > 0) await add(failed);
    for (const one of probes.values())
      if (!one.opened && !GONE.includes(one.code))
        throw translate(new Error(one.message || one.code), { ...(await session.doingAs()), sql: ADD_LOG_FILES });
    result = await work(files.map((file) => probes.get(file) ?? probe(file, DUPLICATE, "")));
  } catch (error) {
    // A session that is gone has nothing to end, and an error of the end must not hide the original one.
    if (!isGone(error)) await end(session).catch(() => undefined);
    throw error;
  }
  await end(session);
  return result;
}

function bindsOf(driver: Driver, files: readonly string[], added: number) {
  const { BIND_IN, BIND_INOUT, BIND_OUT, STRING, NUMBER } = driver;
  return {
    files: { dir: BIND_IN, type: STRING, val: files, maxSize: NAME_BYTES },
    added: { dir: BIND_INOUT, type: NUMBER, val: added },
    codes: { dir: BIND_OUT, type: NUMBER, maxArraySize: files.length },
    messages: { dir: BIND_OUT, type: STRING, maxArraySize: files.length, maxSize: MESSAGE_BYTES },
  };
}

function probe(file: string, code: string, message: string): LogProbe {
  if (code === ADDED || code === DUPLICATE) return { file, opened: true };
  return { file, opened: false, code, message };
}

async function end(session: Session): Promise<void> {
  try {
    await session.run(END_LOGMINER, () => ({}));
  } catch (error) {
    // Every file has had its answer, and the database ends LogMiner with the session.
    if (!isGone(error) && !(error instanceof CallFailed && error.code === NO_SESSION)) throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof CallFailed && (error.kind === "lost" || error.kind === "unreachable");
}
