import type { SandboxBroker } from "../../kafka/broker.ts";

type Config = Readonly<Record<string, string>>;

/**
 * What the task creates at its start, each with one partition (source: its documentation, "Ops topic", "Internal
 * topics"; reference: connector rules, "Signals and snapshots").
 */
const INTERNAL_TOPICS = {
  ops: { "cleanup.policy": "delete" },
  heartbeat: { "cleanup.policy": "delete", "retention.ms": "86400000" },
  signals: { "cleanup.policy": "delete" },
  schema: { "cleanup.policy": "compact" },
  txjournal: { "cleanup.policy": "compact" },
} as const satisfies Readonly<Record<string, Config>>;

type InternalTopic = keyof typeof INTERNAL_TOPICS;

/** `cdc.NAME.topic`, by default `${prefix}.cdc.NAME`. */
export function internalTopic(config: Config, name: InternalTopic): string {
  const prefix = config["cdc.topic.prefix"] ?? "";
  return config[`cdc.${name}.topic`]?.replaceAll(/\$\{prefix\}/g, () => prefix) ?? `${prefix}.cdc.${name}`;
}

/**
 * Whether the task knows the address of the brokers; if not, it has neither journal nor schema topic, and reads no
 * signals.
 */
export function readsBrokers(config: Config): boolean {
  return (config["cdc.stream.bootstrap.servers"] ?? config["cdc.kafka.bootstrap.servers"] ?? "").trim() !== "";
}

/** Creates those that do not exist. One that exists is left as it is. */
export function createInternalTopics(config: Config, broker: SandboxBroker): void {
  if (!readsBrokers(config)) return;
  for (const [name, configs] of Object.entries(INTERNAL_TOPICS)) {
    const topic = internalTopic(config, name as InternalTopic);
    if (!broker.state.topics.has(topic)) broker.createTopic(topic, { partitions: 1, configs });
  }
}
