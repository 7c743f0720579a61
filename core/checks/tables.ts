import { quote } from "../document/formats.ts";
import type { Observed } from "../facts/observed.ts";
import type { ColumnOfNote, PreflightFacts } from "../facts/preflight.ts";
import { byTable, type CapturedSet, type CapturedTable, capturedEarlier } from "../facts/tables/tables.ts";
import { counted, showCount } from "../values/amounts.ts";
import { type Check, fail, fine, type Item, unknown, unseen, type Verdict } from "./check.ts";

/** A check of what a preflight reads, and of the captured tables. */
export type CheckOfTables<Read extends keyof PreflightFacts> = Check<
  unknown,
  { readonly facts: Pick<PreflightFacts, Read>; readonly captured: CapturedSet }
>;

export const noCapturedTables: CheckOfTables<"settings"> = {
  code: "TAB101",
  title: "No table is captured",
  problem: "The connector starts and delivers nothing: its patterns match no table that this login sees.",
  remedy:
    "Compare cdc.tables.include and cdc.tables.exclude with the names: they have to match the whole of " +
    "PDB.SCHEMA.TABLE.",
  grade: "refusal",

  run(_intent, { captured, facts: { settings } }) {
    if (!captured.known) return unknown(captured.why, captured.remedies[0]);
    const { length } = captured.tables;
    if (length > 0) return fine(counted(length, "captured table"));
    return fail(`none of the tables that this login sees matches cdc.tables.include: ${settings.tables.include ?? ""}`);
  },
};

const TYPES: readonly string[] = ["BFILE", "BOOLEAN", "JSON", "VECTOR"];

/**
 * LogMiner ignores a whole table if one column has an unsupported type.
 *
 * Rule: reference: Oracle, "Preflight rules"; Oracle Database Utilities, "Unsupported Data Types and Table Storage
 * Attributes".
 */
export const unsupportedColumns: CheckOfTables<"columns" | "nestedTables"> = {
  code: "TAB104",
  title: "Captured tables have unsupported columns",
  problem:
    "The miner ignores the whole table and delivers none of its changes. Excluding only the column does not help.",
  remedy: "Exclude the tables with cdc.tables.exclude, or change the columns.",
  grade: "refusal",

  run(_intent, reading) {
    return overTables(reading, ["columns", "nestedTables"], (tables, known) => {
      const columnsOf = byTable(known.columns);
      const nestedOf = byTable(known.nestedTables);
      const found = tables.flatMap((table): Item[] => {
        const kinds = [
          ...columnsOf(table).flatMap((one) => {
            const kind = kindOf(one);
            return kind === undefined ? [] : `${one.column} ${kind}`;
          }),
          ...nestedOf(table).map(({ column }) => `${column} nested table`),
        ];
        return kinds.length === 0 ? [] : [{ name: table.fullName, seen: kinds.join(", ") }];
      });
      if (found.length === 0) return fine(`${allCaptured(tables)}: every column can be mined`);
      return fail(`${ofCaptured(found, tables)}: unsupported columns`, { items: found });
    });
  },
};

const LOB_TYPES: readonly string[] = ["BLOB", "CLOB", "NCLOB"];
const LONG_TYPES: readonly string[] = ["LONG", "LONG RAW"];

/**
 * LOB handling should be a deliberate choice: the default leaves LOBs out of the records. XMLTYPE is neither put
 * together from redo nor read again. A LONG is a value like any other.
 *
 * Rule: the connector's own preflight, DOC-8.
 */
export const lobsUndecided: CheckOfTables<"columns" | "settings"> = {
  code: "TAB108",
  title: "Captured tables have LOB or XMLTYPE columns",
  problem: "With cdc.lob.mode=skip, the default, records lack such columns; with the other modes XMLTYPE has no value.",
  remedy: "Set cdc.lob.mode to inline or reselect if consumers need LOBs, or to skip if they do not.",
  grade: "advisory",

  run(_intent, reading) {
    return overTables(reading, ["columns"], (tables, known) => {
      const columnsOf = byTable(known.columns);
      const mode = reading.facts.settings.lobMode;
      const concerned = (type: string): boolean =>
        mode === undefined ? LOB_TYPES.includes(type) || type === "XMLTYPE" : mode !== "skip" && type === "XMLTYPE";
      const found = tables.flatMap((table): Item[] => {
        const own = columnsOf(table).filter(({ dataType }) => concerned(dataType));
        return own.length === 0
          ? []
          : [{ name: table.fullName, seen: own.map(({ column, dataType }) => `${column} ${dataType}`).join(", ") }];
      });
      if (found.length > 0)
        return fail(
          mode === undefined
            ? `${ofCaptured(found, tables)}: records omit these columns, because cdc.lob.mode is not set`
            : `${ofCaptured(found, tables)}: XMLTYPE columns, which carry the placeholder with ` +
                `cdc.lob.mode=${mode}`,
          { items: found },
        );
      const count = (types: readonly string[]): number =>
        tables.filter((table) => columnsOf(table).some(({ dataType }) => types.includes(dataType))).length;
      return fine(
        `tables with LOB or XMLTYPE columns: ${count([...LOB_TYPES, "XMLTYPE"])} (cdc.lob.mode ` +
          `${mode ?? "not set"}); with LONG columns, which are delivered: ${count(LONG_TYPES)}`,
      );
    });
  },
};

