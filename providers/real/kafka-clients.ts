import { Kafka, logLevel } from "kafkajs";
import { waitFor } from "./wait.ts";

/** Clients of this project's own, without what kafkajs logs. */
export const clientsOf = (bootstrap: string) =>
  new Kafka({ clientId: "cdcctl-real", brokers: [bootstrap], logLevel: logLevel.NOTHING });

/** A client that leaves at the end of its block (`await using`). */
export async function connected<T extends { connect(): Promise<void>; disconnect(): Promise<void> }>(client: T) {
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.disconnect() });
}

/** Creates a topic over the plain listener. @param config such as `{"cleanup.policy": "compact"}`. */
export async function createTopic(
  bootstrap: string,
  topic: string,
  config: Readonly<Record<string, string>> = {},
  partitions = 1,
): Promise<void> {
  await using admin = await connected(clientsOf(bootstrap).admin());
  const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
  const topics = [{ topic, numPartitions: partitions, replicationFactor: 1, configEntries }];
  // The client's own wait fails at the first answer without the topic.
  await admin.createTopics({ waitForLeaders: false, topics });
  await waitFor(`the leaders of ${topic}`, async () => {
    const [described] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
    return described?.partitions.every(({ leader }) => leader >= 0);
  });
}
