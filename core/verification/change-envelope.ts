import { beginsWith, endOfNumber, endOfPlainString, endOfValue, memberName, UNUSUAL } from "./json-walk.ts";

/**
 * Where the parts of a change event lie that the verification needs (reference: wire formats, "Change records"). Starts are of values; -1: there is
 * none, or it is null.
 */
export interface ChangeParts {
  before: number;
  after: number;
  /** The only character of `op`; 0 for none. */
  op: number;
  /** Text or number: from here on, digits. */
  commitScn: number;
  commitScnEnd: number;
  scn: number;
  scnEnd: number;
}

export function noParts(): ChangeParts {
  return { before: -1, after: -1, op: 0, commitScn: -1, commitScnEnd: -1, scn: -1, scnEnd: -1 };
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

/**
 * Walks the envelope `{"before":…,"after":…,"source":…,"op":…}` that begins at `start` and must end at `end`.
 *
 * @returns whether it is usual
 */
export function findChangeParts(bytes: Uint8Array, start: number, end: number, parts: ChangeParts): boolean {
  parts.before = parts.after = parts.commitScn = parts.commitScnEnd = parts.scn = parts.scnEnd = -1;
  parts.op = 0;
  if (bytes[start] !== 0x7b) return false;
  let seen = 0;
  let at = start + 1;
  while (at < end) {
    let member = 0;
    if (beginsWith(bytes, at, end, AFTER)) {
      member = SEEN_AFTER;
      at += AFTER.length;
      if (bytes[at] !== 0x6e) parts.after = at;
    } else if (beginsWith(bytes, at, end, BEFORE)) {
      member = SEEN_BEFORE;
      at += BEFORE.length;
      if (bytes[at] !== 0x6e) parts.before = at;
    } else if (beginsWith(bytes, at, end, SOURCE)) {
      member = SEEN_SOURCE;
      at += SOURCE.length;
    } else if (beginsWith(bytes, at, end, OP)) {
      member = SEEN_OP;
      at += OP.length;
      if (bytes[at] === 0x22 && bytes[at + 2] === 0x22) parts.op = bytes[at + 1] as number;
    } else {
      at = afterName(bytes, at, end);
      if (at === UNUSUAL) return false;
    }
    if ((seen & member) !== 0) return false;
    seen |= member;
    at = member === SEEN_SOURCE && bytes[at] === 0x7b ? findScns(bytes, at, end, parts) : endOfValue(bytes, at, end);
    if (at === UNUSUAL || at >= end) return false;
    const next = bytes[at++];
    if (next === 0x7d) return at === end;
    if (next !== 0x2c) return false;
  }
  return false;
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
