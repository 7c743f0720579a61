import { isObject } from "../../values/json.ts";
import { ascending } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import { parseXid } from "../../values/xid.ts";
import { integer, objectIn } from "./offset-problems.ts";
import type { StoredOffset } from "./stored-offset.ts";

/**
 * Which delivered commits the task recognises when it mines them again, and does not deliver twice.
 * - `all`: up to the last one, at `upTo` (undefined for an SCN of 0, where its address tells).
 * - `all but the last`: those before `upTo`. `none`: each of them is delivered again.
 */
export type Recognition =
  | { readonly is: "all"; readonly upTo: Scn | undefined }
  | { readonly is: "all but the last"; readonly upTo: Scn; readonly why: string }
  | { readonly is: "none"; readonly why: string };

/**
 * Determines what an offset lets the task recognise. With a redo address on both sides it compares thread and address;
 * otherwise SCN, then thread, then container and transaction. What is missing counts as 0, which sorts before any.
 *
 * Rule: reference: connector rules, "What a stored offset must hold" (last paragraph).
 */
export function recognitionBy({ lastCommit }: Pick<StoredOffset, "lastCommit">): Recognition {
  if (lastCommit === undefined) return { is: "none", why: "the new offset has no last commit" };
  const { scn: upTo, xid, thread, redoAddress } = lastCommit;
  if (xid === undefined) return { is: "none", why: "the last commit is stored without its transaction id" };
  const isWithoutThread = (thread ?? 0n) === 0n;
  const noThread = "the last commit is stored without its redo thread";
  if (redoAddress !== undefined) return isWithoutThread ? { is: "none", why: noThread } : { is: "all", upTo };
  if (upTo === undefined)
    return { is: "none", why: "the last commit is stored without a redo address and without its SCN" };
  if (isWithoutThread) return { is: "all but the last", upTo, why: noThread };
  return parseXid(xid)?.container === undefined
    ? {
        is: "all but the last",
        upTo,
        why: "its transaction id is stored without a container, and without a redo address",
      }
    : { is: "all", upTo };
}

/**
 * Whether the task goes by `threads`: only while the lowest resume SCN in it is the offset's, and the last commit that
 * of its thread. An older connector carries the field along unchanged.
 *
 * Rule: reference: wire formats, "Stored offset" (`threads`).
 */
export function trustsThreads({
  raw,
  resumeScn,
  lastCommit,
}: Pick<StoredOffset, "raw" | "resumeScn" | "lastCommit">): boolean {
  const marks = Object.entries(objectIn(raw["threads"]) ?? {}).flatMap(([thread, mark]) =>
    isObject(mark) ? [{ thread, xid: mark["commit_xid"] ?? undefined, mark }] : [],
  );
  const resumed = marks.map(({ mark }) => integer(mark["resume_scn"]) ?? 0n).sort(ascending((scn) => scn));
  if (resumed[0] !== resumeScn) return false;
  if (lastCommit?.xid === undefined) return marks.every(({ xid }) => xid === undefined);
  const own = marks.find(({ thread }) => thread === String(lastCommit.thread));
  return own?.xid === lastCommit.xid && integer(own.mark["commit_scn"]) === lastCommit.scn;
}

/**
 * Why a move ahead to an SCN loses no commit: each one below it is acknowledged, or left out by the first-start cut
 * anyway. Undefined if commits may be lost.
 */
export function nothingLost(
  { lastCommit, firstStart }: StoredOffset,
  to: Scn,
): { readonly upTo: Scn; readonly why: string } | undefined {
  const upTo = lastCommit?.xid === undefined ? firstStart?.floor : lastCommit.scn;
  if (upTo === undefined || upTo < to) return undefined;
  const why =
    lastCommit?.xid === undefined
      ? `the first-start cut leaves out every commit below ${upTo} anyway`
      : `every commit up to ${upTo} is delivered and acknowledged`;
  return { upTo, why };
}
