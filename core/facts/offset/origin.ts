import type { Advice } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";
import { shellOption } from "../../values/shell-word.ts";
import type { DatabaseSeen } from "../database/database.ts";

/** A stored offset whose SCNs mean nothing in the connected database: its redo can't be checked. */
export interface Misplaced {
  /** The check that refuses a change for the same reason. */
  readonly code: "OFF106" | "OFF101";
  readonly seen: string;
  readonly remedies: readonly Advice[];
}

/** The way out of an offset that the task does not take. */
export const LAST_RECORDED: Advice = {
  text: "To write back the last offset that a run has stored, as the ops topic records it: plan an OffsetChange with",
  setting: "spec.lastRecorded: true",
};

interface Origin {
  readonly dbid: bigint | undefined;
  readonly resetlogsScn: Scn | undefined;
}
type Identity = Pick<DatabaseSeen, "dbid" | "name" | "resetlogsScn">;

/**
 * Whether a stored offset was taken in another database, or in another incarnation of this one. What it does not name
 * the task reads as 0.
 *
 * Rule: reference: connector rules, "What a stored offset must hold for the task to start".
 */
export function fromElsewhere(
  { dbid, resetlogsScn }: Origin,
  database: Identity,
  connector: string,
): Misplaced | undefined {
  if (dbid === undefined || resetlogsScn === undefined) {
    const missing = dbid === undefined ? "dbid" : "resetlogs_scn";
    return {
      code: "OFF106",
      seen:
        `the stored offset has no ${missing}: the task reads it as 0 and stops with CDC-5001; whether the offset was ` +
        `taken in ${database.name} is unknown`,
      remedies: [LAST_RECORDED],
    };
  }
  const otherDbid = dbid !== database.dbid;
  const otherIncarnation = resetlogsScn !== database.resetlogsScn;
  if (!otherDbid && !otherIncarnation) return undefined;
  return {
    code: "OFF106",
    seen: otherDbid
      ? `the stored offset was taken in the database with dbid ${dbid}; the connected database is ${database.name} ` +
        `with dbid ${database.dbid}`
      : `the stored offset was taken in the incarnation with resetlogs SCN ${resetlogsScn}; ${database.name} was ` +
        `later opened with RESETLOGS at ${database.resetlogsScn}`,
    remedies: [
      "If the wrong database is configured: correct cdc.database.* of the connector; nothing is lost.",
      "If the database was moved or opened with RESETLOGS: snapshot every table again. In this order: stop the " +
        `connector; DELETE /connectors/${connector}/offsets; remove the records of its prefix from the journal and ` +
        "schema topics (null records under its keys), or the start restores transactions of the other database or " +
        "stops with CDC-4002 or CDC-6003; start it with cdc.snapshot.mode=initial. " +
        "Deletes between the last delivered commit and the snapshot are lost, and so are all intermediate versions.",
      "If the consumers can do without the changes since: the same with cdc.snapshot.mode=none and cdc.start.scn. " +
        "Every change between the stored position and that SCN is lost.",
    ],
  };
}

/** The sentence for an SCN that the database has not reached. A standby has reached what it has applied. */
export function aboveCurrent(
  what: string,
  { name, role, currentScn }: Pick<DatabaseSeen, "name" | "role" | "currentScn">,
): string {
  const which = role.endsWith("STANDBY") ? "applied" : "current";
  return `${what} is above the ${which} SCN of ${name}, which is ${currentScn}`;
}

/**
 * Whether a stored offset does not belong to the connected database's redo: it is from another database, or its resume
 * SCN is above the current SCN.
 *
 * @param database as observed after the offset was read; observed earlier, a running connector may have moved past its
 * current SCN
 */
export function misplaced(
  offset: Origin & { readonly resumeScn: Scn },
  database: Identity & Pick<DatabaseSeen, "role" | "currentScn">,
  connector: string,
): Misplaced | undefined {
  const elsewhere = fromElsewhere(offset, database, connector);
  if (elsewhere !== undefined || offset.resumeScn <= database.currentScn) return elsewhere;
  return {
    code: "OFF101",
    seen: aboveCurrent(`the stored resume SCN ${offset.resumeScn}`, database),
    remedies: [
      "If the wrong database is configured: correct cdc.database.* of the connector.",
      "If the database was restored or flashed back to an earlier SCN: move the offset to an SCN that it has " +
        `reached (admin offsets set ${shellOption("--name", connector)}), or snapshot again what was lost.`,
    ],
  };
}
