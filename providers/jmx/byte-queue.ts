/** Bytes that were received and not read yet. Bytes sent one by one cost no more memory than bytes sent at once. */
export interface ByteQueue {
  readonly length: number;
  push(bytes: Uint8Array): void;
  /** A copy of the first `count` bytes, which must be available. */
  take(count: number): Buffer;
  /** The first byte, which stays in the queue. */
  first(): number | undefined;
}

const SMALLEST = 4096;

export function byteQueue(): ByteQueue {
  let room = Buffer.alloc(SMALLEST);
  let start = 0;
  let end = 0;
  return {
    get length() {
      return end - start;
    },
    push(bytes) {
      if (end + bytes.length > room.length) {
        const needed = end - start + bytes.length;
        // Twice the size each time: what was there before is moved a bounded number of times.
        const larger = needed > room.length / 2 ? Buffer.alloc(Math.max(SMALLEST, needed * 2)) : room;
        room.copy(larger, 0, start, end);
        room = larger;
        end -= start;
        start = 0;
      }
      room.set(bytes, end);
      end += bytes.length;
    },
    take(count) {
      if (count > end - start) throw new RangeError(`${count} of ${end - start} bytes`);
      const taken = Buffer.from(room.subarray(start, start + count));
      start += count;
      return taken;
    },
    first: () => (start < end ? room[start] : undefined),
  };
}
