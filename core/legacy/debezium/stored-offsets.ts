import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import { canonicalJson, type Json, type JsonObject } from "../../values/json.ts";
import { parseScn, type Scn } from "../../values/scn.ts";
import { truncate } from "../../values/truncate.ts";

/** A stored offset as Debezium's own loader holds it (reference: Debezium, "Stored offset"). */
export interface DebeziumOffset {
  /** Where mining resumes, exclusively; undefined while the connector has no position. */
  readonly scn: Scn | undefined;
  /** The last commit delivered of each redo thread; none before the first, or if it is not stored. */
  readonly commits: readonly ThreadCommit[];
  /** The snapshot that the last record stored belongs to; undefined if that record was streamed. */
  readonly snapshot: { readonly type: SnapshotType; readonly completed: boolean } | undefined;
  readonly snapshotScn: Scn | undefined;
  /** Starts of the transactions that were open at the snapshot. */
  readonly pending: readonly Scn[];
  /** The transaction of the last event sent. */
  readonly txId: string | undefined;
  /** `log.mining.window.max.ms` has been on: `scn` may lie above the begin of a transaction in Debezium's cache. */
  readonly windowAdvance: boolean;
  /** `commit_scn` names no redo thread: it is of a version up to 1.9.4, or written by hand. */
  readonly threadless: boolean;
  /** An incremental snapshot is under way. */
  readonly incremental: boolean;
  /** The adapter whose position has another form than LogMiner's. */
  readonly adapter: "xstream" | "olr" | undefined;
  /** The first and the last version that loads it, where not every version does. */
  readonly loads: Range;
}

export interface ThreadCommit {
  readonly thread: bigint;
  readonly scn: Scn;
  /** The transactions committed at that very SCN. */
  readonly txIds: readonly string[];
}

const SNAPSHOTS = ["INITIAL", "BLOCKING", "INCREMENTAL"] as const;
type SnapshotType = (typeof SNAPSHOTS)[number];

interface Range {
  readonly since?: string;
  readonly upTo?: string;
}

/** Thrown inside this module for a form that no version of Debezium loads, or that has no SCN. */
class Unloadable extends Error {}

/**
 * Reads an offset as Debezium does. What no version loads is refused: it was made by hand, and what Debezium would do
 * is not known.
 *
 * @returns a sentence about the field that is wrong, if one is
 */
export function loadOffset({ offset }: OffsetEntry): DebeziumOffset | string {
  const stored = offset ?? {};
  try {
    const { commits, loads } = commitsIn(stored["commit_scn"]);
    const { snapshot, loads: snapshotLoads } = snapshotIn(stored);
    const collections = stored["incremental_snapshot_collections"] ?? null;
    const range = inAll(loads, snapshotLoads, collectionsLoad(collections));
    if (range === undefined) return "has fields of different versions, which no version of Debezium loads together";
    const txId = stored["txId"];
    return {
      scn: scnIn("scn", stored["scn"]),
      commits,
      snapshot,
      snapshotScn: scnIn("snapshot_scn", stored["snapshot_scn"]),
      pending: pendingIn(stored["snapshot_pending_tx"]),
      txId: typeof txId === "string" ? txId : undefined,
      windowAdvance: stored["window_advance_enabled"] === true,
      threadless: commits.length > 0 && !String(stored["commit_scn"]).includes(":"),
      incremental: collections !== null,
      adapter: (stored["lcr_position"] ?? null) !== null ? "xstream" : "scn_idx" in stored ? "olr" : undefined,
      loads: range,
    };
  } catch (error) {
    if (error instanceof Unloadable) return error.message;
    throw error;
  }
}

/** Debezium takes a sign, which no SCN has, and leading zeros; a JSON number above 2^63 wraps there. */
function scnIn(field: string, value: Json | undefined): Scn | undefined {
  if (value === undefined || value === null) return undefined;
  const digits = typeof value === "bigint" || typeof value === "string" ? `${value}`.replace(/^0+(?=\d)/, "") : "";
  const scn = parseScn(digits);
  if (scn === undefined) throw new Unloadable(`has no readable ${field}: ${truncate(canonicalJson(value), 80)}`);
  return scn;
}

