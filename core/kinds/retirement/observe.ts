import type { RetirementFacts } from "../../../schemas/generated/facts.ts";
import { workerSeen } from "../../facts/connector/connector.ts";
import { verificationOf } from "../../facts/connector-facts.ts";
import { allOrFirst, observerAt } from "../../facts/observer.ts";
import { inspectKafka } from "../connector/inspect-kafka.ts";
import { settingsSeen } from "../connector/observe.ts";
import type { ObservePhase } from "../kind.ts";
import { evidenceFile } from "../migration/evidence.ts";
import { settingsOfNew } from "../migration/new-connector.ts";
import { inspectDeployed, otherConnectors } from "../migration/observe.ts";
import { latestCutover, verifications } from "../migration/past-runs.ts";
import { toBeDeleted } from "./reading.ts";
import { recordedSince } from "./since-verification.ts";

/** Reads everything that a retirement is decided by. */
export const observeRetirement: ObservePhase<RetirementFacts> = async (intent, world, sources) => {
  const observedAt = world.clock.now();
  const { connect } = world;
  const observe = observerAt(world.clock);
  const [worker, legacy, next, { config, settings }] = await allOrFirst(
    connect.worker(),
    inspectDeployed(intent.from.connector, connect),
    inspectDeployed(intent.to.name, connect),
    settingsOfNew(intent, world, sources),
  );
  const kafka = world.kafka(settings);
  const oracle = world.oracle(settings);
  const [database, dictionary, fromKafka, topics, others, cutover, known] = await allOrFirst(
    oracle.database(),
    observe("CDB_TABLES", () => oracle.dictionary(settings.tables.pdbs)),
    inspectKafka(kafka, settings, observe, world),
    observe("Kafka topics", () => kafka.topics()),
    observe("GET /connectors", () => otherConnectors(connect, [intent.from.connector, intent.to.name])),
    observe(world.state.place, () => latestCutover(intent, worker.clusterId, world.state)),
    observe(world.state.place, () => verifications(intent, worker.clusterId, world.state)),
  );
  const seen = {
    legacy,
    settings: settingsSeen(config, settings),
    database: { ...database, address: oracle.address },
    dictionary,
    topics,
    others,
  };
  const evidence = await evidenceFile(intent.evidence, intent, sources, observedAt);
  const found = evidence.known && known.known ? verificationOf(evidence.value.digest, known.value)?.found : undefined;
  const deleted = toBeDeleted(intent, seen).topics;
  const asked = deleted.known ? deleted.value.map(({ topic }) => topic) : [];
  return {
    facts: {
      kind: "Migration",
      phase: "retire",
      at: observedAt,
      worker: workerSeen(connect, worker),
      next,
      ...seen,
      ...fromKafka,
      groups: await observe("Kafka consumer groups", async () => (asked.length === 0 ? [] : kafka.consumersOf(asked))),
      evidence,
      cutover,
      verifications: known,
      recordedSince: await observe(settings.opsTopic, async () =>
        found === undefined ? [] : recordedSince(found, intent.to.name, kafka, world.redact),
      ),
    },
    settings,
    kafka,
    oracle,
  };
};
