import type { TableSeen } from "../../../schemas/generated/shared.ts";
import type { Column, DictionaryColumn, LeftOut, TableShape } from "../../../schemas/generated/verification-job.ts";
import { keyColumnsIn } from "../../facts/tables/key-columns.ts";
import type { ColumnDefault } from "../../facts/tables/layout.ts";
import { patternsOf } from "../../facts/tables/tables.ts";
import { compilePatterns, isBad } from "../../patterns/pattern-list.ts";
import { type Config, settingOf, unresolved } from "../../values/config.ts";
import { columnOf } from "../table-shape.ts";
import { defaultValue } from "./column-default.ts";

/** The parts of a table's `TableLayout` that decide what is compared. */
export interface ObservedLayout extends TableSeen {
  readonly columns: readonly (DictionaryColumn & {
    readonly virtual?: boolean;
    readonly byDefault?: ColumnDefault;
  })[];
  /** Undefined: neither a primary key nor a unique index on NOT NULL columns. */
  readonly key: { readonly columns: readonly string[] } | undefined;
}

export const LEFT_OUT = {
  "lob-skipped": "a LOB, under cdc.lob.mode=skip",
  excluded: "excluded by cdc.columns.exclude",
  "not-captured": "of a type that the connector does not capture",
  virtual: "worked out when it is read: no redo has it",
  ignored: "named by --ignore-column",
} as const;

type LeftOutReason = keyof typeof LEFT_OUT;

export type ShapeResult =
  | {
      readonly known: true;
      readonly shape: TableShape;
      readonly leftOut: readonly LeftOut[];
      /**
       * Columns whose default is not compared, with the reason: a record older than such a column stands for NULL only.
       */
      readonly otherDefaults: ReadonlyMap<string, string>;
      readonly keyFrom: KeyFrom;
    }
  | { readonly known: false; readonly why: string; readonly remedy: string };

/** Source of the key; `none`: rows are counted. */
type KeyFrom = "cdc.key.columns" | "the table" | "none";

/** Types that `cdc.lob.mode` applies to. */
const LOBS = /^(?:BLOB|CLOB|NCLOB)$/;

/**
 * Determines which columns of a table are compared and which are left out: columns that no record of the connector can
 * contain, and those that the operator names.
 *
 * @param config of the new connector @param ignored names of columns, as in the data dictionary
 */
export function shapeOf(layout: ObservedLayout, config: Config, ignored: readonly string[]): ShapeResult {
  const stranger = ignored.find((name) => !layout.columns.some((column) => column.name === name));
  if (stranger !== undefined)
    return unknown(`there is no column ${stranger} to ignore`, `${nameOf(layout)} has ${listed(layout.columns)}.`);
  const excluded = excludedColumns(layout, config);
  if ("known" in excluded) return excluded;
  const skipLobs = modeOf(config, "cdc.lob.mode", "skip") === "skip";
  const asDoubles = modeOf(config, "cdc.decimal.mode", "precise") === "double";

  const columns: Column[] = [];
  const leftOut: LeftOut[] = [];
  const otherDefaults = new Map<string, string>();
  for (const seen of layout.columns) {
    const column = columnOf(seen);
    const why: LeftOutReason | undefined = excluded.has(seen.name)
      ? "excluded"
      : seen.virtual === true
        ? "virtual"
        : column === undefined
          ? "not-captured"
          : skipLobs && LOBS.test(seen.dataType)
            ? "lob-skipped"
            : ignored.includes(seen.name)
              ? "ignored"
              : undefined;
    if (why !== undefined) leftOut.push({ column: seen.name, why });
    else {
      const compared = asDoubles ? asDouble(column as Column) : (column as Column);
      const byDefault = defaultValue(compared, seen.byDefault);
      if ("why" in byDefault) otherDefaults.set(seen.name, byDefault.why);
      columns.push(
        "why" in byDefault || byDefault.value === null ? compared : { ...compared, byDefault: byDefault.value },
      );
    }
  }
  const { names, from } = keyOf(layout, config);
  const key: Column[] = [];
  for (const name of names) {
    const column = columns.find((one) => one.name === name);
    if (column === undefined) return keyLeftOut(layout, name, leftOut);
    key.push(column);
  }
  if (columns.length === 0) return unknown("no column is left to compare", "Ignore fewer columns.");
  return { known: true, shape: { key, columns }, leftOut, otherDefaults, keyFrom: from };
}

