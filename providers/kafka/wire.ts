import { ByteWriter } from "../../core/values/byte-sink.ts";
import { ByteReader } from "../../core/values/bytes.ts";

/**
 * The primitive types of Kafka's protocol (https://kafka.apache.org/protocol#protocol_types), in the original and the
 * compact ("flexible") forms, and the variable-length integers of a record batch.
 */

/** Reads one message from its start. */
export class WireReader extends ByteReader<Buffer> {
  constructor(bytes: Uint8Array) {
    super(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  boolean(): boolean {
    return this.int8() !== 0;
  }

  nullableString(): string | null {
    const length = this.int16();
    return length < 0 ? null : this.text(length);
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
    if (length > this.left) throw new RangeError(`an array of ${length} items in ${this.left} bytes`);
    return Array.from({ length }, item);
  }

  compactNullableString(): string | null {
    const length = this.uvarint();
    return length === 0 ? null : this.text(length - 1);
  }

  compactString(): string {
    return this.compactNullableString() ?? "";
  }

  /** A null array is read as an empty one. */
  compactArray<T>(item: () => T): T[] {
    const length = this.uvarint() - 1;
    if (length <= 0) return [];
    if (length > this.left) throw new RangeError(`an array of ${length} items in ${this.left} bytes`);
    return Array.from({ length }, item);
  }

  /** Skips the fields that a later version has added to a compact structure. */
  tags(): void {
    for (let left = this.uvarint(); left > 0; left--) {
      this.uvarint();
      this.pass(this.uvarint());
    }
  }
}

/** Builds one message. Every method returns the writer. */
export class WireWriter extends ByteWriter {
  boolean(value: boolean): this {
    return this.int8(value ? 1 : 0);
  }

  string(value: string | null): this {
    if (value === null) return this.int16(-1);
    const text = Buffer.from(value, "utf8");
    if (text.length > 0x7fff) throw new RangeError(`a text of ${text.length} bytes`);
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
    for (; rest > 0x7fn; rest >>= 7n) this.int8(Number(rest & 0x7fn) | 0x80);
    return this.int8(Number(rest));
  }

  uvarint(value: number): this {
    this.sink.varint(value);
    return this;
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

  toBuffer(): Buffer {
    return Buffer.from(this.written().buffer);
  }
}
