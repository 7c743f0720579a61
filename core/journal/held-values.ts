/**
 * Values of records that may turn out to be needed: most are removed again by a tombstone soon. So they are left where they arrived as long as that
 * is in memory anyway, and then what is still wanted is copied into memory of a fixed size. What is let go is only forgotten; when there is no room,
 * the others move together.
 *
 * A value is named by a number, which is used again once it was let go: a million objects would cost more than what they hold.
 */
export interface HeldValues {
  /** Takes the value that lies here. The bytes may not change any more. */
  hold(bytes: Uint8Array, start: number, end: number): HeldValue;
  letGo(held: HeldValue): void;
  /** @returns undefined for one that was too large, or had to leave */
  read(held: HeldValue): Uint8Array | undefined;
}

export type HeldValue = number;

/** Both halves of the room together. */
const SIZE = 32 * 1024 * 1024;
/** So much of what arrived is kept for the values in it: a part of the size, and beside it. */
const LYING = 1 / 8;
const AT_FIRST = 64 * 1024;
/** Larger ones would push out too many others. */
const LARGEST = 64 * 1024;
const NOWHERE = -1;
/** Instead of the number of what it arrived in. */
const COPIED = -1;

/** @param leaving is told, for the last time, of values that leave, or can't be held at all */
export function heldValues(leaving: (held: HeldValue, value: Uint8Array) => void, size = SIZE): HeldValues {
  const most = Math.floor(size / 2);
  let room: Uint8Array = new Uint8Array(Math.min(most, AT_FIRST));
  let other: Uint8Array | undefined;
  let used = 0;
  const arrived: Uint8Array[] = [];
  let lying = 0;
  let count = 0;
  const free: HeldValue[] = [];
  let sources = new Int32Array(64);
  let ats = new Int32Array(64);
  let lengths = new Int32Array(64);

  /** Those in the room, in order of their places. */
  const copied = (): readonly HeldValue[] =>
    [...ats.subarray(0, count).keys()]
      .filter((one) => (ats[one] as number) >= 0 && sources[one] === COPIED)
      .sort((a, b) => (ats[a] as number) - (ats[b] as number));
  const part = (one: HeldValue): Uint8Array => {
    const [at, source] = [ats[one] as number, sources[one] as number];
    const bytes = source === COPIED ? room : (arrived[source] as Uint8Array);
    return bytes.subarray(at, at + (lengths[one] as number));
  };
  const gather = (length: number): void => {
    const all = copied();
    const bytes = all.reduce((sum, one) => sum + (lengths[one] as number), 0);
    if (bytes + length > most / 2) {
      for (const one of all) {
        leaving(one, part(one));
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
    sources[one] = COPIED;
    used += value.length;
  };
  const arrive = (bytes: Uint8Array): void => {
    const last = arrived.at(-1);
    if (bytes === last) return;
    // Record batches are parts of what was fetched, and any of them keeps it whole.
    if (bytes.buffer !== last?.buffer) lying += bytes.buffer.byteLength;
    if (lying > size * LYING && arrived.length > 0) {
      for (let one = 0; one < count; one++) if ((ats[one] as number) >= 0 && sources[one] !== COPIED) copy(one);
      arrived.length = 0;
      lying = bytes.buffer.byteLength;
    }
    arrived.push(bytes);
  };
  const nextName = (): HeldValue => {
    const again = free.pop();
    if (again !== undefined) return again;
    if (count === ats.length) [sources, ats, lengths] = [doubled(sources), doubled(ats), doubled(lengths)];
    return count++;
  };

  return {
    hold(bytes, start, end) {
      const length = end - start;
      const one = nextName();
      if (length > LARGEST || length > most / 4) {
        ats[one] = NOWHERE;
        leaving(one, bytes.subarray(start, end));
        return one;
      }
      // Until it is there, it is none of those that are copied.
      ats[one] = NOWHERE;
      arrive(bytes);
      sources[one] = arrived.length - 1;
      ats[one] = start;
      lengths[one] = length;
      return one;
    },
    letGo(one) {
      ats[one] = NOWHERE;
      free.push(one);
    },
    read: (one) => ((ats[one] as number) < 0 ? undefined : part(one)),
  };
}

function doubled(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(numbers.length * 2);
  more.set(numbers);
  return more;
}
