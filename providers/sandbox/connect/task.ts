import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import type { Json, JsonObject } from "../../../core/values/json.ts";

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
  start(stored: readonly OffsetEntry[]): readonly OffsetEntry[] | undefined;
  /** Called every `commitInterval`, and once more when it is stopped: what to commit now. */
  tick(): readonly OffsetEntry[];
  /** Its partitions keep the order of their keys; see `OffsetStore.write`. */
  readonly keys?: "as given" | undefined;
}

export interface TaskedConnector {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

/** Identity of the database that the default task claims to mine. */
export interface TaskSource {
  readonly dbid: bigint;
  readonly resetlogsScn: bigint;
  /** The SCN up to which redo exists now. */
  position(): bigint;
}

/**
 * A task like the connector's: reads its stored offset, raises the journal generation, and mines from the resume SCN
 * towards the source's position. After a move to an earlier SCN, its last commit stays unchanged until the task has
 * passed it.
 */
export function oracleTask({ config }: TaskedConnector, source: TaskSource): SandboxTask {
  const partition: JsonObject = { server: config["cdc.topic.prefix"] ?? "" };
  let offset: Record<string, Json> = {};
  const scn = (name: string): bigint => {
    const value = offset[name];
    return typeof value === "bigint" ? value : typeof value === "string" && /^\d+$/.test(value) ? BigInt(value) : 0n;
  };
  return {
    start(stored) {
      const mine = stored.find((entry) => entry.partition["server"] === partition["server"]);
      offset = mine?.offset ? { ...mine.offset } : initialOffset(config, source);
      offset["journal_generation"] = scn("journal_generation") + 1n;
      return [{ partition, offset: { ...offset } }];
    },
    tick() {
      const end = source.position();
      const from = scn("resume_scn");
      const resume = from < end ? from + (end - from + 1n) / 2n : from;
      const commit = resume - 13n;
      offset = { ...offset, resume_scn: resume };
      if (commit > scn("last_commit_scn")) offset = { ...offset, last_commit_scn: commit, event_index: 1n };
      return [{ partition, offset: { ...offset } }];
    },
  };
}

function initialOffset(config: Readonly<Record<string, string>>, source: TaskSource): Record<string, Json> {
  const start = config["cdc.start.scn"];
  return {
    v: 1n,
    resume_scn: start !== undefined && /^\d+$/.test(start) ? BigInt(start) : source.position(),
    last_commit_scn: 0n,
    last_commit_xid: "1:7.22.1180",
    last_commit_thread: 1n,
    event_index: 0n,
    journal_generation: 0n,
    schema_epoch: 0n,
    dbid: source.dbid,
    resetlogs_scn: source.resetlogsScn,
    released_xids: null,
  };
}
