import { ByteSink } from "./byte-sink.ts";
import type { ByteWork } from "./byte-work.ts";
import { type OracleValue, VALUE_RULES, type ValueRule, writeOracleValue } from "./canonical-values.ts";
import type { Column, TableShape } from "./table-shape.ts";
import { appendTableRow, beginTuple, endTableTuple, hashOfKey, ROW, TABLE, type TupleSink } from "./tuple.ts";

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

export function tableRowReader(shape: TableShape, work: ByteWork): TableRowReader {
  const key = new ByteSink();
  const row = new ByteSink();
  const counted = shape.key.length === 0;
  const writeRow = rowWriter(shape.columns, work);
  const writeKey = rowWriter(shape.key, work);
  const keyAt = shape.key.map(({ name }) => shape.columns.findIndex((column) => column.name === name));
  const keyValues: OracleValue[] = [];
  return (values, into) => {
    key.clear();
    row.clear();
    if (values.length !== shape.columns.length) return `${values.length} values for ${shape.columns.length} columns`;
    if (counted) {
      const problem = writeRow(values, row);
      if (problem === undefined) appendTableRow(into, row);
      return problem;
    }
    for (let at = 0; at < keyAt.length; at++) keyValues[at] = values[keyAt[at] as number] as OracleValue;
    const keyProblem = writeKey(keyValues, key);
    if (keyProblem !== undefined) return keyProblem;
    const hash = hashOfKey(key);
    const sink = into.of(hash);
    const start = beginTuple(sink, TABLE, hash, key);
    const problem = writeRow(values, sink);
    if (problem === undefined) endTableTuple(sink, start, ROW);
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

function rowWriter(columns: readonly Column[], work: ByteWork) {
  const rules = columns.map(({ kind }) => VALUE_RULES[kind]);
  return (values: readonly OracleValue[], sink: ByteSink): string | undefined => {
    for (let at = 0; at < rules.length; at++) {
      const problem = writeOracleValue(rules[at] as ValueRule, values[at] as OracleValue, sink, work);
      if (problem !== undefined) return `column ${(columns[at] as Column).name}: ${problem}`;
    }
    return undefined;
  };
}
