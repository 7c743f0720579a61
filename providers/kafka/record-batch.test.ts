import * as fc from "fast-check";
import lz4 from "lz4js";
import snappy from "snappyjs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeBatch, encodeMarker, GZIP, type NewRecord } from "../sandbox/kafka/encode-batch.ts";
import { crc32c } from "./crc32c.ts";
import { committedRecords, controlOf, recordBatches, recordsOf, UnreadableBatch } from "./record-batch.ts";
import { allowanceOf } from "./uncompressed-limits.ts";

const batches = suite("record batches");

const some: readonly NewRecord[] = [
  { key: Buffer.from("k"), value: Buffer.from("v".repeat(500)), timestamp: 1_763_000_000_000n },
  {
    key: null,
    value: null,
    headers: { "cdc.scn": Buffer.from("7"), empty: Buffer.alloc(0) },
    timestamp: 1_763_000_000_500n,
  },
  { key: Buffer.alloc(0), value: Buffer.from("v".repeat(500)), timestamp: 1_762_999_999_999n },
];

async function decode(bytes: Buffer) {
  const found = [];
  for (const batch of recordBatches(bytes)) found.push(...(await recordsOf(batch)));
  return found;
}

const plain = await decode(encodeBatch(some));

batches("keys, values, times and headers are read back", () => {
  assert.equal(
    plain.map(({ offset, timestamp, key, value }) => [
      offset,
      timestamp,
      key?.toString() ?? null,
      value?.length ?? null,
    ]),
    [
      [0n, 1_763_000_000_000n, "k", 500],
      [1n, 1_763_000_000_500n, null, null],
      [2n, 1_762_999_999_999n, "", 500],
    ],
  );
  assert.equal(Object.keys(plain[1]?.headers ?? {}), ["cdc.scn", "empty"]);
});

/** The frames of snappy-java, as the Java client writes them. */
function xerial(bytes: Uint8Array): Uint8Array {
  const parts = [Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1])];
  for (let at = 0; at < bytes.length; at += 100) {
    const block = Buffer.from(snappy.compress(bytes.subarray(at, at + 100)));
    const length = Buffer.alloc(4);
    length.writeInt32BE(block.length);
    parts.push(length, block);
  }
  return Buffer.concat(parts);
}

for (const [name, compression] of [
  ["gzip", GZIP],
  ["snappy in one block", { type: 2, compress: (bytes: Uint8Array) => snappy.compress(bytes) }],
  ["snappy in the Java client's blocks", { type: 2, compress: xerial }],
  ["lz4", { type: 3, compress: (bytes: Uint8Array) => lz4.compress(bytes) }],
] as const)
  batches(`${name} is read`, async () => {
    assert.equal(await decode(encodeBatch(some, { compression })), plain);
  });

batches("zstd is read", async () => {
  // One record with the key "k" and the value "zstd zstd zstd zstd zstd zstd zstd zstd", compressed by the reference
  // implementation.
  const records = Buffer.from("KLUv/SQvnQAAaFwAAAACa056c3RkIAABAHBKEpkdo4c=", "base64");
  const batch = encodeBatch([{ key: null, value: null }], { compression: { type: 4, compress: () => records } });
  const [record] = await decode(batch);
  assert.is(record?.key?.toString(), "k");
  assert.is(record?.value?.toString(), "zstd ".repeat(8).trim());
});

batches("data that grows beyond the limit of a batch is refused, and named with its offset and the limit", async () => {
  const zeros = [{ key: null, value: Buffer.alloc(1_000_000) }];
  const [batch] = recordBatches(encodeBatch(zeros, { compression: GZIP }));
  assert.ok(batch);
  assert.is((await recordsOf(batch)).length, 1);
  const small = allowanceOf({ batch: 512 * 1024, fetch: 8 * 1024 * 1024 });
  const error = await recordsOf({ ...batch, baseOffset: 4711n }, 0, small).catch((thrown: unknown) => thrown);
  assert.instance(error, UnreadableBatch);
  assert.match((error as Error).message, /offset 4711 .*more than 524 kB uncompressed/);
});

