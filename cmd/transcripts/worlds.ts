// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors
import { fileURLToPath } from "node:url";
import type { OffsetEntry } from "../../core/facts/offset/stored-offset.ts";
import { printJson } from "../../core/values/json.ts";
import { purge } from "../../providers/sandbox/faults.ts";
import { NEW_CONNECTOR } from "../../providers/sandbox/migration/scenario.ts";
import { healthyWorld, type OracleWorld } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, type Sandbox, type SandboxOptions, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile, type Scenario } from "../../providers/sandbox/scenario.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { newConfiguration } from "../behaviour/cut-over.ts";
import { type Gate, gate } from "../behaviour/gate.ts";
import { DEBEZIUM_WORLDS } from "./debezium/worlds.ts";
import { NIGHT_WORLDS } from "./night-worlds.ts";
import { WITH_POLICIES } from "./policies/world.ts";
import { steady, steadyTask, steadyUpTo, type TranscriptWorld } from "./steady.ts";

/**
 * An SCN below the one that a move past the gap had stored: what is mined after the rollback proves that it was gone.
 */
const MINED_OF_GAP = 2_029_000n;
const OTHER = "billing-cdc";
const purged = (world: OracleWorld): void => purge(world, 119n, 120n);

/** The scenarios, and what only transcripts need. */
export function worldNamed(name: string): TranscriptWorld {
  const special = SPECIAL[name] ?? NIGHT_WORLDS[name] ?? DEBEZIUM_WORLDS[name];
  if (special !== undefined) return special;
  const quicker = name === "hung-task" ? { hang: 6_000 } : {};
  return steady(scenarioNamed(name), quicker);
}

function elsewhere(scenario: Scenario): Scenario {
  const { jmx } = scenario.options;
  return jmx === undefined
    ? scenario
    : { ...scenario, options: { ...scenario.options, jmx: { ...jmx, prefix: "billing" } } };
}

/** The scenario with a connector that treats signals differently, until it answers them. */
function withSignals(name: string, signals: NonNullable<SandboxOptions["signals"]>): TranscriptWorld {
  const world = steady(scenarioNamed(name));
  return {
    ...world,
    options: { ...world.options, signals },
    events: { ...world.events, "connector-answers": (sandbox) => sandbox.treatSignals("answering") },
  };
}

/** Two tables and the database; the partition of a table that was dropped long ago pins nothing. */
const LEGACY_OFFSETS: readonly OffsetEntry[] = [
  { partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset: { scn: "2012000", tablePlacement: "{}" } },
  {
    partition: { catalog: "ORCLPDB1", schema: "SALES", table: "ORDERS" },
    offset: { scn: "2012400", cscn: "2044498", rows: "1204", rps: "0", def: "{}" },
  },
  {
    partition: { catalog: "ORCLPDB1", schema: "SALES", table: "LINES" },
    offset: { scn: 2013000n, cscn: 2044100n, rows: 5310n, rps: 0n, def: "{}" },
  },
];

const SALES_CUTOVER = `apiVersion: cdcctl/v1
kind: Migration
metadata:
  name: sales-to-cdc
  reason: leave the legacy connector
  ticket: CHG-4800
target:
  context: sandbox
spec:
  from:
    connector: orders-legacy
  to:
    name: sales-cdc
    topicPrefix: sales
  accept: [key.template]
  phase: cutover
`;

function legacyConfiguration({ config }: Sandbox): Readonly<Record<string, string>> {
  return {
    "connector.class": "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector",
    "tasks.max": "2",
    "oracle.server": "127.0.0.1",
    "oracle.port": config["cdc.database.port"] ?? "",
    "oracle.service.name": "ORCLCDB",
    "oracle.pdb.name": "ORCLPDB1",
    "oracle.username": "C##CDC",
    "oracle.password": config["cdc.database.password"] ?? "",
    "table.inclusion.regex": "ORCLPDB1[.]SALES[.].*",
    "use.transaction.begin.for.mining.session": "true",
    "redo.log.topic.name": "orders-redo-log",
    "key.template": "${primaryKeyStructOrValue}",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "producer.override.sasl.jaas.config": `org.x.PlainLoginModule required username="svc" password="canary-4711";`,
  };
}

