import { endOfBase64, viewOf } from "./base64.ts";
import type { RecordMembers } from "./record-members.ts";

/**
 * The form in which a writer writes its records. The bytes between two values, including names and envelope, are the
 * same in each record, and so is the kind of each value. A record of a known shape is as readable as the one from which
 * the shape was learned, which is checked without creating objects.
 */
export interface RecordShape {
  /**
   * Whether a record of this shape is at this place. If so, `starts` and `ends` have the places of its values, until
   * the next one is compared.
   */
  fits(bytes: Uint8Array, start: number, end: number): boolean;
  readonly starts: Int32Array;
  /** Exclusive. */
  readonly ends: Int32Array;
  /** The value of a member; -1 for none. */
  placeOf(name: string): number;
  /** The members of the record that was last compared and matches this shape. */
  readonly members: Pick<RecordMembers, "get">;
}

/**
 * How a value is read. Integers are known to have at most 32 and 64 bits; `null` belongs to the bytes between values.
 */
const [SHORT_INTEGER, LONG_INTEGER, TEXT, BASE64, NOTHING] = [0, 1, 2, 3, 4] as const;
type Kind = 0 | 1 | 2 | 3 | 4;

const SPAN_KINDS = ["integer", "integer", "text", "text", "null"] as const;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MOST_DIGITS = [9, 15] as const;
const LONG = /(?:_scn|_ssn|^generation)$/;

/** @param members of a readable record @returns undefined if it has parts that must be read value by value */
export function shapeOf(bytes: Uint8Array, members: RecordMembers): RecordShape | undefined {
  const kinds: Kind[] = [];
  /** The bytes before the first value, between two values, and after the last one; joined, with the end of each. */
  const between: number[] = [];
  const betweenEnds: number[] = [];
  const names: string[] = [];
  let at = 0;
  const note = (from: number, to: number): void => {
    for (let i = from; i < to; i++) between.push(bytes[i] as number);
    betweenEnds.push(between.length);
  };
  for (const [name, { kind, start, end }] of members) {
    if (start < at) return undefined;
    if (kind === "text") kinds.push(name === "payload" ? BASE64 : TEXT);
    // A member that is null in one record may be a value in another, which is a different shape.
    else if (kind === "null") kinds.push(NOTHING);
    else if (kind === "integer") kinds.push(LONG.test(name) ? LONG_INTEGER : SHORT_INTEGER);
    else return undefined;
    names.push(name);
    // A value excludes its quotation marks.
    note(at, kind === "null" ? end : start);
    at = end;
  }
  note(at, bytes.length);
  const fixed = Uint8Array.from(between);
  const fixedView = new DataView(fixed.buffer);
  const fixedEnds = Int32Array.from(betweenEnds);
  const [starts, ends] = [new Int32Array(kinds.length), new Int32Array(kinds.length)];
  const places = new Map(names.map((name, place) => [name, place]));
  const shape: RecordShape = {
    starts,
    ends,
    placeOf: (name) => places.get(name) ?? -1,
    members: {
      get(name) {
        const place = places.get(name);
        if (place === undefined) return undefined;
        return { kind: SPAN_KINDS[kinds[place] as Kind], start: starts[place] as number, end: ends[place] as number };
      },
    },
    fits(record, start, end) {
      const view = viewOf(record);
      const { byteOffset } = record;
      let from = start;
      let expected = 0;
      for (let part = 0; ; part++) {
        const last = fixedEnds[part] as number;
        if (last - expected > end - from) return false;
        for (; expected + 4 <= last; expected += 4, from += 4)
          if (view.getInt32(byteOffset + from) !== fixedView.getInt32(expected)) return false;
        while (expected < last) if (record[from++] !== fixed[expected++]) return false;
        if (part === kinds.length) return from === end;
        const after = endOf(record, from, end, kinds[part] as Kind);
        if (after < 0) return false;
        starts[part] = from;
        ends[part] = after;
        from = after;
      }
    },
  };
  return shape.fits(bytes, 0, bytes.length) ? shape : undefined;
}

/** End of a value of this kind that begins here; -1 for none. @param last end of the record */
function endOf(bytes: Uint8Array, start: number, last: number, kind: Kind): number {
  switch (kind) {
    case NOTHING:
      return start;
    case TEXT:
      return endOfText(bytes, start, last);
    case BASE64:
      return endOfBase64(bytes, start, last);
    default:
      return endOfInteger(bytes, start, last, MOST_DIGITS[kind]);
  }
}

/** Of plain ASCII without an escape. */
function endOfText(bytes: Uint8Array, start: number, last: number): number {
  for (let at = start; at < last; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH || byte < 0x20 || byte > 0x7e) return -1;
  }
  return -1;
}

/** Of one without a sign, in JSON notation. */
function endOfInteger(bytes: Uint8Array, start: number, last: number, most: number): number {
  let at = start;
  while (at < last && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) at++;
  const digits = at - start;
  return digits === 0 || digits > most || (digits > 1 && bytes[start] === 0x30) ? -1 : at;
}

/** Writers that alternate, and members that are sometimes null. */
const KEPT = 8;

interface RecordShapes {
  /** The shape of the record at this place, among the learned ones. */
  of(bytes: Uint8Array, start: number, end: number): RecordShape | undefined;
  /** @param bytes one record, and nothing else */
  learn(bytes: Uint8Array, members: RecordMembers): void;
}

/** The most recent shapes, the latest first. */
export function recordShapes(): RecordShapes {
  const known: RecordShape[] = [];
  return {
    of(bytes, start, end) {
      for (let at = 0; at < known.length; at++) {
        const shape = known[at] as RecordShape;
        if (!shape.fits(bytes, start, end)) continue;
        if (at === 0) return shape;
        known.splice(at, 1);
        known.unshift(shape);
        return shape;
      }
      return undefined;
    },
    learn(bytes, members) {
      const shape = shapeOf(bytes, members);
      if (shape !== undefined) known.unshift(shape);
      if (known.length > KEPT) known.pop();
    },
  };
}
