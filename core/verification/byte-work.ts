/**
 * What a platform does on bytes faster than plain JavaScript. Handed in, so that core stays pure; `sameBytes` serves where nothing better is
 * at hand.
 */
export interface ByteWork {
  /** 32 bytes. */
  sha256(bytes: Uint8Array): Uint8Array;
  /** Whether two runs of bytes are the same, whole. */
  same(a: Uint8Array, b: Uint8Array): boolean;
}

/** Whether two runs of bytes are the same, whole. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** Order of bytes, unsigned, the shorter first: negative, 0 or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const difference = (a[at] as number) - (b[at] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
