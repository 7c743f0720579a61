import type { KafkaRecord } from "../ports/kafka.ts";
import { type ChunkHeader, type ChunkKey, readHeader } from "./chunk-record.ts";
import { type HeldValue, heldValues } from "./held-values.ts";
import type { JournalForm } from "./journal-form.ts";
import { NotJson } from "./json-members.ts";
import { type KeyId, keyIds, keyOf } from "./key-ids.ts";
import { recordMembers } from "./record-members.ts";
import { recordShapes } from "./record-shape.ts";

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
  /** The record's value, where it is still in memory. @param chunk as `chunks` gave it */
  valueOf(chunk: Chunk): Uint8Array | undefined;
  /** The first of them; `counts` has how many there are. */
  unreadable(): readonly UnreadableRecord[];
}

const MOST_UNREADABLE = 100;

/**
 * Reads the journal's records one after the other and keeps what the topic says in the end: headers, and the payloads as far as a fixed memory
 * holds them. So memory is bounded by the open transactions, not by the topic.
 *
 * Rule: reference: wire formats, "Transaction journal", 1.
 *
 * @param server the connector's `cdc.topic.prefix`
 */
export function foldJournal(server: string, form: JournalForm): JournalFold {
  const members = recordMembers(form);
  const readId = keyIds(server, members);
  const shapes = recordShapes();
  /** Of values that are not held whole. */
  const headers = new Map<HeldValue, ChunkHeader>();
  const values = heldValues((one, value) => headers.set(one, readHeader(value, members)));
  const live = new Map<KeyId, HeldValue>();
  const places = recordPlaces();
  const ofChunks = new Map<Chunk, HeldValue>();
  const unreadable: UnreadableRecord[] = [];
  const counts = { records: 0, tombstones: 0, foreign: 0, nameless: 0, unreadable: 0 };
  const note = (record: UnreadableRecord): void => {
    counts.unreadable += 1;
    if (unreadable.length < MOST_UNREADABLE) unreadable.push(record);
  };
  const letGo = (one: HeldValue): void => {
    values.letGo(one);
    if (headers.size > 0) headers.delete(one);
  };
  /** @throws NotJson for a value that the task can't read; of a known shape it surely can */
  const examine = (value: Uint8Array): void => {
    if (shapes.of(value) !== undefined) return;
    const read = members(value);
    readHeader(value, () => read);
    shapes.learn(value, read);
  };
  const headerOf = (one: HeldValue): ChunkHeader => {
    const value = values.read(one);
    const header = value === undefined ? headers.get(one) : readHeader(value, members);
    if (header === undefined) throw new Error("a chunk of which nothing is known any more");
    return header;
  };
  return {
    take({ partition, offset, key: name, value }) {
      counts.records += 1;
      const read = attempt(() => readId(name));
      if ("why" in read) return note({ what: "unreadable key", partition, offset, key: undefined, why: read.why });
      if (read.value.of !== "us") {
        counts.foreign += 1;
        if (read.value.of === "nobody") counts.nameless += 1;
        return;
      }
      const { id } = read.value;
      const before = live.get(id);
      if (before !== undefined) letGo(before);
      if (value === null) {
        counts.tombstones += 1;
        if (before !== undefined) live.delete(id);
        return;
      }
      const examined = attempt(() => examine(value));
      if ("why" in examined) {
        if (before !== undefined) live.delete(id);
        return note({ what: "unreadable value", partition, offset, key: keyOf(id), why: examined.why });
      }
      const one = values.hold(value);
      places.set(one, partition, offset);
      live.set(id, one);
    },
    counts: () => ({ ...counts }),
    *chunks() {
      for (const [id, one] of live) {
        const chunk: Chunk = { key: keyOf(id), ...places.of(one), ...headerOf(one) };
        ofChunks.set(chunk, one);
        yield chunk;
      }
    },
    valueOf(chunk) {
      const one = ofChunks.get(chunk);
      return one === undefined ? undefined : values.read(one);
    },
    unreadable: () => unreadable,
  };
}

/** Where the records stand whose values are held. */
function recordPlaces() {
  let partitions = new Int32Array(64);
  let offsets = new BigInt64Array(64);
  return {
    set(one: HeldValue, partition: number, offset: bigint): void {
      if (one >= partitions.length) {
        const [more, further] = [new Int32Array(one * 2), new BigInt64Array(one * 2)];
        more.set(partitions);
        further.set(offsets);
        [partitions, offsets] = [more, further];
      }
      partitions[one] = partition;
      offsets[one] = offset;
    },
    of: (one: HeldValue) => ({ partition: partitions[one] as number, offset: offsets[one] as bigint }),
  };
}

function attempt<T>(read: () => T): { readonly value: T } | { readonly why: string } {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return { why: error.message };
  }
}
