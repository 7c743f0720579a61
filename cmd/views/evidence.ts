import { counted, showCount } from "../../core/values/amounts.ts";
import { reasonText } from "../../core/verification/evidence/table-outcome.ts";
import type { Doubt, Evidence, Failure, TableEvidence } from "../../schemas/generated/evidence.ts";
import { trunc } from "./layout.ts";
import {
  code,
  END,
  type Field,
  field,
  fields,
  list,
  notice,
  type Outcome,
  RANK,
  type Report,
  type Section,
  section,
  type Table,
  tableOf,
} from "./report/model.ts";

/** Sentences about an evidence document, shared by its views. */

const OUTCOMES = {
  pass: { word: "passed", mark: "good", shown: true },
  fail: { word: "FAILED", mark: "bad", shown: true },
  inconclusive: { word: "INCONCLUSIVE", mark: "caution", shown: true },
} as const satisfies Readonly<Record<Evidence["outcome"], Outcome>>;

function subject({ position, inputs }: Evidence): string {
  const name = typeof inputs["databaseName"] === "string" ? inputs["databaseName"] : "the database";
  const resume = position.resumeScn === undefined || position.resumeScn === null ? "not known" : position.resumeScn;
  return (
    `${name} as of SCN ${position.checkScn}; the connector's resume SCN is ${resume}, ` +
    `${position.passed ? "which has passed it" : "which has NOT passed it"}`
  );
}

function factsOf(table: TableEvidence): readonly Field[] {
  const { keys, key, columns, newTopic, legacyTopic } = table;
  const what = key.length === 0 ? "row" : "key";
  const fact = (label: string, text: string) => field(label, trunc(text, 1000));
  const topic = (name: string, records: bigint) => `${name}, ${counted(records, "record")}`;
  return [
    ...(newTopic === "" ? [] : [fact("topic", topic(newTopic, table.newRecords.count))]),
    ...(legacyTopic === undefined
      ? []
      : [fact(newTopic === "" ? "topic" : "legacy topic", topic(legacyTopic, table.legacyRecords?.count ?? 0n))]),
    fact(
      "table",
      `${counted(table.rows.count, "row")}, ` +
        `${key.length === 0 ? "without key: rows are counted" : `key ${key.join(", ")}`}`,
    ),
    fact(
      "compared",
      `${counted(keys.compared, what)} value by value, ${counted(columns.length, "column")}: ${columns.join(", ")}`,
    ),
    ...(keys.byLegacy === 0n
      ? []
      : [
          fact(
            "by legacy",
            `${counted(keys.byLegacy, what)} delivered only by the legacy connector: present, values not compared`,
          ),
        ]),
    ...table.leftOut.map(({ column, why }) => fact("left out", `${column}: ${why}`)),
    ...table.unavailable.map(({ column, count }) =>
      fact("no value", `${column} of ${counted(count, what)}: the topic holds the placeholder`),
    ),
    ...table.remarks.map((remark) => fact("note", remark)),
    ...table.unreadable.map(({ side, why, count, partition, offset, key: of }) => {
      const whose = of === undefined ? "" : `, of ${keyText({ key: of })}`;
      const first = partition === undefined ? "" : `; first in partition ${partition}, offset ${offset}${whose}`;
      return fact("unreadable", `${showCount(count)} of the ${side}: ${why}${first}`);
    }),
  ];
}

/** `ID=17, LINE=2`; for a table without key, the hash of the row. */
export function keyText({ key, row }: Pick<Failure | Doubt, "key" | "row">): string {
  if (key === undefined) return `row ${row ?? ""}`;
  return Object.entries(key)
    .map(([column, value]) => `${column}=${value ?? "NULL"}`)
    .join(", ");
}

function recordText({ record }: Pick<Failure | Doubt, "record">): string {
  return record === undefined
    ? ""
    : `${record.topic}, partition ${record.partition}, offset ${record.offset}` +
        (record.scn === undefined ? "" : `, SCN ${record.scn}`);
}

