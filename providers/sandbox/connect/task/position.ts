import type { RedoPlace } from "../../../../core/journal/chunk-record.ts";
import { isObject, type Json, type JsonObject, parseJson } from "../../../../core/values/json.ts";
import { parseXid, printXid } from "../../../../core/values/xid.ts";
import { readProgress, type SnapshotProgress } from "./snapshot-progress.ts";
import { stopWith, stopWithoutCode } from "./stopped-task.ts";

/** A delivered commit, as the offset names it. */
export interface LastCommit {
  /** The redo byte address, if the offset has it. */
  readonly at: RedoPlace;
  /** `CON:USN.SLOT.SQN`; the container is 0 for an id without one. */
  readonly xid: string;
  readonly thread: bigint;
}

/** The part of the offset that concerns one redo thread. */
interface ThreadMark {
  readonly resume: bigint;
  readonly commit: LastCommit | undefined;
}

/** A stored offset as the task reads it (source: `Position`). */
export interface Position {
  readonly resume: RedoPlace;
  readonly lastCommit: LastCommit | undefined;
  readonly eventIndex: bigint;
  readonly generation: bigint;
  readonly dbid: bigint;
  readonly resetlogsScn: bigint;
  readonly released: readonly string[];
  readonly snapshot: SnapshotProgress | undefined;
  /** Empty if the offset has none, or if they are not trusted. */
  readonly threads: ReadonlyMap<bigint, ThreadMark>;
  /** The first-start cut; the floor is 0 without one. */
  readonly floor: bigint;
  readonly openScn: bigint;
  readonly openXids: ReadonlySet<string>;
}

const KNOWN: ReadonlySet<string> = new Set([
  ...["v", "resume_scn", "resume_rs_id", "resume_ssn", "last_commit_scn", "last_commit_xid", "last_commit_thread"],
  ...["last_commit_rs_id", "last_commit_ssn", "event_index", "journal_generation", "schema_epoch", "dbid"],
  ...["resetlogs_scn", "released_xids", "snapshot", "threads"],
]);

const RESET = "Reset the connector's offsets with oracle-cdc-admin.";

/**
 * Reads a stored offset as strictly as the task does.
 *
 * Rule: reference, connector rules, "What a stored offset must hold for the task to start"; source: `PositionCodec`.
 *
 * @throws Error that stops the task
 */
export function readPosition(offset: JsonObject): Position {
  const number = (name: string): bigint => integer(offset[name], 0n);
  const version = integer(offset["v"], -1n);
  if (version === -1n)
    throw stopWith(
      "CDC-3002",
      `The stored offset has no format version: [${Object.keys(offset).join(", ")}]`,
      "The offset was not written by this connector; reset it with oracle-cdc-admin.",
    );
  if (version !== 1n)
    throw stopWith(
      "CDC-3002",
      `The stored offset is format version ${version}; this connector reads up to 1`,
      "Upgrade the connector, or downgrade by at most one minor version.",
    );
  for (const [name, value] of Object.entries(offset))
    if (value === null && !KNOWN.has(name)) throw stopWithoutCode("null");
  for (const name of ["resume_scn", "last_commit_scn", "event_index"])
    if (number(name) < 0n) throw stopWithoutCode("position fields cannot be negative");
  number("schema_epoch");
  const commit = commitIn(offset, "last_commit", offset["last_commit_xid"], number("last_commit_thread"));
  const legacy = {
    resume: placeIn(offset, "resume"),
    lastCommit: commit,
    eventIndex: number("event_index"),
    generation: number("journal_generation"),
    dbid: number("dbid"),
    resetlogsScn: number("resetlogs_scn"),
    released: releasedIn(offset["released_xids"]),
    snapshot: snapshotIn(offset["snapshot"]),
    floor: number("start_floor_scn"),
    openScn: number("start_open_scn"),
    openXids: new Set(String(offset["start_open_xids"] ?? "").split(",")),
  };
  const threads = threadsIn(offset["threads"]);
  return { ...legacy, threads: agree(threads, legacy) ? threads : new Map() };
}

