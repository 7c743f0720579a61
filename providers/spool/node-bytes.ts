import { createHash } from "node:crypto";
import type { ByteWork } from "../../core/verification/byte-work.ts";

const { indexOf } = Buffer.prototype;

/** Byte operations by Node's native implementation. */
export const nodeBytes: ByteWork = {
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
  indexOf: (bytes, wanted, from) => indexOf.call(bytes, wanted, from),
  same: (a, b) => a.length === b.length && Buffer.compare(a, b) === 0,
};
