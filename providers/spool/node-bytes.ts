import { createHash } from "node:crypto";
import { type ByteWork, indexOfBytes } from "../../core/verification/byte-work.ts";

const { indexOf } = Buffer.prototype;
/** Up to this many bytes, a loop is faster than a view and a call. */
const SHORT = 1024;

/** Byte operations by Node's native implementation. */
export const nodeBytes: ByteWork = {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
  indexOf(bytes, wanted, from, to) {
    if (to - from < SHORT) return indexOfBytes(bytes, wanted, from, to);
    const found = indexOf.call(bytes.subarray(from, to), wanted.bytes);
    return found < 0 ? -1 : from + found;
  },
  same: (a, b) => a.length === b.length && Buffer.compare(a, b) === 0,
};
