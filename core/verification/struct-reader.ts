import { bytesToHex } from "@noble/hashes/utils.js";
import type { Column, RecordFormat } from "../../schemas/generated/verification-job.ts";
import { base64Of } from "../values/base64.ts";
import { ByteSink } from "../values/byte-sink.ts";
import { memoryOf } from "../values/bytes.ts";
import {
  beginsWith,
  beginsWithWords,
  endOfLiteral,
  endOfNested,
  endOfNumber,
  endOfPlainString,
  endOfString,
  endOfValue,
  UNUSUAL,
  type Words,
} from "../values/json-walk.ts";
import type { ByteWork } from "./byte-work.ts";
import { ABSENT, beginValue, dropValue, endValue, NULL, UNAVAILABLE } from "./canonical-row.ts";
import { trimSpaces, VALUE_RULES } from "./canonical-values.ts";
import { encoderOf, nullOf } from "./debezium/encodings.ts";
import { memberOrder } from "./member-order.ts";
import {
  AS_DECIMAL,
  AS_MILLIS,
  AS_TEXT,
  type FieldSchema,
  NOT_AT_ONCE,
  NOT_HELD,
  type RecordEncoder,
  type Token,
  writeModeOf,
} from "./record-encodings.ts";
import type { RecordSchema } from "./schema-envelope.ts";
import { writePlainSinceEpoch } from "./values/datetime.ts";
import { writePlainDecimal } from "./values/decimal.ts";
import { writePlainText, writeUnescaped } from "./values/utf8.ts";

/**
 * Reads one struct of columns (a key, a row before or after) from JSON, and writes the fields of a canonical row.
 *
 * Usually the members come in the order of the shape's columns; each value is then written as it is read, in one pass.
 * Otherwise, and if that pass stops, there are two: the first finds each column's value, in the record's order; the
 * second writes the values in the order of the shape.
 */
