/**
 * The primitive types of Kafka's protocol (https://kafka.apache.org/protocol#protocol_types), in the original and the
 * compact ("flexible") forms, and the variable-length integers of a record batch.
 */

/**
 * Reads one message from its start; every read advances the position. Throws `RangeError` where the message ends too
 * early.
 */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** Continues at this byte of the message. */
  moveTo(at: number): this {
    this.#at = at;
    return this;
  }

  int8(): number {
    return this.#bytes.readInt8(this.#advance(1));
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#advance(2));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#advance(4));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#advance(4));
  }

  int64(): bigint {
    return this.#bytes.readBigInt64BE(this.#advance(8));
  }

  boolean(): boolean {
    return this.int8() !== 0;
  }

  /** `length` bytes, not copied. */
  take(length: number): Buffer {
    if (length < 0 || length > this.remaining) throw new RangeError(`${length} bytes wanted, ${this.remaining} left`);
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** `length` bytes of UTF-8. */
  text(length: number): string {
    if (length < 0 || length > this.remaining) throw new RangeError(`${length} bytes wanted, ${this.remaining} left`);
    const start = this.#advance(length);
    return this.#bytes.toString("utf8", start, start + length);
  }

  nullableString(): string | null {
    const length = this.int16();
    return length < 0 ? null : this.take(length).toString("utf8");
  }

  string(): string {
    return this.nullableString() ?? "";
  }

  nullableBytes(): Buffer | null {
    const length = this.int32();
    return length < 0 ? null : this.take(length);
  }

  /** A null array is read as an empty one. */
  array<T>(item: () => T): T[] {
    return this.nullableArray(item) ?? [];
  }

  nullableArray<T>(item: () => T): T[] | null {
    const length = this.int32();
    if (length < 0) return null;
    // Every item has at least a byte, so an invalid length can't make this allocate more than the message holds.
    if (length > this.remaining) throw new RangeError(`an array of ${length} items in ${this.remaining} bytes`);
    return Array.from({ length }, item);
  }

  /** Zig-zag variable-length integer of at most 49 bits: lengths and deltas. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 42; scale *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError("the message ends inside a variable-length integer");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    throw new RangeError("a variable-length integer of more than 49 bits");
  }

  /** Zig-zag variable-length integer of 64 bits. */
  varlong(): bigint {
    const start = this.#at;
    let length = 1;
    while (this.#bytes.readUInt8(this.#advance(1)) >= 0x80) {
      length += 1;
      if (length > 10) throw new RangeError("a variable-length integer of more than 64 bits");
    }
    if (length <= 7) {
      this.#at = start;
      return BigInt(this.varint());
    }
    let value = 0n;
    for (let i = length - 1; i >= 0; i--) value = (value << 7n) | BigInt(this.#bytes.readUInt8(start + i) & 0x7f);
    return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
  }

  /** Unsigned variable-length integer: the lengths of the compact forms. */
  uvarint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 28; scale *= 128) {
      const byte = this.uint8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError("an unsigned variable-length integer of more than 35 bits");
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#advance(1));
  }

  compactNullableString(): string | null {
    const length = this.uvarint();
    return length === 0 ? null : this.take(length - 1).toString("utf8");
  }

  compactString(): string {
    return this.compactNullableString() ?? "";
  }

  /** A null array is read as an empty one. */
  compactArray<T>(item: () => T): T[] {
    const length = this.uvarint() - 1;
    if (length <= 0) return [];
    if (length > this.remaining) throw new RangeError(`an array of ${length} items in ${this.remaining} bytes`);
    return Array.from({ length }, item);
  }

  /** Skips the fields that a later version has added to a compact structure. */
  tags(): void {
    for (let left = this.uvarint(); left > 0; left--) {
      this.uvarint();
      this.take(this.uvarint());
    }
  }

  #advance(length: number): number {
    const start = this.#at;
    this.#at += length;
    return start;
  }
}

/** Builds one message. Every method returns the writer. */
export class WireWriter {
  readonly #parts: Uint8Array[] = [];

  int8(value: number): this {
    return this.bytes(Buffer.from([value & 0xff]));
  }

  int16(value: number): this {
    const part = Buffer.allocUnsafe(2);
    part.writeInt16BE(value);
    return this.bytes(part);
  }

  int32(value: number): this {
    const part = Buffer.allocUnsafe(4);
    part.writeInt32BE(value);
    return this.bytes(part);
  }

  uint32(value: number): this {
    const part = Buffer.allocUnsafe(4);
    part.writeUInt32BE(value);
    return this.bytes(part);
  }

  int64(value: bigint): this {
    const part = Buffer.allocUnsafe(8);
    part.writeBigInt64BE(value);
    return this.bytes(part);
  }

  boolean(value: boolean): this {
    return this.int8(value ? 1 : 0);
  }

  string(value: string | null): this {
    if (value === null) return this.int16(-1);
    const text = Buffer.from(value, "utf8");
    return this.int16(text.length).bytes(text);
  }

  nullableBytes(value: Uint8Array | null): this {
    return value === null ? this.int32(-1) : this.int32(value.length).bytes(value);
  }

  array<T>(items: readonly T[] | null, item: (value: T) => unknown): this {
    this.int32(items === null ? -1 : items.length);
    for (const value of items ?? []) item(value);
    return this;
  }

  varint(value: number): this {
    return this.varlong(BigInt(value));
  }

  varlong(value: bigint): this {
    let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
    const part: number[] = [];
    while (rest > 0x7fn) {
      part.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    part.push(Number(rest));
    return this.bytes(Buffer.from(part));
  }

  uvarint(value: number): this {
    const part: number[] = [];
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) part.push((rest % 128) | 0x80);
    part.push(rest);
    return this.bytes(Buffer.from(part));
  }

  compactString(value: string | null): this {
    if (value === null) return this.uvarint(0);
    const text = Buffer.from(value, "utf8");
    return this.uvarint(text.length + 1).bytes(text);
  }

  compactArray<T>(items: readonly T[], item: (value: T) => unknown): this {
    this.uvarint(items.length + 1);
    for (const value of items) item(value);
    return this;
  }

  /** Writes that a compact structure has no added fields. */
  tags(): this {
    return this.uvarint(0);
  }

  /** Raw bytes, without a length. */
  bytes(value: Uint8Array): this {
    this.#parts.push(value);
    return this;
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
