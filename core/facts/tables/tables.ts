import type { TableEvidence } from "../../../schemas/generated/evidence.ts";
import type { Dictionary, RetiredKnown, TableActivity, TableSelection } from "../../../schemas/generated/facts.ts";
import type { VerifiedTable } from "../../../schemas/generated/plan.ts";
import type { ComparedCounts, TableSeen } from "../../../schemas/generated/shared.ts";
import { type Answer, compilePatterns, isBad } from "../../patterns/pattern-list.ts";
import { counted, showCount } from "../../values/amounts.ts";
import { unresolved } from "../../values/config.ts";
import { ascending, grouped } from "../../values/lists.ts";
import type { Advice } from "../../values/remedy.ts";
import { parseTableName } from "../../values/table-name.ts";
import { hiddenPdb, isNamed, ROOT } from "../database/database.ts";
import type { Observed } from "../observed.ts";

export interface TableDdl extends Pick<TableActivity, keyof TableSeen | "lastDdl"> {}

export interface CapturedTable extends TableSeen {
  /**
   * The connector's name for it in signals and progress: `PDB.OWNER.TABLE`, or `OWNER.TABLE` without containers. Not
   * quoted.
   */
  readonly fullName: string;
}

/**
 * Unknown if cdcctl can't evaluate a pattern exactly, or a container does not show its tables: nothing is guessed then.
 */
export type CapturedSet =
  | { readonly known: true; readonly tables: readonly CapturedTable[] }
  | { readonly known: false; readonly why: string; readonly remedies: readonly Advice[] };

/** Identifies a table by its container, owner and name. Oracle names never contain a NUL. */
export function tableId({ container, owner, name }: TableSeen): string {
  return `${container}\0${owner}\0${name}`;
}

export function byTable<T extends TableSeen>(rows: readonly T[]): (table: TableSeen) => readonly T[] {
  const found = grouped(rows, tableId);
  return (table) => found.get(tableId(table)) ?? [];
}

export type { VerifiedTable } from "../../../schemas/generated/plan.ts";

export type RetiredTopic = RetiredKnown["topics"][number];

export function comparedCounts(tables: readonly Pick<TableEvidence, "rows" | "keys">[]): ComparedCounts {
  const sum = (count: (table: (typeof tables)[number]) => bigint) => tables.reduce((all, one) => all + count(one), 0n);
  return {
    rows: sum(({ rows }) => rows.count),
    compared: sum(({ keys }) => keys.compared),
    byLegacy: sum(({ keys }) => keys.byLegacy),
  };
}

/** `14 rows, 6 compared, 8 by the legacy topic, not compared`. */
export function showCompared({ rows, compared, byLegacy }: ComparedCounts): string {
  const legacy = byLegacy === 0n ? "" : `, ${showCount(byLegacy)} by the legacy topic, not compared`;
  return `${counted(rows, "row")}, ${showCount(compared)} compared${legacy}`;
}

/** The resolution of the name of a table to verify. */
export type TableToVerify =
  | {
      readonly ok: true;
      readonly written: string;
      readonly table: CapturedTable;
      readonly verified: VerifiedTable;
      /** Whether the plan file names its new topic. */
      readonly named: boolean;
      /**
       * The legacy topic that is skipped: a retirement has deleted it, and evidence shows that nothing depends on it.
       */
      readonly retired: RetiredTopic | undefined;
    }
  | {
      readonly ok: false;
      readonly written: string;
      readonly why: "not captured" | "ambiguous" | "named twice";
      /** The tables that it matches; for one named twice, the table. */
      readonly fits: readonly CapturedTable[];
    }
  | { readonly ok: false; readonly written: string; readonly why: "topic not told"; readonly problem: string };

type UnknownSet = Extract<CapturedSet, { readonly known: false }>;

/** The connector's name for a table in signals, progress and topic names. @param pdbs `cdc.database.pdbs` */
export function fullNameOf({ container, owner, name }: TableSeen, pdbs: readonly string[]): string {
  return `${pdbs.length > 0 ? `${container}.` : ""}${owner}.${name}`;
}

export interface Selection extends TableSelection {
  /**
   * `spec.capturedTables` of a plan file: decides where it is not known whether a pattern matches. It has to name every
   * other captured table too, and nothing else.
   */
  readonly stated?: readonly string[] | undefined;
}

const NEEDS_CONFIGURATION = "Pass the whole configuration with --config.";

