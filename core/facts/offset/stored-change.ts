import type { OffsetsSetDetails } from "../../../schemas/generated/facts.ts";
import type { JsonObject } from "../../values/json.ts";
import { parseScn, type Scn } from "../../values/scn.ts";
import { carriedOffset } from "../ops/ops-event.ts";
import { decodeOffset, sameOffset } from "./stored-offset.ts";

/** A change of a stored offset, as in its journal or its ops event. */
export interface StoredChange {
  readonly previous: JsonObject | null;
  readonly planned: JsonObject | null;
  /** Where mining should resume. */
  readonly scn: Scn | undefined;
  readonly direction: string | undefined;
}

/**
 * What a stored offset shows about a patched connector.
 * - `as patched`: nothing was committed since. `committed`: a task that started after the PATCH has committed: its
 *  journal generation is higher. `proven` if it can only have mined from the new position. `overwritten`: a late
 *  commit of the old task, or another user or process.
 */
export type CommitReading =
  | { readonly is: "as patched" }
  | { readonly is: "committed"; readonly at: Scn; readonly generation: bigint; readonly proven: boolean }
  | { readonly is: "overwritten" };

/**
 * Compares the stored offset with the patched one. A backward move is proven only by a commit below the previous
 * position: at or above it the task may also have continued from there. A forward move is proven by any commit.
 *
 * Rule: architecture, "What apply promises", 5.
 */
export function readCommit(
  stored: JsonObject | null,
  { previous, planned, scn, direction }: StoredChange,
): CommitReading {
  if (sameOffset(stored, planned)) return { is: "as patched" };
  const seen = stored === null ? undefined : decodeOffset(stored);
  if (seen === undefined || !seen.ok) return { is: "overwritten" };
  const { resumeScn: at, journalGeneration: generation = 0n } = seen.offset;
  if (generation <= generationOf(planned) || at < (scn ?? 0n)) return { is: "overwritten" };
  const before = resumeScnOf(previous);
  const proven = direction !== "backward" || before === undefined || at < before;
  return { is: "committed", at, generation, proven };
}

/**
 * Whether the stored offset is a commit of a task that started before the change: the one that was stopped for it,
 * which continues from the previous position, or an earlier one on a worker that hung, whatever its position. A task
 * that started later would have raised the journal generation (reference: wire formats, "Stored offset").
 */
export function isLateCommit(stored: JsonObject | null, { previous }: Pick<StoredChange, "previous">): boolean {
  if (previous === null || stored === null) return false;
  if (sameOffset(stored, previous)) return true;
  const [late, before] = [decodeOffset(stored), decodeOffset(previous)];
  if (!late.ok || !before.ok) return false;
  // A task stores its redo address; a change of the offset removes it.
  if (late.offset.redoAddress === undefined && before.offset.redoAddress !== undefined) return false;
  const [life, last] = [late.offset.journalGeneration ?? 0n, before.offset.journalGeneration ?? 0n];
  return life < last || (life === last && late.offset.resumeScn >= before.offset.resumeScn);
}

/**
 * The current state of a change that succeeded.
 * - `stands`: the patched offset is stored. `ran on`: the connector has committed from there. `undone`: a task that
 *   kept running after its stop has committed once more. `changed`: another run, user or process has stored something
 *   else.
 */
export type ChangeNow = "stands" | "ran on" | "undone" | "changed";

/** Determines the current state of a change. @param stored what is stored under the partition of the change now */
export function changeNow(stored: JsonObject | null, change: StoredChange): ChangeNow {
  switch (readCommit(stored, change).is) {
    case "as patched":
      return "stands";
    case "committed":
      return "ran on";
    case "overwritten":
      return isLateCommit(stored, change) ? "undone" : "changed";
  }
}

/**
 * Whether Connect's stored offset confirms a change recorded in the ops topic: its body is stored, or a connector has
 * committed from there. Anyone who can write to the topic can write any record; a record without the offsets that
 * cdcctl writes can't be confirmed.
 *
 * @param stored what is stored under the connector's partition now
 */
export function isSeenStored(
  details: Pick<OffsetsSetDetails, "previous_offset" | "new_offset" | "new_resume_scn" | "direction">,
  stored: JsonObject | null,
): boolean {
  const previous = carriedOffset(details.previous_offset);
  const planned = carriedOffset(details.new_offset);
  const scn = parseScn(details.new_resume_scn);
  if (previous === undefined || planned === undefined || resumeScnOf(planned) !== scn) return false;
  const now = changeNow(stored, { previous, planned, scn, direction: details.direction });
  return now === "stands" || now === "ran on";
}

/** 0 where none can be read. */
export function generationOf(offset: JsonObject | null): bigint {
  const decoded = offset === null ? undefined : decodeOffset(offset);
  return decoded?.ok ? (decoded.offset.journalGeneration ?? 0n) : 0n;
}

/** Undefined where none can be read. */
export function resumeScnOf(offset: JsonObject | null): Scn | undefined {
  const decoded = offset === null ? undefined : decodeOffset(offset);
  return decoded?.ok ? decoded.offset.resumeScn : undefined;
}
