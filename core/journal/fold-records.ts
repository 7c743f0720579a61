import type { RecordsInPlace } from "../ports/kafka.ts";
import { type ChunkHeader, type ChunkKey, type KeyRead, type RedoPlace, readHeader } from "./chunk-record.ts";
import { doubled, type HeldValue, heldValues } from "./held-values.ts";
import type { JournalForm } from "./journal-form.ts";
import { NotJson } from "./json-members.ts";
import { KEY_NUMBERS, type KeyNumbers, keyOf, keyReader } from "./key-numbers.ts";
import type { UnreadableKey } from "./keys-in-topic.ts";
import { type PayloadFate, payloadFate } from "./payload.ts";
import { recordMembers } from "./read-journal.ts";
import { recordShapes } from "./record-shape.ts";

/** A chunk in the journal, and the place of its record. */
export interface Chunk extends ChunkHeader {
  readonly key: ChunkKey;
  readonly partition: number;
  readonly offset: bigint;
  /** Undefined if it is not needed. */
  readonly payload: PayloadFate | undefined;
}

export interface RecordCounts {
  /** All records read, including those of other connectors. */
  readonly records: number;
  /** Null values under this connector's keys. */
  readonly tombstones: number;
  /** Records of other connectors, including tombstones. */
  readonly foreign: number;
  /** Foreign records whose keys have no server. */
  readonly nameless: number;
  readonly unreadable: number;
}

/** A record that the task cannot read, which stops it (CDC-4002), even if a later record of its key follows. */
export interface UnreadableRecord extends UnreadableKey {
  readonly what: "unreadable key" | "unreadable value";
  /** Undefined for a key. */
  readonly key: ChunkKey | undefined;
}

export interface FoldedJournal {
  readonly counts: RecordCounts;
  /** The last record of each key that no tombstone has removed. */
  readonly chunks: readonly Chunk[];
  /** The first of them; `counts` has their number. */
  readonly unreadable: readonly UnreadableRecord[];
}

export interface JournalFold {
  /** Takes records in order of offset within a partition. */
  take(records: RecordsInPlace): void;
  folded(): FoldedJournal;
}

export interface FoldQuestion {
  /** The connector's `cdc.topic.prefix`. */
  readonly server: string;
  readonly form: JournalForm;
  /** Where the task resumes, to evaluate payloads; undefined if they are not needed. */
  readonly resume: RedoPlace | undefined;
}

/** A fold in this thread or in another one. */
export interface Folding {
  /**
   * Takes records as `JournalFold` does. When it resolves, the next may be requested, although these may not be folded
   * yet.
   */
  take(records: RecordsInPlace): Promise<void>;
  folded(): Promise<FoldedJournal>;
  close(): Promise<void>;
}

/** @param records how many there are at most */
export type OpenFolding = (question: FoldQuestion, records: bigint) => Folding;

export const foldHere: OpenFolding = (question) => {
  const fold = foldJournal(question);
  return {
    take: async (records) => fold.take(records),
    folded: async () => fold.folded(),
    close: async () => undefined,
  };
};

const MOST_UNREADABLE = 100;

/**
 * Reads the journal's records one after the other and keeps the topic's final state: of each value that is still needed
 * when its buffer is used again, the evaluation of its header and payload. So memory is bounded by the open
 * transactions, not by the topic.
 *
 * Rule: reference: wire formats, "Transaction journal", 1.
 */
export function foldJournal({ server, form, resume }: FoldQuestion): JournalFold {
  const members = recordMembers(form);
  const key = keyReader(server, members);
  const shapes = recordShapes();
  const values = heldValues((value) => {
    const found = shapes.of(value, 0, value.length) ?? members(value);
    const header = readHeader(value, () => found);
    return { header, payload: resume === undefined ? undefined : payloadFate(header, value, () => found, resume) };
  });
  const live = lastValues();
  const places = recordPlaces();
  const unreadable: UnreadableRecord[] = [];
  const counts = { records: 0, tombstones: 0, foreign: 0, nameless: 0, unreadable: 0 };
  const note = (what: UnreadableRecord["what"], records: RecordsInPlace, nth: number, error: unknown): void => {
    if (!(error instanceof NotJson)) throw error;
    counts.unreadable += 1;
    if (unreadable.length === MOST_UNREADABLE) return;
    const { partition, baseOffset, offsetDeltas } = records;
    const offset = baseOffset + BigInt(offsetDeltas[nth] as number);
    unreadable.push({
      what,
      partition,
      offset,
      key: what === "unreadable key" ? undefined : keyOf(key.numbers),
      why: error.message,
    });
  };
  const readKey = (records: RecordsInPlace, nth: number): KeyRead["of"] | "unreadable" => {
    try {
      return key.read(records.bytes, records.keyStarts[nth] as number, records.keyEnds[nth] as number);
    } catch (error) {
      note("unreadable key", records, nth, error);
      return "unreadable";
    }
  };
  /** A value of a known shape certainly is. */
  const isReadable = (records: RecordsInPlace, nth: number, start: number, end: number): boolean => {
    if (shapes.of(records.bytes, start, end) !== undefined) return true;
    try {
      const value = records.bytes.subarray(start, end);
      const read = members(value);
      readHeader(value, () => read);
      shapes.learn(value, read);
      return true;
    } catch (error) {
      note("unreadable value", records, nth, error);
      return false;
    }
  };
  /** @param held -1 for none */
  const release = (held: HeldValue): void => {
    if (held >= 0) values.release(held);
  };
  const take = (records: RecordsInPlace, nth: number): void => {
    const owner = readKey(records, nth);
    if (owner === "other" || owner === "none") counts.foreign += 1;
    if (owner === "none") counts.nameless += 1;
    if (owner !== "own") return;
    const start = records.valueStarts[nth] as number;
    const end = records.valueEnds[nth] as number;
    if (start < 0) counts.tombstones += 1;
    if (start < 0 || !isReadable(records, nth, start, end)) {
      release(live.remove(key.numbers));
      return;
    }
    const { byteOffset } = records.bytes;
    const held = values.hold(byteOffset + start, byteOffset + end);
    places.set(held, records, nth);
    release(live.set(key.numbers, held));
  };
  return {
    take(records) {
      counts.records += records.count;
      values.arrive(records.bytes.buffer);
      for (let at = 0; at < records.count; at++) take(records, at);
    },
    folded() {
      const chunks = Array.from(live.entries(), ([numbers, one]) => {
        const { header, payload } = values.read(one);
        return { key: keyOf(numbers), ...places.of(one), ...header, payload };
      });
      return { counts, chunks, unreadable };
    },
  };
}

