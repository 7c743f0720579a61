import { type BrokerConnection, connectBroker } from "../../providers/kafka/broker-connection.ts";
import { WireWriter } from "../../providers/kafka/wire.ts";
import { LEGACY_TOPIC, NEW_TOPIC } from "./big-table.ts";
import { passesOf } from "./read-file.ts";
import { batchWriter, type WrittenRecord } from "./record-batch.ts";

/** The default limit of a broker is a megabyte. */
const BATCH = 512 * 1024;
const PRODUCE = 0;
const VERSION = 7;
const LIMITS = { clientId: "cdcctl-bench", connectMillis: 10_000, requestMillis: 60_000 };

const PLACES = [
  { file: "new-0", topic: NEW_TOPIC, partition: 0 },
  { file: "new-1", topic: NEW_TOPIC, partition: 1 },
  { file: "legacy-0", topic: LEGACY_TOPIC, partition: 0 },
] as const;

/**
 * Writes the generated files, with this many passes, to existing topics. @param brokers `host:port` of the one broker
 * @returns number of records
 */
export function loadTopics(brokers: string, folder: string, passes: number): Promise<number> {
  return connected(brokers, async (load) => {
    let records = 0;
    for (const { file, topic, partition } of PLACES)
      records += await load(topic, partition, written(folder, file, partition, passes));
    return records;
  });
}

async function* written(
  folder: string,
  file: string,
  partition: number,
  passes: number,
): AsyncIterable<readonly WrittenRecord[]> {
  for await (const { bytes, count, keyStarts, keyEnds, valueStarts, valueEnds, headerStarts, headerEnds } of passesOf(
    folder,
    file,
    partition,
    passes,
  ))
    yield Array.from({ length: count }, (_, nth) => ({
      key: bytes.subarray(keyStarts[nth], keyEnds[nth]),
      value: bytes.subarray(valueStarts[nth], valueEnds[nth]),
      headers: bytes.subarray(headerStarts[nth], headerEnds[nth]),
    }));
}

type Batches = AsyncIterable<readonly WrittenRecord[]> | Iterable<readonly WrittenRecord[]>;

/** Writes records to a partition. @returns their number */
type Load = (topic: string, partition: number, records: Batches) => Promise<number>;

/** @param brokers `host:port` of the one broker */
export async function connected<T>(brokers: string, use: (load: Load) => Promise<T>): Promise<T> {
  const [host = "", port = ""] = brokers.split(":");
  const connection = await connectBroker(host, Number(port), { tls: undefined, login: undefined }, LIMITS);
  try {
    return await use((topic, partition, records) => load(connection, topic, partition, records));
  } finally {
    connection.destroy();
  }
}

/** One batch is encoded while the previous one is written. */
async function load(connection: BrokerConnection, topic: string, partition: number, batches: Batches): Promise<number> {
  const writer = batchWriter(BATCH);
  let records = 0;
  let written: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    const batch = Buffer.from(writer.take(BigInt(Date.now())));
    await written;
    written = produce(connection, topic, partition, batch);
    // A failure is noticed when the write is awaited.
    written.catch(() => undefined);
  };
  for await (const batch of batches)
    for (const record of batch) {
      records += 1;
      if (writer.add(record)) continue;
      await flush();
      if (!writer.add(record)) throw new Error("a record that fits into no batch");
    }
  if (writer.count > 0) await flush();
  await written;
  return records;
}

async function produce(connection: BrokerConnection, topic: string, partition: number, batch: Buffer): Promise<void> {
  const [error] = await connection.send({
    apiKey: PRODUCE,
    apiName: "Produce",
    version: VERSION,
    encode() {
      const writer = new WireWriter().string(null).int16(1).int32(LIMITS.requestMillis);
      writer.array([topic], () =>
        writer.string(topic).array([batch], () => writer.int32(partition).nullableBytes(batch)),
      );
      return writer.toBuffer();
    },
    decode: (body) =>
      body
        .array(() => {
          body.string();
          return body.array(() => {
            body.int32();
            const code = body.int16();
            for (const _ of ["offset", "time", "start"]) body.int64();
            return code;
          });
        })
        .flat(),
  });
  if (error !== 0) throw new Error(`${topic}, partition ${partition}: the broker answered a produce with ${error}`);
}
