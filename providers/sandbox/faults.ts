/** Faults of a database that a connector mines: logs are deleted and restored, a transaction stays open. */
import { type ArchivedLogRow, archiveName, healthyWorld, type OracleWorld } from "./oracle/world.ts";

/**
 * Backed up and deleted by RMAN: the rows stay, marked deleted and without a name. The online logs have been reused
 * since.
 */
export function purge(world: OracleWorld, ...sequences: readonly bigint[]): void {
  for (const log of logsOf(world, sequences)) {
    if (log.name !== null) world.files.delete(log.name);
    Object.assign(log, { deleted: true, status: "D", name: null });
  }
  world.onlineLogs = world.onlineLogs.filter(({ sequence }) => !sequences.includes(sequence));
}

/** Deleted so long ago that the control file has used their rows again (`CONTROL_FILE_RECORD_KEEP_TIME`). */
export function forget(world: OracleWorld, ...sequences: readonly bigint[]): void {
  purge(world, ...sequences);
  world.archivedLogs = world.archivedLogs.filter(({ sequence }) => !sequences.includes(sequence));
}

/** `rm`: the catalogue does not notice. */
export function removeFiles(world: OracleWorld, ...sequences: readonly bigint[]): void {
  for (const { name } of logsOf(world, sequences)) if (name !== null) world.files.delete(name);
}

/**
 * `rm` of the current online log: the instance continues to write to the open file, and no other process can open it.
 */
export function removeCurrentLog(world: OracleWorld): void {
  for (const { status, members } of world.onlineLogs)
    if (status === "CURRENT") for (const { name } of members) world.files.delete(name);
}

/**
 * `RESTORE ARCHIVELOG` of all logs of the healthy database, with rows of their own in addition to those of the deleted
 * logs.
 */
export function restoreAll(world: OracleWorld): void {
  const { timeOf } = world.scnTimes;
  for (const log of healthyWorld().archivedLogs) {
    const name = archiveName(log.thread, log.sequence);
    world.files.add(name);
    if (!world.archivedLogs.some(({ sequence, deleted }) => sequence === log.sequence && !deleted))
      world.archivedLogs.push({ ...log, name, firstTime: timeOf(log.firstScn), nextTime: timeOf(log.nextScn) });
  }
}

/** `ALTER SYSTEM ARCHIVE LOG CURRENT`. A log whose file is gone can't be archived. */
export function switchLog(world: OracleWorld): void {
  const current = world.onlineLogs.find(({ status }) => status === "CURRENT");
  if (current === undefined) return;
  const nextScn = world.currentScn();
  const { thread, sequence, firstScn, firstTime } = current;
  const name = archiveName(thread, sequence);
  const archived = current.members.some((member) => world.files.has(member.name));
  if (archived) {
    world.files.add(name);
    world.archivedLogs.push({
      ...{ thread, sequence, firstScn, nextScn, firstTime, name },
      nextTime: world.scnTimes.timeOf(nextScn),
      status: "A",
      deleted: false,
      destination: 1n,
      standby: false,
      resetlogsScn: world.database.resetlogsScn,
      blocks: 409_600n,
      blockSize: 512n,
    });
  }
  const next = `/u02/oradata/ORCLCDB/redo0${current.group + 1n}.log`;
  world.files.add(next);
  world.onlineLogs.push({
    ...current,
    group: current.group + 1n,
    sequence: sequence + 1n,
    firstScn: nextScn,
    firstTime: world.scnTimes.timeOf(nextScn),
    members: [{ name: next, status: null }],
  });
  Object.assign(current, { nextScn, status: archived ? "INACTIVE" : "ACTIVE", archived });
  for (const row of world.threads) if (row.thread === thread) row.sequence = sequence + 1n;
}

/** A transaction that is open from an SCN on. */
export function openTransaction(world: OracleWorld, startScn: bigint): void {
  world.transactions.push({
    instance: 1n,
    container: 3n,
    usn: 9n,
    slot: 4n,
    sequence: 1207n,
    startScn,
    startTime: world.scnTimes.timeOf(startScn),
    user: "BATCH",
    clientId: "nightly-load",
  });
}

/** The number of consecutive queries of only the open transactions after which a command is waiting for them. */
const QUERIES = 9;

/** Ends the open transactions once a command waits for that; plans still see them. */
export function endWhenWaitedFor(world: OracleWorld): void {
  let queries = 0;
  world.fault = (sql) => {
    queries = /\bGV\$TRANSACTION\b/i.test(sql) ? queries + 1 : 0;
    if (queries === QUERIES) world.transactions = [];
    return undefined;
  };
}

function logsOf({ archivedLogs }: OracleWorld, sequences: readonly bigint[]): readonly ArchivedLogRow[] {
  return archivedLogs.filter(({ sequence }) => sequences.includes(sequence));
}
