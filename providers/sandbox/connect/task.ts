import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import type { Json, JsonObject } from "../../../core/values/json.ts";
import { type FirstStartSource, firstOffset } from "./task/first-start.ts";
import type { OpenEntry, RestoredTransaction } from "./task/redo-script.ts";

/**
 * The single task of a connector, as Connect sees it. An error that it throws makes it FAILED, with the error as its
 * trace.
 */
export interface SandboxTask {
  /**
   * Called once, with everything stored for the connector. What it returns is committed at once: the first heartbeat
   * makes the start position durable before any change record, whatever `cdc.heartbeat.interval.ms` says (reference:
   * connector rules, "Offset fields on a move").
   */
  start(stored: readonly OffsetEntry[], restored?: readonly RestoredTransaction[]): readonly OffsetEntry[] | undefined;
  /** Called every `commitInterval`, and once more when it is stopped: what to commit now. */
  tick(): readonly OffsetEntry[];
  /**
   * The transactions that hold its resume point, restored ones among them. Without it, the task knows of none, and what
   * surrounds it holds the resume point for restored ones.
   */
  open?(): readonly OpenEntry[];
  /** Its partitions keep the order of their keys; see `OffsetStore.write`. */
  readonly keys?: "as given" | undefined;
}

export interface TaskedConnector {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

/** The database that the default task claims to mine. */
export interface TaskSource {
  readonly dbid: bigint;
  readonly resetlogsScn: bigint;
  /** The SCN up to which redo exists now. */
  position(): bigint;
  /** What a first start reads. Default: no open transaction, and the position as the current SCN. */
  readonly firstStart?: Omit<FirstStartSource, "database">;
}

/**
 * A task like the connector's, over redo that nobody has written down: reads its stored offset, raises the journal
 * generation, and mines from the resume SCN towards the source's position, half of the way at each commit. What it
 * delivers ends with a commit just below. After a move to an earlier SCN, its last commit stays unchanged until the
 * task has passed it.
 */
export function oracleTask({ config }: TaskedConnector, source: TaskSource): SandboxTask {
  const partition: JsonObject = { server: config["cdc.topic.prefix"] ?? "" };
  let offset: Record<string, Json> = {};
  let from = 0n;
  return {
    start(stored) {
      const mine = stored.find((entry) => entry.partition["server"] === partition["server"]);
      const { dbid, resetlogsScn } = source;
      offset = mine?.offset
        ? { ...mine.offset }
        : firstOffset(config, {
            currentScn: source.position,
            ...source.firstStart,
            database: { dbid, resetlogsScn },
          });
      from = scnIn(offset, "resume_scn");
      offset["journal_generation"] = scnIn(offset, "journal_generation") + 1n;
      return [{ partition, offset: { ...offset } }];
    },
    tick() {
      const resume = halfway(scnIn(offset, "resume_scn"), source.position());
      offset = { ...offset, resume_scn: resume };
      const commit = resume - 13n;
      const lowest = [from, scnIn(offset, "start_floor_scn"), scnIn(offset, "last_commit_scn") + 1n];
      if (lowest.every((scn) => commit >= scn)) offset = withCommit(offset, commit);
      return [{ partition, offset: { ...offset } }];
    },
  };
}

/** The next resume SCN of a task that mines half of the way at each commit. */
export function halfway(from: bigint, end: bigint): bigint {
  return from < end ? from + (end - from + 1n) / 2n : from;
}

/** The first acknowledged commit lifts the first-start cut (reference: connector rules, "The first-start cut"). */
function withCommit(offset: Readonly<Record<string, Json>>, scn: bigint): Record<string, Json> {
  const { start_floor_scn: _floor, start_open_scn: _open, start_open_xids: _xids, ...kept } = offset;
  const xid = typeof kept["last_commit_xid"] === "string" ? kept["last_commit_xid"] : "3:7.22.1180";
  const thread = scnIn(kept, "last_commit_thread") || 1n;
  return { ...kept, last_commit_scn: scn, last_commit_xid: xid, last_commit_thread: thread, event_index: 1n };
}

/** 0 for anything that is no SCN. */
function scnIn(offset: JsonObject, name: string): bigint {
  const text = String(offset[name] ?? "");
  return /^\d+$/.test(text) ? BigInt(text) : 0n;
}
