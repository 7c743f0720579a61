import type {
  ArchiveDestination,
  ArchivedLog,
  OnlineLog,
  RedoCatalogue,
  RedoThread,
} from "../../../schemas/generated/facts.ts";
import type { Scn } from "../../values/scn.ts";
import type { RedoQuestion } from "../redo/redo.ts";

/**
 * Whole catalogue rows for tests. Each names only what makes it what it is. Logs of ten SCNs: sequence 12 holds 120 to
 * 129.
 */

export const RESETLOGS: Scn = 7n;

export const LOCAL: ArchiveDestination = { id: 1n, name: "LOG_ARCHIVE_DEST_1", status: "VALID", type: "LOCAL" };

export function thread(number: bigint, change: Partial<RedoThread> = {}): RedoThread {
  return {
    thread: number,
    enabled: "PUBLIC",
    status: "OPEN",
    sequence: 15n,
    enableScn: RESETLOGS,
    ...change,
  };
}

export function archived(sequence: bigint, change: Partial<ArchivedLog> = {}): ArchivedLog {
  const of = change.thread ?? 1n;
  return {
    thread: of,
    sequence,
    firstScn: sequence * 10n,
    nextScn: sequence * 10n + 10n,
    name: `/arch/${of}_${sequence}_${change.resetlogsScn ?? RESETLOGS}.arc`,
    status: "A",
    deleted: false,
    destination: 1n,
    standby: false,
    resetlogsScn: RESETLOGS,
    bytes: 1000n,
    ...change,
  };
}

export function online(sequence: bigint, change: Partial<OnlineLog> = {}): OnlineLog {
  return {
    thread: 1n,
    sequence,
    firstScn: sequence * 10n,
    status: "CURRENT",
    archived: false,
    member: `/redo/${change.thread ?? 1n}_${sequence}.log`,
    bytes: 1000n,
    ...change,
  };
}

/** Sequences `from` to `to`, both inclusive. */
export function logs(from: bigint, to: bigint, change: Partial<ArchivedLog> = {}): readonly ArchivedLog[] {
  return Array.from({ length: Number(to - from) + 1 }, (_, i) => archived(from + BigInt(i), change));
}

/** Thread 1, sequences 10 to 14 archived and 15 current; the time is SCN 155. */
export function catalogue(change: Partial<RedoCatalogue> = {}): RedoCatalogue {
  return { threads: [thread(1n)], destinations: [LOCAL], archived: logs(10n, 14n), online: [online(15n)], ...change };
}

export function question(change: Partial<RedoQuestion> = {}): RedoQuestion {
  return {
    from: 112n,
    currentScn: 155n,
    resetlogsScn: RESETLOGS,
    captureMode: "online",
    destination: undefined,
    ...change,
  };
}
