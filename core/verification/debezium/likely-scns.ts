import { beginsWith } from "../../values/json-walk.ts";

/** Where a `source` has its SCNs; a start is -1 if it has none. */
interface Scns {
  commitScn: number;
  commitScnEnd: number;
  scn: number;
  scnEnd: number;
}

const encoder = new TextEncoder();
const SCN = encoder.encode('"scn":"');
const COMMIT_SCN = encoder.encode('"commit_scn":"');
const QUOTE = 0x22;
const COLON = 0x3a;

/**
 * Finds the SCNs of a `source` without walking its two dozen members: at the places of the last one, whose end is as
 * far from the end of its record. What is looked for has quotation marks that are not escaped, so it is not text. A
 * source has no objects of its own; only a duplicate member could hide before, which no writer of fields produces.
 */
export function likelyScns() {
  let scnAt = 0;
  let commitScnAt = 0;
  let tail = 0;
  /** The end of the last source and the name behind it: `},"transaction":`. */
  let behind = new Uint8Array();

  /** Where the text that begins here ends. */
  const endOf = (bytes: Uint8Array, at: number, end: number): number => {
    let close = at;
    while (close < end && bytes[close] !== QUOTE) close++;
    return close;
  };

  return {
    /** @returns the position after the source; -1 if it is not like the last one */
    find(bytes: Uint8Array, start: number, end: number, into: Scns): number {
      const close = end - tail;
      const scn = start + scnAt;
      const commitScn = start + commitScnAt;
      if (behind.length === 0 || close <= start || !beginsWith(bytes, close - 1, end, behind)) return -1;
      if (!beginsWith(bytes, scn - SCN.length, close, SCN)) return -1;
      if (!beginsWith(bytes, commitScn - COMMIT_SCN.length, close, COMMIT_SCN)) return -1;
      into.scn = scn;
      into.scnEnd = endOf(bytes, scn, close);
      into.commitScn = commitScn;
      into.commitScnEnd = endOf(bytes, commitScn, close);
      return close;
    },
    /** Keeps the places of a source that was walked. @returns the position after it */
    learn(bytes: Uint8Array, start: number, close: number, end: number, { scn, commitScn }: Scns): number {
      const name = bytes.indexOf(COLON, close);
      if (scn < 0 || commitScn < 0 || close < 0 || name < 0 || name >= end) return close;
      scnAt = scn - start;
      commitScnAt = commitScn - start;
      tail = end - close;
      behind = bytes.slice(close - 1, name + 1);
      return close;
    },
  };
}
