import { memoryOf } from "../values/bytes.ts";
import { beginsWithWords, wordsOf } from "../values/json-walk.ts";

/**
 * Positions of the values of a change record's headers that the verification needs (reference: wire formats, "Change
 * records"). A start is -1 if the record has no such header.
 */
export interface ChangeHeaders {
  commitScn: number;
  commitScnEnd: number;
  scn: number;
  scnEnd: number;
  snapshot: boolean;
}

export function noHeaders(): ChangeHeaders {
  return { commitScn: -1, commitScnEnd: -1, scn: -1, scnEnd: -1, snapshot: false };
}

const encoder = new TextEncoder();
const COMMIT_SCN = wordsOf(encoder.encode("cdc.commit_scn"));
const SCN = wordsOf(encoder.encode("cdc.scn"));
const SNAPSHOT = wordsOf(encoder.encode("cdc.snapshot"));

/**
 * Finds the headers of one record. Of headers with the same name the last one counts; one without a value is empty.
 *
 * @param start where the number of headers begins, as a record batch encodes them: the number, then of each the length
 * of its name, the name, the length of its value (negative for null), the value. All numbers are zig-zag varints.
 * The caller has checked that the headers end with the record
 */
export function findHeaders(bytes: Uint8Array, start: number, found: ChangeHeaders): void {
  found.commitScn = found.commitScnEnd = found.scn = found.scnEnd = -1;
  found.snapshot = false;
  if (bytes[start] === 0) return;
  const { data, base } = memoryOf(bytes);
  at = start;
  for (let left = numberIn(bytes); left > 0; left--) {
    const length = numberIn(bytes);
    const name = at;
    at += length;
    const size = numberIn(bytes);
    const value = at;
    if (size > 0) at += size;
    if (length === COMMIT_SCN.length && beginsWithWords(data, base + name, base + value, COMMIT_SCN)) {
      found.commitScn = value;
      found.commitScnEnd = at;
    } else if (length === SCN.length && beginsWithWords(data, base + name, base + value, SCN)) {
      found.scn = value;
      found.scnEnd = at;
    } else if (length === SNAPSHOT.length && beginsWithWords(data, base + name, base + value, SNAPSHOT))
      found.snapshot = true;
  }
}

/** Where the next number begins. */
let at = 0;

function numberIn(bytes: Uint8Array): number {
  let value = 0;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[at++] as number;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return (value >>> 1) ^ -(value & 1);
}
