import type { KafkaRecord } from "../ports/kafka.ts";
import { printXid } from "../values/xid.ts";
import { type ChunkHeader, type ChunkKey, readHeader, readKey } from "./chunk-record.ts";
import type { JournalForm } from "./journal-form.ts";
import { NotJson } from "./json-members.ts";
import { recordMembers } from "./record-members.ts";

/** A chunk that the journal holds, and where its record stands. */
export interface Chunk extends ChunkHeader {
  readonly key: ChunkKey;
  readonly partition: number;
  readonly offset: bigint;
}

export interface RecordCounts {
  /** All that were read, those of other connectors among them. */
  readonly records: number;
  /** Null values under this connector's keys. */
  readonly tombstones: number;
  /** Of other connectors, tombstones among them. */
  readonly foreign: number;
  /** Of the foreign ones: keys that name no server. */
  readonly nameless: number;
  readonly unreadable: number;
}

/** A record that the task can't read, which stops it (CDC-4002), also where a later record of its key follows. */
export interface UnreadableRecord {
  readonly what: "unreadable key" | "unreadable value";
  readonly partition: number;
  readonly offset: bigint;
  /** Undefined for a key. */
  readonly key: ChunkKey | undefined;
  readonly why: string;
}

export interface JournalFold {
  /** In order of offset within a partition. */
  take(record: KafkaRecord): void;
  counts(): RecordCounts;
  /** The last record of each key that no tombstone has removed. */
  chunks(): Iterable<Chunk>;
  /** The first of them; `counts` has how many there are. */
  unreadable(): readonly UnreadableRecord[];
}

const MOST_UNREADABLE = 100;

/**
 * Reads the journal's records one after the other and keeps what the topic says in the end, without the payloads: memory is bounded by the
 * open transactions, not by the topic.
 *
 * Rule: reference: wire formats, "Transaction journal", 1.
 *
 * @param server the connector's `cdc.topic.prefix`
 */
export function foldJournal(server: string, form: JournalForm): JournalFold {
  const [keys, values] = [recordMembers(form), recordMembers(form)];
  const live = new Map<string, Chunk>();
  const unreadable: UnreadableRecord[] = [];
  const counts = { records: 0, tombstones: 0, foreign: 0, nameless: 0, unreadable: 0 };
  const note = (record: UnreadableRecord): void => {
    counts.unreadable += 1;
    if (unreadable.length < MOST_UNREADABLE) unreadable.push(record);
  };
  return {
    take({ partition, offset, key: name, value }) {
      counts.records += 1;
      const read = attempt(() => readKey(name, keys, server));
      if ("why" in read) return note({ what: "unreadable key", partition, offset, key: undefined, why: read.why });
      if (read.value.of !== "us") {
        counts.foreign += 1;
        if (read.value.of === "nobody") counts.nameless += 1;
        return;
      }
      const { key } = read.value;
      const id = idOf(key);
      if (value === null) {
        counts.tombstones += 1;
        live.delete(id);
        return;
      }
      const header = attempt(() => readHeader(value, values));
      if ("why" in header) {
        live.delete(id);
        return note({ what: "unreadable value", partition, offset, key, why: header.why });
      }
      live.set(id, { key, partition, offset, ...header.value });
    },
    counts: () => ({ ...counts }),
    chunks: () => live.values(),
    unreadable: () => unreadable,
  };
}

function idOf({ xid, chunk, generation }: ChunkKey): string {
  return `${printXid(xid)}/${chunk}/${generation}`;
}

function attempt<T>(read: () => T): { readonly value: T } | { readonly why: string } {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return { why: error.message };
  }
}
