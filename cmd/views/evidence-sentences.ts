import type { Doubt, Evidence, Failure, TableEvidence } from "../../schemas/generated/evidence.ts";
import { counted, grouped } from "./quantities.ts";

/** What an evidence document says, in words, for every view of it. */

export const OUTCOMES: Readonly<Record<Evidence["outcome"], string>> = {
  pass: "passed",
  fail: "FAILED",
  inconclusive: "INCONCLUSIVE",
};

export function subject({ position, inputs }: Evidence): string {
  const name = typeof inputs["databaseName"] === "string" ? inputs["databaseName"] : "the database";
  const resume = position.resumeScn === undefined || position.resumeScn === null ? "not known" : position.resumeScn;
  return (
    `${name} as of SCN ${position.checkScn}; the connector's resume SCN is ${resume}, ` +
    `${position.passed ? "which has passed it" : "which has NOT passed it"}`
  );
}

/** Label and text of each fact about a table, in order. */
export function factsOf(table: TableEvidence): readonly (readonly [label: string, text: string])[] {
  const { keys, key } = table;
  const what = key.length === 0 ? "row" : "key";
  return [
    ["topic", `${table.newTopic}, ${counted(table.newRecords.count, "record")}`],
    ...(table.legacyTopic === undefined
      ? []
      : ([["legacy topic", `${table.legacyTopic}, ${counted(table.legacyRecords?.count ?? 0n, "record")}`]] as const)),
    [
      "table",
      `${counted(table.rows.count, "row")}, ` +
        `${key.length === 0 ? "without key: rows are counted" : `key ${key.join(", ")}`}`,
    ],
    [
      "compared",
      `${counted(keys.compared, what)} value by value, ${counted(table.columns.length, "column")}: ` +
        `${table.columns.join(", ")}`,
    ],
    ...(keys.byLegacy === 0n
      ? []
      : ([
          [
            "by legacy",
            `${counted(keys.byLegacy, what)} only the legacy connector delivered: present, values not compared`,
          ],
        ] as const)),
    ...table.leftOut.map(({ column, why }) => ["left out", `${column}: ${why}`] as const),
    ...table.unavailable.map(
      ({ column, count }) =>
        ["no value", `${column} of ${counted(count, what)}: the topic holds the placeholder`] as const,
    ),
    ...table.remarks.map((remark) => ["note", remark] as const),
    ...table.unreadable.map(
      ({ side, why, count, partition, offset }) =>
        [
          "unreadable",
          `${grouped(count)} of the ${side}: ` +
            `${why}${partition === undefined ? "" : `; first in partition ${partition}, offset ${offset}`}`,
        ] as const,
    ),
  ];
}

/** `ID=17, LINE=2`; of a table without key the hash of the row. */
export function keyText({ key, row }: Pick<Failure | Doubt, "key" | "row">): string {
  if (key === undefined) return `row ${row ?? ""}`;
  return Object.entries(key)
    .map(([column, value]) => `${column}=${value ?? "NULL"}`)
    .join(", ");
}

export function recordText({ record }: Pick<Failure | Doubt, "record">): string {
  return record === undefined
    ? ""
    : `${record.topic}, partition ${record.partition}, offset ${record.offset}, SCN ${record.scn}`;
}

/** Values of the columns that differ, where there are any: the table's, then the topic's. */
export function differences({ columns, tableValues, topicValues }: Failure): readonly string[] {
  if (tableValues === undefined && topicValues === undefined) return [];
  return columns.map(
    (column) =>
      `${column}: ${valueText(tableValues?.[column])} in the table, ${valueText(topicValues?.[column])} in the topic`,
  );
}

function valueText(value: string | null | undefined): string {
  return value === undefined ? "nothing" : value === null ? "NULL" : JSON.stringify(value);
}
