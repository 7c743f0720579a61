import type { OffsetEntry } from "../../../schemas/generated/shared.ts";
import { canonicalJson, isDecimal, isObject, type Json, type JsonObject } from "../../values/json.ts";
import { ascending } from "../../values/lists.ts";
import { parseScn, type Scn } from "../../values/scn.ts";
import { parseXid } from "../../values/xid.ts";
import { integer, isBlank, OFFSET_VERSION, objectIn, problemIn, shown } from "./offset-problems.ts";

export type { OffsetEntry };

/**
 * Which delivered commits the task recognises when it mines them again, and does not deliver twice.
 * - `all`: up to the last one, at `upTo` (undefined for an SCN of 0, where its address tells).
 * - `all but the last`: those before `upTo`. `none`: each of them is delivered again.
 */
export type Recognition =
  | { readonly is: "all"; readonly upTo: Scn | undefined }
  | { readonly is: "all but the last"; readonly upTo: Scn; readonly why: string }
  | { readonly is: "none"; readonly why: string };

/**
 * Determines what an offset lets the task recognise. With a redo address on both sides it compares thread and address;
 * otherwise SCN, then thread, then container and transaction. What is missing counts as 0, which sorts before any.
 *
 * Rule: reference: connector rules, "What a stored offset must hold" (last paragraph).
 */
export function recognitionBy({ lastCommit }: Pick<StoredOffset, "lastCommit">): Recognition {
  if (lastCommit === undefined) return { is: "none", why: "the new offset has no last commit" };
  const { scn: upTo, xid, thread, redoAddress } = lastCommit;
  if (xid === undefined) return { is: "none", why: "the last commit is stored without its transaction id" };
  const isWithoutThread = (thread ?? 0n) === 0n;
  const noThread = "the last commit is stored without its redo thread";
  if (redoAddress !== undefined) return isWithoutThread ? { is: "none", why: noThread } : { is: "all", upTo };
  if (upTo === undefined)
    return { is: "none", why: "the last commit is stored without a redo address and without its SCN" };
  if (isWithoutThread) return { is: "all but the last", upTo, why: noThread };
  return parseXid(xid)?.container === undefined
    ? {
        is: "all but the last",
        upTo,
        why: "its transaction id is stored without a container, and without a redo address",
      }
    : { is: "all", upTo };
}

/**
 * Whether the task goes by `threads`: only while the lowest resume SCN in it is the offset's, and the last commit that
 * of its thread. An older connector carries the field along unchanged.
 *
 * Rule: reference: wire formats, "Stored offset" (`threads`).
 */
export function trustsThreads({
  raw,
  resumeScn,
  lastCommit,
}: Pick<StoredOffset, "raw" | "resumeScn" | "lastCommit">): boolean {
  const marks = Object.entries(objectIn(raw["threads"]) ?? {}).flatMap(([thread, mark]) =>
    isObject(mark) ? [{ thread, xid: mark["commit_xid"] ?? undefined, mark }] : [],
  );
  const resumed = marks.map(({ mark }) => integer(mark["resume_scn"]) ?? 0n).sort(ascending((scn) => scn));
  if (resumed[0] !== resumeScn) return false;
  if (lastCommit?.xid === undefined) return marks.every(({ xid }) => xid === undefined);
  const own = marks.find(({ thread }) => thread === String(lastCommit.thread));
  return own?.xid === lastCommit.xid && integer(own.mark["commit_scn"]) === lastCommit.scn;
}

/**
 * Why a move ahead to an SCN loses no commit: each one below it is acknowledged, or left out by the first-start cut
 * anyway. Undefined if commits may be lost.
 */
export function nothingLost(
  { lastCommit, firstStart }: StoredOffset,
  to: Scn,
): { readonly upTo: Scn; readonly why: string } | undefined {
  const upTo = lastCommit?.xid === undefined ? firstStart?.floor : lastCommit.scn;
  if (upTo === undefined || upTo < to) return undefined;
  const why =
    lastCommit?.xid === undefined
      ? `the first-start cut leaves out every commit below ${upTo} anyway`
      : `every commit up to ${upTo} is delivered and acknowledged`;
  return { upTo, why };
}