interface StructReader {
  /**
   * Reads the object that begins at `start` and writes its row; `problem` reports whether that succeeded.
   *
   * @param schema of the struct
   * @returns the position after the object; UNUSUAL otherwise
   */
  read(bytes: Uint8Array, start: number, end: number, schema: RecordSchema | undefined, sink: ByteSink): number;
  /** The same for a plain value of the only column. @param schema of the value */
  readPlain(bytes: Uint8Array, start: number, end: number, schema: RecordSchema | undefined, sink: ByteSink): number;
  /** Why the last value read could not be written. */
  problem(): string | undefined;
  /** Whether a column of the last row written holds the placeholder. */
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

/**
 * @param younger whether a record may be older than a column: a missing field is then marked. Otherwise it is a problem
 */
export function structReader(
  columns: readonly Column[],
  format: RecordFormat,
  work: ByteWork,
  younger?: (column: Column) => boolean,
): StructReader {
  const count = columns.length;
  const values = valuesOf(count);
  const { states, findValue } = values;
  const fields = fieldReader(columns, format, work, values, younger === undefined);
  const { readField, writeField } = fields;
  const mayBeAbsent = columns.map((column) => younger?.(column) ?? false);
  const order = memberOrder(columns.map(({ name }) => name));
  let problem: string | undefined;

  // ---- In one pass

  /** @returns the position after the object; UNUSUAL if this pass stops, in which case its output is discarded */
  function readInOrder(bytes: Uint8Array, start: number, end: number, sink: ByteSink): number {
    const { leads, places } = order;
    const { data, base } = memoryOf(bytes);
    let column = 0;
    let at = start;
    for (let member = 0; member < leads.length; member++) {
      const lead = leads[member] as Words;
      if (!beginsWithWords(data, base + at, base + end, lead)) break;
      at += lead.length;
      if ((places[member] as number) < 0) at = endOfValue(bytes, at, end);
      else if (places[member] !== column) return UNUSUAL;
      else at = readField(bytes, at, end, column++, sink);
      if (at === UNUSUAL) return UNUSUAL;
    }
    return at < end && bytes[at] === 0x7d && column === count ? at + 1 : UNUSUAL;
  }

  // ---- In two passes

  function find(bytes: Uint8Array, start: number, end: number): number {
    states.fill(NOT_FOUND);
    if (bytes[start + 1] === 0x7d) return start + 2;
    let at = start;
    for (let member = 0; at < end; member++) {
      const column = order.placeAt(bytes, at, end, member);
      at = order.afterName();
      if (at === UNUSUAL) return UNUSUAL;
      at = findValue(bytes, at, end, column);
      if (at === UNUSUAL || at >= end) return UNUSUAL;
      if (bytes[at] === 0x7d) return at + 1;
      if (bytes[at] !== 0x2c) return UNUSUAL;
    }
    return UNUSUAL;
  }

  function write(bytes: Uint8Array, all: readonly RecordEncoder[], sink: ByteSink): string | undefined {
    fields.begin();
    for (let column = 0; column < count; column++) {
      if (states[column] === NOT_FOUND && mayBeAbsent[column] === true) {
        sink.byte(ABSENT);
        continue;
      }
      const wrong =
        states[column] === NOT_FOUND
          ? "the record has no such field"
          : writeField(bytes, column, all[column] as RecordEncoder, sink);
      if (wrong !== undefined) return `column ${(columns[column] as Column).name}: ${wrong}`;
    }
    return undefined;
  }

  return {
    read(bytes, start, end, schema, sink) {
      if (bytes[start] !== 0x7b) return UNUSUAL;
      problem = undefined;
      fields.begin();
      const all = fields.encodersFor(schema, false);
      if (order.isAsWanted()) {
        const begun = sink.length;
        const after = readInOrder(bytes, start, end, sink);
        if (after !== UNUSUAL) return after;
        sink.length = begun;
      }
      const after = find(bytes, start, end);
      if (after !== UNUSUAL) problem = write(bytes, all, sink);
      return after;
    },

    readPlain(bytes, start, end, schema, sink) {
      if (count !== 1) return UNUSUAL;
      const all = fields.encodersFor(schema, true);
      states[0] = NOT_FOUND;
      const after = findValue(bytes, start, end, 0);
      if (after !== UNUSUAL) problem = write(bytes, all, sink);
      return after;
    },

    problem: () => problem,
    unavailable: fields.unavailable,
  };
}

/** Writes the values of fields, as they are read or once they are found. */
function fieldReader(
  columns: readonly Column[],
  format: RecordFormat,
  work: ByteWork,
  { starts, ends, states, findValue }: ReturnType<typeof valuesOf>,
  /** Whether a row without every value is one in part, for whatever reason a value is missing. */
  strict: boolean,
) {
  const ways = new Uint8Array(columns.length);
  const placeholder = encoder.encode(format.placeholder);
  // The converter writes it as base64 in a field of bytes, Debezium also in hexadecimal.
  const placeholders = [placeholder, encoder.encode(base64Of(placeholder)), encoder.encode(bytesToHex(placeholder))];
  const unescaped = new ByteSink();
  const rules = columns.map(({ kind }) => VALUE_RULES[kind]);
  const nulls = columns.map((column) => nullOf(column, format));
  const inPart = strict && nulls.includes(UNAVAILABLE);
  let encoders: readonly RecordEncoder[] | undefined;
  let encodersOf: RecordSchema | undefined;
  let anyUnavailable = false;
  const begin = (): void => {
    anyUnavailable = inPart;
  };
  return { begin, encodersFor, readField, writeField, unavailable: () => anyUnavailable };

  function writeField(bytes: Uint8Array, column: number, encode: RecordEncoder, sink: ByteSink): string | undefined {
    const rule = rules[column] as (typeof rules)[number];
    const state = states[column] as number;
    if (state === IS_NULL) {
      sink.byte(nulls[column] as number);
      return undefined;
    }
    let from = bytes;
    let start = starts[column] as number;
    let end = ends[column] as number;
    if (state === ESCAPED) {
      unescaped.clear();
      const wrong = writeUnescaped(bytes, start, end, unescaped);
      if (wrong !== undefined) return wrong;
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
    const wrong = encode(from, start, end, TOKENS[state] as Token, sink);
    if (wrong === NOT_HELD) {
      dropValue(sink, value);
      sink.byte(UNAVAILABLE);
      anyUnavailable ||= strict;
      return undefined;
    }
    if (wrong !== undefined) return wrong;
    if (rule.padded) trimSpaces(sink, value);
    endValue(sink, value, work);
    return undefined;
  }

  function encodersFor(schema: RecordSchema | undefined, plain: boolean): readonly RecordEncoder[] {
    if (encoders !== undefined && schema === encodersOf) return encoders;
    encodersOf = schema;
    encoders = columns.map((column) => {
      if (schema === undefined) return encoderOf(column, undefined, format);
      const field: FieldSchema | undefined = plain ? schema : schema.fields.get(column.name);
      return field === undefined ? () => "a value whose schema has no such field" : encoderOf(column, field, format);
    });
    for (const [column, encode] of encoders.entries()) ways[column] = writeModeOf(encode);
    return encoders;
  }

  /** @returns the position after the value; UNUSUAL if it cannot be read and written in one pass */
  function readField(bytes: Uint8Array, start: number, end: number, column: number, sink: ByteSink): number {
    const way = ways[column] as number;
    const first = bytes[start];
    if (first === 0x6e) {
      sink.byte(nulls[column] as number);
      return endOfLiteral(bytes, start, end);
    }
    if (way === NOT_AT_ONCE) return readSlowly(bytes, start, end, column, sink);
    const value = beginValue(sink);
    if (way === AS_TEXT) {
      const close = first === 0x22 ? writePlainText(bytes, start + 1, end, sink) : UNUSUAL;
      if (close !== UNUSUAL && sink.length > value && !isPlaceholder(bytes, start + 1, close, placeholders)) {
        if ((rules[column] as (typeof rules)[number]).padded) trimSpaces(sink, value);
        endValue(sink, value, work);
        return close + 1;
      }
    } else {
      const after =
        way === AS_DECIMAL
          ? writePlainDecimal(bytes, start, end, sink)
          : writePlainSinceEpoch(bytes, start, end, way === AS_MILLIS ? 3 : 6, sink);
      if (after !== UNUSUAL) {
        endValue(sink, value, work);
        return after;
      }
    }
    dropValue(sink, value);
    return readSlowly(bytes, start, end, column, sink);
  }

  function readSlowly(bytes: Uint8Array, at: number, end: number, column: number, sink: ByteSink): number {
    states[column] = NOT_FOUND;
    const after = findValue(bytes, at, end, column);
    if (after === UNUSUAL) return UNUSUAL;
    const encode = (encoders as readonly RecordEncoder[])[column] as RecordEncoder;
    return writeField(bytes, column, encode, sink) === undefined ? after : UNUSUAL;
  }
}

/** Where the value of each column is in a record, found so far. */
function valuesOf(count: number) {
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  const states = new Uint8Array(count);
  return { starts, ends, states, findValue };

  function findValue(bytes: Uint8Array, from: number, end: number, column: number): number {
    if (from >= end) return UNUSUAL;
    let state: number;
    let start = from;
    let after: number;
    const first = bytes[from] as number;
    if (first === 0x22) {
      start = from + 1;
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
        after = endOfNested(bytes, from, end);
      } else if (first === 0x6e || first === 0x74 || first === 0x66) {
        state = first === 0x6e ? IS_NULL : IS_BOOLEAN;
        after = endOfLiteral(bytes, from, end);
      } else {
        state = IS_NUMBER;
        after = endOfNumber(bytes, from, end);
      }
      if (after === UNUSUAL) return UNUSUAL;
      if (column >= 0) ends[column] = after;
    }
    if (column >= 0) {
      // Duplicate member: the strict parser rejects it unless both values are equal.
      if (states[column] !== NOT_FOUND) return UNUSUAL;
      starts[column] = start;
      states[column] = state;
    }
    return after;
  }
}

function isPlaceholder(bytes: Uint8Array, start: number, end: number, placeholders: readonly Uint8Array[]): boolean {
  const length = end - start;
  for (let at = 0; at < placeholders.length; at++) {
    const placeholder = placeholders[at] as Uint8Array;
    if (placeholder.length === length && length > 0 && beginsWith(bytes, start, end, placeholder)) return true;
  }
  return false;
}
