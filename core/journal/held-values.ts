import { LASTING_BUFFERS } from "../ports/kafka.ts";

/**
 * Values of records that may be needed: most are soon removed by a tombstone. They stay in the buffer in which they
 * arrived as long as that lasts; values still needed then are evaluated, and only the result is kept.
 *
 * A value is identified by a number, which is reused after its release: a million objects would cost more than their
 * content.
 */
interface HeldValues<Evaluated> {
  /** Values held from now on are in this buffer. Those before it are still used, as long as they last. */
  arrive(buffer: ArrayBufferLike): void;
  /** @param start within the buffer */
  hold(start: number, end: number): HeldValue;
  release(held: HeldValue): void;
  read(held: HeldValue): Evaluated;
}

export type HeldValue = number;

/** Fewer than last, since a thread that folds may be behind the one that reads. */
const USED_BUFFERS = LASTING_BUFFERS - 2;
const NOWHERE = 0xff;

/** @param evaluate called once for each value that is read, or that its buffer does not outlive */
export function heldValues<Evaluated>(evaluate: (value: Uint8Array) => Evaluated): HeldValues<Evaluated> {
  /** The used buffers, each a whole one; `newest` contains the last values. */
  const arrived: Uint8Array[] = Array.from({ length: USED_BUFFERS }, () => new Uint8Array());
  let newest = 0;
  let count = 0;
  const free: HeldValue[] = [];
  /** The buffer in `arrived` of a value; `NOWHERE` for those that are evaluated, or released. */
  let lying = new Uint8Array(64);
  let starts = new Int32Array(64);
  let ends = new Int32Array(64);
  const evaluated: (Evaluated | undefined)[] = [];

  const evaluation = (one: HeldValue): Evaluated =>
    evaluate((arrived[lying[one] as number] as Uint8Array).subarray(starts[one], ends[one]));
  const nextName = (): HeldValue => {
    const again = free.pop();
    if (again !== undefined) return again;
    if (count === lying.length) [lying, starts, ends] = [doubled(lying), doubled(starts), doubled(ends)];
    evaluated.push(undefined);
    return count++;
  };

  return {
    arrive(buffer) {
      if (buffer === arrived[newest]?.buffer) return;
      newest = (newest + 1) % USED_BUFFERS;
      for (let one = 0; one < count; one++) {
        if (lying[one] !== newest) continue;
        evaluated[one] = evaluation(one);
        lying[one] = NOWHERE;
      }
      arrived[newest] = new Uint8Array(buffer);
    },
    hold(start, end) {
      const one = nextName();
      lying[one] = newest;
      starts[one] = start;
      ends[one] = end;
      return one;
    },
    release(one) {
      lying[one] = NOWHERE;
      evaluated[one] = undefined;
      free.push(one);
    },
    read: (one) => (lying[one] === NOWHERE ? (evaluated[one] as Evaluated) : evaluation(one)),
  };
}

/** The list, with as much room again. */
export function doubled<List extends Int32Array | Uint8Array | Float64Array | BigInt64Array>(list: List): List {
  const more = new (list.constructor as new (length: number) => List)(2 * list.length);
  (more as Int32Array).set(list as Int32Array);
  return more;
}