function keyLeftOut(layout: ObservedLayout, name: string, leftOut: readonly LeftOut[]): ShapeResult {
  const reason = leftOut.find(({ column }) => column === name)?.why;
  return reason === undefined
    ? unknown(`cdc.key.columns names ${name}, which ${nameOf(layout)} has not`, `It has ${listed(layout.columns)}.`)
    : unknown(
        `the key column ${name} can't be compared: it is ${LEFT_OUT[reason]}`,
        reason === "ignored" ? "Don't ignore a column of the key." : "Compare the table by other means.",
      );
}

function modeOf(config: Config, setting: string, byDefault: string): string {
  return (settingOf(config, setting) ?? "").toLowerCase() || byDefault;
}

/** Decimal digits that survive a round trip through a double (DBL_DIG of C). */
const DIGITS_OF_DOUBLE = 15;

/**
 * The topic holds longer numbers rounded with `cdc.decimal.mode=double`. The table's values are rounded the same way
 * before they are compared.
 */
function asDouble(column: Column): Column {
  const exact = column.precision !== undefined && column.precision <= DIGITS_OF_DOUBLE;
  return column.kind === "number" && !exact ? { ...column, kind: "number-as-double" } : column;
}

/**
 * The key set by `cdc.key.columns` (`SCHEMA.TABLE:COL1,COL2;PDB.SCHEMA.TABLE:COL`, matched in upper case), otherwise
 * the table's own key.
 *
 * Rule: reference: connector settings, "What a cutover verification compares".
 */
function keyOf(layout: ObservedLayout, config: Config): { readonly names: readonly string[]; readonly from: KeyFrom } {
  const named = keyColumnsIn(config["cdc.key.columns"])(layout);
  if (named !== undefined) {
    const columns = named.map((name) => layout.columns.find((one) => one.name.toUpperCase() === name)?.name ?? name);
    return { names: columns, from: "cdc.key.columns" };
  }
  if (layout.key !== undefined) return { names: layout.key.columns, from: "the table" };
  return { names: [], from: "none" };
}

/** Names of the columns that `cdc.columns.exclude` excludes; unknown if a pattern cannot be evaluated. */
function excludedColumns(
  layout: ObservedLayout,
  config: Config,
): ReadonlySet<string> | Extract<ShapeResult, { known: false }> {
  const setting = "cdc.columns.exclude";
  const patterns = patternsOf(config[setting] ?? "");
  if (patterns.length === 0) return new Set<string>();
  if (unresolved({ [setting]: config[setting] ?? "" }).length > 0)
    return unknown(
      `${setting} holds a reference that only the worker resolves`,
      "Give the whole configuration by --config.",
    );
  const compiled = compilePatterns(patterns, settingOf(config, "cdc.tables.case.sensitive")?.toLowerCase() === "true");
  if (isBad(compiled))
    return unknown(
      `the pattern "${compiled.pattern}" in ${setting}: ${compiled.problem}`,
      `Write it more plainly in ${setting}.`,
    );
  const excluded = new Set<string>();
  for (const { name } of layout.columns) {
    const answer = compiled.matches(`${nameOf(layout, config)}.${name}`);
    if (answer.matched === "unknown")
      return unknown(
        `whether "${answer.pattern}" in ${setting} matches ${name}: ${answer.why}`,
        `Write it more plainly in ${setting}.`,
      );
    if (answer.matched === "yes") excluded.add(name);
  }
  return excluded;
}

/** Includes the container only if PDBs are captured, as the connector names its tables. */
function nameOf({ container, owner, name }: TableSeen, config: Config = {}): string {
  return `${settingOf(config, "cdc.database.pdbs") === undefined ? "" : `${container}.`}${owner}.${name}`;
}

function listed(columns: readonly DictionaryColumn[]): string {
  return columns.map(({ name }) => name).join(", ");
}

function unknown(why: string, remedy: string): Extract<ShapeResult, { known: false }> {
  return { known: false, why, remedy };
}
