import { Kafka, logLevel } from "kafkajs";
import { waitFor } from "./wait.ts";

/** Creates a topic over the plain listener. @param config such as `{"cleanup.policy": "compact"}`. */
export async function createTopic(
  bootstrap: string,
  topic: string,
  config: Readonly<Record<string, string>> = {},
  partitions = 1,
): Promise<void> {
  const admin = new Kafka({ clientId: "real-stack", brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    const configEntries = Object.entries(config).map(([name, value]) => ({ name, value }));
    const topics = [{ topic, numPartitions: partitions, replicationFactor: 1, configEntries }];
    // The client's own wait fails at the first answer without the topic.
    await admin.createTopics({ waitForLeaders: false, topics });
    await waitFor(`the leaders of ${topic}`, async () => {
      const [described] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
      return described?.partitions.every(({ leader }) => leader >= 0);
    });
  } finally {
    await admin.disconnect();
  }
}
