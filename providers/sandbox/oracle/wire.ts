import { ByteReader } from "../../../core/values/bytes.ts";

/**
 * The primitives of TTC, the protocol inside Oracle Net's data packets. `ub`: one length byte (0 is the value 0, bit 7
 * the sign), then that many bytes, big-endian. `lenBytes`: a length byte (0, 253, 255: null) and the bytes, or 254 and
 * chunks up to an empty one.
 */

/** The message is not complete yet: wait for the next packet. */
export class NeedMore extends Error {}

/** The bytes can't be a message: close the connection. */
export class BadWire extends Error {}

const NOTHING = Buffer.alloc(0);
/** Longest value sent with a plain length byte; longer ones are sent in chunks. */
const SHORT = 252;
const CHUNK = 32_767;

export class Reader extends ByteReader<Buffer> {
  protected override ended(wanted: number): Error {
    return wanted < 0 ? new BadWire(`a length of ${wanted}`) : new NeedMore();
  }

  peek(): number {
    const byte = this.uint8();
    this.at--;
    return byte;
  }

  /** Skips the rest. */
  skipAll(): void {
    this.at = this.bytes.length;
  }

  ub(): number {
    const head = this.uint8();
    const length = head & 0x7f;
    if (length > 8) throw new BadWire(`integer of ${length} bytes at ${this.at}`);
    let value = 0;
    for (let i = 0; i < length; i++) value = value * 256 + this.uint8();
    return head & 0x80 ? -value : value;
  }

  /**
   * Reads a count. Hostile input must not make the server allocate memory, so it is refused if negative or above `max`.
   */
  count(max: number): number {
    const count = this.ub();
    if (count < 0 || count > max) throw new BadWire(`count ${count} at ${this.at}`);
    return count;
  }

  lenBytes(): Buffer | null {
    const length = this.uint8();
    if (length === 0 || length === 253 || length === 255) return null;
    if (length !== 254) return this.take(length);
    const chunks: Buffer[] = [];
    for (let size = this.count(0x7fffffff); size > 0; size = this.count(0x7fffffff)) chunks.push(this.take(size));
    return Buffer.concat(chunks);
  }

  /** A key, a value and a flag, each text with its length twice. */
  keyValue(): readonly [key: string, value: string] {
    const key = this.ub() > 0 ? this.lenBytes() : NOTHING;
    const value = this.ub() > 0 ? this.lenBytes() : NOTHING;
    this.ub();
    return [(key ?? NOTHING).toString(), (value ?? NOTHING).toString()];
  }
}

export class Writer {
  private buffer: Buffer;
  private used = 0;

  constructor(size = 512) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  get length(): number {
    return this.used;
  }

  private reserve(count: number): void {
    if (this.used + count <= this.buffer.length) return;
    const bigger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.used + count));
    this.buffer.copy(bigger, 0, 0, this.used);
    this.buffer = bigger;
  }

  raw(bytes: Uint8Array | readonly number[]): this {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.used);
    this.used += bytes.length;
    return this;
  }

  u8(...values: number[]): this {
    this.reserve(values.length);
    for (const value of values) this.buffer[this.used++] = value & 0xff;
    return this;
  }

  u16be(value: number): this {
    return this.u8(value >> 8, value);
  }

  u16le(value: number): this {
    return this.u8(value, value >> 8);
  }

  ub(...values: number[]): this {
    for (const value of values) {
      if (value === 0) {
        this.u8(0);
        continue;
      }
      const bytes: number[] = [];
      for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
      this.u8(bytes.length | (value < 0 ? 0x80 : 0), ...bytes);
    }
    return this;
  }

  /** Null and empty are the same on the wire. */
  lenBytes(bytes: Uint8Array | null): this {
    if (bytes === null || bytes.length === 0) return this.u8(0);
    if (bytes.length <= SHORT) return this.u8(bytes.length).raw(bytes);
    this.u8(254);
    for (let at = 0; at < bytes.length; at += CHUNK) {
      const chunk = bytes.subarray(at, at + CHUNK);
      this.ub(chunk.length).raw(chunk);
    }
    return this.u8(0);
  }

  /** `lenBytes` of the text in UTF-8, without a temporary buffer if it is short. */
  text(text: string): this {
    if (text.length * 3 > SHORT) return this.lenBytes(Buffer.from(text));
    this.reserve(text.length * 3 + 1);
    const length = this.buffer.write(text, this.used + 1);
    this.buffer[this.used] = length;
    this.used += 1 + length;
    return this;
  }

  /** `ub` length, then `lenBytes` unless empty. */
  sizedText(text: string): this {
    const bytes = Buffer.from(text);
    this.ub(bytes.length);
    return bytes.length > 0 ? this.lenBytes(bytes) : this;
  }

  keyValue(key: string, value: string, flag = 0): this {
    return this.sizedText(key).sizedText(value).ub(flag);
  }

  done(): Buffer {
    return this.buffer.subarray(0, this.used);
  }
}
