import { ByteSink } from "./byte-sink.ts";
import type { ByteWork } from "./byte-work.ts";
import { beginValue, endValue, NULL, UNAVAILABLE } from "./canonical-row.ts";
import { takeBlanksOff, VALUE_RULES } from "./canonical-values.ts";
import {
  beginsWith,
  endOfLiteral,
  endOfNested,
  endOfNumber,
  endOfPlainString,
  endOfString,
  memberName,
  UNUSUAL,
} from "./json-walk.ts";
import {
  type FieldSchema,
  type RecordEncoder,
  type RecordFormat,
  recordEncoder,
  type Token,
} from "./record-encodings.ts";
import type { SchemaSeen } from "./schema-envelope.ts";
import type { Column } from "./table-shape.ts";
import { writeUnescaped } from "./values/utf8.ts";

/**
 * Reads one struct of columns (a key, a row before or after) from JSON, and writes the fields of a canonical row. Two passes: where each
 * column's value lies, in whatever order the record has them; then the values, in the order of the shape.
 */
export interface StructReader {
  /**
   * Finds the columns of the object that begins at `start`.
   *
   * @returns after the object; UNUSUAL otherwise
   */
  find(bytes: Uint8Array, start: number, end: number): number;
  /** Takes a plain value that begins at `start` for the only column. @returns after the value; UNUSUAL otherwise */
  findPlain(bytes: Uint8Array, start: number, end: number): number;
  /**
   * Writes what was found.
   *
   * @param schema of the struct (of the value, where it is a plain one)
   * @returns why it can't be; otherwise undefined
   */
  write(bytes: Uint8Array, schema: SchemaSeen | undefined, sink: ByteSink): string | undefined;
  /** Whether a column of what was written last holds the placeholder. */
  unavailable(): boolean;
}

const NOT_FOUND = 0;
const IS_NULL = 1;
const PLAIN = 2;
const ESCAPED = 3;
const IS_NUMBER = 4;
const IS_BOOLEAN = 5;
const IS_OBJECT = 6;
const IS_ARRAY = 7;

