/** Tests that compressed data of other implementations is read, and never expands beyond the limit. */
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import lz4 from "lz4js";
import snappy from "snappyjs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { processorMillis } from "../../core/values/testing/processor-time.ts";
import { decompressorOf } from "./compression.ts";
import { lz4Bomb, zstdBomb } from "./testing/bombs.ts";
import { TooLarge } from "./uncompressed-limits.ts";

const GZIP = 1;
const SNAPPY = 2;
const LZ4 = 3;
const ZSTD = 4;
const MIB = 1024 * 1024;
const LIMIT = MIB;

const LINES = Buffer.from(
  Array.from({ length: 40 }, (_, i) => `{"scn":${2_000_000 + i * 37},"xid":"3.${i % 7}.${i}"}\n`).join(""),
);
/** `LINES`, compressed by the reference implementations. */
const REFERENCE = {
  /** A frame from a pipe, with a checksum, does not state its size. */
  zstdOfUnknownSize:
    "KLUv/QRo3QYAthAnFbAnHYcipJGSyNktt5QyJZmhZyIXAyUAHgAfAMdaIZxSRrNdrDoiHZ1va5pIWfIiMYbDj8AYEA" +
    "4DMA6MgsAwEAGsD7mSzEj5YrPSLlW2isq51kvruSyilsSh8kMK/T8tZk/OHPuUmFaKmWUrk8qFzN/ddMtmqVdzCBnT" +
    "hkoDRWKUk0533obI6WJ21n+dU4VOu/pZtX0SXc8TmtPTT6gRVE3ctB3wNdYQEmFeIGIPuTj1e7UaiJ8nSvybGxuPgf" +
    "h5Uu9pNbADiNuF+W/i1yoU/H0k6hVyBawa0sYqwg==",
  zstd:
    "KLUv/WDOA90GALYQJxWwJx2HIqSRksjZLbeUMiWZoWciFwMlAB4AHwDHWiGcUkazXaw6Ih2db2uaSFnyIjGGw4/AGB" +
    "AOAzAOjILAMBABrA+5ksxI+WKz0i5VtorKudZL67ksopbEofJDCv0/LWZPzhz7lJhWipllK5PKhczf3XTLZqlXcwgZ" +
    "04ZKA0VilJNOd96GyOlidtZ/nVOFTrv6WbV9El3PE5rT00+oEVRN3LQd8DXWEBJhXiBiD7k49Xu1GoifJ0r8mxsbj4" +
    "H4eVLvaTWwA4jbhflv4tcqFPx9JOoVcgWsGg==",
  /** Blocks that depend on each other, block checksums, content size and checksum. */
  lz4:
    "BCJNGHxAzgQAAAAAAABepwEAAJF7InNjbiI6MjABAPgBLCJ4aWQiOiIzLjAuMCJ9Ch4AJjM3HgA7MS4xHgAmNzQeAD" +
    "oyLjIeADYxMTEeADszLjMeACY0OB4AOzQuNB4AJjg1HgA6NS41HgA2MjIyHgA7Ni42HgAoNTnSABs3HgAoOTbSABo4" +
    "HgA4MzMz0gAbOR4AKDcw0gAbMS0BODQwN9MAGzEuATg0NDTUABsxLwE4NDgx1QAbMTABODUxONYAGzExATk1NTWpAQ" +
    "syATg1OTLYABsxMwE5NjI52QALNAE5NjY22QALNQE5NzAz2QALNgE4NzQw2QAbMjYBODc3N9kAGzI2ATg4MTTZABsy" +
    "NgE5ODUxgwILNgE4ODg42QAbMjYBODkyNdkAGzI2ATg5NjLZABsyNgE5OTk52QAKNgFJMTAzNtkAGzgfACk3M9kACj" +
    "YBSDExMTDZACszMB8AKTQ3XQMbMR8AKDg02QAaMzYBSDEyMjHZACszMx8AKDU42QArMzQfACg5NdkAGjM2AUgxMzMy" +
    "2QArMzYfACk2OdkACzYBOTQwNtkACzYBJzQ0NgFwNC4zOSJ9CvGeBQoAAAAAwTdWxA==",
};