/** The fields of an entry by their number: those of any other number are refused by every version. */
const ENTRIES: Readonly<Record<number, { readonly thread?: number; readonly txIds?: number; readonly loads: Range }>> =
  {
    1: { loads: {} },
    3: { thread: 1, txIds: 2, loads: { since: "1.9.6" } },
    4: { thread: 3, loads: { since: "1.9.5" } },
  };

function commitsIn(value: Json | undefined): Pick<DebeziumOffset, "commits" | "loads"> {
  if (typeof value !== "string" || !/[:,]/.test(value)) {
    const scn = scnIn("commit_scn", value);
    return { commits: scn === undefined ? [] : [{ thread: 1n, scn, txIds: [] }], loads: {} };
  }
  const entries = value.replace(/,+$/, "").split(",");
  const read = entries.map((entry) => {
    const parts = entry.split(":");
    const form = ENTRIES[parts.length];
    const thread = form?.thread === undefined ? "1" : parts[form.thread];
    if (form === undefined || thread === undefined || !/^\d{1,9}$/.test(thread))
      throw new Unloadable(`has no readable commit_scn: ${truncate(canonicalJson(value), 80)}`);
    const scn = scnIn("commit_scn", parts[0] ?? "") ?? 0n;
    const txIds = form.txIds === undefined ? [] : (parts[form.txIds] ?? "").split("-").filter((txId) => txId !== "");
    // 1.9.5 reads the third of four fields as a number.
    const loads = parts.length === 4 && !/^\d+$/.test(parts[2] ?? "") ? { since: "1.9.6" } : form.loads;
    return { commit: { thread: BigInt(thread), scn, txIds }, loads };
  });
  // A list came with the entries by redo thread.
  const loads = inAll({ since: "1.9.5" }, ...read.map((one) => one.loads)) ?? {};
  return { commits: read.map(({ commit }) => commit), loads };
}

/** Readers since 3.0.2 take the name of a type, or true; older ones take any text, and only true for a snapshot. */
function snapshotIn(stored: JsonObject): Pick<DebeziumOffset, "snapshot" | "loads"> {
  const value = stored["snapshot"] ?? null;
  if (value === null) return { snapshot: undefined, loads: {} };
  const type = value === true || value === "true" ? "INITIAL" : SNAPSHOTS.find((name) => name === value);
  if (type === undefined) return { snapshot: undefined, loads: { upTo: "3.0.1" } };
  return { snapshot: { type, completed: stored["snapshot_completed"] === true }, loads: {} };
}

/** The tables of an incremental snapshot: a list in 1.9, JSON since 2.0. */
function collectionsLoad(collections: Json): Range {
  if (typeof collections !== "string") return {};
  return collections.trimStart().startsWith("[") ? { since: "2.0.0" } : { upTo: "1.9.7" };
}

/** Blanks are allowed here, and nowhere else. */
function pendingIn(value: Json | undefined): readonly Scn[] {
  if (typeof value !== "string" || value === "") return [];
  return value.split(",").map((entry) => {
    const scn = scnIn("snapshot_pending_tx", entry.split(":")[1]?.trim() ?? "");
    return scn ?? 0n;
  });
}

/** Versions of Debezium in their order: no part has more than three digits. */
const orderOf = (version: string): string => version.replace(/\d+/g, (part) => part.padStart(3, "0"));

/** The versions that all of several ranges have; undefined if there are none. */
function inAll(...ranges: readonly Range[]): Range | undefined {
  const since = ranges.flatMap((range) => range.since ?? []).sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1))[0];
  const upTo = ranges.flatMap((range) => range.upTo ?? []).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))[0];
  if (since !== undefined && upTo !== undefined && orderOf(since) > orderOf(upTo)) return undefined;
  return { ...(since === undefined ? {} : { since }), ...(upTo === undefined ? {} : { upTo }) };
}

/** Whether a stored offset is Debezium's, whose partition has the shape of the new connector's. */
export function isDebeziumOffset({ partition, offset }: OffsetEntry): boolean {
  const has = (...names: readonly string[]) => names.some((name) => offset !== null && name in offset);
  return "server" in partition && has("scn", "commit_scn", "lcr_position") && !has("v", "resume_scn");
}
