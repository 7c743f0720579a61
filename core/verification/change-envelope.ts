import { type ByteWork, memoryOf, type Wanted, wantedBytes } from "./byte-work.ts";
import {
  beginsWith,
  beginsWithWords,
  endOfNumber,
  endOfPlainString,
  endOfValue,
  memberName,
  UNUSUAL,
  type Words,
  wordsOf,
} from "./json-walk.ts";

/**
 * Positions of the parts of a change event that the verification needs (reference: wire formats, "Change records"). A
 * start is that of a value; -1 if it is missing or null.
 */
interface ChangeParts {
  /** Whether the event has this row. */
  before: boolean;
  after: boolean;
  /** The single character of `op`; 0 if missing. */
  op: number;
  /** Start of the digits, whether text or number. */
  commitScn: number;
  commitScnEnd: number;
  scn: number;
  scnEnd: number;
  /** The object `source`. */
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

const BEFORE = memberName("before");
const AFTER = memberName("after");
const SOURCE = memberName("source");
const OP = memberName("op");
const SCN = memberName("scn");
const COMMIT_SCN = memberName("commit_scn");

const SEEN_BEFORE = 1;
const SEEN_AFTER = 2;
const SEEN_SOURCE = 4;
const SEEN_OP = 8;

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
  /** The members of the last record. The next record usually has the same ones in the same order. */
  const order: Member[] = [];

  function pastSource(bytes: Uint8Array, at: number, end: number): number {
    const likely = end - tail - 1;
    if (likely > at && beginsWith(bytes, likely, end, AFTER_SOURCE.bytes)) return likely + 1;
    const after = pastObject(bytes, at, end, AFTER_SOURCE, work);
    tail = end - after;
    return after;
  }

  function readMember(
    bytes: Uint8Array,
    at: number,
    end: number,
    member: number,
    scnKnown: boolean,
    parts: ChangeParts,
  ) {
    if (bytes[at] !== 0x7b) return endOfValue(bytes, at, end);
    switch (member) {
      case SEEN_AFTER:
        return readAfter(bytes, at, end);
      case SEEN_BEFORE:
        return readBefore === undefined ? pastObject(bytes, at, end, AFTER_BEFORE, work) : readBefore(bytes, at, end);
      case SEEN_SOURCE:
        return scnKnown ? pastSource(bytes, at, end) : findScns(bytes, at, end, parts);
      default:
        return endOfValue(bytes, at, end);
    }
  }

  return (bytes, start, end, parts, scnKnown) => {
    parts.before = parts.after = false;
    parts.commitScn = parts.commitScnEnd = parts.scn = parts.scnEnd = parts.source = parts.sourceEnd = -1;
    parts.op = 0;
    if (bytes[start] !== 0x7b) return false;
    const { data, base } = memoryOf(bytes);
    let seen = 0;
    let at = start;
    for (let nth = 0; at < end; nth++) {
      let expected = order[nth];
      if (expected === undefined || !beginsWithWords(data, base + at, base + end, expected.lead)) {
        expected = memberFrom(bytes, at, end);
        if (expected === undefined) return false;
        order[nth] = expected;
      }
      const { lead, member } = expected;
      at += lead.bytes.length;
      if ((seen & member) !== 0) return false;
      seen |= member;
      const first = bytes[at];
      if (member === SEEN_AFTER) parts.after = first === 0x7b;
      else if (member === SEEN_BEFORE) parts.before = first === 0x7b;
      else if (member === SEEN_SOURCE && first === 0x7b) parts.source = at;
      else if (member === SEEN_OP && first === 0x22 && bytes[at + 2] === 0x22) parts.op = bytes[at + 1] as number;
      at = readMember(bytes, at, end, member, scnKnown, parts);
      if (at === UNUSUAL || at >= end) return false;
      if (member === SEEN_SOURCE) parts.sourceEnd = at;
      const next = bytes[at];
      if (next === 0x7d) return at + 1 === end;
      if (next !== 0x2c) return false;
    }
    return false;
  };
}

/** A member of the envelope: the bytes it begins with (brace or comma, name, colon). */
interface Member {
  readonly lead: Words;
  /** Which of the members that are read; 0 for any other. */
  readonly member: number;
}

/** @param at at the brace or comma before it @returns undefined if it is unusual */
function memberFrom(bytes: Uint8Array, at: number, end: number): Member | undefined {
  const after = afterName(bytes, at + 1, end);
  return after === UNUSUAL
    ? undefined
    : { lead: wordsOf(bytes.slice(at, after)), member: memberAt(bytes, at + 1, end) };
}

/** Which of the members that are read begins at `at`; 0 for any other. */
function memberAt(bytes: Uint8Array, at: number, end: number): number {
  switch (bytes[at + 1]) {
    case 0x61:
      return beginsWith(bytes, at, end, AFTER) ? SEEN_AFTER : 0;
    case 0x62:
      return beginsWith(bytes, at, end, BEFORE) ? SEEN_BEFORE : 0;
    case 0x73:
      return beginsWith(bytes, at, end, SOURCE) ? SEEN_SOURCE : 0;
    case 0x6f:
      return beginsWith(bytes, at, end, OP) ? SEEN_OP : 0;
    default:
      return 0;
  }
}

/** @returns the position after the object `source` */
function findScns(bytes: Uint8Array, start: number, end: number, parts: ChangeParts): number {
  let at = start + 1;
  if (bytes[at] === 0x7d) return at + 1;
  while (at < end) {
    if (beginsWith(bytes, at, end, COMMIT_SCN)) {
      if (parts.commitScn >= 0) return UNUSUAL;
      at += COMMIT_SCN.length;
      const digits = digitsAt(bytes, at, end);
      if (digits !== UNUSUAL) {
        parts.commitScn = bytes[at] === 0x22 ? at + 1 : at;
        parts.commitScnEnd = digits;
      }
    } else if (beginsWith(bytes, at, end, SCN)) {
      if (parts.scn >= 0) return UNUSUAL;
      at += SCN.length;
      const digits = digitsAt(bytes, at, end);
      if (digits !== UNUSUAL) {
        parts.scn = bytes[at] === 0x22 ? at + 1 : at;
        parts.scnEnd = digits;
      }
    } else {
      at = afterName(bytes, at, end);
      if (at === UNUSUAL) return UNUSUAL;
    }
    at = endOfValue(bytes, at, end);
    if (at === UNUSUAL || at >= end) return UNUSUAL;
    const next = bytes[at++];
    if (next === 0x7d) return at;
    if (next !== 0x2c) return UNUSUAL;
  }
  return UNUSUAL;
}

/** @returns the position after the name and colon that begin at `at` */
export function afterName(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== 0x22) return UNUSUAL;
  const close = endOfPlainString(bytes, at + 1, end);
  return close === UNUSUAL || bytes[close + 1] !== 0x3a ? UNUSUAL : close + 2;
}

/** End of the content of a text or number; UNUSUAL for anything else, including null. */
export function digitsAt(bytes: Uint8Array, at: number, end: number): number {
  return bytes[at] === 0x22 ? endOfPlainString(bytes, at + 1, end) : endOfNumber(bytes, at, end);
}
