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
