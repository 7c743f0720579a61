import { join } from "node:path";
import type { Kafka } from "kafkajs";
import { run } from "../../../providers/real/command.ts";
import { fetchJars } from "../../../providers/real/jars.ts";
import { JVM_FLAGS } from "../../../providers/real/java-process.ts";
import { clientsOf, connected } from "../../../providers/real/kafka-clients.ts";
import { type RealStack, type StackOptions, startStack } from "../../../providers/real/stack.ts";
import { waitFor } from "../../../providers/real/wait.ts";
import { startOracleDatabase } from "../../../providers/sandbox/oracle/database.ts";
import { healthyWorld } from "../../../providers/sandbox/oracle/world.ts";
import type { TopicRecord, World } from "./world.ts";

export interface RealWorld extends World {
  readonly real: RealStack;
}

/** A real broker and real workers; the database is the sandbox's, as there is no other. */
export async function startRealWorld(options: StackOptions): Promise<RealWorld> {
  const oracle = healthyWorld();
  const database = await startOracleDatabase(oracle);
  let real: RealStack;
  try {
    real = await startStack(options);
  } catch (error) {
    await database.close();
    throw error;
  }
  const kafka = clientsOf(real.bootstrap);
  return {
    ...real,
    name: `Kafka ${options.kafka}`,
    real,
    oraclePort: database.port,
    oracle,
    createTopic: (name, partitions) => real.createTopic(name, {}, partitions),
    async topics() {
      await using admin = await connected(kafka.admin());
      return await admin.listTopics();
    },
    records: (topic) => recordsOf(kafka, topic),
    async append(topic, { partition = 0, ...record }) {
      await using producer = await connected(kafka.producer());
      await producer.send({ topic, messages: [{ ...record, partition }] });
    },
    async consume(groupId, topic) {
      const consumer = await connected(kafka.consumer({ groupId, maxWaitTimeInMs: 50 }));
      const joined = new Promise<void>((resolve) => consumer.on(consumer.events.GROUP_JOIN, () => resolve()));
      await consumer.subscribe({ topic });
      await consumer.run({ eachMessage: async () => undefined });
      await joined;
      return () => consumer.disconnect();
    },
    async converted(topic, schemas) {
      const { classPath } = await fetchJars(options.kafka);
      const program = join(import.meta.dirname, "testdata", "ReadThroughConverter.java");
      const output = await run("java", [
        ...JVM_FLAGS,
        "-cp",
        classPath,
        program,
        real.bootstrap,
        topic,
        String(schemas),
      ]);
      return output.trim().split("\n");
    },
    async stop() {
      await real.stop();
      await database.close();
    },
  };
}

/** A consumer group of its own, from the beginning to what is the end now. */
async function recordsOf(kafka: Kafka, topic: string): Promise<readonly TopicRecord[]> {
  await using admin = await connected(kafka.admin());
  const [partition] = await admin.fetchTopicOffsets(topic);
  const end = BigInt(partition?.high ?? "0");
  const records: TopicRecord[] = [];
  if (end === 0n) return records;
  // A fetch under way keeps a consumer from leaving.
  const groupId = `behaviour-${performance.now()}`;
  await using consumer = await connected(kafka.consumer({ groupId, maxWaitTimeInMs: 50 }));
  let read = 0n;
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      read = BigInt(message.offset) + 1n;
      records.push({
        key: message.key?.toString("utf8") ?? null,
        value: message.value?.toString("utf8") ?? null,
        timestamp: BigInt(message.timestamp),
      });
    },
  });
  await waitFor(`all of ${topic}`, () => read >= end);
  return records;
}
