import { CallFailed, orUndefined } from "../../core/errors.ts";
import type { Observed } from "../../core/facts/observed.ts";
import { observerAt } from "../../core/facts/observer.ts";
import type { Instant } from "../../core/values/instant.ts";
import { ascending, smallest } from "../../core/values/lists.ts";
import type { TimestampRule, TopicSeen } from "../../schemas/generated/facts.ts";
import { type BrokerCluster, readAt, retrying } from "./broker-cluster.ts";
import type { BrokerConnection } from "./broker-connection.ts";
import { MAY_WRITE } from "./metadata-request.ts";

/**
 * @returns undefined for a topic that does not exist; configurations are unknown where the login may not describe them
 */
export async function describeTopic(
  cluster: BrokerCluster,
  name: string,
  now: () => Instant,
): Promise<TopicSeen | undefined> {
  const found = await orUndefined(cluster.topic(name), "missing");
  if (found === undefined) return undefined;
  const { topic } = found;
  const configs = await topicConfigs(cluster, name, now);
  return {
    name,
    partitions: BigInt(topic.partitions.length),
    replicas: BigInt(smallest(topic.partitions.map((partition) => partition.replicas.length))),
    cleanupPolicy: entry(configs, "cleanup.policy", (text) => text),
    minInsyncReplicas: entry(configs, "min.insync.replicas", wholeNumber),
    inSyncReplicas: topic.partitions
      .toSorted((a, b) => a.index - b.index)
      .map((partition) => BigInt(partition.inSync.length)),
    timestamps: timestampRule(configs),
    maxMessageBytes: entry(configs, "max.message.bytes", wholeNumber),
    retentionMillis: entry(configs, "retention.ms", wholeNumber),
    retentionBytes: entry(configs, "retention.bytes", wholeNumber),
    mayWrite: mayWrite(topic.operations, name, now),
  };
}

function mayWrite(operations: number | undefined, name: string, now: () => Instant): Observed<boolean> {
  const source = `Metadata of ${name}`;
  return operations === undefined
    ? { known: false, why: "the broker does not report the operations of a login (before Kafka 2.3)", source }
    : { known: true, value: (operations & MAY_WRITE) !== 0, source, at: now() };
}

const TOPIC_RESOURCE = 2;
const TIMESTAMP_TYPE = "message.timestamp.type";
const TIMESTAMP_BEFORE = "message.timestamp.before.max.ms";
const TIMESTAMP_AFTER = "message.timestamp.after.max.ms";
/** The only limit before Kafka 3.6, in both directions; until 4.0 it applies where one of the two is not set. */
const TIMESTAMP_DIFFERENCE = "message.timestamp.difference.max.ms";
const CONFIG_NAMES = [
  "cleanup.policy",
  "min.insync.replicas",
  "max.message.bytes",
  "retention.ms",
  "retention.bytes",
  TIMESTAMP_TYPE,
  TIMESTAMP_BEFORE,
  TIMESTAMP_AFTER,
  TIMESTAMP_DIFFERENCE,
];
/** Kafka's own "no limit": the largest 64-bit integer. */
const NO_LIMIT = 2n ** 63n - 1n;

type Configs = Observed<ReadonlyMap<string, string>>;

async function topicConfigs(cluster: BrokerCluster, name: string, now: () => Instant): Promise<Configs> {
  return observerAt({ now })(`DescribeConfigs of ${name}`, async () => {
    const resource = { type: TOPIC_RESOURCE, name, configNames: CONFIG_NAMES };
    const entries = await describeConfigs(cluster, () => cluster.any(), name, resource, `the topic ${name}`);
    return new Map(
      entries.flatMap(({ configName, configValue }) => (configValue === null ? [] : [[configName, configValue]])),
    );
  });
}

type Resource = Parameters<BrokerConnection["broker"]["describeConfigs"]>[0]["resources"][number];

/** @param granted on what the login needs DescribeConfigs, for the remedy @throws CallFailed */
async function describeConfigs(
  cluster: BrokerCluster,
  sessionWith: () => Promise<BrokerConnection>,
  what: string,
  resource: Resource,
  granted: string,
) {
  const doing = `describe the configuration of ${what}`;
  try {
    const { resources } = await retrying(doing, async () => {
      const session = await sessionWith();
      return readAt(cluster, session, doing, () => session.broker.describeConfigs({ resources: [resource] }));
    });
    return resources.flatMap(({ configEntries }) => configEntries);
  } catch (error) {
    if (!(error instanceof CallFailed) || error.kind !== "forbidden") throw error;
    const { message, code } = error;
    const remedy = `Grant the login DescribeConfigs on ${granted} (kafka-acls).`;
    throw new CallFailed("kafka", "forbidden", { message, code, remedy });
  }
}

const BROKER_RESOURCE = 4;
const MAX_TRANSACTION = "transaction.max.timeout.ms";

/**
 * Returns the lowest value of all brokers; each broker reports its own.
 *
 * @throws CallFailed `forbidden` without DescribeConfigs on the cluster
 */
export async function maxTransactionMillis(cluster: BrokerCluster): Promise<bigint> {
  const metadata = await cluster.metadata();
  const limits = [...metadata.brokers.keys()].map(async (id) => {
    const resource = { type: BROKER_RESOURCE, name: String(id), configNames: [MAX_TRANSACTION] };
    const atBroker = () => cluster.broker(metadata, id);
    const [found] = await describeConfigs(cluster, atBroker, `broker ${id}`, resource, "the cluster");
    const limit = wholeNumber(found?.configValue ?? "");
    if (limit === undefined)
      throw new CallFailed("kafka", "unsupported", { message: `broker ${id} does not report its ${MAX_TRANSACTION}` });
    return limit;
  });
  const [lowest] = (await Promise.all(limits)).sort(ascending((limit) => limit));
  if (lowest === undefined) throw new CallFailed("kafka", "protocol", { message: `${cluster.brokers} list no broker` });
  return lowest;
}

/** @returns undefined for a text that is not a whole number, which Kafka never sends */
function wholeNumber(text: string): bigint | undefined {
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}

/** @param read returns undefined for a text that can't be read */
function entry<T>(configs: Configs, name: string, read: (text: string) => T | undefined): Observed<T> {
  if (!configs.known) return configs;
  const text = configs.value.get(name);
  if (text === undefined) return { known: false, why: `the broker did not return ${name}`, source: configs.source };
  const value = read(text);
  return value === undefined
    ? { known: false, why: `the broker returned no integer for ${name}`, source: configs.source }
    : { ...configs, value };
}

/**
 * Returns the limits as the broker applies them (KIP-937; `LogConfig.messageTimestampBeforeMaxMs`): the newer setting
 * if it is not the default, otherwise the older one.
 */
function timestampRule(configs: Configs): Observed<TimestampRule> {
  const type = entry(configs, TIMESTAMP_TYPE, (text) => text);
  if (!configs.known) return configs;
  if (!type.known) return type;
  const limit = (name: string): bigint | undefined => {
    const set = [name, TIMESTAMP_DIFFERENCE]
      .map((one) => configs.value.get(one))
      .map((text) => (text === undefined ? undefined : wholeNumber(text)) ?? NO_LIMIT);
    return set.find((millis) => millis < NO_LIMIT);
  };
  return {
    ...configs,
    value: { type: type.value, beforeMaxMillis: limit(TIMESTAMP_BEFORE), afterMaxMillis: limit(TIMESTAMP_AFTER) },
  };
}
