import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startBroker } from "../sandbox/kafka/broker.ts";
import { encodeBatch } from "../sandbox/kafka/encode-batch.ts";
import { openKafka } from "./open-kafka.ts";

const BATCHES = 60;
const EACH = 100;
const RECORDS = BATCHES * EACH;
/** A fetch of 512 KiB holds five batches. */
const LENGTH = 1000;

const partition = suite("one partition, from its beginning to its end");

partition("records read in place lie in memory that is reused, and each is as it was written", async () => {
  const broker = await startBroker({ clusterId: "sandbox", topics: { long: {} } });
  const kafka = openKafka({ bootstrapServers: broker.address, properties: {} });
  try {
    const log = broker.state.topics.get("long")?.partitions[0];
    const textOf = (at: number) => String(at).padEnd(LENGTH, "x");
    for (let batch = 0; batch < BATCHES; batch++)
      log?.append(
        encodeBatch(
          Array.from({ length: EACH }, (_, at) => ({
            key: Buffer.from(`${batch * EACH + at}`),
            value: Buffer.from(textOf(batch * EACH + at)),
          })),
        ),
      );
    const range = { partition: 0, from: 0n, to: BigInt(RECORDS) };
    let count = 0;
    const check = (key: Uint8Array, value: Uint8Array): void => {
      assert.is(Buffer.from(key).toString(), `${count}`);
      assert.is(Buffer.from(value).toString(), textOf(count++));
    };
    const fetched = new Set<ArrayBufferLike>();
    for await (const records of kafka.records("long", range))
      for (const { key, value } of records) {
        fetched.add((value as Uint8Array).buffer);
        check(key as Uint8Array, value as Uint8Array);
      }
    assert.is(count, RECORDS);
    assert.ok(fetched.size > 8, `${fetched.size} fetches`);
    count = 0;
    const memory = new Set<ArrayBufferLike>();
    for await (const { bytes, keyStarts, keyEnds, valueStarts, valueEnds } of kafka.recordsInPlace("long", range)) {
      memory.add(bytes.buffer);
      for (const [at, start] of keyStarts.entries())
        check(bytes.subarray(start, keyEnds[at]), bytes.subarray(valueStarts[at], valueEnds[at]));
    }
    assert.is(count, RECORDS);
    assert.ok(memory.size < fetched.size - 3, `${memory.size} buffers for ${fetched.size} fetches`);
  } finally {
    await kafka.close();
    await broker.close();
  }
});

partition.run();
