import type { HeldValue } from "./held-values.ts";
import { KEY_NUMBERS, type KeyNumbers } from "./key-numbers.ts";

/**
 * Which value is the last one of each key. A hash table over numbers: a million keys as texts cost more than all that
 * is done with them.
 */
interface LastValues {
  /** @returns the value that the key had before; -1 for none */
  set(key: KeyNumbers, value: HeldValue): HeldValue;
  /** @returns the value that the key had; -1 for none */
  remove(key: KeyNumbers): HeldValue;
  entries(): Iterable<readonly [KeyNumbers, HeldValue]>;
}

const NONE = -1;

export function lastValues(): LastValues {
  /** By hash: the first of the values whose keys have it. */
  let firsts = new Int32Array(1024).fill(NONE);
  /** By value: the next one of the same hash, the hash, and the key. */
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

function doubled<List extends Int32Array | Float64Array>(list: List): List {
  const more = new (list.constructor as new (length: number) => List)(2 * list.length);
  more.set(list);
  return more;
}
