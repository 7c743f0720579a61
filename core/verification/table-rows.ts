import type { Column, TableShape } from "../../schemas/generated/verification-job.ts";
import { ByteSink } from "./byte-sink.ts";
import type { ByteWork } from "./byte-work.ts";
import { type OracleValue, VALUE_RULES, type ValueRule, writeOracleValue } from "./canonical-values.ts";
import {
  appendTuple,
  beginTuple,
  bufferFor,
  endTuple,
  hashOfKey,
  ONE_MORE,
  ROW,
  TABLE,
  type TupleSink,
} from "./tuple.ts";

/**
 * Appends the tuple of one row of the table to `into`.
 *
 * @returns why it cannot be compared, which makes the table inconclusive; nothing is appended then
 */
export type TableRowReader = (
  /** Values of the shape's columns, in that order. */
  values: readonly OracleValue[],
  into: TupleSink,
) => string | undefined;

export function tableRowReader({ key, columns }: TableShape, work: ByteWork): TableRowReader {
  const row = new ByteSink();
  const keyFields = new ByteSink();
  const rules = columns.map(({ kind }) => VALUE_RULES[kind]);
  const keyAt = key.map(({ name }) => columns.findIndex((column) => column.name === name));
  /** For each column: its place in the key, or -1. */
  const inKey = columns.map((_, at) => keyAt.indexOf(at));
  const keyEnds = key.map(() => 0);

  function writeField(values: readonly OracleValue[], at: number, sink: ByteSink): string | undefined {
    const problem = writeOracleValue(rules[at] as ValueRule, values[at] as OracleValue, sink, work);
    return problem === undefined ? undefined : `column ${(columns[at] as Column).name}: ${problem}`;
  }

  function writeKey(values: readonly OracleValue[]): string | undefined {
    keyFields.clear();
    for (let nth = 0; nth < keyAt.length; nth++) {
      const problem = writeField(values, keyAt[nth] as number, keyFields);
      if (problem !== undefined) return problem;
      keyEnds[nth] = keyFields.length;
    }
    return undefined;
  }

  /** The fields of the key are copied. */
  function writeRow(values: readonly OracleValue[], sink: ByteSink): string | undefined {
    for (let at = 0; at < rules.length; at++) {
      const nth = inKey[at] as number;
      if (nth >= 0) sink.copy(keyFields.bytes, nth === 0 ? 0 : (keyEnds[nth - 1] as number), keyEnds[nth] as number);
      else {
        const problem = writeField(values, at, sink);
        if (problem !== undefined) return problem;
      }
    }
    return undefined;
  }

  return (values, into) => {
    if (values.length !== columns.length) return `${values.length} values for ${columns.length} columns`;
    if (key.length === 0) {
      row.clear();
      const problem = writeRow(values, row);
      if (problem === undefined) appendTuple(into, TABLE, ONE_MORE, row);
      return problem;
    }
    const keyProblem = writeKey(values);
    if (keyProblem !== undefined) return keyProblem;
    const hash = hashOfKey(keyFields);
    const sink = bufferFor(into, hash);
    const start = beginTuple(sink, TABLE, hash, keyFields);
    const problem = writeRow(values, sink);
    if (problem === undefined) endTuple(sink, start, TABLE, ROW);
    else sink.length = start;
    return problem;
  };
}

/** Default of each column as a field; undefined if it is NULL or unknown. */
export function defaultFields({ columns }: TableShape, work: ByteWork): readonly (Uint8Array | undefined)[] {
  return columns.map(({ kind, byDefault }) => {
    if (byDefault === undefined) return undefined;
    const field = new ByteSink();
    const problem = writeOracleValue(VALUE_RULES[kind], byDefault, field, work);
    return problem === undefined ? field.bytes.slice(0, field.length) : undefined;
  });
}
