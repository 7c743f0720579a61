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

partition("skipped records are in reused memory, and each returned record is as it was written", async () => {
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
    const seen = async (passing: boolean): Promise<number> => {
      const memory = new Set<ArrayBufferLike>();
      let count = 0;
      for await (const records of kafka.records("long", { partition: 0, from: 0n, to: BigInt(RECORDS) }, passing))
        for (const { key, value } of records) {
          memory.add((value as Uint8Array).buffer);
          assert.is(Buffer.from(key as Uint8Array).toString(), `${count}`);
          assert.is(Buffer.from(value as Uint8Array).toString(), textOf(count++));
        }
      assert.is(count, RECORDS);
      return memory.size;
    };
    const fetches = await seen(false);
    assert.ok(fetches > 8, `${fetches} fetches`);
    assert.ok((await seen(true)) < fetches - 3);
  } finally {
    await kafka.close();
    await broker.close();
  }
});

partition.run();
