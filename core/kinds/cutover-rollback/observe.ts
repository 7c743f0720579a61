import type { ReturnFacts } from "../../../schemas/generated/facts.ts";
import type { Observed } from "../../facts/observed.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import { ownOffset } from "../../facts/offset/stored-offset.ts";
import { inspectKafka } from "../connector/inspect-kafka.ts";
import { settingsSeen } from "../connector/observe.ts";
import type { ObservePhase } from "../kind.ts";
import { settingsOfNew } from "../migration/new-connector.ts";
import { inspectDeployed, inspectItsRedo, inspectLegacyConnector, otherConnectors } from "../migration/observe.ts";
import { latestCutover } from "../migration/past-runs.ts";

/** Reads everything that the rollback of a cutover is decided by. @throws CallFailed, UsageError as for a cutover */
export const observeReturn: ObservePhase<ReturnFacts> = async (intent, world, sources) => {
  const observe = observerAt(world.clock);
  const seen = await inspectLegacyConnector(intent.from.connector, world);
  const next = await inspectDeployed(intent.to.name, world.connect);
  const { config, settings } = await settingsOfNew(intent, world, sources);
  const kafka = world.kafka(settings);
  const oracle = world.oracle(settings);
  const own = ownOffset(next?.offsets ?? [], settings.prefix);
  const alsoTimesOf = own.is === "stored" ? [own.offset.resumeScn, own.offset.lastCommit?.scn] : [];
  const ifDeleted = async <T>(source: string, look: () => Promise<T>): Promise<Observed<T>> =>
    intent.deleteTopics ? observe(source, look) : { known: false, why: "no topic is deleted", source };
  const [database, fromKafka, topics, dictionary, others, cutover] = await allOrFirst(
    inspectItsRedo(seen, { leaveOut: intent.from.leaveOut, settings, alsoTimesOf }, world, oracle),
    inspectKafka(kafka, settings, observe, world),
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
};
