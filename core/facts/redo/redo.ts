import type { RedoCatalogue, ScnTime } from "../../../schemas/generated/facts.ts";
import type { RedoFault } from "../../../schemas/generated/plan.ts";
import type { Instant } from "../../values/instant.ts";
import type { Remedy } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";
import type { DatabaseSeen } from "../database/database.ts";
import type { Observed } from "../observed.ts";

export type { RedoExamination, RedoFault, RedoUsed, RestoredCopy } from "../../../schemas/generated/plan.ts";

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