const TOKENS: readonly Token[] = ["string", "string", "string", "string", "number", "boolean", "object", "array"];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function structReader(columns: readonly Column[], format: RecordFormat, work: ByteWork): StructReader {
  const count = columns.length;
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  const states = new Uint8Array(count);
  const placeholders = [encoder.encode(format.placeholder), encoder.encode(base64(format.placeholder))];
  const unescaped = new ByteSink();
  const rules = columns.map(({ kind }) => VALUE_RULES[kind]);
  const order = memberOrder(columns);
  let encoders: readonly RecordEncoder[] | undefined;
  let encodersOf: SchemaSeen | undefined;
  let plain = false;
  let anyUnavailable = false;

  function findValue(bytes: Uint8Array, at: number, end: number, column: number): number {
    if (at >= end) return UNUSUAL;
    let state: number;
    let start = at;
    let after: number;
    const first = bytes[at] as number;
    if (first === 0x22) {
      start = at + 1;
      let close = endOfPlainString(bytes, start, end);
      state = PLAIN;
      if (close === UNUSUAL) {
        close = endOfString(bytes, start, end);
        state = ESCAPED;
        if (close === UNUSUAL) return UNUSUAL;
      }
      after = close + 1;
      if (column >= 0) ends[column] = close;
    } else {
      if (first === 0x7b || first === 0x5b) {
        state = first === 0x7b ? IS_OBJECT : IS_ARRAY;
        after = endOfNested(bytes, at, end);
      } else if (first === 0x6e || first === 0x74 || first === 0x66) {
        state = first === 0x6e ? IS_NULL : IS_BOOLEAN;
        after = endOfLiteral(bytes, at, end);
      } else {
        state = IS_NUMBER;
        after = endOfNumber(bytes, at, end);
      }
      if (after === UNUSUAL) return UNUSUAL;
      if (column >= 0) ends[column] = after;
    }
    if (column >= 0) {
      // The same member twice: the strict parser refuses it unless both say the same.
      if (states[column] !== NOT_FOUND) return UNUSUAL;
      starts[column] = start;
      states[column] = state;
    }
    return after;
  }

  function writeField(bytes: Uint8Array, column: number, encode: RecordEncoder, sink: ByteSink): string | undefined {
    const rule = rules[column] as (typeof rules)[number];
    const state = states[column] as number;
    if (state === IS_NULL) {
      sink.byte(NULL);
      return undefined;
    }
    let from = bytes;
    let start = starts[column] as number;
    let end = ends[column] as number;
    if (state === ESCAPED) {
      unescaped.clear();
      const problem = writeUnescaped(bytes, start, end, unescaped);
      if (problem !== undefined) return problem;
      from = unescaped.bytes;
      start = 0;
      end = unescaped.length;
    }
    if (state === PLAIN || state === ESCAPED) {
      if (end === start && rule.emptyIsNull) {
        sink.byte(NULL);
        return undefined;
      }
      if (isPlaceholder(from, start, end, placeholders)) {
        anyUnavailable = true;
        sink.byte(UNAVAILABLE);
        return undefined;
      }
    }
    const value = beginValue(sink);
    const problem = encode(from, start, end, TOKENS[state] as Token, sink);
    if (problem !== undefined) return problem;
    if (rule.padded) takeBlanksOff(sink, value);
    endValue(sink, value, work);
    return undefined;
  }

  function encodersFor(schema: SchemaSeen | undefined): readonly RecordEncoder[] {
    if (encoders !== undefined && schema === encodersOf) return encoders;
    encodersOf = schema;
    encoders = columns.map((column) => {
      if (schema === undefined) return recordEncoder(column, undefined, format);
      const field: FieldSchema | undefined = plain ? schema : schema.fields.get(column.name);
      return field === undefined
        ? () => "a value whose schema has no such field"
        : recordEncoder(column, field, format);
    });
    return encoders;
  }

  return {
    find(bytes, start, end) {
      states.fill(NOT_FOUND);
      plain = false;
      if (bytes[start] !== 0x7b) return UNUSUAL;
      let at = start + 1;
      if (bytes[at] === 0x7d) return at + 1;
      for (let member = 0; at < end; member++) {
        const column = order.columnOf(bytes, at, end, member);
        at = order.afterName();
        if (at === UNUSUAL) return UNUSUAL;
        at = findValue(bytes, at, end, column);
        if (at === UNUSUAL || at >= end) return UNUSUAL;
        const next = bytes[at++];
        if (next === 0x7d) return at;
        if (next !== 0x2c) return UNUSUAL;
      }
      return UNUSUAL;
    },

    findPlain(bytes, start, end) {
      states.fill(NOT_FOUND);
      plain = true;
      return count === 1 ? findValue(bytes, start, end, 0) : UNUSUAL;
    },

    write(bytes, schema, sink) {
      anyUnavailable = false;
      const all = encodersFor(schema);
      for (let column = 0; column < count; column++) {
        const problem =
          states[column] === NOT_FOUND
            ? "the record has no such field"
            : writeField(bytes, column, all[column] as RecordEncoder, sink);
        if (problem !== undefined) return `column ${(columns[column] as Column).name}: ${problem}`;
      }
      return undefined;
    },

    unavailable: () => anyUnavailable,
  };
}

/**
 * Which column a member is. Records of one connector have their members in one order, which is learned: a name is then compared with the one
 * that is expected, and looked up only where it is another.
 */
function memberOrder(columns: readonly Column[]) {
  const byName = new Map(columns.map(({ name }, at) => [name, at]));
  const names: Uint8Array[] = [];
  const places: number[] = [];
  let after = UNUSUAL;
  return {
    /** @param at at the quotation mark before a name @returns -1 for a member that is no column */
    columnOf(bytes: Uint8Array, at: number, end: number, member: number): number {
      const expected = names[member];
      if (expected !== undefined && beginsWith(bytes, at, end, expected)) {
        after = at + expected.length;
        return places[member] as number;
      }
      after = UNUSUAL;
      if (bytes[at] !== 0x22) return -1;
      const close = endOfPlainString(bytes, at + 1, end);
      if (close === UNUSUAL || bytes[close + 1] !== 0x3a) return -1;
      after = close + 2;
      const name = decoder.decode(bytes.subarray(at + 1, close));
      const place = byName.get(name) ?? -1;
      names[member] = memberName(name);
      places[member] = place;
      return place;
    },
    /** Where the value of the member asked for last begins. */
    afterName: () => after,
  };
}

function isPlaceholder(bytes: Uint8Array, start: number, end: number, placeholders: readonly Uint8Array[]): boolean {
  for (const placeholder of placeholders) {
    if (placeholder.length !== end - start || placeholder.length === 0) continue;
    if (beginsWith(bytes, start, end, placeholder)) return true;
  }
  return false;
}

/** What the converter makes of the placeholder in a field of bytes. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...encoder.encode(text)));
}
