import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import { parseXid, sameXid } from "../../values/xid.ts";
import { OFFSET_VERSION } from "./offset-problems.ts";
import { type FirstStartCut, firstStartCut, type StoredOffset } from "./stored-offset.ts";

/** What a move changes besides the SCN. */
export interface OffsetMove {
  readonly scn: Scn;
  /** Ids to remove from the orphan release ledger. */
  readonly forget: "none" | "all" | readonly string[];
  /** Whether delivered commits are delivered again: the offset then names no acknowledged commit. */
  readonly deliverAgain?: boolean | undefined;
}

/**
 * The offset after a move: the resume SCN in the type it had (number or text); `resume_rs_id`, `resume_ssn` and
 * `threads` belong to the old position and are removed, even if the SCN stays the same; a ledger that loses ids or was
 * a list (which Connect does not store) is written as comma-joined text, or null if empty. A move that lifts the
 * first-start cut removes its three fields. Every other field is kept.
 *
 * Rule: reference: connector rules, "Offset fields on a move".
 */
export function moveOffset(stored: StoredOffset, move: OffsetMove): JsonObject {
  const { resume_rs_id: _rsId, resume_ssn: _ssn, threads: _threads, ...kept } = stored.raw;
  const forgotten = forgottenIds(stored.released, move.forget);
  const remaining = stored.released.filter((id) => !forgotten.includes(id));
  return {
    ...without(kept, [
      ...(move.deliverAgain === true ? LAST_COMMIT : []),
      ...(liftedCut(stored, move) === undefined ? [] : FIRST_START),
    ]),
    resume_scn: typeof stored.raw["resume_scn"] === "string" ? move.scn.toString() : move.scn,
    ...(move.deliverAgain === true ? { event_index: 0n } : {}),
    ...(forgotten.length === 0 && !Array.isArray(stored.raw["released_xids"])
      ? {}
      : { released_xids: remaining.length === 0 ? null : remaining.join(",") }),
  };
}

/** The members by which the task recognises what was delivered. */
export const LAST_COMMIT = [
  "last_commit_scn",
  "last_commit_xid",
  "last_commit_thread",
  "last_commit_rs_id",
  "last_commit_ssn",
] as const;

/** The first-start cut. */
export const FIRST_START = ["start_floor_scn", "start_open_scn", "start_open_xids"] as const;

function without(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/**
 * The first-start cut that a move lifts: back below its floor nothing would be delivered as long as no commit is
 * acknowledged. At the same SCN it stays: without it, what ended before the first start would be delivered.
 *
 * Rule: reference: connector rules, "The first-start cut".
 */
export function liftedCut(
  { raw, resumeScn, lastCommit }: Pick<StoredOffset, "raw" | "resumeScn" | "lastCommit">,
  { scn, deliverAgain }: Pick<OffsetMove, "scn" | "deliverAgain">,
): FirstStartCut | undefined {
  if (scn >= resumeScn || (lastCommit?.xid !== undefined && deliverAgain !== true)) return undefined;
  const cut = firstStartCut(raw);
  return cut !== undefined && scn < cut.floor ? cut : undefined;
}

/** The first-start cut that a change from one offset to another lifts. */
export function liftedBetween(before: JsonObject | null, after: JsonObject): FirstStartCut | undefined {
  const cut = before === null ? undefined : firstStartCut(before);
  return cut === undefined || firstStartCut(after) !== undefined ? undefined : cut;
}

/** The ids of the ledger that a move removes. An ambiguous id removes none. */
export function forgottenIds(released: readonly string[], forget: OffsetMove["forget"]): readonly string[] {
  if (forget === "none") return [];
  if (forget === "all") return released;
  const named = new Set(
    forget.flatMap((id) => {
      const ids = idsNamed(released, id);
      return ids.length === 1 ? ids : [];
    }),
  );
  return released.filter((id) => named.has(id));
}

/**
 * The ids of the ledger that an id can name: without its container it matches any, and so do those of older connectors.
 */
export function idsNamed(released: readonly string[], id: string): readonly string[] {
  const asked = parseXid(id);
  const same = [...new Set(released)].filter((one) => {
    const xid = parseXid(one);
    return asked === undefined || xid === undefined ? one === id : sameXid(xid, asked);
  });
  const inContainer = same.filter((one) => parseXid(one)?.container === asked?.container);
  return inContainer.length > 0 ? inContainer : same;
}

/** The first offset of a connector that has none: version 1, the SCN, the database's identity, zeros elsewhere. */
export function initialOffset(scn: Scn, database: { readonly dbid: bigint; readonly resetlogsScn: Scn }): JsonObject {
  return {
    v: OFFSET_VERSION,
    resume_scn: scn,
    last_commit_scn: 0n,
    event_index: 0n,
    journal_generation: 0n,
    schema_epoch: 0n,
    dbid: database.dbid,
    resetlogs_scn: database.resetlogsScn,
  };
}
