import type { OracleWorld } from "../../oracle/world.ts";
import { type ErrorCode, stopWith } from "./stopped-task.ts";

interface BrokenChain {
  readonly code: ErrorCode;
  readonly what: string;
}

interface LogSeen {
  readonly sequence: bigint;
  readonly firstScn: bigint;
  readonly nextScn: bigint;
  /** Undefined: the catalogue marks it deleted. */
  readonly file: string | undefined;
}

/**
 * Opens the redo from which a task continues: log by log, one thread after the other. Returns the error with which the
 * task stops at the first missing log; this is not a complete examination.
 *
 * Rule: reference, connector codes, CDC-2001 and CDC-2002.
 *
 * @returns undefined if no log is missing
 */
export function missingRedo(
  oracle: OracleWorld,
  config: Readonly<Record<string, string>>,
  from: bigint,
): Error | undefined {
  for (const { thread, enabled } of oracle.threads) {
    if (enabled === "DISABLED") continue;
    const problem = brokenChain(logsOf(oracle, config, thread, from), oracle.files, thread, from);
    if (problem !== undefined) return stopWith(problem.code, problem.what, RESTORE);
  }
  return undefined;
}

const RESTORE = "Restore the missing archived logs and restart the task; if they are gone, snapshot the tables again.";

function brokenChain(
  logs: readonly LogSeen[],
  files: ReadonlySet<string>,
  thread: bigint,
  from: bigint,
): BrokenChain | undefined {
  let expected: bigint | undefined;
  for (const { sequence, firstScn, file } of logs) {
    const gap = (what: string): BrokenChain => ({ code: "CDC-2001", what: `thread ${thread}: ${what}.` });
    const purged = (what: string): BrokenChain => ({
      code: "CDC-2002",
      what: `thread ${thread} sequence ${sequence} ${what}.`,
    });
    if (expected === undefined && firstScn > from)
      return gap(`no log holds SCN ${from}; the first one there is sequence ${sequence}, from SCN ${firstScn}`);
    if (expected !== undefined && sequence !== expected)
      return gap(`sequence ${expected} is missing before sequence ${sequence}`);
    if (file === undefined) return purged("is purged: V$ARCHIVED_LOG marks it deleted");
    if (!files.has(file)) return purged(`can't be opened: ORA-01284: file ${file} cannot be opened`);
    expected = sequence + 1n;
  }
  return undefined;
}

/**
 * One log for each sequence, in order: an available archived log, otherwise the online log, otherwise the missing
 * archived log.
 */
function logsOf(
  { destinations, archivedLogs, onlineLogs, database }: OracleWorld,
  config: Readonly<Record<string, string>>,
  thread: bigint,
  from: bigint,
): readonly LogSeen[] {
  const named = config["cdc.archive.destination"];
  const destination = destinations
    .filter(({ name, status, type }) => (named === undefined ? status === "VALID" && type === "LOCAL" : name === named))
    .sort((a, b) => Number(a.id - b.id))[0]?.id;
  const logs = new Map<bigint, LogSeen>();
  const offer = (log: LogSeen): void => {
    if (log.nextScn > from && logs.get(log.sequence)?.file === undefined) logs.set(log.sequence, log);
  };
  for (const log of archivedLogs) {
    if (log.thread !== thread || log.destination !== destination || log.standby) continue;
    if (log.resetlogsScn !== database.resetlogsScn) continue;
    const gone = log.deleted || log.status === "D" || log.status === "X" || log.name === null;
    offer({ ...log, file: gone ? undefined : (log.name ?? undefined) });
  }
  if (config["cdc.capture.mode"] !== "archive_only") {
    const lastArchived = Math.max(0, ...[...logs.keys()].map(Number));
    for (const log of onlineLogs) {
      const member = log.members.find(({ status }) => status === null);
      if (
        log.thread === thread &&
        (!log.archived || log.sequence > lastArchived) &&
        log.status !== "UNUSED" &&
        member !== undefined
      )
        offer({ ...log, file: member.name });
    }
  }
  return [...logs.values()].sort((a, b) => (a.sequence < b.sequence ? -1 : 1));
}
