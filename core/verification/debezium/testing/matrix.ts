import type { Column } from "../../../../schemas/generated/verification-job.ts";
import { ByteSink } from "../../../values/byte-sink.ts";
import type { Config } from "../../../values/config.ts";
import { compareRows } from "../../canonical-row.ts";
import { VALUE_RULES, writeOracleValue } from "../../canonical-values.ts";
import { envelopeReader, type RecordSchema } from "../../schema-envelope.ts";
import { structReader } from "../../struct-reader.ts";
import { columnOf } from "../../table-shape.ts";
import { bytesOf, work } from "../../testing/work.ts";
import { debeziumFormat } from "../format.ts";
import written from "../testdata/encodings.json" with { type: "json" };

/** One value that Debezium's converters wrote: by settings, type and versions. */
export interface Cell {
  readonly config: Config;
  readonly type: string;
  /** Undefined for a type that the new connector does not capture. */
  readonly column: Column | undefined;
  /** `2.7.0..3.6.1` */
  readonly versions: string;
  readonly schema: string;
  /** LogMiner's text: `TO_DATE('2026-01-02 03:04:05', …)`. */
  readonly value: string;
  /** What the JSON converter makes of it; undefined if Debezium's own fails. */
  readonly json: string | undefined;
  /** All of it in words. */
  readonly of: string;
}

interface Row {
  readonly versions: string;
  readonly result: { readonly schema: string; readonly values: readonly string[] };
}

export const MATRIX: readonly Cell[] = Object.entries(
  written.encodings as Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>,
).flatMap(([mode, types]) =>
  Object.entries(types).flatMap(([type, rows]) =>
    rows.flatMap(({ versions, result: { schema, values } }) =>
      values.map((one): Cell => {
        const [value = "", json = ""] = one.split(" => ");
        return {
          ...{ config: configOf(mode), type, column: columnOfType(type), versions, schema, value },
          json: json.startsWith("ERROR") ? undefined : json,
          of: [mode, type, schema, one, versions].join("|"),
        };
      }),
    ),
  ),
);

/** Whether a cell is of this version: each part of one has at most two digits. */
export function isOf({ versions }: Cell, version: string): boolean {
  const order = (one: string) => one.split(".").reduce((sum, part) => sum * 100 + Number(part), 0);
  const [first = "", last = first] = versions.split("..");
  return order(first) <= order(version) && order(version) <= order(last);
}

/** `decimal.handling.mode=double`, `binary.handling.mode=hex,lob`, `legacy.decimal.handling.strategy=true,string`. */
function configOf(mode: string): Config {
  const config: Record<string, string> = { "lob.enabled": "true" };
  for (const part of mode.split(",")) {
    if (part.includes("=")) Object.assign(config, Object.fromEntries([part.split("=")]));
    else if (part === "string" || part === "double") config["decimal.handling.mode"] = part;
    else if (part.startsWith("placeholder")) config["unavailable.value.placeholder"] = "hex:0A0B";
  }
  return config;
}

/** `NUMBER(10,2)`, `TIMESTAMP(6) WITH TIME ZONE`; undefined for a type that the new connector does not capture. */
function columnOfType(type: string): Column | undefined {
  const [, name = "", first, second] = /^([A-Z0-9_ ]+?)(?:\((\d+)(?:,(-?\d+))?\))?(?: .*)?$/.exec(type) ?? [];
  if (type === "NUMBER" || type === "NUMBER(38) no scale") return columnOf({ name: "C", dataType: "NUMBER" });
  if (name === "NUMBER")
    return columnOf({ name: "C", dataType: name, precision: Number(first), scale: Number(second ?? 0) });
  const fraction = /^TIMESTAMP\((\d)\)/.exec(type)?.[1];
  return columnOf({
    name: "C",
    dataType: type.replace(/^(VARCHAR2|CHAR|NVARCHAR2|RAW|FLOAT|NUMBER)\(\d+\)/, "$1"),
    ...(fraction === undefined ? {} : { scale: Number(fraction) }),
  });
}

