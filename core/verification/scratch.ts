/**
 * Memory for the arrays of a join, reused by the next one: as garbage, they would add tens of MiB before they are
 * collected.
 */
export class Scratch {
  private memory = new ArrayBuffer(0);
  private used = 0;

  /** Takes all arrays back. They must not be used any more. */
  clear(): void {
    if (this.used > this.memory.byteLength) this.memory = new ArrayBuffer(this.used + this.used / 8);
    this.used = 0;
  }

  bytes(length: number): Uint8Array {
    return new Uint8Array(...this.take(length), length).fill(0);
  }

  ints(length: number, value: number): Int32Array {
    return new Int32Array(...this.take(length * 4), length).fill(value);
  }

  doubles(length: number): Float64Array {
    return new Float64Array(...this.take(length * 8), length).fill(0);
  }

  /** What does not fit is allocated; after the next `clear` there is room for it. */
  private take(bytes: number): [ArrayBuffer, number] {
    const from = this.used;
    this.used += Math.ceil(bytes / 8) * 8;
    return this.used > this.memory.byteLength ? [new ArrayBuffer(bytes), 0] : [this.memory, from];
  }
}