/** A damaged block with which fzstd never ends. */
const NEVER_ENDING =
  "KLUv/QRo3QYAthAnFfAnHYcipJGSyNktt5QyJZmhZyIXAyUAHgAfAMdaIZxSRrNdrDoiHZ1va5pIWfIiMYbDj8AYEA" +
  "4DMA6MgsAwEAGsD7mSzEj5YrPSLlW2isqG1kvruSyilsSh8kMK/T8tZjjOHPuUmFaKmWUrk8qFzN/ddMtmqVdzCBnT" +
  "hkoDRWKUk0533obI6WJ21n+dU4VOu/pZtX0SXc8TmtPTT6gRVE3ctB3wNdYQEmFeIGIPuTj1e7UaiJ8nSvybGxuPgf" +
  "h5Uu9pNbADiNuF+W/i1yoU/H0k6hVyBawa0sYqwg==";

const compression = suite("compression");

async function decompress(type: number, bytes: Uint8Array, limit = LIMIT): Promise<Buffer> {
  const codec = await decompressorOf(type);
  if (codec === undefined) throw new Error(`no codec ${type}`);
  return Buffer.from(codec(Buffer.from(bytes), limit));
}

/** Text that repeats itself at many distances, and noise. */
const content = fc
  .array(fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom("SALES.ORDERS", "a".repeat(70), "ab".repeat(300))), {
    maxLength: 200,
  })
  .map((parts) => Buffer.from(parts.join("")));

for (const [name, type, compress] of [
  ["gzip", GZIP, (bytes: Buffer) => gzipSync(bytes)],
  ["snappy", SNAPPY, (bytes: Buffer) => snappy.compress(bytes)],
  ["lz4", LZ4, (bytes: Buffer) => lz4.compress(bytes)],
] as const)
  compression(`what a peer compresses with ${name} is decompressed, whatever it is`, async () => {
    await fc.assert(
      fc.asyncProperty(content, async (bytes) => {
        assert.ok(bytes.equals(await decompress(type, compress(bytes))));
      }),
      { numRuns: 200 },
    );
  });

for (const [name, type, base64] of [
  ["zstd of a known size", ZSTD, REFERENCE.zstd],
  ["lz4 with every option", LZ4, REFERENCE.lz4],
] as const)
  compression(`${name} is decompressed as the reference implementation wrote it`, async () => {
    const bytes = Buffer.from(base64, "base64");
    assert.ok(LINES.equals(await decompress(type, bytes)));
    const twice = await decompress(type, Buffer.concat([bytes, bytes]));
    assert.ok(Buffer.concat([LINES, LINES]).equals(twice));
  });

compression("zstd of an unknown size is decompressed, up to the content of one block", async () => {
  const plain = await decompress(ZSTD, Buffer.from(REFERENCE.zstdOfUnknownSize, "base64"));
  assert.ok(LINES.equals(plain.subarray(0, LINES.length)));
  assert.ok(plain.length <= 128 * 1024);
});

/** A length of 32 bits, without content. */
const snappyBomb = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]);
const xerialBomb = Buffer.concat([
  Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]),
  ...Array.from({ length: 1000 }, () => Buffer.from([0, 0, 0, 4, 0x80, 0x80, 0x04, 0x00])),
]);
const wide = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8]);

for (const [name, type, bytes] of [
  ["gzip of zeros", GZIP, gzipSync(Buffer.alloc(100 * MIB))],
  ["many members of gzip", GZIP, Buffer.concat(Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(MIB / 8))))],
  ["snappy that says it is 4 GiB", SNAPPY, snappyBomb],
  ["a thousand snappy frames of 64 KiB each", SNAPPY, xerialBomb],
  ["lz4 of one long match", LZ4, lz4Bomb(100 * MIB)],
  ["several lz4 frames", LZ4, Buffer.concat(Array.from({ length: 5 }, () => lz4Bomb(MIB / 4)))],
  ["zstd that declares 3 GiB", ZSTD, zstdBomb(3 * 1024 * MIB, { statesSize: true })],
  ["zstd that declares nothing", ZSTD, zstdBomb(3 * 1024 * MIB)],
  ["many zstd frames", ZSTD, zstdBomb(MIB / 4, { statesSize: true, frames: 5 })],
] as const)
  compression(`${name} is refused before memory is allocated`, async () => {
    const before = process.memoryUsage().arrayBuffers;
    const started = processorMillis();
    const error = await decompress(type, bytes).catch((thrown: unknown) => thrown);
    assert.instance(error, TooLarge);
    assert.ok(processorMillis() - started < 2000);
    assert.ok(process.memoryUsage().arrayBuffers - before < 64 * MIB);
  });

