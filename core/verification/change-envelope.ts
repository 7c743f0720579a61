import { beginsWith, endOfValue, UNUSUAL } from "../values/json-walk.ts";
import { type ByteWork, type Wanted, wantedBytes } from "./byte-work.ts";
import { likelyScns } from "./debezium/likely-scns.ts";
import { type MemberOrder, memberOrder } from "./member-order.ts";
import type { ChangeHeaders } from "./record-headers.ts";

/**
 * Positions of the parts of a change event that the verification needs (reference: wire formats, "Change records"). A
 * start is -1 if the value is missing; of text it is after the quotation mark.
 */
interface ChangeParts extends Omit<ChangeHeaders, "snapshot"> {
  before: boolean;
  after: boolean;
  /** The single character of `op`; 0 if missing. */
  op: number;
  source: number;
  sourceEnd: number;
}

export function noParts(): ChangeParts {
  return {
    before: false,
    after: false,
    op: 0,
    commitScn: -1,
    commitScnEnd: -1,
    scn: -1,
    scnEnd: -1,
    source: -1,
    sourceEnd: -1,
  };
}

/** Members of the envelope that are read, by their place in `MEMBERS`. */
const MEMBERS = ["before", "after", "source", "op"];
const BEFORE = 0;
const AFTER = 1;
const SOURCE = 2;
const OP = 3;

/** Reads a row that begins at `start`. @returns the position after the row; UNUSUAL otherwise */
type ReadRow = (bytes: Uint8Array, start: number, end: number) => number;

const encoder = new TextEncoder();
const AFTER_BEFORE = wantedBytes(encoder.encode('},"after":'));
const AFTER_SOURCE = wantedBytes(encoder.encode('},"op":'));

/**
 * Skips an object by finding what the connector writes after it: `},"op":`.
 *
 * This sequence cannot occur inside a string: its quotation marks are not escaped, so they delimit a string, and the
 * brace before them is outside of one. It could close a nested object that is followed by a member of the same name.
 * The walk would then be one level too deep and would not end at the end of the record.
 *
 * @returns the position after the object; if the sequence is not found, the object is walked
 */
function pastObject(bytes: Uint8Array, at: number, end: number, behind: Wanted, work: ByteWork): number {
  const found = work.indexOf(bytes, behind, at, end);
  return found >= 0 ? found + 1 : endOfValue(bytes, at, end);
}

/**
 * Walks the envelope `{"before":…,"after":…,"source":…,"op":…}` that begins at `start` and must end at `end`. Rows are
 * read during the walk, so that every byte is visited once.
 *
 * @param scnKnown whether a header contained the SCN; `source` is then skipped
 * @returns whether the envelope has the usual form
 */
type FindChangeParts = (
  bytes: Uint8Array,
  start: number,
  end: number,
  parts: ChangeParts,
  scnKnown: boolean,
) => boolean;

/** @param readBefore undefined: the row before is skipped */
export function changeEnvelope(readBefore: ReadRow | undefined, readAfter: ReadRow, work: ByteWork): FindChangeParts {
  /**
   * Distance from the end of `source` to the end of the last record. It is usually the same in the next record, so that
   * position is checked first; the rule of `pastObject` holds wherever the bytes are. Only a duplicate member could
   * hide before them, which no writer of a schema's fields produces.
   */
  let tail = 0;
  const order = memberOrder(MEMBERS);
  const orderOfSource = memberOrder(SCNS);
  const likely = likelyScns();

  function pastSource(bytes: Uint8Array, at: number, end: number): number {
    const likely = end - tail - 1;
    if (likely > at && beginsWith(bytes, likely, end, AFTER_SOURCE.bytes)) return likely + 1;
    const after = pastObject(bytes, at, end, AFTER_SOURCE, work);
    tail = end - after;
    return after;
  }

  function scnsOf(bytes: Uint8Array, at: number, end: number, parts: ChangeParts): number {
    const found = likely.find(bytes, at, end, parts);
    if (found >= 0) return found;
    return likely.learn(bytes, at, findScns(orderOfSource, bytes, at, end, parts), end, parts);
  }

  function readMember(
    bytes: Uint8Array,
    from: number,
    end: number,
    member: number,
    scnKnown: boolean,
    parts: ChangeParts,
  ) {
    if (bytes[from] !== 0x7b) return endOfValue(bytes, from, end);
    switch (member) {
      case AFTER:
        return readAfter(bytes, from, end);
      case BEFORE:
        return readBefore === undefined
          ? pastObject(bytes, from, end, AFTER_BEFORE, work)
          : readBefore(bytes, from, end);
      case SOURCE:
        return scnKnown ? pastSource(bytes, from, end) : scnsOf(bytes, from, end, parts);
      default:
        return endOfValue(bytes, from, end);
    }
  }

  return (bytes, start, end, parts, scnKnown) => {
    parts.before = parts.after = false;
    parts.commitScn = parts.commitScnEnd = parts.scn = parts.scnEnd = parts.source = parts.sourceEnd = -1;
    parts.op = 0;
    if (bytes[start] !== 0x7b) return false;
    let seen = 0;
    let position = start;
    for (let nth = 0; position < end; nth++) {
      const member = order.placeAt(bytes, position, end, nth);
      position = order.afterName();
      if (position === UNUSUAL) return false;
      if (member >= 0) {
        if ((seen & (1 << member)) !== 0) return false;
        seen |= 1 << member;
      }
      const first = bytes[position];
      if (member === AFTER) parts.after = first === 0x7b;
      else if (member === BEFORE) parts.before = first === 0x7b;
      else if (member === SOURCE && first === 0x7b) parts.source = position;
      else if (member === OP && first === 0x22 && bytes[position + 2] === 0x22)
        parts.op = bytes[position + 1] as number;
      position = readMember(bytes, position, end, member, scnKnown, parts);
      if (position === UNUSUAL || position >= end) return false;
      if (member === SOURCE) parts.sourceEnd = position;
      const next = bytes[position];
      if (next === 0x7d) return position + 1 === end;
      if (next !== 0x2c) return false;
    }
    return false;
  };
}

/** Members of `source` that are read, by their place. */
const SCNS = ["commit_scn", "scn"];
const COMMIT_SCN = 0;
const SCN = 1;

/** @returns the position after the object `source` */
function findScns(order: MemberOrder, bytes: Uint8Array, start: number, end: number, parts: ChangeParts): number {
  if (bytes[start + 1] === 0x7d) return start + 2;
  let position = start;
  for (let nth = 0; position < end; nth++) {
    const member = order.placeAt(bytes, position, end, nth);
    position = order.afterName();
    if (position === UNUSUAL) return UNUSUAL;
    const value = position;
    position = endOfValue(bytes, value, end);
    if (position === UNUSUAL || position >= end) return UNUSUAL;
    const quotes = bytes[value] === 0x22 ? 1 : 0;
    if (member === SCN) {
      if (parts.scn >= 0) return UNUSUAL;
      parts.scn = value + quotes;
      parts.scnEnd = position - quotes;
    } else if (member === COMMIT_SCN) {
      if (parts.commitScn >= 0) return UNUSUAL;
      parts.commitScn = value + quotes;
      parts.commitScnEnd = position - quotes;
    }
    if (bytes[position] === 0x7d) return position + 1;
    if (bytes[position] !== 0x2c) return UNUSUAL;
  }
  return UNUSUAL;
}
