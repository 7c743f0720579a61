import { Kafka, logLevel } from "kafkajs";

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
    await admin.createTopics({ waitForLeaders: true, topics });
  } finally {
    await admin.disconnect();
  }
}
