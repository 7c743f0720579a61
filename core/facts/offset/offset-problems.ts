import { canonicalJson, isObject, type Json, type JsonObject, jsonObjectIn } from "../../values/json.ts";
import { truncate } from "../../values/truncate.ts";
import { parseXid } from "../../values/xid.ts";

/** The supported format version; a newer one is refused (CDC-3002), not guessed. */
export const OFFSET_VERSION = 1n;

/** What stops the task at an offset, for the sentence that names the problem. */
const CORRUPT = "the task stops with CDC-3002";
const CRASHES = "the task stops with an exception without a code";

/** Fields that the task reads as integers. The addresses' are read only beside their `…_rs_id`. */
const INTEGERS = [
  "last_commit_scn",
  "last_commit_thread",
  "event_index",
  "journal_generation",
  "schema_epoch",
  "dbid",
  "resetlogs_scn",
] as const;

/** Read only while no commit is acknowledged. */
const CUT = ["start_floor_scn", "start_open_scn"] as const;

/** Never negative. */
const COUNTS: ReadonlySet<string> = new Set(["last_commit_scn", "event_index"]);

/** Fields that may be null: the task writes or reads them so. Null in any other field is an exception. */
const NULLABLE: ReadonlySet<string> = new Set([
  ...INTEGERS,
  "resume_scn",
  "resume_rs_id",
  "resume_ssn",
  "last_commit_xid",
  "last_commit_rs_id",
  "last_commit_ssn",
  "released_xids",
  "snapshot",
  "threads",
]);

/**
 * Why the task does not start with an offset; undefined if it does. Its resume SCN and ledger are read elsewhere
 * (`decodeOffset`).
 *
 * Rule: reference: connector rules, "What a stored offset must hold for the task to start".
 */
export function problemIn(raw: JsonObject): string | undefined {
  return (
    versionProblem(raw["v"]) ??
    snapshotProblem(raw["snapshot"]) ??
    threadsProblem(raw["threads"]) ??
    xidProblem(raw["last_commit_xid"]) ??
    integerProblem(raw) ??
    nullProblem(raw)
  );
}

function versionProblem(v: Json | undefined): string | undefined {
  if (integer(v) === OFFSET_VERSION) return undefined;
  return `v is ${shown(v)}, not ${OFFSET_VERSION}: ${CORRUPT}`;
}

function snapshotProblem(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const block = objectIn(value);
  if (block === undefined) return `snapshot is ${shown(value)}, which is not a JSON object as text: ${CORRUPT}`;
  if (block["v"] !== 1n) return `v in snapshot is ${shown(block["v"])}, not 1: ${CORRUPT}`;
  const tables = isObject(block["tables"]) ? block["tables"] : {};
  const isNull = Object.values(block).includes(null) || Object.values(tables).some((state) => !isObject(state));
  return isNull ? `snapshot holds a null: ${CRASHES}` : undefined;
}

function threadsProblem(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || isBlank(value)) return undefined;
  const block = objectIn(value);
  return block !== undefined && Object.values(block).every(isObject)
    ? undefined
    : `threads is ${shown(value)}, which is not a JSON object of threads as text: ${CORRUPT}`;
}

function xidProblem(xid: Json | undefined): string | undefined {
  if (xid === undefined || xid === null) return undefined;
  if (typeof xid === "string" && parseXid(xid) !== undefined) return undefined;
  return `last_commit_xid is ${shown(xid)}, which is not a transaction id: ${CRASHES}`;
}

function integerProblem(raw: JsonObject): string | undefined {
  const cut = raw["last_commit_xid"] === undefined || raw["last_commit_xid"] === null ? CUT : [];
  for (const name of [...INTEGERS, ...cut, ...addressed(raw, "resume"), ...addressed(raw, "last_commit")]) {
    const value = raw[name];
    if (value === undefined || value === null) continue;
    const number = integer(value);
    if (number === undefined) return `${name} is ${shown(value)}, which is not an integer: ${CRASHES}`;
    if (number < 0n && COUNTS.has(name)) return `${name} is ${shown(value)}, which is negative: ${CRASHES}`;
  }
  return undefined;
}

function addressed(raw: JsonObject, of: "resume" | "last_commit"): readonly string[] {
  const rsId = raw[`${of}_rs_id`];
  return rsId === undefined || rsId === null || isBlank(rsId) ? [] : [`${of}_ssn`];
}

function nullProblem(raw: JsonObject): string | undefined {
  const name = Object.keys(raw).find((field) => raw[field] === null && !NULLABLE.has(field));
  return name === undefined ? undefined : `${truncate(name, 60)} is null: ${CRASHES}`;
}

/** The object in a JSON text; undefined for anything else. */
export function objectIn(value: Json | undefined): JsonObject | undefined {
  return typeof value === "string" ? jsonObjectIn(value) : undefined;
}

export function integer(value: Json | undefined): bigint | undefined {
  if (typeof value === "bigint") return value;
  return typeof value === "string" && /^-?\d{1,40}$/.test(value) ? BigInt(value) : undefined;
}

export function isBlank(value: Json): boolean {
  return typeof value === "string" && value.trim() === "";
}

export function shown(value: Json | undefined): string {
  return value === undefined ? "missing" : truncate(canonicalJson(value), 60);
}