batches("small batches are refused if one fetch of them is too large", async () => {
  const batch = encodeBatch([{ key: null, value: Buffer.alloc(1_000_000) }], { compression: GZIP });
  const fetch = Buffer.concat(Array.from({ length: 300 }, () => batch));
  const error = await committedRecords(fetch, [], 0n, 0).catch((thrown: unknown) => thrown);
  assert.instance(error, UnreadableBatch);
  assert.match((error as Error).message, /one fetch together have more than 268 MB/);
});

batches("a truncated batch at the end is ignored", async () => {
  const whole = encodeBatch(some);
  for (const length of [0, 5, 20, 60, whole.length - 1]) {
    const bytes = Buffer.concat([whole, whole.subarray(0, length)]);
    assert.is((await decode(bytes)).length, 3);
  }
});

batches("a damaged batch is refused, wherever the damage is", async () => {
  const whole = encodeBatch(some, { compression: GZIP });
  for (const at of [21, 30, 57, 70, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    assert.throws(() => [...recordBatches(damaged)], /damaged/);
  }
});

batches("any bytes are read or refused, nothing else", async () => {
  const whole = encodeBatch(some);
  const reseal = (bytes: Buffer) => bytes.writeUInt32BE(crc32c(bytes.subarray(21)), 17);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) if (at !== 16) bytes[at] = byte;
        reseal(bytes);
        await committedRecords(bytes, [], 0n, 0).catch((error: unknown) => assert.instance(error, UnreadableBatch));
      },
    ),
    { numRuns: 500 },
  );
});

batches("records from before Kafka 0.11 and unknown compressions are reported", async () => {
  const old = Buffer.from(encodeBatch(some));
  old[16] = 1;
  assert.throws(() => [...recordBatches(old)], /message format 1/);
  const unknown = encodeBatch(some, { compression: { type: 6, compress: (bytes) => bytes } });
  const [batch] = recordBatches(unknown);
  assert.ok(batch);
  const error = await recordsOf(batch).catch((thrown: unknown) => thrown);
  assert.instance(error, UnreadableBatch);
  assert.match((error as Error).message, "compression type 6");
});

batches("a marker contains what it ended", async () => {
  for (const outcome of ["abort", "commit"] as const) {
    const [batch] = recordBatches(encodeMarker(7n, 0, outcome));
    assert.ok(batch?.control && batch.producerId === 7n);
    assert.is(await controlOf(batch), outcome);
  }
});

batches("aborted records are omitted by producer and first offset, until the producer's next marker", async () => {
  const log: Buffer[] = [];
  let next = 0n;
  const add = (bytes: Buffer) => {
    bytes.writeBigInt64BE(next, 0);
    next += BigInt(bytes.readInt32BE(23)) + 1n;
    log.push(bytes);
  };
  const write = (producerId: bigint, value: string, transactional = true) =>
    add(encodeBatch([{ key: null, value: Buffer.from(value) }], { producerId, producerEpoch: 0, transactional }));
  write(1n, "a1 kept"); // 0
  add(encodeMarker(1n, 0, "commit")); // 1
  write(1n, "a2 lost"); // 2
  write(2n, "b1 kept"); // 3
  write(-1n, "plain kept", false); // 4
  write(1n, "a3 lost"); // 5
  add(encodeMarker(1n, 0, "abort")); // 6
  write(1n, "a4 kept"); // 7
  add(encodeMarker(2n, 0, "commit")); // 8
  add(encodeMarker(1n, 0, "commit")); // 9
  const { records, next: position } = await committedRecords(
    Buffer.concat(log),
    [{ producerId: 1n, firstOffset: 2n }],
    0n,
    0,
  );
  assert.equal(
    records.map((record) => record.value?.toString()),
    ["a1 kept", "b1 kept", "plain kept", "a4 kept"],
  );
  assert.is(position, 10n);
});

batches("a fetch that begins inside a batch gives only later records, and holes do not stop it", async () => {
  const batch = encodeBatch(some);
  batch.writeBigInt64BE(100n, 0); // offsets 100 to 102
  const { records, next } = await committedRecords(batch, [], 102n, 0);
  assert.equal(
    records.map((record) => record.offset),
    [102n],
  );
  assert.is(next, 103n);
  assert.is((await committedRecords(Buffer.alloc(0), [], 5n, 0)).next, 5n);
});

batches.run();
