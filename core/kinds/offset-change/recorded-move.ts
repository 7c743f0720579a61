import { isTaken } from "../../facts/offset/last-recorded.ts";
import { FIRST_START, initialOffset, LAST_COMMIT, moveOffset } from "../../facts/offset/moved-offset.ts";
import {
  decodeOffset,
  isEmptyOffset,
  type StoredOffset,
  sameOffset,
  undecoded,
} from "../../facts/offset/stored-offset.ts";
import { carriedOffset, type RecordedChange } from "../../facts/ops/ops-event.ts";
import type { RecordedMove } from "../../run/from-ops.ts";
import type { JsonObject } from "../../values/json.ts";

/** What a recorded move is checked against, besides itself. */
interface MoveKnown {
  /** `cdc.topic.prefix` of the connector. */
  readonly prefix: string;
  /** All changes of the connector recorded in its ops topic. */
  readonly changes: readonly RecordedChange[];
}

/** Fields of a stored offset that belong to its position and to the ledger: a move changes only these. */
const MOVED = ["resume_scn", "resume_rs_id", "resume_ssn", "threads", "released_xids", ...FIRST_START];

/**
 * Reports what cdcctl would not have written in a recorded move, one phrase each. Anyone who can write to the ops topic
 * can write any record, so what an offset change of these positions would store is computed again here, and nothing
 * else is taken from the record.
 *
 * @returns empty for a record that could be cdcctl's own; whether it may be carried out is a separate question
 */
export function strangeInMove(move: RecordedMove, known: MoveKnown): readonly string[] {
  return RULES.flatMap((rule) => rule(move, known) ?? []);
}

type Rule = (move: RecordedMove, known: MoveKnown) => string | undefined;

const RULES: readonly Rule[] = [
  ({ server }, { prefix }) =>
    server === prefix
      ? undefined
      : `it is for server "${server}", but cdc.topic.prefix of the connector is "${prefix}"`,
  (move) => (isRewrite(move) ? undefined : unreadable("previous_offset", move.previous)),
  ({ next }) => (isEmptyOffset(next) ? "new_offset is empty" : unreadable("new_offset", next)),
  ({ next, scn }) => {
    const after = decoded(next);
    return after === undefined || after.resumeScn === scn
      ? undefined
      : `new_resume_scn is ${scn}, but the resume SCN in new_offset is ${after.resumeScn}`;
  },
  (move) => {
    const { removed, left } = ledgerChange(move);
    const unnamed = removed.filter((id) => !move.forget.includes(id));
    // All ids were to be removed: one added to the ledger after planning is removed too, but not named.
    return unnamed.length === 0 || (move.forget.length > 0 && left.length === 0)
      ? undefined
      : `new_offset removes ${unnamed.slice(0, 5).join(", ")} from the orphan release ledger, but ` +
          `forgotten_released does not name ${unnamed.length === 1 ? "it" : "them"}`;
  },
  (move) => {
    const { previous, next, deliverAgain } = move;
    if (isEmptyOffset(previous) || isRewrite(move)) return undefined;
    const moved = new Set([...MOVED, ...(deliverAgain === true ? [...LAST_COMMIT, "event_index"] : [])]);
    const changed = fieldsThatDiffer(previous ?? {}, next).filter((field) => !moved.has(field));
    return changed.length === 0
      ? undefined
      : `${changed.slice(0, 10).join(", ")} ${changed.length === 1 ? "differs" : "differ"} between previous_offset ` +
          `and new_offset, but no move changes ${changed.length === 1 ? "that" : "those"}`;
  },
  (move, known) =>
    isMove(move) || isReversal(move, known.changes) || (isRewrite(move) && isRecorded(move, known.changes))
      ? undefined
      : "new_offset is neither the result of a move from previous_offset nor what a recorded run had stored before",
];

function decoded(offset: JsonObject | null): StoredOffset | undefined {
  const read = offset === null ? undefined : decodeOffset(offset);
  return read?.ok ? read.offset : undefined;
}

function unreadable(name: string, offset: JsonObject | null): string | undefined {
  if (offset === null || isEmptyOffset(offset)) return undefined;
  const read = decodeOffset(offset);
  return read.ok ? undefined : `${name}: ${undecoded(read).seen}`;
}

