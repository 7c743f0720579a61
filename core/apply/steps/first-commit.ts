import { decodeOffset, sameOffset } from "../../facts/stored-offset.ts";
import type { RunState } from "../../run/state.ts";
import { offsetSubject } from "../../run/subject.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";

/**
 * What a stored offset tells of a patched connector.
 * - `as patched`: nothing was committed since. `committed`: a task that started after the PATCH has committed: its journal generation is higher.
 *   `proven` when it can only have mined from the new position. `overwritten`: a late commit of the old task, or another user or process.
 */
export type CommitReading =
  | { readonly is: "as patched" }
  | { readonly is: "committed"; readonly at: Scn; readonly generation: bigint; readonly proven: boolean }
  | { readonly is: "overwritten" };

/**
 * Reads what is stored against what was patched. A backward move is proven only by a commit below the previous position: at or above it the
 * task may as well have gone on from there; a forward move is proven by any.
 *
 * Rule: architecture, "What apply promises", 5.
 */
export function readCommit(
  stored: JsonObject | null,
  { body, started }: Pick<RunState, "body" | "started">,
): CommitReading {
  const subject = offsetSubject(started.subject);
  if (body === undefined || sameOffset(stored, body.entry.offset)) return { is: "as patched" };
  const seen = stored === null ? undefined : decodeOffset(stored);
  if (seen === undefined || !seen.ok) return { is: "overwritten" };
  const { resumeScn: at, journalGeneration: generation = 0n } = seen.offset;
  if (generation <= generationOf(body.entry.offset) || at < (subject?.scn ?? 0n)) return { is: "overwritten" };
  const previous = resumeScnOf(body.previous);
  const proven = subject?.direction !== "backward" || previous === undefined || at < previous;
  return { is: "committed", at, generation, proven };
}

function generationOf(offset: JsonObject | null): bigint {
  const decoded = offset === null ? undefined : decodeOffset(offset);
  return decoded?.ok ? (decoded.offset.journalGeneration ?? 0n) : 0n;
}

function resumeScnOf(offset: JsonObject | null): Scn | undefined {
  const decoded = offset === null ? undefined : decodeOffset(offset);
  return decoded?.ok ? decoded.offset.resumeScn : undefined;
}
