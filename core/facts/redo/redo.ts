import type { RedoCatalogue, ScnTime } from "../../../schemas/generated/facts.ts";
import type { Instant } from "../../values/instant.ts";
import type { Remedy } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";
import type { DatabaseSeen } from "../database/database.ts";
import type { Observed } from "../observed.ts";

/** A part of the redo to mine, with LogMiner in a session of its own. */
export interface RedoRange {
  /** Inclusive. */
  readonly from: Scn;
  /** Inclusive. */
  readonly to: Scn;
  /** Names of all the files that hold it. */
  readonly files: readonly string[];
}

/** Rows of `V$LOGMNR_CONTENTS`, counted by table and operation. */
export interface MinedRows {
  /** `SRC_CON_NAME`; undefined in a database without containers. */
  readonly container: string | undefined;
  /** Undefined, like `table`, for rows without a table: the begin and the end of a transaction. */
  readonly owner: string | undefined;
  readonly table: string | undefined;
  /** `INSERT`, `DDL`, `COMMIT`, … */
  readonly operation: string;
  readonly rows: bigint;
  /** How many of them truncate the table. */
  readonly truncates: bigint;
}

export interface RedoQuestion {
  /** Mining would start here, inclusive. */
  readonly from: Scn;
  readonly currentScn: Scn;
  readonly resetlogsScn: Scn;
  readonly captureMode: "online" | "archive_only";
  /** `cdc.archive.destination`, by name; undefined: the lowest valid local one. */
  readonly destination: string | undefined;
}

/** What the catalogue, and the probe of its files, show about the redo from an SCN to now. A plain value. */
export interface RedoExamination {
  readonly from: Scn;
  /** Inclusive: the current SCN, or in `archive_only` the last one up to it that is archived in every thread. */
  readonly end: Scn;
  /** Whether every log from `from` to `end` exists. */
  readonly complete: boolean;
  /** Whether the files were tried; otherwise only the catalogue is known. */
  readonly probed: boolean;
  readonly destination: { readonly id: bigint; readonly name: string } | undefined;
  /** In order of thread and sequence; consecutive logs with the same problem are one fault. */
  readonly faults: readonly RedoFault[];
  /** What would be mined, per thread. */
  readonly used: readonly RedoUsed[];
  /** The lowest SCN at or above `from` from which every log up to the end exists; undefined if there is none. */
  readonly firstAvailable: Scn | undefined;
  /** The same over the whole catalogue given. */
  readonly earliest: Scn | undefined;
  /** Readable copies of faulty logs under another destination: they do not close a gap. */
  readonly restoredElsewhere: readonly RestoredCopy[];
  /** `from` lies in an earlier incarnation: this incarnation's redo can't begin there. */
  readonly beforeResetlogs: boolean;
}

export interface RedoFault {
  readonly code: "CDC-2001" | "CDC-2002";
  readonly reason:
    | "sequence missing"
    | "no log at all"
    | "begins too late"
    | "ends too early"
    | "deleted in the catalogue"
    | "without a name"
    | "cannot be opened"
    /** It has no readable member, or the member can't be opened: no backup has it. */
    | "online log unreadable"
    | "no archive destination";
  /** Undefined if it concerns all. */
  readonly thread: bigint | undefined;
  /** Inclusive, as far as known. */
  readonly fromSequence: bigint | undefined;
  readonly toSequence: bigint | undefined;
  /** SCNs affected: from inclusive, to exclusive, as far as known. */
  readonly firstScn: Scn | undefined;
  readonly nextScn: Scn | undefined;
  readonly firstTime: Instant | undefined;
  readonly nextTime: Instant | undefined;
  readonly files: readonly string[];
  /** One sentence. */
  readonly message: string;
}

export interface RedoUsed {
  readonly thread: bigint;
  readonly archivedLogs: bigint;
  readonly firstSequence: bigint | undefined;
  readonly lastSequence: bigint | undefined;
  readonly onlineSequences: readonly bigint[];
  readonly bytes: bigint;
  readonly firstTime: Instant | undefined;
}

export interface RestoredCopy {
  readonly thread: bigint;
  readonly sequence: bigint;
  readonly destination: bigint;
  readonly name: string;
}

/** The commands of `restoreCommands`, each as a remedy. */
export function bringBack(commands: readonly string[]): readonly Remedy[] {
  return commands.map((sql) => ({ text: "Restore the logs (RMAN)", sql }));
}

/**
 * The RMAN commands that restore the logs of faults, one per run of logs. RMAN still counts a file removed without RMAN
 * as present: without a CROSSCHECK first it restores nothing. None for online logs: no backup has them.
 */
export function restoreCommands(faults: readonly RedoFault[]): readonly string[] {
  return faults.flatMap((fault) => {
    const range = rangeOf(fault);
    if (range === undefined || fault.reason === "online log unreadable") return [];
    const restore = `RESTORE ARCHIVELOG ${range};`;
    return fault.reason === "cannot be opened" ? [`CROSSCHECK ARCHIVELOG ${range};`, restore] : [restore];
  });
}

function rangeOf({ thread, fromSequence, toSequence, firstScn, nextScn }: RedoFault): string | undefined {
  if (thread === undefined) return undefined;
  if (fromSequence !== undefined && toSequence !== undefined)
    return `FROM SEQUENCE ${fromSequence} UNTIL SEQUENCE ${toSequence} THREAD ${thread}`;
  if (fromSequence !== undefined) return `FROM SEQUENCE ${fromSequence} THREAD ${thread}`;
  if (firstScn !== undefined && nextScn !== undefined)
    return `FROM SCN ${firstScn} UNTIL SCN ${nextScn - 1n} THREAD ${thread}`;
  return undefined;
}

/** What shows when an SCN was current. */
export interface DatedRedo {
  readonly times: Observed<readonly ScnTime[]>;
  readonly redo: Observed<RedoCatalogue>;
  readonly database: Pick<DatabaseSeen, "resetlogsScn">;
}

/**
 * The time of an SCN, or else the latest time that a log of the catalogue gives for one at or below it, whatever
 * destination lists it: Oracle forgets the time of an SCN after some days, the catalogue later. The result is never
 * later than the SCN's own time, so that a comparison counts too much rather than too little.
 */
export function timeAtOrBefore(scn: Scn, { times, redo, database }: DatedRedo): Instant | undefined {
  const known = times.known ? times.value.find((time) => time.scn === scn)?.at : undefined;
  if (known !== undefined || !redo.known) return known;
  let best: { readonly scn: Scn; readonly at: Instant } | undefined;
  const consider = (at: Scn, time: Instant | undefined) => {
    if (time !== undefined && at <= scn && (best === undefined || at > best.scn)) best = { scn: at, at: time };
  };
  for (const log of redo.value.archived) {
    if (log.resetlogsScn !== database.resetlogsScn) continue;
    consider(log.firstScn, log.firstTime);
    consider(log.nextScn, log.nextTime);
  }
  return best?.at;
}
