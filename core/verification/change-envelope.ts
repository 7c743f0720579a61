import { type ByteWork, memoryOf } from "./byte-work.ts";
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
 * Where the parts of a change event lie that the verification needs (reference: wire formats, "Change records"). Starts
 * are of values; -1: there is none, or it is null.
 */
interface ChangeParts {
  /** Whether there is such a row. */
  before: boolean;
  after: boolean;
  /** The only character of `op`; 0 for none. */
  op: number;
  /** Text or number: from here on, digits. */
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

/** Reads a row that begins at `start`. @returns after the row; UNUSUAL otherwise */
type ReadRow = (bytes: Uint8Array, start: number, end: number) => number;

const encoder = new TextEncoder();
const AFTER_BEFORE = encoder.encode('},"after":');
const AFTER_SOURCE = encoder.encode('},"op":');

/**
 * Passes over an object by what the connector writes behind it: `},"op":`.
 *
 * That can't be within a text: its quotation marks are not escaped, so that they begin and end a text of their own, and
 * the bracket before it stands outside of one. It could close an object further inside, before a member of the same
 * name; the walk would then be one level too deep, and would not end where the record does.
 *
 * @returns after the object; where it is not found, by walking through it
 */
function pastObject(bytes: Uint8Array, at: number, end: number, behind: Uint8Array, work: ByteWork): number {
  const found = work.indexOf(bytes, behind, at);
  return found >= 0 && found + behind.length <= end ? found + 1 : endOfValue(bytes, at, end);
}

/**
 * Walks the envelope `{"before":…,"after":…,"source":…,"op":…}` that begins at `start` and must end at `end`. Rows are
 * read on the way, so that no byte is passed twice.
 *
 * @param scnKnown a header said it: `source` is skipped
 * @returns whether it is usual
 */
type FindChangeParts = (
  bytes: Uint8Array,
  start: number,
  end: number,
  parts: ChangeParts,
  scnKnown: boolean,
) => boolean;

/** @param readBefore undefined: the row before is passed over */
export function changeEnvelope(readBefore: ReadRow | undefined, readAfter: ReadRow, work: ByteWork): FindChangeParts {
  /**
   * From where `source` ended in the last record to that record's end. What follows it is most often as long in the
   * next one, and is looked at there first: the rule of `pastObject` holds wherever those bytes stand. Only a member
   * written twice could hide before them, which no writer of a schema's fields writes.
   */
  let tail = 0;
  /** The members of the last record: most often the next one has the same, in the same order. */
  const order: Member[] = [];

  function pastSource(bytes: Uint8Array, at: number, end: number): number {
    const likely = end - tail - 1;
    if (likely > at && beginsWith(bytes, likely, end, AFTER_SOURCE)) return likely + 1;
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

/** A member of the envelope: what it begins with (the brace or comma before it, its name, the colon). */
interface Member {
  readonly lead: Words;
  /** Which of those that are looked at; 0 for any other. */
  readonly member: number;
}

/** @param at at the brace or comma before it @returns undefined where it is unusual */
function memberFrom(bytes: Uint8Array, at: number, end: number): Member | undefined {
  const after = afterName(bytes, at + 1, end);
  return after === UNUSUAL
    ? undefined
    : { lead: wordsOf(bytes.slice(at, after)), member: memberAt(bytes, at + 1, end) };
}

/** Which of the members that are looked at begins at `at`; 0 for any other. */
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

/** @returns after the object `source` */
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

/** @returns after the name and colon that begin at `at` */
export function afterName(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== 0x22) return UNUSUAL;
  const close = endOfPlainString(bytes, at + 1, end);
  return close === UNUSUAL || bytes[close + 1] !== 0x3a ? UNUSUAL : close + 2;
}

/** Where the content of a text or number ends; UNUSUAL for anything else (null among it). */
export function digitsAt(bytes: Uint8Array, at: number, end: number): number {
  return bytes[at] === 0x22 ? endOfPlainString(bytes, at + 1, end) : endOfNumber(bytes, at, end);
}