/** Nothing, or an offset of another database: `dbid` and `resetlogs_scn` that are missing are read as 0. */
export function requireDatabase(
  { dbid, resetlogsScn }: Pick<Position, "dbid" | "resetlogsScn">,
  connected: { readonly dbid: bigint; readonly resetlogsScn: bigint },
): void {
  if (dbid === connected.dbid && resetlogsScn === connected.resetlogsScn) return;
  const named = (one: typeof connected): string => `dbid ${one.dbid}, resetlogs ${one.resetlogsScn}`;
  throw stopWith(
    "CDC-5001",
    `The stored offset belongs to database ${named({ dbid, resetlogsScn })} but the connector is connected to ` +
      named(connected),
    "Point the connector at the original database or reset its offsets with oracle-cdc-admin after a resnapshot.",
  );
}

/** @throws Error without a code for a text that is not an integer */
function integer(value: Json | undefined, missing: bigint): bigint {
  if (value === undefined || value === null) return missing;
  if (typeof value === "bigint") return value;
  const text = String(value);
  if (!/^-?\d+$/.test(text)) throw stopWithoutCode(`For input string: "${text}"`);
  return BigInt(text);
}

function placeIn(of: JsonObject, name: string): RedoPlace {
  const rsId = of[`${name}_rs_id`];
  const hasAddress = typeof rsId === "string" && rsId.trim() !== "";
  return {
    scn: integer(of[`${name}_scn`], 0n),
    rsId: hasAddress ? rsId : undefined,
    ssn: hasAddress ? integer(of[`${name}_ssn`], 0n) : 0n,
  };
}

function commitIn(of: JsonObject, name: string, xid: Json | undefined, thread: bigint): LastCommit | undefined {
  if (xid === undefined || xid === null) return undefined;
  const parsed = parseXid(String(xid));
  if (parsed === undefined) throw stopWithoutCode(`not a transaction id: "${String(xid)}"`);
  return { at: placeIn(of, name), xid: printXid({ ...parsed, container: parsed.container ?? 0n }), thread };
}

function releasedIn(value: Json | undefined): readonly string[] {
  const ids = Array.isArray(value) ? value.map(String) : typeof value === "string" ? value.split(",") : [];
  return ids.map((id) => id.trim()).filter((id) => id !== "");
}

function snapshotIn(value: Json | undefined): SnapshotProgress | undefined {
  if (value === undefined || value === null) return undefined;
  const damaged = (what: string): Error => stopWith("CDC-3002", what, RESET);
  let block: Json;
  try {
    block = parseJson(String(value));
  } catch {
    throw damaged(`The stored offset's snapshot block is not JSON: ${String(value)}`);
  }
  if (!isObject(block)) throw damaged(`The stored offset's snapshot block is not JSON: ${String(value)}`);
  if (Object.values(block).some((member) => member === null)) throw stopWithoutCode("null");
  if (block["v"] !== 1n) throw damaged(`The offset's snapshot block has version ${String(block["v"])}, expected 1.`);
  if (isObject(block["tables"]) && Object.values(block["tables"]).some((state) => !isObject(state)))
    throw stopWithoutCode("null");
  return readProgress(String(value));
}

function threadsIn(value: Json | undefined): ReadonlyMap<bigint, ThreadMark> {
  if (value === undefined || value === null || String(value).trim() === "") return new Map();
  try {
    const block = parseJson(String(value)) as JsonObject;
    return new Map(
      Object.entries(block).map(([thread, mark]) => {
        const one = mark as JsonObject;
        const commit = commitIn(one, "commit", one["commit_xid"], BigInt(thread));
        return [BigInt(thread), { resume: integer(one["resume_scn"], 0n), commit }] as const;
      }),
    );
  } catch {
    throw stopWith("CDC-3002", `The stored offset's per-thread block cannot be read: ${String(value)}`, RESET);
  }
}

/**
 * The block of threads is trusted only while its lowest resume SCN is the offset's, and the commit of the last commit's
 * thread is the last commit (reference: wire formats, "Stored offset", `threads`).
 */
function agree(
  threads: ReadonlyMap<bigint, ThreadMark>,
  { resume, lastCommit }: Pick<Position, "resume" | "lastCommit">,
): boolean {
  const marks = [...threads.values()];
  const lowest = marks.map((mark) => mark.resume).sort((a, b) => (a < b ? -1 : 1))[0];
  if (lowest === undefined || lowest !== resume.scn) return false;
  if (lastCommit === undefined) return marks.every(({ commit }) => commit === undefined);
  const own = threads.get(lastCommit.thread)?.commit;
  return own !== undefined && own.xid === lastCommit.xid && own.at.scn === lastCommit.at.scn;
}
