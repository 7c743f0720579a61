import { endOfBase64 } from "../values/base64.ts";
import { memoryOf, sameWords, viewOf } from "../values/bytes.ts";
import type { JsonSpan } from "./json-members.ts";
import type { RecordMembers } from "./read-journal.ts";

/** How a value is read. Integers are known to have at most 32 and 64 bits. */
const [SHORT_INTEGER, LONG_INTEGER, TEXT, BASE64] = [0, 1, 2, 3] as const;
type Kind = 0 | 1 | 2 | 3;

/** A value of a record. A text is without its quotation marks. */
interface Value extends Omit<JsonSpan, "kind"> {
  readonly name: string;
  readonly kind: Kind;
}

const SPAN_KINDS = ["integer", "integer", "text", "base64"] as const;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MOST_DIGITS = [9, 15] as const;
const LONG = /(?:_scn|_ssn|^generation)$/;

/**
 * The form in which a writer writes its records. The bytes between two values, including names, nulls and envelope, are
 * the same in each record, and so is the kind of each value. A record of a known shape is as readable as the one from
 * which the shape was learned, which is checked without creating objects.
 */
export class RecordShape {
  /** The bytes before the first value, between two values, and after the last one; joined, with the end of each. */
  private readonly fixed: DataView;
  private readonly fixedEnds: Int32Array;
  private readonly kinds: Uint8Array;
  /** The names of the values, in their order. */
  private readonly names: readonly string[];
  /** Places of the values in the record that was last compared, if it matched. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The index of each wanted member's value in `starts` and `ends`; -1 for none. */
  readonly wanted: Int32Array;

  /** @param values of a record: name, kind and place of each, in order */
  constructor(bytes: Uint8Array, values: readonly Value[], wanted: readonly string[]) {
    const between = values.map(({ start }, at) => bytes.subarray(values[at - 1]?.end ?? 0, start));
    between.push(bytes.subarray(values.at(-1)?.end ?? 0));
    this.fixed = viewOf(Uint8Array.from(between.flatMap((part) => [...part])));
    let end = 0;
    this.fixedEnds = Int32Array.from(between, ({ length }) => (end += length));
    this.kinds = Uint8Array.from(values, ({ kind }) => kind);
    this.names = values.map(({ name }) => name);
    this.starts = new Int32Array(values.length);
    this.ends = new Int32Array(values.length);
    this.wanted = Int32Array.from(wanted, (name) => this.names.indexOf(name));
  }

  fits(bytes: Uint8Array, start: number, end: number): boolean {
    const { data, base } = memoryOf(bytes);
    const { fixed, fixedEnds, kinds, starts, ends } = this;
    let from = start;
    let expected = 0;
    for (let part = 0; ; part++) {
      const length = (fixedEnds[part] as number) - expected;
      if (length > end - from) return false;
      if (!sameWords(data, base + from, base + from + length, fixed, expected)) return false;
      from += length;
      expected += length;
      if (part === kinds.length) return from === end;
      const after = endOf(bytes, from, end, kinds[part] as Kind);
      if (after < 0) return false;
      starts[part] = from;
      ends[part] = after;
      from = after;
    }
  }

  /** A member of the record that was last compared and matches this shape; undefined also for a null. */
  get(name: string): JsonSpan | undefined {
    const at = this.names.indexOf(name);
    if (at < 0) return undefined;
    const kind = SPAN_KINDS[this.kinds[at] as Kind];
    return { kind, start: this.starts[at] as number, end: this.ends[at] as number };
  }
}

/**
 * @param members of a readable record
 * @param wanted names of the members to which `RecordShape.wanted` leads
 * @returns undefined if it has parts that must be read value by value
 */
export function shapeOf(
  bytes: Uint8Array,
  members: RecordMembers,
  wanted: readonly string[] = [],
): RecordShape | undefined {
  const values: Value[] = [];
  let previousEnd = 0;
  for (const [name, { kind, start, end }] of members) {
    if (start < previousEnd) return undefined;
    previousEnd = end;
    // A member that is null in one record may be a value in another, which is a different shape.
    if (kind === "null") continue;
    if (kind === "text") values.push({ name, kind: name === "payload" ? BASE64 : TEXT, start, end });
    else if (kind === "integer")
      values.push({ name, kind: LONG.test(name) ? LONG_INTEGER : SHORT_INTEGER, start, end });
    else return undefined;
  }
  const shape = new RecordShape(bytes, values, wanted);
  return shape.fits(bytes, 0, bytes.length) ? shape : undefined;
}

/** End of a value of this kind that begins here; -1 for none. @param last end of the record */
function endOf(bytes: Uint8Array, start: number, last: number, kind: Kind): number {
  switch (kind) {
    case TEXT:
      return endOfText(bytes, start, last);
    case BASE64:
      return endOfBase64(bytes, start, last);
    default:
      return endOfInteger(bytes, start, last, MOST_DIGITS[kind]);
  }
}

/** The end of a text of plain ASCII without an escape. */
function endOfText(bytes: Uint8Array, start: number, last: number): number {
  for (let at = start; at < last; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH || byte < 0x20 || byte > 0x7e) return -1;
  }
  return -1;
}

/** The end of an integer without a sign, in JSON notation. */
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

/** The most recent shapes, the latest first. @param wanted as `shapeOf` takes it */
export function recordShapes(wanted: readonly string[] = []): RecordShapes {
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
      const shape = shapeOf(bytes, members, wanted);
      if (shape !== undefined) known.unshift(shape);
      if (known.length > KEPT) known.pop();
    },
  };
}
