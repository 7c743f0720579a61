import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Column } from "../../../schemas/generated/verification-job.ts";
import { ByteSink } from "../../values/byte-sink.ts";
import type { Config } from "../../values/config.ts";
import { compareRows } from "../canonical-row.ts";
import { VALUE_RULES, writeOracleValue } from "../canonical-values.ts";
import type { RecordSchema } from "../schema-envelope.ts";
import { structReader } from "../struct-reader.ts";
import { columnOf } from "../table-shape.ts";
import { bytesOf, work } from "../testing/work.ts";
import { debeziumFormat } from "./format.ts";
import written from "./testdata/encodings.json" with { type: "json" };

const encodings = suite("the values of Debezium's records");

interface Row {
  readonly versions: string;
  readonly result: { readonly schema: string; readonly values: readonly string[] };
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

/** `bytes org.apache.kafka.connect.data.Decimal v1 {connect.decimal.precision=10, scale=2}` */
function schemaOf(text: string): RecordSchema {
  const [, type = "", name] = /^(\S+)(?: ([a-z][\w.]*\.\w+))?/.exec(text) ?? [];
  const scale = /scale=(-?\d+)/.exec(text)?.[1];
  const value = { type: TYPES[type] ?? type, name, scale: scale === undefined ? undefined : Number(scale) };
  return {
    type: "struct",
    name: undefined,
    scale: undefined,
    fields: new Map([["C", { ...value, fields: new Map() }]]),
  };
}

/** The value as Oracle prints it; undefined for the placeholder. */
function oracleText(value: string): string | undefined {
  if (value === "<unavailable>") return undefined;
  if (/^EMPTY_[BC]LOB/.test(value)) return "";
  const quoted = /^(?:TO_|HEXTO|UNISTR)[A-Z_]*\('([^']*)'/.exec(value)?.[1] ?? value;
  return quoted.replace(/\\([0-9A-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

type Verdict = "equal" | "differs" | "not compared" | "placeholder" | string;

/** What the comparison says of a value that Debezium wrote correctly. */
function verdictOf(
  config: Config,
  column: Column,
  schema: RecordSchema | undefined,
  value: string,
  json: string,
): Verdict {
  const format = debeziumFormat(config);
  if (!format.readable) return format.why;
  const reader = structReader([column], format.format.format, work, () => true);
  const record = bytesOf(`{"C":${json}}`);
  const row = new ByteSink();
  if (reader.read(record, 0, record.length, schema, row) !== record.length) return "unusual";
  const problem = reader.problem();
  if (problem !== undefined) return problem;
  if (reader.unavailable()) return "placeholder";
  const table = new ByteSink();
  const oracle = oracleText(value);
  if (oracle === undefined) return `read ${json}`;
  const cannot = writeOracleValue(VALUE_RULES[column.kind], oracle, table, work);
  if (cannot !== undefined) return `table: ${cannot}`;
  const { different, unavailable } = compareRows(table.view().slice(), row.view().slice());
  return different.length > 0 ? "differs" : unavailable.length > 0 ? "not compared" : "equal";
}

/** What is not equal, by settings, type, schema and value, and why. */
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

encodings("are compared with the table in every mode and version, with a schema and without", () => {
  const seen = new Map<string, number>();
  for (const [mode, types] of Object.entries(written.encodings as Readonly<Record<string, Record<string, Row[]>>>))
    for (const [type, rows] of Object.entries(types)) {
      const column = columnOfType(type);
      if (column === undefined) {
        assert.is(type, "XMLTYPE");
        continue;
      }
      for (const { versions, result } of rows)
        for (const one of result.values) {
          const [value = "", json = ""] = one.split(" => ");
          if (json.startsWith("ERROR")) continue;
          for (const schema of [schemaOf(result.schema), undefined]) {
            const of = `${mode}|${type}|${result.schema}|${schema === undefined ? "alone" : "with schema"}|${one}`;
            const verdict = verdictOf(configOf(mode), column, schema, value, json);
            const other = OTHERS.find(([, pattern]) => pattern.test(of));
            assert.match(verdict, other?.[0] ?? /^equal$/, `${versions} ${of}: ${other?.[2]}`);
            seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
          }
        }
    }
  assert.ok((seen.get("equal") ?? 0) > 300, JSON.stringify([...seen]));
  assert.ok((seen.get("not compared") ?? 0) > 20 && (seen.get("placeholder") ?? 0) > 10, JSON.stringify([...seen]));
});

encodings.run();
