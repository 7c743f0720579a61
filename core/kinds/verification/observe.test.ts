import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { SparkSeen } from "../../../schemas/generated/facts.ts";
import { evidenceText } from "../../apply/testing/evidence-text.ts";
import { CAPTURED } from "../../apply/testing/memory-facts.ts";
import { memoryWorld, worldOf } from "../../apply/testing/memory-world.ts";
import { LEGACY_TOPICS, NEW_CLASS, phaseOf } from "../../apply/testing/migration-world.ts";
import { CONNECTOR, STORED } from "../../apply/testing/story.ts";
import type { VerifyIntent } from "../../document/intent.ts";
import { CallFailed, UsageError } from "../../errors.ts";
import { retired, verified } from "../../plan/testing/build-migration-run.ts";
import { buildRun, type RecordedForTest } from "../../plan/testing/build-run.ts";
import { retirement, verification } from "../../plan/testing/example-migrations.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { lentSettings } from "../connector/testing/journaled-world.ts";
import type { Sources } from "../kind.ts";
import { observeVerification } from "./observe.ts";

const observing = suite("observing a verification");

const CONFIG = {
  "connector.class": NEW_CLASS,
  "cdc.topic.prefix": "orders",
  "cdc.database.pdbs": "ORCLPDB1",
  "cdc.tables.include": "ORCLPDB1[.]SALES[.].*",
};
const ORDERS = "ORCLPDB1.SALES.ORDERS";
const LEGACY_TOPIC = LEGACY_TOPICS[0] ?? "";

/** All of ORDERS is in the new topic; a row of LINES only in the legacy one; a row of CUSTOMERS in neither. */
const EVIDENCE = await evidenceText(
  CAPTURED.map((name) => `ORCLPDB1.SALES.${name}`)
    .slice(0, 2)
    .concat(ORDERS),
  { "ORCLPDB1.SALES.LINES": "ORCLPDB1.SALES.LINES" },
  {
    "ORCLPDB1.SALES.LINES": { rows: [[1, "A"]], records: [], legacy: [{ op: "c", row: [1, "A"] }] },
    "ORCLPDB1.SALES.CUSTOMERS": { rows: [[1, "A"]], records: [] },
  },
);

interface Scene {
  /** What the journals of this machine tell of earlier runs. */
  readonly runs?: readonly RecordedForTest[];
  readonly evidence?: Sources["evidence"];
  readonly topics?: readonly string[];
  readonly oracle?: Partial<OraclePort>;
  readonly tables?: readonly string[];
  readonly spark?: SparkSeen;
  /** More of what is to be verified; null: the plan file does not say what. */
  readonly verify?: Partial<VerifyIntent> | null;
  readonly capturedTables?: readonly string[];
  /** Collects the names of the topics that the broker is asked about. */
  readonly asked?: string[];
}

async function seenIn({ runs = [], evidence, topics = [], oracle, asked = [], ...scene }: Scene) {
  const memory = memoryWorld(STORED, "STOPPED");
  memory.connectors.all.set(CONNECTOR, { config: CONFIG, state: "STOPPED" });
  for (const topic of topics) memory.makeTopic(topic);
  const world = worldOf(
    {
      ...memory,
      oracle: { ...memory.oracle, ...oracle },
      kafka: {
        ...memory.kafka,
        topic: (name) => {
          asked.push(name);
          return memory.kafka.topic(name);
        },
      },
    },
    {
      place: "memory",
      list: async () => runs.map(({ key }) => key),
      read: async ({ run }) => runs.find(({ key }) => key.run === run)?.entries ?? [],
    },
  );
  const sources = {
    evidence: evidence ?? (() => Promise.reject(new Error("the evidence file is not wanted"))),
    deployed: async ({ config }) => lentSettings(config),
    spark: scene.spark,
  } as Partial<Sources> as Sources;
  const wanted = phaseOf("verify");
  const { tables = wanted.verify?.tables ?? [] } = scene;
  const verify = scene.verify === null ? undefined : wanted.verify && { ...wanted.verify, tables, ...scene.verify };
  const intent = { ...wanted, verify, capturedTables: scene.capturedTables };
  return (await observeVerification(intent, world, sources)).facts;
}

const RETIRED = buildRun(retirement, retired, "0001");
/** A verification that wrote this evidence. */
const verifiedBy = (digest: string, passed: boolean, tail: string) =>
  buildRun(
    verification,
    verified(passed).map((event) =>
      event.type === "verified" ? { ...event, evidence: { ...event.evidence, digest } } : event,
    ),
    tail,
  );
const OTHER = verifiedBy("sha256:other", true, "0002");
const PASSED = verifiedBy(EVIDENCE.digest, true, "0003");
const FAILED = verifiedBy(EVIDENCE.digest, false, "0004");
const fileThere: Sources["evidence"] = async () => EVIDENCE.text;
const noFile: Sources["evidence"] = async () => {
  throw new UsageError("no such file");
};

