import { CallFailed, UsageError } from "../../core/errors.ts";
import type { BrokerSettings } from "../../core/facts/connector/settings.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import { type Instant, instantOf } from "../../core/values/instant.ts";
import { KAFKA_LIMITS, type KafkaLimits } from "../limits.ts";
import { appendRecords } from "./append-record.ts";
import { type Address, type BrokerCluster, brokerCluster } from "./broker-cluster.ts";
import { clientSecurity } from "./client-properties.ts";
import { consumersOf } from "./consumer-groups.ts";
import { describeTopic, maxTransactionMillis } from "./describe-topic.ts";
import { MAY_CREATE } from "./metadata-request.ts";
import { ALONE, AS_OBJECTS, IN_PLACE, readPartition } from "./read-partition.ts";
import { readTopic } from "./read-topic.ts";
import { createTopic, deleteTopic } from "./topic-changes.ts";
import { partitionRanges } from "./topic-offsets.ts";

export interface KafkaOptions extends KafkaLimits {
  readonly now?: () => Instant;
}

/**
 * Opens the brokers over kafkajs. Before the first call, nothing is loaded, no setting is read and no connection is
 * made.
 *
 * @param settings the connector's: `bootstrapServers` as `host:port,…`, `properties` as the Java client takes them
 */
export function openKafka(settings: BrokerSettings, options: KafkaOptions = {}): KafkaPort {
  const servers = settings.bootstrapServers ?? settings.properties["bootstrap.servers"]?.open() ?? "";
  const { connectMillis, requestMillis, readMillis } = { ...KAFKA_LIMITS, ...options };
  // The broker times out before the client does, so that its answer still arrives.
  const brokerMillis = Math.floor(requestMillis * 0.75);
  const now = options.now ?? (() => instantOf(Date.now()));
  let opening: Promise<BrokerCluster> | undefined;
  let isShared = false;

  const open = async (): Promise<BrokerCluster> => {
    const addresses = bootstrapAddresses(servers);
    const security = await clientSecurity(settings.properties);
    return brokerCluster(addresses, security, {
      clientId: "cdcctl",
      connectMillis,
      requestMillis,
      isShared: () => isShared,
    });
  };
  const cluster = (): Promise<BrokerCluster> => {
    opening ??= open();
    return opening;
  };

  return {
    brokers: servers,
    async clusterId() {
      const { clusterId } = await (await cluster()).metadata();
      if (clusterId === undefined)
        throw new CallFailed("kafka", "unsupported", {
          message: `${servers} reports no cluster id (before Kafka 0.10.1)`,
        });
      return clusterId;
    },
    async topics() {
      const { topics } = await (await cluster()).everything();
      return topics
        .filter(({ internal }) => !internal)
        .map(({ name }) => name)
        .toSorted();
    },
    async mayCreateTopics() {
      const { operations } = await (await cluster()).metadata();
      return operations === undefined ? undefined : (operations & MAY_CREATE) !== 0;
    },
    maxTransactionMillis: async () => maxTransactionMillis(await cluster()),
    topic: async (name) => describeTopic(await cluster(), name, now),
    append: async (topic, records) => appendRecords(await cluster(), topic, [records].flat(), brokerMillis),
    async endOffsets(topic) {
      const ranges = await partitionRanges(await cluster(), topic);
      return ranges.map(({ partition, to }) => ({ partition, offset: to }));
    },
    read: async (topic, bounds) =>
      readTopic(await cluster(), topic, { ...bounds, millis: Math.min(bounds.millis, readMillis) }),
    createTopic: async (name, partitions, config) =>
      createTopic(await cluster(), { name, partitions, config }, brokerMillis),
    deleteTopic: async (name) => deleteTopic(await cluster(), name, brokerMillis),
    consumersOf: async (topics) => consumersOf(await cluster(), topics),
    extents: async (topic) => partitionRanges(await cluster(), topic, "what is committed"),
    async *records(topic, range) {
      yield* readPartition(await cluster(), topic, range, AS_OBJECTS, requestMillis);
    },
    async *recordsInPlace(topic, range, alone = false) {
      isShared ||= alone;
      yield* readPartition(await cluster(), topic, range, alone ? ALONE : IN_PLACE, requestMillis);
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      opened?.close();
    },
  };
}

const FORM = /^(?:([A-Za-z][A-Za-z0-9_]*):\/\/)?(?:\[([0-9a-fA-F:.%]+)\]|([^:[\]\s/@]+)):(\d{1,5})$/;

/**
 * Reads `host:port,host:port`, with IPv6 addresses in brackets. A listener name such as `SASL_SSL://` in front is
 * ignored, as by the Java client.
 *
 * @throws UsageError naming the entry that is not an address
 */
export function bootstrapAddresses(servers: string): readonly Address[] {
  const entries = servers
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length === 0)
    throw new UsageError(
      "no brokers are given",
      "Set cdc.stream.bootstrap.servers (bootstrap.servers) to host:port,host:port.",
    );
  return entries.map((entry) => {
    const [, , bracketed, plain, port] = FORM.exec(entry) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined || Number(port) < 1 || Number(port) > 65535)
      throw new UsageError(`bootstrap.servers: "${entry}" is not host:port`, "Write:  host:port,host:port");
    return { host, port: Number(port) };
  });
}