function recordPlaces() {
  let partitions = new Int32Array(64);
  let bases = new BigInt64Array(64);
  let deltas = new Int32Array(64);
  return {
    set(one: HeldValue, { partition, baseOffset, offsetDeltas }: RecordsInPlace, at: number): void {
      if (one >= partitions.length)
        [partitions, bases, deltas] = [doubled(partitions), doubled(bases), doubled(deltas)];
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

/**
 * The last value of each key. A hash table over numbers: a million keys as texts would cost more than all other work
 * with them.
 */
interface LastValues {
  /** @returns the previous value of the key; -1 for none */
  set(key: KeyNumbers, value: HeldValue): HeldValue;
  /** @returns the value of the key; -1 for none */
  remove(key: KeyNumbers): HeldValue;
  entries(): Iterable<readonly [KeyNumbers, HeldValue]>;
}

const NONE = -1;

export function lastValues(): LastValues {
  /** The first of the values whose keys have a hash. */
  let firsts = new Int32Array(1024).fill(NONE);
  /** The next value with the same hash, the hash, and the key. */
  let nexts = new Int32Array(1024);
  let hashes = new Int32Array(1024);
  let keys = new Float64Array(1024 * KEY_NUMBERS);
  let size = 0;

  const isOf = (value: HeldValue, key: KeyNumbers): boolean => {
    const start = value * KEY_NUMBERS;
    for (let at = 0; at < KEY_NUMBERS; at++) if (keys[start + at] !== key[at]) return false;
    return true;
  };
  const link = (value: HeldValue): void => {
    const place = (hashes[value] as number) & (firsts.length - 1);
    nexts[value] = firsts[place] as number;
    firsts[place] = value;
  };
  const all = function* (): Generator<HeldValue> {
    for (const first of firsts) for (let one = first; one !== NONE; one = nexts[one] as number) yield one;
  };
  const makeRoom = (value: HeldValue): void => {
    while (value >= nexts.length) [nexts, hashes, keys] = [doubled(nexts), doubled(hashes), doubled(keys)];
    if (size < firsts.length) return;
    const linked = [...all()];
    firsts = new Int32Array(firsts.length * 2).fill(NONE);
    for (const one of linked) link(one);
  };
  const unlink = (key: KeyNumbers, hash: number): HeldValue => {
    const place = hash & (firsts.length - 1);
    let before = NONE;
    for (let one = firsts[place] as number; one !== NONE; one = nexts[one] as number) {
      if (isOf(one, key)) {
        if (before === NONE) firsts[place] = nexts[one] as number;
        else nexts[before] = nexts[one] as number;
        size -= 1;
        return one;
      }
      before = one;
    }
    return NONE;
  };
  return {
    set(key, value) {
      makeRoom(value);
      const hash = hashOf(key);
      const before = unlink(key, hash);
      const start = value * KEY_NUMBERS;
      for (let at = 0; at < KEY_NUMBERS; at++) keys[start + at] = key[at] as number;
      hashes[value] = hash;
      link(value);
      size += 1;
      return before;
    },
    remove: (key) => unlink(key, hashOf(key)),
    *entries() {
      for (const one of all()) yield [keys.subarray(one * KEY_NUMBERS, (one + 1) * KEY_NUMBERS), one];
    },
  };
}

function hashOf(key: KeyNumbers): number {
  let hash = 0;
  for (let at = 0; at < KEY_NUMBERS; at++) hash = Math.imul(hash ^ ((key[at] as number) | 0), 0x9e3779b1);
  return hash ^ (hash >>> 15);
}