/** Differing values, if present: the table's, then the topic's. */
function differences({ columns, tableValues, topicValues }: Failure): readonly string[] {
  if (tableValues === undefined && topicValues === undefined) return [];
  return columns.map((column) =>
    trunc(
      `${column}: ${valueText(tableValues?.[column])} in the table, ${valueText(topicValues?.[column])} in the topic`,
    ),
  );
}

function valueText(value: string | null | undefined): string {
  return value === undefined ? "nothing" : value === null ? "NULL" : JSON.stringify(value);
}

/** Number of keys shown; the evidence file has more. */
const KEYS_SHOWN = 20;
/** Number of tables above which passed tables are one line each on a page. */
const MANY_TABLES = 10;

/** The report of a verification: the outcome, then what was compared, ignored and wrong in each table. */
export function evidenceReport(evidence: Evidence): Report {
  const { inputs, tables, outcome, digest, findings } = evidence;
  const many = tables.length > MANY_TABLES;
  return {
    heading: {
      title: typeof inputs["connector"] === "string" ? trunc(inputs["connector"]) : "",
      rest: [inputs["audit"] === true ? "audit" : "cutover verification"],
      outcome: OUTCOMES[outcome],
    },
    lead: [notice(subject(evidence))],
    sections: [
      ...section(RANK.outcome, [overview(tables)], { title: "Tables", only: "page" }),
      ...tables.flatMap((table) => tableSection(table, many && table.outcome === "pass")),
      ...section(
        RANK.outcome,
        fields([
          ...carriedOutBy(evidence),
          field("evidence", [{ code: digest }]),
          field("findings", [{ code: findings }]),
        ]),
        { flush: true },
      ),
    ],
  };
}

function carriedOutBy({ engine }: Evidence): readonly Field[] {
  if (engine === undefined) return [];
  const { name, version, units, attempts } = engine;
  return [field("carried out", `${name} ${version}, ${counted(units, "unit")}, ${counted(attempts, "attempt")}`)];
}

function overview(tables: Evidence["tables"]): Table {
  return tableOf("Result of each table", tables, { what: "table" }, [
    ["Table", ({ table }) => code(table)],
    ["Outcome", ({ outcome }) => OUTCOMES[outcome].word],
    ["Rows", ({ rows }) => showCount(rows.count), END],
    ["Compared", ({ keys }) => showCount(keys.compared), END],
    ["Only by the legacy connector", ({ keys }) => showCount(keys.byLegacy), END],
  ]);
}

function tableSection(table: TableEvidence, brief: boolean): readonly Section[] {
  const { reasons, firstFailures, firstDoubts } = table;
  const outcome = OUTCOMES[table.outcome];
  return section(
    table.outcome === "pass" ? RANK.details : RANK.subject,
    [
      ...fields(factsOf(table)),
      ...list(reasons.map(withCountGrouped), "reason", { sign: "!", tone: outcome.mark }),
      ...keyTable([
        ...[...firstFailures, ...firstDoubts].map((one) => ({ one, text: reasonText(one.reason, table.newTopic) })),
      ]),
    ],
    { title: table.table, outcome, ...(brief ? { only: "terminal" as const } : {}) },
  );
}

/** A reason begins with a count, in plain digits in the document. */
function withCountGrouped(reason: string): string {
  return reason.replace(/^\d+(?= )/, (count) => showCount(BigInt(count)));
}

function keyTable(found: readonly { readonly one: Failure | Doubt; readonly text: string }[]): readonly Table[] {
  if (found.length === 0) return [];
  const table = tableOf("Differing keys; the evidence has more", found, { what: "key", bare: true, extent: "some" }, [
    ["Key", ({ one }) => trunc(keyText(one))],
    [
      "Problem",
      ({ one, text }) => [text, ...(one.columns.length === 0 ? [] : [one.columns.join(", ")])].join(": "),
      { wraps: true },
    ],
    ["Record", ({ one }) => recordText(one), { below: true }],
    ["Values", ({ one }) => differences(one as Failure).join("; "), { below: true }],
  ]);
  const { first } = table.rows;
  return [{ ...table, rows: { ...table.rows, first: (most) => first(Math.min(KEYS_SHOWN, most)) } }];
}
