import type { Frame } from "./payload.ts";
import { isBefore, type RedoPlace } from "./redo-order.ts";

/** What is kept of a chunk. */
export interface Kept {
  readonly changes: number;
  readonly undos: number;
  /** Changes of which it can't be told whether they are kept: they stand between one that is and one that is not. */
  readonly unplaced: number;
}

/**
 * The frames before the resume point. Frames stand in redo order, so a change whose own place can't be read lies
 * between its neighbours'; the first and the last have the chunk's own places.
 *
 * Rule: reference: wire formats, "Transaction journal", 6.
 *
 * @param ends the chunk's `first` and `last`
 */
export function keptOf(
  frames: Iterable<Frame>,
  resume: RedoPlace,
  ends: { readonly first: RedoPlace; readonly last: RedoPlace },
): Kept {
  const kept = { changes: 0, undos: 0, unplaced: 0 };
  let place: RedoPlace | undefined = ends.first;
  let waiting = 0;
  let passed = false;
  for (const frame of frames) {
    place = frame.place() ?? place;
    if (place === undefined) {
      // Once the redo is past the resume point, so is all that follows.
      if (!passed) waiting += 1;
      continue;
    }
    const before = isBefore(place, resume);
    if (before) {
      kept.changes += waiting;
      waiting = 0;
      if (frame.kind === "change") kept.changes += 1;
      else kept.undos += 1;
    } else passed = true;
    place = undefined;
  }
  // The last one has the chunk's last place.
  kept.unplaced = waiting > 0 && !passed && !isBefore(ends.last, resume) ? waiting - 1 : waiting;
  return kept;
}