/**
 * The connector's stored offset, decoded (reference: wire formats, "Stored offset"). The raw object is kept: unknown
 * fields and the types of values are written back as they were.
 */
export interface StoredOffset {
  readonly raw: JsonObject;
  readonly version: bigint;
  readonly resumeScn: Scn;
  readonly redoAddress: RedoPosition | undefined;
  readonly lastCommit: LastCommit | undefined;
  readonly journalGeneration: bigint | undefined;
  readonly schemaEpoch: bigint | undefined;
  readonly dbid: bigint | undefined;
  readonly resetlogsScn: Scn | undefined;
  /** The orphan release ledger. */
  readonly released: readonly string[];
  readonly snapshot: SnapshotProgress | undefined;
  /** Present only while it is in force. */
  readonly firstStart: FirstStartCut | undefined;
  /** Tables whose snapshot has not started yet (`snapshot_pending`). */
  readonly snapshotPending: readonly string[];
  /** Offset of the last signal that was handled; undefined: none. */
  readonly signalOffset: bigint | undefined;
}

/**
 * What a first start leaves out, until a commit is acknowledged: below the floor the task delivers only rows of the
 * transactions that were open then, or began at or above `openScn`, and no commit.
 *
 * Rule: reference: connector rules, "The first-start cut".
 */
export interface FirstStartCut {
  readonly floor: Scn;
  readonly openScn: Scn;
  readonly openXids: readonly string[];
}

export interface RedoPosition {
  readonly rsId: string;
  readonly ssn: bigint | undefined;
}

/** The last acknowledged commit. Without a transaction id, the task knows of none. */
export interface LastCommit {
  /** Undefined for 0. */
  readonly scn: Scn | undefined;
  readonly xid: string | undefined;
  readonly thread: bigint | undefined;
  readonly redoAddress: RedoPosition | undefined;
  readonly eventIndex: bigint | undefined;
}

type SnapshotProgress =
  | {
      readonly readable: true;
      readonly complete: boolean;
      readonly tablesDone: bigint;
      readonly tables: bigint;
      /** The tables that it covers; undefined: every captured table. */
      readonly scope: readonly string[] | undefined;
      readonly done: readonly string[];
    }
  | { readonly readable: false };

/** The sentence for an offset whose format version is newer than `OFFSET_VERSION`. */
export function laterVersion(version: bigint): string {
  return (
    `CDC-3002: the stored offset has format version ${version}, but this cdcctl supports versions up to ` +
    `${OFFSET_VERSION}`
  );
}

/** Why a stored offset is not decoded, with the code of the check that refuses a change of it. */
export function undecoded(decoded: Exclude<DecodedOffset, { readonly ok: true }>): {
  readonly code: "OFF104" | "OFF105";
  readonly seen: string;
} {
  return decoded.reason === "later version"
    ? { code: "OFF104", seen: laterVersion(decoded.version) }
    : { code: "OFF105", seen: unreadable(decoded.problem) };
}

/** The sentence for an offset that the task does not take. */
export function unreadable(problem: string): string {
  return `the stored offset can't be read: ${problem}`;
}

export type DecodedOffset =
  | { readonly ok: true; readonly offset: StoredOffset }
  | { readonly ok: false; readonly reason: "later version"; readonly version: bigint }
  | { readonly ok: false; readonly reason: "unreadable"; readonly problem: string };

/** The offset of one connector's server, among the offsets stored for the connector. */
type OwnOffset =
  | { readonly is: "stored"; readonly offset: StoredOffset }
  | { readonly is: "none" }
  | { readonly is: "unreadable"; readonly why: string; readonly code: "OFF104" | "OFF105" };

/** What is stored under a connector's partition, as it is; null if nothing is. @param prefix `cdc.topic.prefix` */
export function offsetUnder(offsets: readonly OffsetEntry[], prefix: string): JsonObject | null {
  return offsets.find(({ partition }) => sameOffset(partition, { server: prefix }))?.offset ?? null;
}