const SPECIAL: Readonly<Record<string, TranscriptWorld>> = {
  confluent: steady({
    ...scenarioNamed("strimzi"),
    // A pod of the Connect resource `connect` in namespace `confluent`.
    options: { connect: { advertised: (worker) => `connect-${worker}.connect.confluent.svc.cluster.local:8083` } },
  }),
  policies: WITH_POLICIES,
  /** The JVM that is asked runs another connector's task. */
  "transactions-elsewhere": steady(elsewhere(scenarioNamed("transactions"))),
  /** Two connectors, the second of which refuses every offset. */
  "two-connectors": {
    options: {
      state: "STOPPED",
      connect: {
        task: steadyTask,
        alterOffsets: ({ name }) => (name === OTHER ? "no offset of this connector may be altered" : true),
      },
    },
    files: (sandbox) => {
      void sandbox.connect.cluster.create(OTHER, { ...sandbox.config }, "STOPPED");
      sandbox.connect.cluster.offsets.write(OTHER, sandbox.connect.stored(CONNECTOR));
      const first = planFile("orders-replay", "replay after the bad deploy", "scn: 2010000");
      const second = planFile("billing-replay", "replay after the bad deploy", "scn: 2020000").replace(
        CONNECTOR,
        OTHER,
      );
      return {
        "contexts.yaml": contexts(sandbox),
        "both.yaml": `${first}---\n${second}`,
        "twice.yaml": `${first}---\n${first}`,
      };
    },
  },
  /** Redo is missing, and the connector is past it. */
  "gap-behind": steady({
    ...scenarioNamed("orders"),
    options: { oracle: purged },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2005000"),
      "earliest.yaml": planFile("earliest", "replay everything that is left", "earliestAvailable: true"),
    }),
  }),
  /** Redo is missing between the stored position and now. */
  "gap-below": {
    options: {
      oracle: purged,
      state: "STOPPED",
      offset: { ...storedOffset(healthyWorld()), resume_scn: 2_005_000n, last_commit_scn: 2_004_987n },
    },
    files: (sandbox) => ({ "contexts.yaml": contexts(sandbox) }),
  },
  /** Only archived logs are mined, and none is left from the stored position on. */
  "archive-only": steady({
    ...scenarioNamed("no-scn-after-gap"),
    options: {
      ...scenarioNamed("deleted-in-catalogue").options,
      oracle: (world) => purge(world, 119n, 120n, 121n),
      config: { "cdc.capture.mode": "archive_only" },
    },
  }),
  "deleted-and-restored": steady(scenarioNamed("deleted-in-catalogue"), { task: steadyUpTo(MINED_OF_GAP) }),
  /** A legacy connector that was stopped, and one that was only paused; neither moves. */
  legacy: {
    options: { connect: { task: steadyTask, statusLag: 0 } },
    files: (sandbox) => {
      const { cluster } = sandbox.connect;
      const config = legacyConfiguration(sandbox);
      for (const [name, state] of [
        ["orders-legacy", "STOPPED"],
        ["billing-legacy", "PAUSED"],
      ] as const) {
        void cluster.create(name, { ...config }, state);
        cluster.offsets.write(name, LEGACY_OFFSETS);
      }
      const answer = { name: "orders-legacy", config: { name: "orders-legacy", ...config }, tasks: [], type: "source" };
      return {
        "contexts.yaml": `${contexts(sandbox)}    connectors:\n      sales-cdc: { config: sales-cdc.json }\n`,
        "sales-cdc.json": printJson({
          "cdc.database.host": config["oracle.server"] ?? "",
          "cdc.database.port": config["oracle.port"] ?? "",
          "cdc.database.service": "ORCLCDB",
          "cdc.database.user": config["oracle.username"] ?? "",
          "cdc.database.password": config["oracle.password"] ?? "",
          "producer.override.sasl.jaas.config": "${file:/etc/connect/sales.properties:jaas}",
          "cdc.stream.bootstrap.servers": sandbox.config["cdc.stream.bootstrap.servers"] ?? "",
        }),
        "cutover.yaml": SALES_CUTOVER,
        "legacy.json": `${JSON.stringify(answer, null, 2)}\n`,
      };
    },
  },
  /**
   * A cutover is ready here, with what carries it out: once it has run, the new connector has delivered everything and
   * stands still. Another legacy connector writes `C##SALES.ORDERS` to the topic.
   */
  cutover: withTopic("ORCLPDB1.C__SALES.ORDERS", 1, readyToCutOver()),
  /** The same, with what a context needs to submit a verification: another program than Spark starts the workers. */
  "cutover-spark": readyToCutOver({
    "spark-section.yaml":
      "    spark:\n" +
      `      submit: node ${fileURLToPath(new URL("../behaviour/verify-job/submit-here.mjs", import.meta.url))}\n`,
  }),
  "gap-rejecting": withSignals("gap", "rejecting"),
  "gap-silent": withSignals("gap", "silent"),
  "orders-rejecting": withSignals("orders", "rejecting"),
  "orders-three-partitions": withTopic("orders.cdc.signals", 3, steady(scenarioNamed("orders"))),
  "orders-held": heldStop(),
  /** A world for commands that contact no system. */
  nowhere: {
    options: {},
    files: () => ({
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000", "resume: true"),
      "wrong.yaml": planFile("wrong", "an example of mistakes", "scn: -5", "alowSkip: true", "resume: perhaps"),
    }),
  },
};