function kindOf({ identity, dataType }: ColumnOfNote): string | undefined {
  if (identity) return "identity";
  return TYPES.includes(dataType) ? dataType : undefined;
}

const LONGEST_NAME = 30;

/** Rule: reference: Oracle, "Preflight rules": the miner takes names of up to 30 characters. */
export const namesTooLong: CheckOfTables<"columns"> = {
  code: "TAB105",
  title: "Captured tables have names over 30 characters",
  problem: "The miner does not support longer names of tables, owners or columns. Their changes are not delivered.",
  remedy: "Exclude the tables with cdc.tables.exclude, or rename them or their columns.",
  grade: "refusal",

  run(_intent, reading) {
    return overTables(reading, ["columns"], (tables, { columns }) => {
      const columnsOf = byTable(columns);
      const found = tables.flatMap((table): Item[] => {
        const long = [
          ...(isLong(table.owner) ? [`its owner, ${lengthOf(table.owner)}`] : []),
          ...(isLong(table.name) ? [`its name, ${lengthOf(table.name)}`] : []),
          ...columnsOf(table).flatMap(({ column }) =>
            isLong(column) ? [`column ${column}, ${lengthOf(column)}`] : [],
          ),
        ];
        return long.length === 0 ? [] : [{ name: table.fullName, seen: `${long.join("; ")} characters` }];
      });
      if (found.length === 0) return fine(`${allCaptured(tables)}: no name has more than ${LONGEST_NAME} characters`);
      return fail(`${ofCaptured(found, tables)}: names of more than ${LONGEST_NAME} characters`, { items: found });
    });
  },
};

/** The most names in a text to copy. */
const MOST = 10;

/** Rule: specification, `resnapshot`: a table added to `cdc.tables.include` is streamed, not snapshotted. */
export const addedTables: CheckOfTables<"deployed" | "dictionary" | "settings"> = {
  code: "TAB114",
  title: "Tables are added that get no snapshot",
  problem: "The connector streams them from its position on. The rows that they already hold are not delivered.",
  remedy: "Deploy the configuration, then apply a Resnapshot with these tables in `spec.tables`.",
  grade: "advisory",

  run(_intent, reading) {
    const { settings } = reading.facts;
    return overTables(reading, ["deployed", "dictionary"], (tables, known) => {
      if (known.deployed === "no offset") return fine("no offset is stored: nothing has been captured yet");
      const before = capturedEarlier(known.deployed, settings.tables.pdbs, known.dictionary);
      if (!before.known)
        return unknown(`what the deployed configuration captures: ${before.why}`, "Compare its cdc.tables.include.");
      const names = new Set(before.tables.map(({ fullName }) => fullName));
      const found = tables.flatMap(({ fullName: name }): Item[] => (names.has(name) ? [] : [{ name }]));
      if (found.length === 0) return fine(`${allCaptured(tables)}: captured by the deployed configuration too`);
      const listed = found.slice(0, MOST).map(({ name }) => quote(name));
      const setting = `kind: Resnapshot, spec.tables: [${listed.join(", ")}${found.length > MOST ? ", …" : ""}]`;
      return fail(
        `${ofCaptured(found, tables)}: not captured by the deployed configuration; they will be streamed from the ` +
          "connector's position on, and not snapshotted",
        { remedies: [{ text: "Deploy the configuration, then apply a Resnapshot of them", setting }], items: found },
      );
    });
  },
};

function lengthOf(name: string): number {
  return [...name].length;
}

function isLong(name: string): boolean {
  return lengthOf(name) > LONGEST_NAME;
}

/**
 * Runs a rule over every captured table. The verdict is unknown if the tables or a required fact are; the first such
 * fact is reported.
 *
 * @param needed the facts that the rule reads, all of which must have been observed
 * @param rule returns what it finds among the tables
 */
export function overTables<F, N extends keyof F>(
  { captured, facts }: { readonly captured: CapturedSet; readonly facts: F },
  needed: readonly N[],
  rule: (tables: readonly CapturedTable[], known: Known<Pick<F, N>>) => Verdict,
): Verdict {
  if (!captured.known) return unknown(captured.why, captured.remedies[0]);
  const known: { [name in N]?: unknown } = {};
  for (const name of needed) {
    const fact = facts[name] as Observed<unknown>;
    if (!fact.known) return unseen(fact);
    known[name] = fact.value;
  }
  return captured.tables.length === 0
    ? fine("no table is captured")
    : rule(captured.tables, known as Known<Pick<F, N>>);
}

type Known<F> = { readonly [N in keyof F]: F[N] extends Observed<infer T> ? T : never };

/** `3 of 41 captured tables`. */
export function ofCaptured(found: readonly Item[], tables: readonly CapturedTable[]): string {
  return `${showCount(found.length)} of ${counted(tables.length, "captured table")}`;
}

/** `all 41 captured tables`, `the captured table`. */
export function allCaptured({ length }: readonly CapturedTable[]): string {
  return length === 1 ? "the captured table" : `all ${length} captured tables`;
}
