import type { RecordsInPlace } from "../ports/kafka.ts";
import { type ChunkHeader, type ChunkKey, type KeyRead, readHeader } from "./chunk-record.ts";
import { type HeldValue, heldValues } from "./held-values.ts";
import type { JournalForm } from "./journal-form.ts";
import { NotJson } from "./json-members.ts";
import { keyOf, keyReader } from "./key-numbers.ts";
import { lastValues } from "./last-values.ts";
import { type PayloadFate, payloadFate } from "./payload-fate.ts";
import { recordMembers } from "./record-members.ts";
import { recordShapes } from "./record-shape.ts";
import type { RedoPlace } from "./redo-order.ts";

/** A chunk that the journal holds, and where its record stands. */
export interface Chunk extends ChunkHeader {
  readonly key: ChunkKey;
  readonly partition: number;
  readonly offset: bigint;
  /** Undefined where nobody asks, or the value is so large that it is read again if it is needed. */
  readonly payload: PayloadFate | undefined;
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
  take(records: RecordsInPlace): void;
  counts(): RecordCounts;
  /** The last record of each key that no tombstone has removed. */
  chunks(): Iterable<Chunk>;
  /** The first of them; `counts` has how many there are. */
  unreadable(): readonly UnreadableRecord[];
}

const MOST_UNREADABLE = 100;

/**
 * Reads the journal's records one after the other and keeps what the topic says in the end: values as far as a fixed
 * memory holds them, and of those that have to leave it what their headers and payloads say. So memory is bounded by
 * the open transactions, not by the topic.
 *
 * Rule: reference: wire formats, "Transaction journal", 1.
 *
 * @param server the connector's `cdc.topic.prefix`
 * @param resume where the task resumes, for what becomes of payloads; undefined where nobody asks
 */
export function foldJournal(server: string, form: JournalForm, resume?: RedoPlace): JournalFold {
  const members = recordMembers(form);
  const key = keyReader(server, members);
  const shapes = recordShapes();
  const read = (value: Uint8Array, isLarge: boolean): ReadValue => {
    const found = shapes.of(value, 0, value.length)?.members ?? members(value);
    const header = readHeader(value, () => found);
    // Most values are removed again: large payloads are not read in vain.
    const payload = resume === undefined || isLarge ? undefined : payloadFate(header, value, () => found, resume);
    return { header, payload };
  };
  /** Of values that are not held any more. */
  const left = new Map<HeldValue, ReadValue>();
  const values = heldValues((one, value, why) => left.set(one, read(value, why === "too large")));
  const live = lastValues();
  const places = recordPlaces();
  const unreadable: UnreadableRecord[] = [];
  const counts = { records: 0, tombstones: 0, foreign: 0, nameless: 0, unreadable: 0 };
  const note = (what: UnreadableRecord["what"], records: RecordsInPlace, at: number, error: unknown): void => {
    if (!(error instanceof NotJson)) throw error;
    counts.unreadable += 1;
    if (unreadable.length === MOST_UNREADABLE) return;
    const { partition, baseOffset, offsetDeltas } = records;
    const offset = baseOffset + BigInt(offsetDeltas[at] as number);
    unreadable.push({
      what,
      partition,
      offset,
      key: what === "unreadable key" ? undefined : keyOf(key.numbers),
      why: error.message,
    });
  };
  const readKey = (records: RecordsInPlace, at: number): KeyRead["of"] | "unreadable" => {
    try {
      return key.read(records.bytes, records.keyStarts[at] as number, records.keyEnds[at] as number);
    } catch (error) {
      note("unreadable key", records, at, error);
      return "unreadable";
    }
  };
  /** Of a known shape it surely is. */
  const isReadable = (records: RecordsInPlace, at: number, start: number, end: number): boolean => {
    if (shapes.of(records.bytes, start, end) !== undefined) return true;
    try {
      const value = records.bytes.subarray(start, end);
      const read = members(value);
      readHeader(value, () => read);
      shapes.learn(value, read);
      return true;
    } catch (error) {
      note("unreadable value", records, at, error);
      return false;
    }
  };
  /** @param one -1 for none */
  const letGo = (one: HeldValue): void => {
    if (one < 0) return;
    values.letGo(one);
    if (left.size > 0) left.delete(one);
  };
  const take = (records: RecordsInPlace, at: number): void => {
    const of = readKey(records, at);
    if (of === "another" || of === "nobody") counts.foreign += 1;
    if (of === "nobody") counts.nameless += 1;
    if (of !== "us") return;
    const start = records.valueStarts[at] as number;
    const end = records.valueEnds[at] as number;
    if (start < 0) counts.tombstones += 1;
    if (start < 0 || !isReadable(records, at, start, end)) {
      letGo(live.remove(key.numbers));
      return;
    }
    const { byteOffset } = records.bytes;
    const one = values.hold(byteOffset + start, byteOffset + end);
    places.set(one, records, at);
    letGo(live.set(key.numbers, one));
  };
  const readOf = (one: HeldValue): ReadValue => {
    const value = values.read(one);
    const known = value === undefined ? left.get(one) : read(value, false);
    if (known === undefined) throw new Error("a chunk of which nothing is known any more");
    return known;
  };
  return {
    take(records) {
      counts.records += records.count;
      values.arrive(records.bytes.buffer);
      for (let at = 0; at < records.count; at++) take(records, at);
    },
    counts: () => ({ ...counts }),
    *chunks() {
      for (const [numbers, one] of live.entries()) {
        const { header, payload } = readOf(one);
        yield { key: keyOf(numbers), ...places.of(one), ...header, payload };
      }
    },
    unreadable: () => unreadable,
  };
}

/** What was read of a value. */
interface ReadValue {
  readonly header: ChunkHeader;
  readonly payload: PayloadFate | undefined;
}

/** Where the records stand whose values are held. */
function recordPlaces() {
  let partitions = new Int32Array(64);
  let bases = new BigInt64Array(64);
  let deltas = new Int32Array(64);
  return {
    set(one: HeldValue, { partition, baseOffset, offsetDeltas }: RecordsInPlace, at: number): void {
      if (one >= partitions.length) {
        const more = [new Int32Array(one * 2), new BigInt64Array(one * 2), new Int32Array(one * 2)] as const;
        more[0].set(partitions);
        more[1].set(bases);
        more[2].set(deltas);
        [partitions, bases, deltas] = more;
      }
      partitions[one] = partition;
      bases[one] = baseOffset;
      deltas[one] = offsetDeltas[at] as number;
    },
    of: (one: HeldValue) => ({
      partition: partitions[one] as number,
      offset: (bases[one] as bigint) + BigInt(deltas[one] as number),
    }),
  };
}
