/**
 * A value of an MBean's attribute: Java's integers of any size are `bigint`, so that no SCN loses a digit; `number` is
 * a float or double. Composite data and maps are rows; lists, arrays and tables are lists, tables without their keys.
 */
export type MetricValue = null | boolean | string | bigint | number | MetricList | MetricRow;
export type MetricList = readonly MetricValue[];
export type MetricRow = ReadonlyMap<string, MetricValue>;

/** An attribute that was read, or why it could not be. */
export type AttributeSeen =
  | { readonly read: true; readonly value: MetricValue }
  | { readonly read: false; readonly why: string };

export function isRow(value: MetricValue | undefined): value is MetricRow {
  return value instanceof Map;
}

export function isList(value: MetricValue | undefined): value is MetricList {
  return Array.isArray(value);
}
