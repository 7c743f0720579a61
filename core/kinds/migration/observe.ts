import type { MigrationIntent } from "../../document/intent.ts";
import type { CutoverFacts, MigrationFacts, ReturnFacts } from "../../facts/migration-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import { ownOffset } from "../../facts/offset/stored-offset.ts";
import { buildsAmong, CONNECTOR_CLASS } from "../../legacy/connector-class.ts";
import { redactTranslation } from "../../legacy/translation.ts";
import type { World } from "../../ports/world.ts";
import { lookAtKafka } from "../connector/look-at-kafka.ts";
import { noConnector } from "../connector/no-connector.ts";
import type { Observation } from "../connector/observe.ts";
import type { Sources } from "../sources.ts";
import { lookAtDeployed } from "./look-at-deployed.ts";
import { lookAtItsRedo, lookAtLegacyConnector } from "./look-at-legacy.ts";
import { configurationFor, settingsOfNew, settingsSeen, translationFor } from "./new-connector.ts";
import { observeRetirement } from "./observe-retirement.ts";
import { observeVerification } from "./observe-verification.ts";
import { otherConnectors } from "./other-connectors.ts";
import { latestCutover, latestPhase } from "./past-runs.ts";
import { redactProblems } from "./redact-problems.ts";

/**
 * Looks at everything that a phase of a migration is decided by, and changes nothing.
 *
 * @throws CallFailed, UsageError, also where the workers have no legacy connector of the name and the phase needs one
 */
export function observeMigration(
  intent: MigrationIntent,
  world: World,
  sources: Sources,
): Promise<Observation<MigrationFacts>> {
  switch (intent.phase) {
    case "cutover":
      return observeCutover(intent, world, sources);
    case "verify":
      return observeVerification(intent, world, sources);
    case "rollback":
      return observeReturn(intent, world, sources);
    case "retire":
      return observeRetirement(intent, world, sources);
  }
}

async function observeCutover(
  intent: MigrationIntent,
  world: World,
  sources: Sources,
): Promise<Observation<CutoverFacts>> {
  const { connect } = world;
  const observe = observerAt(world.clock);
  // The legacy connector first: no SCN of its offsets can then be later than the database's own.
  const seen = await lookAtLegacyConnector(intent.from.connector, world);
  // Once more, and not masked: a file or a context may complete what the translation keeps.
  const description = await connect.connector(intent.from.connector);
  if (description === undefined) throw noConnector(intent.from.connector, connect.url);
  const translation = translationFor(intent, description, sources);
  const { body, settings } = await configurationFor(intent, translation, sources);
  const kafka = world.kafka(settings);
  const oracle = world.oracle(settings);
  const [database, fromKafka, next, plugins, topics, others, latest] = await allOrFirst(
    lookAtItsRedo(seen, { leaveOut: intent.from.leaveOut, settings }, world, oracle),
    lookAtKafka(kafka, settings, observe, world),
    lookAtDeployed(intent.to.name, connect),
    observe("GET /connector-plugins", () => connect.plugins()),
    observe("Kafka topics", () => kafka.topics()),
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
      next,
      settings: settingsSeen(body, settings),
      translation: redactTranslation(translation),
      lacking: Object.keys(body).filter((name) => (body[name] ?? "").includes("********")),
      installed,
      builds: plugins.known ? buildsAmong(plugins.value) : [],
      problems,
      topics,
      others,
      latest,
    },
    settings,
    kafka,
    oracle,
  };
}

function classOf(config: Readonly<Record<string, string>>): string {
  return config["connector.class"] ?? CONNECTOR_CLASS;
}

async function observeReturn(
  intent: MigrationIntent,
  world: World,
  sources: Sources,
): Promise<Observation<ReturnFacts>> {
  const observe = observerAt(world.clock);
  const seen = await lookAtLegacyConnector(intent.from.connector, world);
  const next = await lookAtDeployed(intent.to.name, world.connect);
  const { config, settings } = await settingsOfNew(intent, world, sources);
  const kafka = world.kafka(settings);
  const oracle = world.oracle(settings);
  const own = ownOffset(next?.offsets ?? [], settings.prefix);
  const alsoTimesOf = own.is === "stored" ? [own.offset.resumeScn, own.offset.lastCommit?.scn] : [];
  const ifDeleted = async <T>(source: string, look: () => Promise<T>): Promise<Observed<T>> =>
    intent.deleteTopics ? observe(source, look) : { known: false, why: "no topic is deleted", source };
  const [database, fromKafka, topics, dictionary, others, cutover] = await allOrFirst(
    lookAtItsRedo(seen, { leaveOut: intent.from.leaveOut, settings, alsoTimesOf }, world, oracle),
    lookAtKafka(kafka, settings, observe, world),
    observe("Kafka topics", () => kafka.topics()),
    ifDeleted("CDB_TABLES", () => oracle.dictionary(settings.tables.pdbs)),
    ifDeleted("GET /connectors", () => otherConnectors(world.connect, [intent.from.connector, intent.to.name])),
    observe(world.state.place, () => latestCutover(intent, seen.worker.clusterId, world.state)),
  );
  return {
    facts: {
      kind: "Migration",
      phase: "rollback",
      ...seen,
      ...database,
      ...fromKafka,
      next,
      settings: settingsSeen(config, settings),
      topics,
      dictionary,
      others,
      cutover,
    },
    settings,
    kafka,
    oracle,
  };
}