/**
 * The tables that a connector captures, in order of their names: those of the dictionary whose whole name matches a
 * pattern of `cdc.tables.include` and none of `cdc.tables.exclude`.
 *
 * Rule: reference: connector settings.
 */
export function capturedTables(selection: Selection, dictionary: Dictionary): CapturedSet {
  const { include, exclude, pdbs, stated } = selection;
  if (include === undefined) return unknown("cdc.tables.include is not set", NEEDS_CONFIGURATION);
  const read = {
    "cdc.tables.include": include,
    "cdc.tables.exclude": exclude ?? "",
    "cdc.database.pdbs": pdbs.join(","),
  };
  const [reference] = unresolved(read);
  if (reference !== undefined)
    return unknown(`${reference} holds a reference that only the worker resolves`, NEEDS_CONFIGURATION);
  const hidden = hiddenTables(pdbs, dictionary);
  if (hidden !== undefined) return hidden;
  const included = patternsIn("cdc.tables.include", include, selection);
  if (!("answer" in included)) return included;
  const excluded = patternsIn("cdc.tables.exclude", exclude ?? "", selection);
  if (!("answer" in excluded)) return excluded;

  const configured = new Set(pdbs.map((pdb) => pdb.toUpperCase()));
  const tables: CapturedTable[] = [];
  const undecided: CapturedTable[] = [];
  for (const table of dictionary.tables) {
    if (pdbs.length > 0 && !configured.has(table.container.toUpperCase())) continue;
    const fullName = fullNameOf(table, pdbs);
    const inside = included.answer(fullName);
    if (inside.matched === "no") continue;
    const outside = excluded.answer(fullName);
    if (outside.matched === "yes") continue;
    const open = inside.matched === "unknown" ? { ...included, ...inside } : { ...excluded, ...outside };
    if (open.matched === "unknown" && stated === undefined)
      return unknown(
        `whether "${open.pattern}" in ${open.setting} matches ${fullName}: ${open.why}`,
        `Simplify the pattern in ${open.setting}, or name all captured tables in the plan file (spec.capturedTables).`,
      );
    (open.matched === "unknown" ? undecided : tables).push({ ...table, fullName });
  }
  const captured = stated === undefined ? tables : asStated(stated, tables, undecided);
  return typeof captured === "string"
    ? unknown(`spec.capturedTables ${captured}`, "Correct spec.capturedTables: it has to name all captured tables.")
    : { known: true, tables: [...captured].sort(ascending(({ fullName }) => fullName)) };
}

/** The tables that a plan file names, or what is wrong with its list. */
function asStated(
  stated: readonly string[],
  certain: readonly CapturedTable[],
  undecided: readonly CapturedTable[],
): ReadonlySet<CapturedTable> | string {
  const found = stated.map(tableFinder([...certain, ...undecided]));
  const wrong = stated[found.findIndex(({ length }) => length !== 1)];
  if (wrong !== undefined)
    return `names ${wrong}, which is not one table of the dictionary that the patterns may match`;
  const tables = new Set(found.flat());
  const left = certain.find((table) => !tables.has(table));
  return left === undefined ? tables : `does not name ${left.fullName}, which the patterns match`;
}

/** The same for an earlier configuration. @param read PDBs that the dictionary was read for; others are left out */
export function capturedEarlier(earlier: TableSelection, read: readonly string[], dictionary: Dictionary): CapturedSet {
  const pdbs = earlier.pdbs.filter((pdb) => unresolved({ pdb }).length > 0 || read.some((one) => isNamed(one, pdb)));
  if (earlier.pdbs.length > 0 && pdbs.length === 0) return { known: true, tables: [] };
  return capturedTables({ ...earlier, pdbs }, dictionary);
}

/** The same for a dictionary that may be unknown. */
export function capturedIn(selection: Selection, dictionary: Observed<Dictionary>): CapturedSet {
  if (dictionary.known) return capturedTables(selection, dictionary.value);
  return { known: false, why: dictionary.why, remedies: dictionary.remedies ?? [] };
}

