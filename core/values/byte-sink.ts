/** Growable byte buffer. It is reused, so that writing a record allocates nothing. */
export class ByteSink {
  bytes: Uint8Array;
  /** A view of the same memory: the compiler turns its reads and writes into single instructions. */
  data: DataView;
  length = 0;

  constructor(size = 1024) {
    this.bytes = new Uint8Array(size);
    this.data = new DataView(this.bytes.buffer);
  }

  clear(): void {
    this.length = 0;
  }

  /** Ensures room for `count` more bytes. */
  reserve(more: number): void {
    if (this.length + more > this.bytes.length) this.grow(this.length + more);
  }

  /** Apart from `reserve`, which is small enough to be compiled into every caller. */
  private grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.data = new DataView(larger.buffer);
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Copies `source` from `start` (inclusive) to `end` (exclusive). */
  copy(source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    this.reserve(count);
    // A loop costs less than calling `set` for a short value.
    if (count > 48) {
      this.bytes.set(source.subarray(start, end), this.length);
      this.length += count;
      return;
    }
    const { bytes } = this;
    let to = this.length;
    for (let at = start; at < end; at++) bytes[to++] = source[at] as number;
    this.length = to;
  }

  /** Copies all of another sink, four bytes at a time: calling `set` costs more than a short loop. */
  append({ bytes, data: source, length }: ByteSink): void {
    this.reserve(length);
    const { data, length: to } = this;
    if (length > 256) this.bytes.set(bytes.subarray(0, length), to);
    else {
      const words = length & ~3;
      for (let at = 0; at < words; at += 4) data.setInt32(to + at, source.getInt32(at, true), true);
      for (let at = words; at < length; at++) this.bytes[to + at] = bytes[at] as number;
    }
    this.length = to + length;
  }

  /** Copies what was written this many bytes ago; the copy may overlap itself. @throws RangeError before the first */
  repeat(distance: number, count: number): void {
    const from = this.length - distance;
    if (distance === 0 || from < 0) throw new RangeError(`a copy from ${distance} before, after ${this.length}`);
    this.reserve(count);
    const { bytes } = this;
    let to = this.length;
    if (distance >= count && count > 16) bytes.copyWithin(to, from, from + count);
    else for (let at = from; at < from + count; at++) bytes[to++] = bytes[at] as number;
    this.length += count;
  }

  /** Writes text of ASCII characters only. */
  ascii(text: string): void {
    this.reserve(text.length);
    for (let at = 0; at < text.length; at++) this.bytes[this.length++] = text.charCodeAt(at);
  }

  /** Writes a number of at most 32 bits, least significant group of seven bits first (LEB128). */
  varint(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  /** A view, valid until the next write. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** A copy that later writes do not change. */
  copied(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

/** Writes numbers, the most significant byte first, as `ByteReader` reads them. Every method returns the writer. */
export class ByteWriter {
  protected readonly sink = new ByteSink(64);

  int8(value: number): this {
    this.sink.byte(value & 0xff);
    return this;
  }

  int16(value: number): this {
    return this.number(2, (data, at) => data.setInt16(at, value));
  }

  int32(value: number): this {
    return this.number(4, (data, at) => data.setInt32(at, value));
  }

  int64(value: bigint): this {
    return this.number(8, (data, at) => data.setBigInt64(at, value));
  }

  /** Raw bytes, without a length. */
  bytes(value: Uint8Array): this {
    this.sink.copy(value, 0, value.length);
    return this;
  }

  /** A copy of what is written. */
  written(): Uint8Array {
    return this.sink.copied();
  }

  private number(length: number, set: (data: DataView, at: number) => void): this {
    const { sink } = this;
    sink.reserve(length);
    set(sink.data, sink.length);
    sink.length += length;
    return this;
  }
}
