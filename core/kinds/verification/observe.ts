import type { RetiredKnown, TopicSeen, VerificationFacts } from "../../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { workerSeen } from "../../facts/connector/connector.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import { capturedIn } from "../../facts/tables/tables.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import type { World } from "../../ports/world.ts";
import type { Instant } from "../../values/instant.ts";
import { inspectKafka } from "../connector/inspect-kafka.ts";
import { settingsSeen } from "../connector/observe.ts";
import type { ObservePhase, Sources } from "../kind.ts";
import { evidenceFile } from "../migration/evidence.ts";
import { settingsOfNew } from "../migration/new-connector.ts";
import { inspectDeployed } from "../migration/observe.ts";
import { retiredTopics, verifications } from "../migration/past-runs.ts";
import { verifiedTables } from "../migration/verified-tables.ts";

/**
 * Looks at everything that a verification is decided by; the tables and topics themselves are read when it is carried
 * out.
 */
export const observeVerification: ObservePhase<VerificationFacts> = async (intent, world, sources) => {
  const observedAt = world.clock.now();
  const observe = observerAt(world.clock);
  const [worker, next, { config, settings }] = await allOrFirst(
    world.connect.worker(),
    inspectDeployed(intent.to.name, world.connect),
    settingsOfNew(intent, world, sources),
  );
  const kafka = world.kafka(settings);
  const oracle = world.oracle(settings);
  const [database, dictionary, fromKafka, topics, retired] = await allOrFirst(
    oracle.database(),
    observe("CDB_TABLES", () => oracle.dictionary(settings.tables.pdbs)),
    inspectKafka(kafka, settings, observe, world),
    observe("Kafka topics", () => kafka.topics()),
    observe(world.state.place, () => inspectRetirement(intent, world, sources, worker.clusterId, observedAt)),
  );
  const seen = settingsSeen(config, settings);
  const captured = capturedIn({ ...seen.tables, stated: intent.capturedTables }, dictionary);
  const tables = captured.known
    ? verifiedTables(intent, { settings: seen, database, topics, retired }, captured.tables)
    : [];
  const asked = tables.flatMap((table) =>
    table.ok
      ? [table.verified.topic, ...(table.verified.legacyTopic === undefined ? [] : [table.verified.legacyTopic])]
      : [],
  );
  return {
    facts: {
      kind: "Migration",
      phase: "verify",
      at: observedAt,
      worker: workerSeen(world.connect, worker),
      next,
      settings: seen,
      database: { ...database, address: oracle.address },
      ...fromKafka,
      dictionary,
      topics,
      retired,
      spark: intent.verify?.engine === undefined ? undefined : sources.spark,
      read: await observe("Kafka topics", () => seenTopics([...new Set(asked)], kafka)),
    },
    settings,
    kafka,
    oracle,
  };
};

async function inspectRetirement(
  intent: MigrationIntent,
  { state }: World,
  sources: Sources,
  clusterId: string,
  observedAt: Instant,
): Promise<RetiredKnown> {
  const topics = await retiredTopics(intent, clusterId, state);
  if (topics.length === 0) return { topics, complete: [] };
  const evidence = await evidenceFile(intent.evidence, intent, sources, observedAt);
  const known = await verifications(intent, clusterId, state);
  if (!evidence.known || !known.some(({ digest, passed }) => passed && digest === evidence.value.digest))
    return { topics, complete: [] };
  return {
    topics,
    complete: evidence.value.tables.flatMap(({ table, outcome, byLegacy }) =>
      outcome === "pass" && byLegacy === 0n ? [table] : [],
    ),
  };
}

async function seenTopics(
  topics: readonly string[],
  kafka: KafkaPort,
): Promise<Readonly<Record<string, TopicSeen | "missing">>> {
  const seen = await allOrFirst(...topics.map((topic) => kafka.topic(topic)));
  return Object.fromEntries(topics.map((topic, at) => [topic, seen[at] ?? ("missing" as const)]));
}