/** Why tables that the patterns may match are hidden from this login. */
function hiddenTables(pdbs: readonly string[], { containers, tables, answering }: Dictionary): UnknownSet | undefined {
  if (pdbs.length === 0) {
    const inRoot = containers.some(({ name }) => name === ROOT) || tables.some(({ container }) => container === ROOT);
    return inRoot
      ? unknown(
          `cdc.database.pdbs is not set, and only the tables of ${ROOT} in a container database are visible: which ` +
            "PDBs are captured is unknown",
          "Set cdc.database.pdbs in the connector's configuration.",
        )
      : undefined;
  }
  const hidden = hiddenPdb(pdbs, containers);
  if (hidden !== undefined) return unknown(hidden.why, hidden.remedy);
  for (const { name, openMode } of containers)
    if (openMode.endsWith("RESTRICTED") && pdbs.some((pdb) => isNamed(name, pdb)))
      return unknown(`the PDB ${name} is ${openMode} and shows none of its tables`, {
        text: `Lift the restriction, in ${name}`,
        sql: "ALTER SYSTEM DISABLE RESTRICTED SESSION;",
      });
  const shown = new Set([...answering, ...tables.map(({ container }) => container)].map((name) => name.toUpperCase()));
  const silent = pdbs.find((pdb) => !shown.has(pdb.toUpperCase()));
  return silent === undefined
    ? undefined
    : unknown(
        `the dictionary shows no table and no user of the PDB ${silent}, not even SYS: it is missing from the CDB_ ` +
          "views, and not known to be empty",
        { text: `Check what is wrong with it, as this login, in ${silent}`, sql: "SELECT COUNT(*) FROM DBA_TABLES;" },
      );
}

/** Java's errors for a pattern that was split in two: `A{2` and `3}`, `[A` and `B]`, `(A` and `B)`. */
const CUT = /^(Unclosed|Unmatched)/;

/** The latest lists: a plan asks several times what its connector captures. */
const latest = new Map<string, ReturnType<typeof compilePatterns>>();

/** The patterns of a setting; of a list with one that is not evaluated, no answer is known. */
function patternsIn(setting: string, list: string, { caseSensitive }: TableSelection) {
  const patterns = patternsOf(list);
  const key = JSON.stringify([patterns, caseSensitive]);
  const compiled = latest.get(key) ?? compilePatterns(patterns, caseSensitive);
  if (latest.size >= 20) latest.clear();
  latest.set(key, compiled);
  if (!isBad(compiled)) return { setting, answer: compiled.matches };
  const { pattern, kind, problem } = compiled;
  if (kind === "refused") {
    const split = `${setting} is a comma-separated list: no pattern has a comma, not even in {2,3}, [A,B] or \\Q…\\E.`;
    return unknown(
      `Java does not accept the pattern "${pattern}" in ${setting}: ${problem}`,
      patterns.length > 1 && CUT.test(problem) ? split : `Correct ${setting}.`,
    );
  }
  const why = `it uses a construct that cdcctl does not evaluate exactly as Java does: ${problem}`;
  return { setting, answer: (): Answer => ({ matched: "unknown", pattern, why }) };
}

/** Splits a list as Kafka does: white space around a comma is dropped. An empty element matches no name. */
export function patternsOf(list: string): readonly string[] {
  return list
    .split(",")
    .map((pattern) => pattern.replace(/^[ \t-\r]+|[ \t-\r]+$/g, ""))
    .filter((pattern) => pattern !== "");
}

function unknown(why: string, ...remedies: readonly Advice[]): UnknownSet {
  return { known: false, why, remedies };
}

type TableFinder = (written: string) => readonly CapturedTable[];

/**
 * Finds tables by the names in a plan file or `--table`: `OWNER.TABLE`, which matches one in each container, or
 * `PDB.OWNER.TABLE`. An unquoted part also matches its upper-case form. The caller has to refuse a name that matches
 * several tables.
 */
export function tableFinder(tables: readonly CapturedTable[]): TableFinder {
  const byName = grouped(tables, ({ name }) => name.toUpperCase());
  const byFullName = grouped(tables, ({ fullName }) => fullName);
  return (written) => {
    // Names are spelled as by the connector, with the dots inside of them.
    const spelled = byFullName.get(written) ?? [];
    const parts = parseTableName(written)?.parts ?? [];
    const last = parts.at(-1);
    if (last === undefined || parts.length > 3) return spelled;
    const named = (byName.get(last.name.toUpperCase()) ?? []).filter(({ container, owner, name }) => {
      const whole = [container, owner, name].slice(-parts.length);
      return parts.every(
        (part, at) => part.name === whole[at] || (!part.quoted && part.name.toUpperCase() === whole[at]),
      );
    });
    return [...new Set([...spelled, ...named])];
  };
}