function fieldsThatDiffer(one: JsonObject, other: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const only = (of: JsonObject, name: string): JsonObject =>
    Object.hasOwn(of, name) ? { value: of[name] ?? null } : {};
  return [...names].filter((name) => !sameOffset(only(one, name), only(other, name))).sort();
}

/**
 * Whether the new offset is what an offset change stores. Of a first offset the identity is compared with the
 * database's when the move is checked.
 */
function isMove(move: Pick<RecordedMove, "previous" | "next" | "scn" | "deliverAgain">): boolean {
  const { previous, next, scn, deliverAgain } = move;
  if (isEmptyOffset(previous)) {
    const identity = decoded(next);
    if (identity?.dbid === undefined || identity.resetlogsScn === undefined) return false;
    return sameOffset(next, initialOffset(scn, { dbid: identity.dbid, resetlogsScn: identity.resetlogsScn }));
  }
  const before = decoded(previous);
  const { removed } = ledgerChange(move);
  return before !== undefined && sameOffset(next, moveOffset(before, { scn, forget: removed, deliverAgain }));
}

/** Whether one offset is what a move of the other stores. */
export function isMoveBetween(before: JsonObject, after: JsonObject): boolean {
  const to = decoded(after);
  if (to === undefined) return false;
  const move = { previous: before, next: after, scn: to.resumeScn };
  return isMove(move) || isMove({ ...move, deliverAgain: true });
}

/** What a move does to the orphan release ledger. */
export function ledgerChange({ previous, next }: Pick<RecordedMove, "previous" | "next">): {
  readonly removed: readonly string[];
  readonly left: readonly string[];
} {
  const left = decoded(next)?.released ?? [];
  return { removed: (decoded(previous)?.released ?? []).filter((id) => !left.includes(id)), left };
}

/** Whether it replaces an offset that the task does not take: no move leads from that. */
export function isRewrite({ previous }: Pick<RecordedMove, "previous">): boolean {
  if (previous === null || isEmptyOffset(previous)) return false;
  const before = decodeOffset(previous);
  return before.ok ? !isTaken(before.offset) : before.reason === "unreadable";
}

/** Whether the topic records the new offset as stored before. */
function isRecorded({ next }: RecordedMove, changes: readonly RecordedChange[]): boolean {
  return changes.some(({ event: { details }, outcome }) => {
    const after = carriedOffset(details.new_offset);
    return outcome === "applied" && after != null && sameOffset(after, next);
  });
}

/** Whether it reverts, field by field, a change that the topic records as applied: what `rollback` stores. */
export function isReversal({ previous, next }: RecordedMove, changes: readonly RecordedChange[]): boolean {
  return changes.some(({ event: { details }, outcome }) => {
    if (outcome !== "applied") return false;
    const [before, after] = [carriedOffset(details.previous_offset), carriedOffset(details.new_offset)];
    return before != null && after != null && sameOffset(before, next) && sameOffset(after, previous);
  });
}

/**
 * Checks that the stored offset can result from a recorded move: whatever was committed since, its database and
 * incarnation are the same.
 *
 * @returns what does not match
 */
export function strangeBeside({ next }: RecordedMove, stored: JsonObject | null): string | undefined {
  const [recorded, now] = [decoded(next), decoded(stored)];
  if (recorded === undefined || now === undefined) return undefined;
  if (recorded.dbid === now.dbid && recorded.resetlogsScn === now.resetlogsScn) return undefined;
  const identity = ({ dbid, resetlogsScn }: StoredOffset) =>
    `dbid ${dbid ?? "none"}, resetlogs ${resetlogsScn ?? "none"}`;
  return `new_offset is from ${identity(recorded)}, but the stored offset is from ${identity(now)}`;
}

/** The stored offset compared with a recorded move. `not begun`: the PATCH was not carried out. `stands`: it was. */
export type MoveStatus = "not begun" | "stands" | "something else";

/** Compares the stored offset with a recorded move. @param stored what is stored under the connector's partition */
export function moveStatusOf({ previous, next }: RecordedMove, stored: JsonObject | null): MoveStatus {
  if (sameOffset(stored, next)) return "stands";
  return sameOffset(stored, previous) ? "not begun" : "something else";
}
