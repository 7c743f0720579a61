import { LASTING_BUFFERS } from "../ports/kafka.ts";

/**
 * Values of records that may be needed: most are soon removed by a tombstone. They stay in the buffer in which they
 * arrived as long as that lasts; values still needed then are copied to memory of a fixed size. A released value is
 * only forgotten; when there is no room, the others are compacted.
 *
 * A value is identified by a number, which is reused after its release: a million objects would cost more than their
 * content.
 */
interface HeldValues {
  /** Values held from now on are in this buffer. The one before them is still used. */
  arrive(buffer: ArrayBufferLike): void;
  /** @param start within the buffer */
  hold(start: number, end: number): HeldValue;
  release(held: HeldValue): void;
  /** @returns undefined for one that was too large, or was evicted */
  read(held: HeldValue): Uint8Array | undefined;
}

export type HeldValue = number;

/** Fewer than last, since a thread that folds may be behind the one that reads. */
const USED_BUFFERS = LASTING_BUFFERS - 2;
/** Both halves of the room together. */
const SIZE = 32 * 1024 * 1024;
const AT_FIRST = 64 * 1024;
/** Larger ones would evict too many others. */
const LARGEST = 64 * 1024;
const NOWHERE = -1;
const IN_ROOM = 0xff;

/**
 * @param leaving called, for the last time, with values that are evicted for lack of room, or are too large to be held
 */
export function heldValues(
  leaving: (held: HeldValue, value: Uint8Array, why: "no room" | "too large") => void,
  size = SIZE,
): HeldValues {
  const most = Math.floor(size / 2);
  let room: Uint8Array = new Uint8Array(Math.min(most, AT_FIRST));
  let other: Uint8Array | undefined;
  let used = 0;
  /** The used buffers, each a whole one; `newest` contains the last values. */
  const arrived: Uint8Array[] = Array.from({ length: USED_BUFFERS }, () => new Uint8Array());
  let newest = 0;
  let count = 0;
  const free: HeldValue[] = [];
  /** The buffer in `arrived` of a value; `IN_ROOM` for copied ones. */
  let lying = new Uint8Array(64);
  let ats = new Int32Array(64);
  let lengths = new Int32Array(64);

  /** Those in the room, in order of their places. */
  const copied = (): readonly HeldValue[] =>
    [...ats.subarray(0, count).keys()]
      .filter((one) => (ats[one] as number) >= 0 && lying[one] === IN_ROOM)
      .sort((a, b) => (ats[a] as number) - (ats[b] as number));
  const part = (one: HeldValue): Uint8Array => {
    const at = ats[one] as number;
    return (arrived[lying[one] as number] ?? room).subarray(at, at + (lengths[one] as number));
  };
  const gather = (length: number): void => {
    const all = copied();
    const bytes = all.reduce((sum, one) => sum + (lengths[one] as number), 0);
    if (bytes + length > most / 2) {
      for (const one of all) {
        leaving(one, part(one), "no room");
        ats[one] = NOWHERE;
      }
      used = 0;
      return;
    }
    const wanted = Math.min(most, Math.max(room.length, 4 * (bytes + length)));
    const to = other !== undefined && other.length >= wanted ? other : new Uint8Array(wanted);
    used = 0;
    for (const one of all) {
      to.set(part(one), used);
      ats[one] = used;
      used += lengths[one] as number;
    }
    [room, other] = [to, room];
  };
  const copy = (one: HeldValue): void => {
    const value = part(one);
    if (used + value.length > room.length) gather(value.length);
    room.set(value, used);
    ats[one] = used;
    lying[one] = IN_ROOM;
    used += value.length;
  };
  const nextName = (): HeldValue => {
    const again = free.pop();
    if (again !== undefined) return again;
    if (count === ats.length) [lying, ats, lengths] = [doubled(lying), doubled(ats), doubled(lengths)];
    return count++;
  };

  return {
    arrive(buffer) {
      if (buffer === arrived[newest]?.buffer) return;
      newest = (newest + 1) % USED_BUFFERS;
      for (let one = 0; one < count; one++) if (lying[one] === newest && (ats[one] as number) >= 0) copy(one);
      arrived[newest] = new Uint8Array(buffer);
    },
    hold(start, end) {
      const length = end - start;
      const one = nextName();
      if (length > LARGEST || length > most / 4) {
        ats[one] = NOWHERE;
        leaving(one, (arrived[newest] as Uint8Array).subarray(start, end), "too large");
        return one;
      }
      lying[one] = newest;
      ats[one] = start;
      lengths[one] = length;
      return one;
    },
    release(one) {
      ats[one] = NOWHERE;
      free.push(one);
    },
    read: (one) => ((ats[one] as number) < 0 ? undefined : part(one)),
  };
}

/** The list, with as much room again. */
export function doubled<List extends Int32Array | Uint8Array | Float64Array | BigInt64Array>(list: List): List {
  const more = new (list.constructor as new (length: number) => List)(2 * list.length);
  (more as Int32Array).set(list as Int32Array);
  return more;
}