const TYPES: Readonly<Record<string, string>> = { float64: "double", float32: "float" };

/** The cell's record with the envelope of its schema: `bytes org.apache.kafka.connect.data.Decimal v1 {scale=2}`. */
export function envelopedRecord({ schema: text, json }: Cell): string {
  const [, type = "", name] = /^(\S+)(?: ([a-z][\w.]*\.\w+))?/.exec(text) ?? [];
  const scale = /scale=(-?\d+)/.exec(text)?.[1];
  const field = {
    field: "C",
    type: TYPES[type] ?? type,
    name,
    ...(scale === undefined ? {} : { parameters: { scale } }),
  };
  return `{"schema":${JSON.stringify({ type: "struct", fields: [field] })},"payload":{"C":${json}}}`;
}

/** The value as Oracle prints it; undefined for the placeholder. */
function oracleText(value: string): string | undefined {
  if (value === "<unavailable>") return undefined;
  if (/^EMPTY_[BC]LOB/.test(value)) return "";
  const quoted = /^(?:TO_|HEXTO|UNISTR)[A-Z_]*\('([^']*)'/.exec(value)?.[1] ?? value;
  return quoted.replace(/\\([0-9A-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** What the comparison of a record with the table says, which holds the value that was given to Debezium. */
export function verdictOf({ config, column, value }: Cell & { readonly column: Column }, text: string): string {
  const format = debeziumFormat(config);
  if (!format.readable) return format.why;
  const record = bytesOf(text);
  const payload = envelopeReader(work)(record, 0, record.length);
  if (payload === undefined) return "unusual";
  const { schema, start, end } = payload as { schema: RecordSchema | undefined; start: number; end: number };
  const reader = structReader([column], format.format.format, work, () => true);
  const row = new ByteSink();
  if (reader.read(record, start, end, schema, row) !== end) return "unusual";
  const problem = reader.problem();
  if (problem !== undefined) return problem;
  if (reader.unavailable()) return "placeholder";
  const oracle = oracleText(value);
  if (oracle === undefined) return `read ${text}`;
  const table = new ByteSink();
  const cannot = writeOracleValue(VALUE_RULES[column.kind], oracle, table, work);
  if (cannot !== undefined) return `table: ${cannot}`;
  const { different, unavailable } = compareRows(table.view().slice(), row.view().slice());
  return different.length > 0 ? "differs" : unavailable.length > 0 ? "not compared" : "equal";
}

/** What is not equal, and why. */
const OTHERS: readonly (readonly [verdict: RegExp, of: RegExp, why: string])[] = [
  [/^placeholder$/, /<unavailable>/, "the row keeps its earlier value"],
  [/^not compared$/, /EMPTY_[BC]LOB/, "null stands for an empty LOB too"],
  [
    /^not compared$/,
    /double.*\|(?:NUMBER|NUMBER\(38\) no scale|FLOAT\(126\)|NUMBER\((?:18|19|38),0\))\|float64/,
    "digits are lost",
  ],
  [/^not compared$/, /mode=connect\|TIMESTAMP\([69]\)/, "milliseconds only"],
  [/^not compared$/, /mode=microseconds\|TIMESTAMP\(9\)/, "microseconds only"],
  [/^differs$/, /mode=nanoseconds\|TIMESTAMP\(6\).*0001-01-01/, "Debezium overflows: its record is wrong"],
  [/no date and time with an offset/, /WITH LOCAL.*TO_TIMESTAMP\('/, "Debezium wrote LogMiner's text"],
];

/** What the verdict on a cell is to be, and why. */
export function expectedOf({ of }: Cell): { readonly verdict: RegExp; readonly why: string } {
  const [verdict = /^equal$/, , why = "the value is the table's"] =
    OTHERS.find(([, pattern]) => pattern.test(of)) ?? [];
  return { verdict, why };
}
