/**
 * Values of records that may turn out to be needed, in memory of a fixed size: most are removed again by a tombstone soon. What is let go is only
 * forgotten; when there is no room, the others move together.
 *
 * A value is named by a number, which is used again once it was let go: a million objects would cost more than what they hold.
 */
export interface HeldValues {
  /** Copies a value. */
  hold(value: Uint8Array): HeldValue;
  letGo(held: HeldValue): void;
  /** @returns undefined for one that was too large, or had to leave */
  read(held: HeldValue): Uint8Array | undefined;
}

export type HeldValue = number;

/** Both halves together. */
const SIZE = 32 * 1024 * 1024;
const AT_FIRST = 64 * 1024;
/** Larger ones would push out too many others. */
const LARGEST = 64 * 1024;
const NOWHERE = -1;

/** @param leaving is told, for the last time, of values that leave, or can't be held at all */
export function heldValues(leaving: (held: HeldValue, value: Uint8Array) => void, size = SIZE): HeldValues {
  const most = Math.floor(size / 2);
  let room: Uint8Array = new Uint8Array(Math.min(most, AT_FIRST));
  let other: Uint8Array | undefined;
  let used = 0;
  let count = 0;
  const free: HeldValue[] = [];
  let ats = new Int32Array(64);
  let lengths = new Int32Array(64);

  /** In order of their places. */
  const held = (): readonly HeldValue[] =>
    [...ats.subarray(0, count).keys()]
      .filter((one) => (ats[one] as number) >= 0)
      .sort((a, b) => (ats[a] as number) - (ats[b] as number));
  const part = (one: HeldValue): Uint8Array => {
    const at = ats[one] as number;
    return room.subarray(at, at + (lengths[one] as number));
  };
  const gather = (length: number): void => {
    const all = held();
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
  const nextName = (): HeldValue => {
    const again = free.pop();
    if (again !== undefined) return again;
    if (count === ats.length) [ats, lengths] = [doubled(ats), doubled(lengths)];
    return count++;
  };

  return {
    hold(value) {
      const { length } = value;
      const one = nextName();
      // Until it is there, it is none of those that move.
      ats[one] = NOWHERE;
      if (length > LARGEST || length > most / 4) {
        leaving(one, value);
        return one;
      }
      if (used + length > room.length) gather(length);
      room.set(value, used);
      ats[one] = used;
      lengths[one] = length;
      used += length;
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
