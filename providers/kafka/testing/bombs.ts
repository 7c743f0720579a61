/** A zstd frame of blocks that repeat one byte, whose header states its size or not. */
export function zstdBomb(bytes: number, { statesSize = false, frames = 1 } = {}): Buffer {
  const block = (size: number, last: boolean): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUIntLE((size << 3) | (1 << 1) | (last ? 1 : 0), 0, 3);
    return head;
  };
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(bytes));
  const header = statesSize
    ? [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0]), size]
    : [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])];
  const blocks: Buffer[] = [];
  for (let left = bytes; left > 0; left -= 128 * 1024)
    blocks.push(block(Math.min(left, 128 * 1024), left <= 128 * 1024));
  const frame = Buffer.concat([...header, ...blocks]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** A frame whose only block is one long match of a repeated byte. */
export function lz4Bomb(bytes: number): Buffer {
  const block = Buffer.concat([
    Buffer.from([0x1f, 0x61, 1, 0]),
    Buffer.alloc(Math.ceil(bytes / 255), 255),
    Buffer.from([0, 0]),
  ]);
  const head = Buffer.alloc(4);
  head.writeUInt32LE(block.length);
  return Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73]), head, block, Buffer.alloc(4)]);
}
