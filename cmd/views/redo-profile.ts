import type { MinedSample, RedoRates } from "../../core/doctor/redo-profile.ts";
import { counted, showBytes, showCount } from "../../core/values/amounts.ts";
import { documentOf } from "./json-text.ts";
import { showInstant, showMillis, trunc } from "./layout.ts";
import { code, END, type Field, field, list, notice, RANK, type Report, section, tableOf } from "./report/model.ts";

/** The report of `doctor redo-profile`: archived redo by hour, then by table. */
export function redoProfileReport(rates: RedoRates, mined: MinedSample | undefined): Report {
  const { database, destination, hours, question } = rates;
  return {
    heading: { title: trunc(`redo profile of ${database}, destination ${destination}`), outcome: undefined },
    lead: mined === undefined ? [] : leadOf(mined),
    sections: [
      ...section(RANK.subject, hours.length === 0 ? [notice("No log was archived.")] : [hourTable(rates)], {
        title: `archived by hour, ${showMillis(question.window)} up to ${showInstant(rates.until)}`,
      }),
      ...section(
        RANK.consequences,
        mined === undefined
          ? [
              notice(
                question.logs === 0 ? "Not sampled: --sample-logs 0." : "Not sampled: no archived log can be read.",
              ),
            ]
          : [
              { is: "fields", rows: sampleRows(mined) },
              ...(mined.unknown === undefined ? [] : [{ is: "remedies", items: mined.unknown.remedies } as const]),
              ...(mined.tables.length === 0 ? [] : [tableTable(mined)]),
            ],
        { title: "redo by table, from a sample" },
      ),
    ],
  };
}

/** Notable tables: those read without being captured, and those that look like reloads. */
function leadOf({ tables, named }: MinedSample) {
  const [first] = tables;
  const sentences = [
    ...(first?.captured === false
      ? [
          `${first.name} is not captured, and accounts for ${shareOf(first.rows, named.rows)} of the rows that ` +
            "LogMiner reads for the connector.",
        ]
      : []),
    ...tables.flatMap(({ name, reload }) => (reload === undefined ? [] : [`${name} looks like a ${reload} job.`])),
  ];
  return list(sentences, "sentence");
}

function hourTable({ hours }: RedoRates) {
  return tableOf("Logs by hour of their log switch (UTC)", hours, { what: "hour" }, [
    ["Hour", ({ since }) => showInstant(since)],
    ["Thread", ({ thread }) => String(thread), END],
    ["Logs", ({ logs }) => showCount(logs), END],
    ["Archived", ({ bytes }) => showBytes(bytes), END],
  ]);
}

function sampleRows({ sample, rows, controlRows, unnamedRows, named, unknown }: MinedSample): readonly Field[] {
  const { from, to, logs, bytes } = sample;
  const notCaptured =
    named.captured === undefined
      ? `unknown: ${unknown?.why ?? ""}`
      : `${showCount(named.rows - named.captured)} (${shareOf(named.rows - named.captured, named.rows)}): read and ` +
        "decoded, then filtered out";
  return [
    field("mined", `SCN ${from} to ${to}, ${counted(logs.length, "archived log")}, ${showBytes(bytes)}`),
    field(
      "rows",
      `${showCount(rows)}: ${showCount(named.rows)} of tables, ${showCount(controlRows)} begin or end a transaction, ` +
        `${showCount(unnamedRows)} without a table`,
    ),
    field("not captured", notCaptured),
  ];
}

function tableTable({ tables, named }: MinedSample) {
  return tableOf("Rows of the sample by table and operation", tables, { what: "table", extent: "some" }, [
    ["Table", ({ name }) => code(name)],
    ["Captured", ({ captured }) => (captured === undefined ? "unknown" : captured ? "yes" : "no")],
    ["Rows", ({ rows }) => showCount(rows), END],
    ["Share", ({ rows }) => shareOf(rows, named.rows), END],
    ["Inserts", ({ inserts }) => showCount(inserts), END],
    ["Updates", ({ updates }) => showCount(updates), END],
    ["Deletes", ({ deletes }) => showCount(deletes), END],
    ["DDL", ({ ddl }) => showCount(ddl), END],
    ["Other", ({ other }) => showCount(other), END],
    ["Job", ({ reload = "" }) => reload],
  ]);
}

function shareOf(rows: bigint, of: bigint): string {
  return of === 0n ? "0 %" : `${(Number((rows * 1000n) / of) / 10).toFixed(1)} %`;
}

/** `doctor redo-profile --format json` (`schemas/redo-profile.schema.json`). Printed with `printJson`. */
export function redoProfileDocument(rates: RedoRates, mined: MinedSample | undefined) {
  return {
    ...documentOf("RedoProfile"),
    database: rates.database,
    destination: rates.destination,
    since: rates.since,
    until: rates.until,
    hours: rates.hours.map(({ since, thread, logs, bytes }) => ({ since, thread, logs: BigInt(logs), bytes })),
    sample: mined === undefined ? null : sampleDocument(mined),
  };
}

function sampleDocument({ sample, rows, controlRows, unnamedRows, named, unknown, tables }: MinedSample) {
  return {
    from_scn: sample.from,
    to_scn: sample.to,
    logs: sample.logs.map(({ thread, sequence, bytes }) => ({ thread, sequence, bytes })),
    bytes: sample.bytes,
    rows,
    control_rows: controlRows,
    unnamed_rows: unnamedRows,
    table_rows: named.rows,
    captured_rows: named.captured ?? null,
    captured_unknown: unknown?.why ?? null,
    tables: tables.map(({ captured, reload, ...counts }) => ({
      ...counts,
      captured: captured ?? null,
      reload: reload ?? null,
    })),
  };
}
