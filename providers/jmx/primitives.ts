/** How a primitive type is written. Whole numbers of every size are `bigint`, `char` is a text of one. */
interface Primitive {
  readonly bytes: number;
  read(from: Buffer, at: number): bigint | number | boolean | string;
}

/** By Java's letter for the type (Java Virtual Machine Specification, 4.3.2). */
export const PRIMITIVES: ReadonlyMap<string, Primitive> = new Map<string, Primitive>([
  ["B", { bytes: 1, read: (from, at) => BigInt(from.readInt8(at)) }],
  ["C", { bytes: 2, read: (from, at) => String.fromCharCode(from.readUInt16BE(at)) }],
  ["D", { bytes: 8, read: (from, at) => from.readDoubleBE(at) }],
  ["F", { bytes: 4, read: (from, at) => from.readFloatBE(at) }],
  ["I", { bytes: 4, read: (from, at) => BigInt(from.readInt32BE(at)) }],
  ["J", { bytes: 8, read: (from, at) => from.readBigInt64BE(at) }],
  ["S", { bytes: 2, read: (from, at) => BigInt(from.readInt16BE(at)) }],
  ["Z", { bytes: 1, read: (from, at) => from.readUInt8(at) !== 0 }],
]);