for (const [what, scene, complete] of [
  ["none without evidence", { runs: [RETIRED, PASSED], evidence: noFile }, []],
  ["none if no known verification wrote the evidence", { runs: [RETIRED, OTHER], evidence: fileThere }, []],
  ["none if the verification that wrote it did not pass", { runs: [RETIRED, OTHER, FAILED], evidence: fileThere }, []],
  [
    "those that passed without a row that only the legacy topic had",
    { runs: [RETIRED, OTHER, PASSED], evidence: fileThere },
    [ORDERS],
  ],
] as readonly (readonly [string, Scene, readonly string[]])[])
  observing(`tables that are complete without their retired legacy topics: ${what}`, async () => {
    const { retired: known } = await seenIn(scene);
    assert.equal(known.known && known.value.complete, complete);
    assert.equal(known.known && known.value.topics.map(({ topic }) => topic), [
      "ORCLPDB1.SALES.ORDERS",
      "ORCLPDB1.SALES.LINES",
      "orders-redo",
    ]);
  });

observing("the evidence file is not read if nothing was retired", async () => {
  const { retired: known } = await seenIn({ runs: [PASSED] });
  assert.equal(known.known && known.value, { topics: [], complete: [] });
});

const FORBIDDEN = new CallFailed("oracle", "forbidden", { message: "ORA-00942: CDB_TABLES" });

for (const [what, scene, read] of [
  [
    "of each table that is found, once, existing or missing; the legacy one if it is named",
    { tables: ["SALES.ORDERS", "SALES.LINES", "SALES.GONE"], topics: [`orders.${ORDERS}`, LEGACY_TOPIC] },
    { [`orders.${ORDERS}`]: "there", [LEGACY_TOPIC]: "there", "orders.ORCLPDB1.SALES.LINES": "missing" },
  ],
  ["of none if the captured tables are unknown", { oracle: { dictionary: () => Promise.reject(FORBIDDEN) } }, {}],
] as readonly (readonly [string, Scene, object])[])
  observing(`topics are inspected ${what}`, async () => {
    const facts = await seenIn(scene);
    assert.equal(
      facts.read.known &&
        Object.fromEntries(
          Object.entries(facts.read.value).map(([name, topic]) => [name, topic === "missing" ? topic : "there"]),
        ),
      read,
    );
  });

observing("workers and database are named, with what could not be read there", async () => {
  const facts = await seenIn({ oracle: { dictionary: () => Promise.reject(FORBIDDEN) } });
  assert.equal(facts.worker, { url: "http://w:8083", version: "3.9.2", clusterId: "k" });
  assert.equal([facts.database.name, facts.database.address], ["ORCLCDB", "db:1521/ORCLCDB"]);
  assert.equal(
    [facts.dictionary, facts.topics, facts.read].map(({ source }) => source),
    ["CDB_TABLES", "Kafka topics", "Kafka topics"],
  );
});

observing("what Spark has is a fact only where the plan file has Spark verify", async () => {
  const spark = { context: "prod", submit: "spark-submit", onCluster: false };
  assert.is((await seenIn({ spark })).spark, undefined);
  assert.equal((await seenIn({ spark, verify: { engine: "spark" } })).spark, spark);
});

observing("no topic is inspected, nor Spark asked for, where the plan file does not say what to verify", async () => {
  const facts = await seenIn({ spark: { context: "prod", submit: "spark-submit", onCluster: false }, verify: null });
  assert.equal([facts.read.known && facts.read.value, facts.spark], [{}, undefined]);
});

observing("the captured tables are those that the plan file names, where it names them", async () => {
  const stated = CAPTURED.map((name) => (/\W/.test(name) ? `SALES."${name}"` : `SALES.${name}`));
  const seen = async (capturedTables: readonly string[]) => {
    const { read } = await seenIn({ topics: [`orders.${ORDERS}`], tables: ["SALES.ORDERS"], capturedTables });
    return read.known && Object.keys(read.value);
  };
  assert.equal(await seen(stated), [`orders.${ORDERS}`, LEGACY_TOPIC]);
  assert.equal(await seen(stated.slice(1)), [], "one of the settings' is not named");
});

observing("each topic is inspected once, though several tables share it", async () => {
  const shared = { topics: { "SALES.ORDERS": "all", "SALES.LINES": "all" }, legacyTopics: {} };
  const asked: string[] = [];
  const { read } = await seenIn({ tables: ["SALES.ORDERS", "SALES.LINES"], verify: shared, topics: ["all"], asked });
  assert.equal(read.known && Object.keys(read.value), ["all"]);
  assert.equal(asked.filter((topic) => topic === "all").length, 1);
});

observing.run();
