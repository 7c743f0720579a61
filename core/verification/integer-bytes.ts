/**
 * Integers of 64 bits as bytes. Compilers make `setBigUint64` and `getBigUint64` plain instructions; `BigInt(number)`
 * and `Number(bigint)` are calls, and cost more than everything else that is done to an SCN or an offset.
 */
const scratch = new Uint8Array(8);
const view = new DataView(scratch.buffer);

/** @param value an integer, not negative, that a double holds exactly */
export function bigintOf(value: number): bigint {
  view.setUint32(0, value, true);
  view.setUint32(4, Math.floor(value / 0x100000000), true);
  return view.getBigUint64(0, true);
}

/** Writes the lower 64 bits, the least significant byte first. */
export function write64(bytes: Uint8Array, at: number, value: bigint): void {
  view.setBigUint64(0, value, true);
  for (let i = 0; i < 8; i++) bytes[at + i] = scratch[i] as number;
}