/** The offset stored under a connector's partition; null if there is none. */
export function storedOffsetOf({
  offsets,
  prefix,
}: {
  readonly offsets: readonly OffsetEntry[];
  readonly prefix: string;
}): JsonObject | null {
  const raw = offsetUnder(offsets, prefix);
  return isEmptyOffset(raw) ? null : raw;
}

export function ownOffset(entries: readonly OffsetEntry[], server: string): OwnOffset {
  const raw = storedOffsetOf({ offsets: entries, prefix: server });
  if (raw === null) return { is: "none" };
  const decoded = decodeOffset(raw);
  if (decoded.ok) return { is: "stored", offset: decoded.offset };
  const { code, seen } = undecoded(decoded);
  return { is: "unreadable", why: seen, code };
}

/**
 * Reads a stored offset, if the task takes it. SCNs may be numbers or text, the ledger text, a list or null. What
 * database it is of is a question of its own (`fromElsewhere`).
 */
export function decodeOffset(raw: JsonObject): DecodedOffset {
  const version = integer(raw["v"]);
  if (version !== undefined && version > OFFSET_VERSION) return { ok: false, reason: "later version", version };
  const problem = problemIn(raw);
  if (problem !== undefined) return { ok: false, reason: "unreadable", problem };
  const resumeScn = resumeScnIn(raw);
  if (version === undefined || resumeScn === undefined) return noScn(raw);
  const released = readLedger(raw["released_xids"]);
  if (released === undefined) {
    return { ok: false, reason: "unreadable", problem: "released_xids is neither text, a list of texts nor null" };
  }
  const commit = lastCommit(raw);
  return {
    ok: true,
    offset: {
      raw,
      version,
      resumeScn,
      redoAddress: redoPosition(raw["resume_rs_id"], raw["resume_ssn"]),
      lastCommit: commit,
      journalGeneration: integer(raw["journal_generation"]),
      schemaEpoch: integer(raw["schema_epoch"]),
      dbid: integer(raw["dbid"]),
      resetlogsScn: integer(raw["resetlogs_scn"]),
      released,
      snapshot: snapshotProgress(raw["snapshot"]),
      firstStart: commit?.xid === undefined ? firstStartCut(raw) : undefined,
      snapshotPending: list(raw["snapshot_pending"]),
      // A text is read as none (reference: wire formats, "Stored offset").
      signalOffset: typeof raw["signal_offset"] === "bigint" ? raw["signal_offset"] : undefined,
    },
  };
}

function noScn(raw: JsonObject): DecodedOffset {
  const problem = `resume_scn is ${shown(raw["resume_scn"])}, which is not an SCN`;
  return { ok: false, reason: "unreadable", problem };
}

/** The resume SCN of an offset, also of one that can't be read otherwise. */
export function resumeScnIn(raw: JsonObject | null): Scn | undefined {
  return scn(raw?.["resume_scn"]);
}

/** What would be left out of an offset that names no acknowledged commit; undefined without a floor. */
export function firstStartCut(raw: JsonObject): FirstStartCut | undefined {
  const floor = scn(raw["start_floor_scn"]) ?? 0n;
  if (floor === 0n) return undefined;
  const xids = text(raw["start_open_xids"])?.split(",") ?? [];
  return { floor, openScn: scn(raw["start_open_scn"]) ?? 0n, openXids: xids };
}

/**
 * Whether a connector with this offset can have started first at an SCN. It mines from the oldest transaction open
 * then, below that SCN, and delivers only what ends above it.
 *
 * Rule: reference: connector rules, "The first-start cut".
 */
export function canHaveStartedAt({ resumeScn, lastCommit, firstStart }: StoredOffset, start: Scn): boolean {
  if (resumeScn >= start) return true;
  return lastCommit?.xid === undefined ? firstStart?.floor === start : (lastCommit.scn ?? 0n) >= start;
}

/** Whether nothing is stored: no entry, or an entry without any field. */
export function isEmptyOffset(offset: JsonObject | null): boolean {
  return offset === null || Object.keys(offset).length === 0;
}