/** A stop lasts from the one file to the other. */
function heldStop(): TranscriptWorld {
  let held: Gate | undefined;
  return {
    ...steady(scenarioNamed("orders"), { hang: () => held?.opened, graceful: 60_000 }),
    events: {
      "stop-lasts": () => {
        held = gate();
      },
      "stop-ends": () => {
        held?.open();
        held = undefined;
      },
    },
  };
}

/** The world with a topic that exists from the start. */
function withTopic(topic: string, partitions: number, world: TranscriptWorld): TranscriptWorld {
  return {
    ...world,
    files: (sandbox) => {
      sandbox.broker.createTopic(topic, { partitions });
      return world.files(sandbox);
    },
  };
}

/** A migration with the script that carries out its cutover. @param more further files */ function readyToCutOver(
  more: Readonly<Record<string, string>> = {},
): TranscriptWorld {
  const scenario = scenarioNamed("migration");
  return {
    ...scenario,
    files: (sandbox) => ({
      ...scenario.files(sandbox),
      "new.json": printJson({ name: NEW_CONNECTOR, config: newConfiguration(sandbox, 2_044_800n) }),
      "cut-over.mjs": CUT_OVER,
      ...more,
    }),
  };
}

const CUT_OVER = `import { readFileSync } from "node:fs";

const connectors = process.env.CONNECT + "/connectors";
const get = async (path) => (await fetch(connectors + path)).json();
const put = (path) => fetch(connectors + path, { method: "PUT" });
const until = async (path, holds) => {
  for (let tries = 0; !holds(await get(path)); tries++) {
    if (tries > 500) throw new Error("waited in vain for " + path);
    await new Promise((soon) => setTimeout(soon, 20));
  }
};
const stopped = ({ connector, tasks }) => connector.state === "STOPPED" && tasks.length === 0;

await until("/orders-legacy/offsets", ({ offsets }) => offsets.some(({ offset }) => offset.cscn === "2044960"));
await put("/orders-legacy/stop");
await until("/orders-legacy/status", stopped);
const headers = { "content-type": "application/json" };
await fetch(connectors, { method: "POST", headers, body: readFileSync("new.json") });
await until("/orders-cdc/offsets", ({ offsets }) => offsets?.[0]?.offset?.resume_scn >= 2045300);
await put("/orders-cdc/stop");
await until("/orders-cdc/status", stopped);
`;
