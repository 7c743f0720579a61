import type { CutoverFacts } from "../../../schemas/generated/facts.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import { keysInTopic } from "../../journal/keys-in-topic.ts";
import { buildsAmong, CONNECTOR_CLASS } from "../../legacy/connector-class.ts";
import { redactTranslation } from "../../legacy/translation.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import { inspectKafka } from "../connector/inspect-kafka.ts";
import { inspectSignals } from "../connector/inspect-signals.ts";
import { connectorNamed, settingsSeen } from "../connector/observe.ts";
import type { ObservePhase } from "../kind.ts";
import { evidenceFile } from "../migration/evidence.ts";
import { configurationFor, translationFor } from "../migration/new-connector.ts";
import {
  inspectDeployed,
  inspectItsRedo,
  inspectLegacyConnector,
  otherConnectors,
  redactProblems,
} from "../migration/observe.ts";
import { latestPhase } from "../migration/past-runs.ts";
import { keptRecords } from "../migration/topics.ts";

/**
 * Reads everything that a cutover is decided by. @throws CallFailed, UsageError if the legacy connector does not exist
 */
export const observeCutover: ObservePhase<CutoverFacts> = async (intent, world, sources) => {
  const { connect } = world;
  const observe = observerAt(world.clock);
  // The legacy connector first: no SCN of its offsets can then be later than the database's own.
  const seen = await inspectLegacyConnector(intent.from.connector, world);
  // Again, unmasked: a file or a context may complete what the translation keeps.
  const description = await connectorNamed(intent.from.connector, connect);
  const translation = translationFor(intent, description, { ...sources, installed: seen.legacy.version });
  const { body, settings } = await configurationFor(intent, translation, sources);
  const { signalsTopic, prefix } = settings;
  const kafka = world.kafka(settings);
  const oracle = world.oracle(settings);
  const [database, dictionary, fromKafka, next, plugins, topics, leftRecords, signals, others, latest] =
    await allOrFirst(
      inspectItsRedo(seen, { ...intent.from, settings }, world, oracle),
      observe("CDB_TABLES", () => oracle.dictionary(settings.tables.pdbs)),
      inspectKafka(kafka, settings, observe, world),
      inspectDeployed(intent.to.name, connect),
      observe("GET /connector-plugins", () => connect.plugins()),
      observe("Kafka topics", () => kafka.topics()),
      observe("journal and schema topics", () => topicsWithRecords(kafka, { config: body, prefix })),
      observe(signalsTopic, () =>
        inspectSignals(kafka, { topic: signalsTopic, connector: intent.to.name, prefix }, undefined),
      ),
      observe("GET /connectors", () => otherConnectors(connect, [intent.from.connector, intent.to.name])),
      observe(world.state.place, () => latestPhase(intent, seen.worker.clusterId, world.state)),
    );
  const installed = plugins.known
    ? { ...plugins, value: plugins.value.some(({ className }) => className === classOf(body)) }
    : plugins;
  const problems = await observe("PUT /connector-plugins/…/config/validate", async () =>
    installed.known && installed.value
      ? redactProblems(await connect.validate(classOf(body), { ...body, name: intent.to.name }), body)
      : [],
  );
  return {
    facts: {
      kind: "Migration",
      phase: "cutover",
      ...seen,
      ...database,
      ...fromKafka,
      audit: intent.audit === undefined ? undefined : await evidenceFile(intent.audit, intent, sources, seen.at),
      next,
      settings: settingsSeen(body, settings),
      translation: redactTranslation(translation),
      lacking: Object.entries(body).flatMap(([name, value]) => (value.includes("********") ? [name] : [])),
      installed,
      builds: plugins.known ? buildsAmong(plugins.value) : [],
      problems,
      dictionary,
      topics,
      leftRecords,
      signals,
      others,
      latest,
    },
    settings,
    kafka,
    oracle,
  };
};

/** A key that can't be read counts: it stops the task as well (CDC-4002). */
async function topicsWithRecords(
  kafka: KafkaPort,
  settings: Parameters<typeof keptRecords>[0],
): Promise<readonly string[]> {
  const found = await Promise.all(
    keptRecords(settings).map(async (rule) => ({ rule, keys: await keysInTopic(kafka, rule, settings.prefix) })),
  );
  return found.flatMap(({ rule, keys }) => ("keys" in keys && keys.keys.length === 0 ? [] : [rule.topic]));
}

function classOf(config: Readonly<Record<string, string>>): string {
  return config["connector.class"] ?? CONNECTOR_CLASS;
}