/** Field by field: the same names with values of the same type and content; the order does not matter. */
export function sameOffset(a: JsonObject | null, b: JsonObject | null): boolean {
  if (a === null || b === null) return isEmptyOffset(a) && isEmptyOffset(b);
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameValue(a[name], b[name]))
  );
}

/**
 * All that is stored for a connector, partition by partition; an empty offset does not count. The order does not
 * matter: Connect returns any.
 */
export function sameOffsets(a: readonly OffsetEntry[], b: readonly OffsetEntry[]): boolean {
  const [one, other] = [byPartition(a), byPartition(b)];
  return one.size === other.size && [...one].every(([key, offset]) => sameOffset(offset, other.get(key) ?? null));
}

function byPartition(entries: readonly OffsetEntry[]): ReadonlyMap<string, JsonObject | null> {
  return new Map(
    entries
      .filter(({ offset }) => !isEmptyOffset(offset))
      .map(({ partition, offset }) => [canonicalJson(partition), offset]),
  );
}

function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isDecimal(a) && isDecimal(b)) return a.toString() === b.toString();
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  return isObject(a) && isObject(b) && sameOffset(a, b);
}

function readLedger(value: Json | undefined): readonly string[] | undefined {
  if (value === null || value === undefined) return [];
  if (typeof value === "string") return list(value);
  if (Array.isArray(value) && value.every((id) => typeof id === "string")) return value as readonly string[];
  return undefined;
}

/** The elements of comma-joined text. */
function list(value: Json | undefined): readonly string[] {
  if (typeof value !== "string") return [];
  return value
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

function lastCommit(raw: JsonObject): LastCommit | undefined {
  const at = scn(raw["last_commit_scn"]);
  const xid = text(raw["last_commit_xid"]);
  if (xid === undefined && (at === undefined || at === 0n)) return undefined;
  return {
    scn: at === 0n ? undefined : at,
    xid,
    thread: integer(raw["last_commit_thread"]),
    redoAddress: redoPosition(raw["last_commit_rs_id"], raw["last_commit_ssn"]),
    eventIndex: integer(raw["event_index"]),
  };
}

function redoPosition(rsId: Json | undefined, ssn: Json | undefined): RedoPosition | undefined {
  const address = text(rsId);
  return address === undefined ? undefined : { rsId: address, ssn: integer(ssn) };
}

/**
 * Parses `snapshot`, which is JSON text; a newer format is reported as unreadable, never an error, because it is only
 * carried along.
 */
function snapshotProgress(value: Json | undefined): SnapshotProgress | undefined {
  if (typeof value !== "string") return value === undefined || value === null ? undefined : { readable: false };
  try {
    const parsed: unknown = JSON.parse(value);
    if (!isObject(parsed) || typeof parsed["complete"] !== "boolean") return { readable: false };
    const tables = isObject(parsed["tables"]) ? Object.entries(parsed["tables"]) : [];
    const done = tables.flatMap(([name, table]) => (isObject(table) && table["done"] === true ? [name] : []));
    const scope: unknown = parsed["scope"];
    return {
      readable: true,
      complete: parsed["complete"],
      tablesDone: BigInt(done.length),
      tables: BigInt(tables.length),
      scope: Array.isArray(scope) ? scope.map(String) : undefined,
      done,
    };
  } catch {
    return { readable: false };
  }
}

/** An SCN as number or as text; 0 stands for "none yet" in fields that hold one. */
function scn(value: Json | undefined): Scn | undefined {
  const number = integer(value);
  return number === undefined ? undefined : parseScn(number.toString());
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && !isBlank(value) ? value.trim() : undefined;
}

export type StoredReading =
  | { readonly state: "none" }
  | { readonly state: "stored"; readonly entry: OffsetEntry; readonly offset: StoredOffset }
  | { readonly state: "later version"; readonly version: bigint }
  | { readonly state: "unreadable"; readonly problem: string }
  | { readonly state: "several"; readonly partitions: readonly JsonObject[] }
  | { readonly state: "foreign"; readonly partition: JsonObject };
