import { canonicalJson, isDecimal, isObject, type Json, type JsonObject } from "../../values/json.ts";
import { parseScn, type Scn } from "../../values/scn.ts";
import { truncate } from "../../values/truncate.ts";
import { parseXid, sameXid } from "../../values/xid.ts";

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
}

export interface RedoPosition {
  readonly rsId: string;
  readonly ssn: bigint | undefined;
}

interface LastCommit {
  readonly scn: Scn;
  readonly xid: string | undefined;
  readonly thread: bigint | undefined;
  readonly redoAddress: RedoPosition | undefined;
  readonly eventIndex: bigint | undefined;
}

type SnapshotProgress =
  | { readonly readable: true; readonly complete: boolean; readonly tablesDone: bigint; readonly tables: bigint }
  | { readonly readable: false };

/** The highest supported format version; a newer one is refused (CDC-3002), not guessed. */
const OFFSET_VERSION = 1n;

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
    : { code: "OFF105", seen: `the stored offset can't be read: ${decoded.problem}` };
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

/** The offset stored under a connector's partition; null if there is none. */
export function storedOffsetOf({
  offsets,
  prefix,
}: {
  readonly offsets: readonly OffsetEntry[];
  readonly prefix: string;
}): JsonObject | null {
  const raw = offsets.find(({ partition }) => sameOffset(partition, { server: prefix }))?.offset ?? null;
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

/** Reads a stored offset. SCNs may be numbers or text, the ledger text, a list or null. */
export function decodeOffset(raw: JsonObject): DecodedOffset {
  const version = raw["v"] === undefined || raw["v"] === null ? OFFSET_VERSION : integer(raw["v"]);
  if (version === undefined)
    return { ok: false, reason: "unreadable", problem: `v is ${shown(raw["v"])}, which is not a version` };
  if (version > OFFSET_VERSION) return { ok: false, reason: "later version", version };
  const resumeScn = scn(raw["resume_scn"]);
  if (resumeScn === undefined) {
    return {
      ok: false,
      reason: "unreadable",
      problem: `resume_scn is ${shown(raw["resume_scn"])}, which is not an SCN`,
    };
  }
  const released = readLedger(raw["released_xids"]);
  if (released === undefined) {
    return { ok: false, reason: "unreadable", problem: "released_xids is neither text, a list of texts nor null" };
  }
  for (const name of ["dbid", "resetlogs_scn"]) {
    const value = raw[name];
    if (value !== undefined && value !== null && integer(value) === undefined)
      return { ok: false, reason: "unreadable", problem: `${name} is ${shown(value)}, which is not an integer` };
  }
  return {
    ok: true,
    offset: {
      raw,
      version,
      resumeScn,
      redoAddress: redoPosition(raw["resume_rs_id"], raw["resume_ssn"]),
      lastCommit: lastCommit(raw),
      journalGeneration: integer(raw["journal_generation"]),
      schemaEpoch: integer(raw["schema_epoch"]),
      dbid: integer(raw["dbid"]),
      resetlogsScn: integer(raw["resetlogs_scn"]),
      released,
      snapshot: snapshotProgress(raw["snapshot"]),
    },
  };
}

/** Whether nothing is stored: no entry, or an entry without any field. */
export function isEmptyOffset(offset: JsonObject | null): boolean {
  return offset === null || Object.keys(offset).length === 0;
}

/** What a move changes besides the SCN. */
export interface OffsetMove {
  readonly scn: Scn;
  /** Ids to remove from the orphan release ledger. */
  readonly forget: "none" | "all" | readonly string[];
}

/**
 * The offset after a move: the resume SCN in the type it had (number or text); `resume_rs_id`, `resume_ssn` and
 * `threads` belong to the old position and are removed, even if the SCN stays the same; a ledger that loses ids or was
 * a list (which Connect does not store) is written as comma-joined text, or null if empty; every other field is kept.
 */
export function moveOffset(stored: StoredOffset, move: OffsetMove): JsonObject {
  const { resume_rs_id: _rsId, resume_ssn: _ssn, threads: _threads, ...kept } = stored.raw;
  const forgotten = forgottenIds(stored.released, move.forget);
  const remaining = stored.released.filter((id) => !forgotten.includes(id));
  return {
    ...kept,
    resume_scn: typeof stored.raw["resume_scn"] === "string" ? move.scn.toString() : move.scn,
    ...(forgotten.length === 0 && !Array.isArray(stored.raw["released_xids"])
      ? {}
      : { released_xids: remaining.length === 0 ? null : remaining.join(",") }),
  };
}

/** The ids of the ledger that a move removes. An ambiguous id removes none. */
export function forgottenIds(released: readonly string[], forget: OffsetMove["forget"]): readonly string[] {
  if (forget === "none") return [];
  if (forget === "all") return released;
  const named = new Set(
    forget.flatMap((id) => {
      const ids = idsNamed(released, id);
      return ids.length === 1 ? ids : [];
    }),
  );
  return released.filter((id) => named.has(id));
}

/**
 * The ids of the ledger that an id can name: without its container it matches any, and so do those of older connectors.
 */
export function idsNamed(released: readonly string[], id: string): readonly string[] {
  const asked = parseXid(id);
  const same = [...new Set(released)].filter((one) => {
    const xid = parseXid(one);
    return asked === undefined || xid === undefined ? one === id : sameXid(xid, asked);
  });
  const inContainer = same.filter((one) => parseXid(one)?.container === asked?.container);
  return inContainer.length > 0 ? inContainer : same;
}

/** The first offset of a connector that has none: version 1, the SCN, the database's identity, zeros elsewhere. */
export function initialOffset(scn: Scn, database: { readonly dbid: bigint; readonly resetlogsScn: Scn }): JsonObject {
  return {
    v: OFFSET_VERSION,
    resume_scn: scn,
    last_commit_scn: 0n,
    event_index: 0n,
    journal_generation: 0n,
    schema_epoch: 0n,
    dbid: database.dbid,
    resetlogs_scn: database.resetlogsScn,
  };
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
  if (typeof value === "string")
    return value
      .split(",")
      .map((id) => id.trim())
      .filter((id) => id !== "");
  if (Array.isArray(value) && value.every((id) => typeof id === "string")) return value as readonly string[];
  return undefined;
}

function lastCommit(raw: JsonObject): LastCommit | undefined {
  const at = scn(raw["last_commit_scn"]);
  if (at === undefined || at === 0n) return undefined;
  return {
    scn: at,
    xid: text(raw["last_commit_xid"]),
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
    const tables = isObject(parsed["tables"]) ? Object.values(parsed["tables"]) : [];
    const done = tables.filter((table) => isObject(table) && table["done"] === true);
    return {
      readable: true,
      complete: parsed["complete"],
      tablesDone: BigInt(done.length),
      tables: BigInt(tables.length),
    };
  } catch {
    return { readable: false };
  }
}

function integer(value: Json | undefined): bigint | undefined {
  if (typeof value === "bigint") return value;
  return typeof value === "string" && /^-?\d{1,40}$/.test(value) ? BigInt(value) : undefined;
}

/** An SCN as number or as text; 0 stands for "none yet" in fields that hold one. */
function scn(value: Json | undefined): Scn | undefined {
  const number = integer(value);
  return number === undefined ? undefined : parseScn(number.toString());
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function shown(value: Json | undefined): string {
  return value === undefined ? "missing" : truncate(canonicalJson(value), 60);
}

export type StoredReading =
  | { readonly state: "none" }
  | { readonly state: "stored"; readonly entry: OffsetEntry; readonly offset: StoredOffset }
  | { readonly state: "later version"; readonly version: bigint }
  | { readonly state: "unreadable"; readonly problem: string }
  | { readonly state: "several"; readonly partitions: readonly JsonObject[] }
  | { readonly state: "foreign"; readonly partition: JsonObject };

/**
 * One element of `GET /connectors/{name}/offsets`, exactly as read: it is written back with exactly the same partition.
 */
export interface OffsetEntry {
  readonly partition: JsonObject;
  /** Null in a PATCH removes the partition's offset. */
  readonly offset: JsonObject | null;
}