compression("data of exactly the limit is read, and one byte more is not", async () => {
  for (const [type, compress] of [
    [GZIP, (bytes: Buffer) => gzipSync(bytes)],
    [SNAPPY, (bytes: Buffer) => snappy.compress(bytes)],
    [LZ4, (bytes: Buffer) => lz4.compress(bytes)],
    [ZSTD, (bytes: Buffer) => zstdBomb(bytes.length, { statesSize: true })],
  ] as const) {
    assert.is((await decompress(type, compress(Buffer.alloc(LIMIT)))).length, LIMIT);
    const error = await decompress(type, compress(Buffer.alloc(LIMIT + 1))).catch((thrown: unknown) => thrown);
    assert.instance(error, TooLarge, `type ${type}`);
  }
});

for (const [name, type, bytes] of [
  ["zstd with a window of 2 GiB and without end", ZSTD, wide],
  [
    "zstd that holds less than it declares",
    ZSTD,
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x60, 0xff, 0x00, 0x0b, 0x00, 0x00, 0x61]),
  ],
  ["a zstd block of unknown type", ZSTD, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 0x0f, 0, 0])],
  ["invalid zstd", ZSTD, Buffer.from("once upon a time")],
  [
    "a snappy frame of a negative length",
    SNAPPY,
    Buffer.concat([xerialBomb.subarray(0, 16), Buffer.from([255, 255, 255, 252])]),
  ],
  // Read as a signed number of 32 bits, this length points back to itself.
  [
    "a snappy literal of a negative length",
    SNAPPY,
    Buffer.from([0x40, 0xfc, 0xf9, 0xff, 0xff, 0xff, 0x61, 0x61, 0x61]),
  ],
  ["a snappy copy from before the beginning", SNAPPY, Buffer.from([0x04, 0x01, 0x05])],
  [
    "an lz4 match from before the beginning",
    LZ4,
    Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73, 5, 0, 0, 0, 0x10, 0x61, 9, 0, 0]),
  ],
  ["an endless lz4 block", LZ4, lz4Bomb(MIB).subarray(0, 200)],
  ["an lz4 frame of another version", LZ4, Buffer.from([0x04, 0x22, 0x4d, 0x18, 0xa0, 0x70, 0x73, 0, 0, 0, 0])],
  ["truncated gzip", GZIP, gzipSync(LINES).subarray(0, 50)],
] as const)
  compression(`${name} is refused as damaged, quickly`, async () => {
    const started = processorMillis();
    const error = await decompress(type, bytes).catch((thrown: unknown) => thrown);
    assert.instance(error, Error);
    assert.not.instance(error, TooLarge);
    assert.ok(processorMillis() - started < 1000);
  });

compression("zstd that would keep the decoder running is stopped, and refused as damaged", async () => {
  const error = await decompress(ZSTD, Buffer.from(NEVER_ENDING, "base64")).catch((thrown: unknown) => thrown);
  assert.instance(error, RangeError);
  assert.match((error as Error).message, /not decompressed within 10 s/);
});

compression("any bytes are read or refused, in bounded time", async () => {
  const seeds = [
    [GZIP, gzipSync(LINES)],
    [SNAPPY, Buffer.from(snappy.compress(LINES))],
    [LZ4, Buffer.from(lz4.compress(LINES))],
    [LZ4, Buffer.from(REFERENCE.lz4, "base64")],
    [ZSTD, Buffer.from(REFERENCE.zstd, "base64")],
    [ZSTD, Buffer.from(REFERENCE.zstdOfUnknownSize, "base64")],
  ] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      async ([type, whole], changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const plain = await decompress(type, bytes).catch((error: unknown) => error);
        assert.ok(plain instanceof Error || (plain as Buffer).length <= LIMIT);
      },
    ),
    { numRuns: 2000, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true },
  );
});

compression.run();
