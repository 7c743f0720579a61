// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import type { CutoverParts } from "../../kinds/migration/testing/build-facts.ts";
import {
  CUTOVER,
  created,
  dictionary,
  EVIDENCE,
  LEGACY_TOPICS,
  NEW_TOPICS,
  REDO_TOPIC,
  settings,
  table,
  VERIFIED,
} from "../../kinds/migration/testing/story.ts";
import { known, RUNNING, STOPPED, unseen } from "../../kinds/offset-change/testing/build-facts.ts";
import { DATABASE, table as stored } from "../../legacy/testing/build-legacy.ts";
import { translate } from "../../legacy/translation.ts";
import type { Plan } from "../plan.ts";
import { cutoverPlan, REDO_WITH_GAP, retirementPlan, rollbackPlan, verificationPlan } from "./build-plan.ts";
import { HOSTILE } from "./hostile.ts";

/** One plan of each phase of a migration that an operator meets. */

export const LEGACY_CONFIG: Readonly<Record<string, string>> = {
  "connector.class": "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector",
  "tasks.max": "2",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "oracle.server": "db.prod",
  "oracle.port": "1521",
  "oracle.sid": "ORCLCDB",
  "oracle.pdb.name": "ORCLPDB1",
  "oracle.username": "C##LEGACY",
  "oracle.password": "hunter2-not-shown",
  "start.from": "snapshot",
  "redo.log.topic.name": "orders-redo",
  "redo.log.consumer.bootstrap.servers": "kafka.prod:9092",
  "table.inclusion.regex": "ORCLCDB[.]ORCLPDB1[.]SALES[.](ORDERS|LINES)",
  "numeric.mapping": "best_fit_or_decimal",
  "connection.pool.max.size": "8",
  "key.template": "${primaryKeyStructOrValue}",
  "confluent.topic.replication.factor": "3",
  "use.transaction.begin.for.mining.session": "true",
};

const LEFT_OUT = "ORCLPDB1.SALES.OLD_ORDERS";
const OFFSETS = [
  stored("OLD_ORDERS", 1200000n, 1199000n),
  DATABASE,
  stored("ORDERS", 2170000n, 2204498n),
  stored("LINES", 2172000n, 2190412n),
];

/** The translation as the operator's file completes it: a login of its own, and the new connector's brokers. */
function completed(legacyConfig: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { name: _name, ...translated } = translate("orders-legacy", legacyConfig, {
    name: "orders-cdc",
    topicPrefix: "orders",
  }).config;
  return {
    ...translated,
    "cdc.database.user": "C##CDC",
    "cdc.database.password": "${file:/etc/connect/orders.properties:password}",
    "cdc.stream.bootstrap.servers": "kafka.prod:9092",
    "cdc.lob.mode": "reselect",
  };
}

const INTENT = {
  from: { leaveOut: [LEFT_OUT] },
  to: { config: { "cdc.lob.mode": "reselect" } },
  accept: ["key.template"],
} as const;

/** `orders-legacy` runs, with the configuration of this file. */
function legacyWorld(
  config: Readonly<Record<string, string>> = LEGACY_CONFIG,
  offsets: CutoverParts["legacy"] = { offsets: OFFSETS },
): CutoverParts {
  return { legacy: { config, status: RUNNING, ...offsets }, settings: { config: completed(config) } };
}

const WORLD = legacyWorld();

export const cutover: Plan<"Migration"> = cutoverPlan(INTENT, WORLD);

/** The workers are too old to create a connector STOPPED; nothing was delivered yet. */
export const cutoverStopped: Plan<"Migration"> = cutoverPlan(
  { ...INTENT, from: {} },
  {
    ...WORLD,
    legacy: { ...WORLD.legacy, status: STOPPED, offsets: [DATABASE] },
    worker: { version: "3.6.2" },
    database: { zone: "+01:00" },
  },
);

export const cutoverBlocked: Plan<"Migration"> = cutoverPlan(
  { ...INTENT, accept: [] },
  {
    ...WORLD,
    catalogue: REDO_WITH_GAP,
    problems: known([{ setting: "cdc.database.password", errors: ["must be set"] }]),
    lacking: ["cdc.database.password"],
    settings: { config: { ...completed(LEGACY_CONFIG), "cdc.database.password": "********" } },
  },
);

/** Nothing is known of where the legacy connector stands, nor of the workers. */
export const cutoverUnseen: Plan<"Migration"> = cutoverPlan(INTENT, {
  ...WORLD,
  legacy: { ...WORLD.legacy, offsets: [] },
  installed: unseen(),
  problems: unseen(),
});

export const verification: Plan<"Migration"> = verificationPlan({
  ...INTENT,
  verify: { legacyTopics: { "SALES.ORDERS": "ORCLPDB1.SALES.ORDERS" } },
});

/** Its one table is not there, and nor is the new connector. */
export const verificationShort: Plan<"Migration"> = verificationPlan(
  {
    ...INTENT,
    verify: {
      tables: ["SALES.GONE"],
      legacyTopics: {},
      checkScn: 2230000n,
      ignoreColumns: { "SALES.GONE": ["UPDATED_AT", "UPDATED_BY"] },
      showValues: true,
    },
  },
  { next: null },
);

const STOPPED_LEGACY = { legacy: { config: LEGACY_CONFIG, offsets: OFFSETS } };
const CUT_OVER = { cutover: known({ ...CUTOVER, offsets: OFFSETS }) };

export const goingBack: Plan<"Migration"> = rollbackPlan(INTENT, { ...STOPPED_LEGACY, ...CUT_OVER });

/** A rollback with the topics of the tables, and over a task that has failed. */
export const goingBackWhole: Plan<"Migration"> = rollbackPlan(
  { ...INTENT, deleteTopics: true },
  {
    ...STOPPED_LEGACY,
    ...CUT_OVER,
    topics: known([...LEGACY_TOPICS, REDO_TOPIC, ...NEW_TOPICS, "orders.cdc.ops"]),
    next: created({
      status: {
        state: "RUNNING",
        worker: "worker-2:8083",
        tasks: [{ id: 0n, state: "FAILED", worker: "worker-2:8083", trace: "CDC-2002 log purged\n\tat Task.poll" }],
      },
    }),
  },
);

export const goingBackNothing: Plan<"Migration"> = rollbackPlan(INTENT, {
  legacy: { config: LEGACY_CONFIG, offsets: OFFSETS, status: RUNNING },
  next: null,
  topics: unseen(),
  ...CUT_OVER,
});

export const retirement: Plan<"Migration"> = retirementPlan(INTENT, {
  legacy: { config: LEGACY_CONFIG },
  topics: known([...LEGACY_TOPICS, "orders-redo", ...NEW_TOPICS, "_confluent-command", "orders.cdc.ops"]),
});

export const retirementBlocked: Plan<"Migration"> = retirementPlan(INTENT, {
  topics: unseen(),
  evidence: unseen("orders-to-cdc.evidence.json: no such file"),
});

export const hostileCutover: Plan<"Migration"> = cutoverPlan(
  {
    metadata: { name: HOSTILE, reason: HOSTILE, ticket: HOSTILE },
    from: { connector: HOSTILE, leaveOut: [HOSTILE] },
    to: { name: HOSTILE, topicPrefix: HOSTILE, config: { [HOSTILE]: HOSTILE } },
  },
  {
    legacy: {
      name: HOSTILE,
      config: { ...LEGACY_CONFIG, [HOSTILE]: HOSTILE, "table.inclusion.regex": HOSTILE },
      status: { state: HOSTILE, worker: HOSTILE, tasks: [{ id: 0n, state: HOSTILE, worker: HOSTILE }] },
      offsets: [stored(HOSTILE, 9223372036854775807n, 9223372036854775807n)],
    },
    settings: { config: { ...completed(LEGACY_CONFIG), [HOSTILE]: HOSTILE } },
    worker: { url: `http://${HOSTILE}` },
    database: { zone: HOSTILE },
    installed: known(false),
    problems: known([{ setting: HOSTILE, errors: [HOSTILE] }]),
  },
);

export const hostileRetirement: Plan<"Migration"> = retirementPlan(
  { evidence: HOSTILE },
  {
    topics: known([HOSTILE, `orders-legacy-ORCLPDB1-redo-log`]),
    dictionary: known(dictionary(table(HOSTILE))),
    settings: { config: settings().config, opsTopic: HOSTILE },
    evidence: known({
      ...EVIDENCE,
      file: HOSTILE,
      digest: HOSTILE,
      tables: [{ table: HOSTILE, outcome: "pass", legacyTopic: HOSTILE, byLegacy: 1n, leftOut: [] }],
    }),
    verifications: known([{ ...VERIFIED, digest: HOSTILE }]),
  },
);

/** Very many captured tables, properties and topics. */
export function enormousCutover(count: number): Plan<"Migration"> {
  const many = <T>(make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  const config = { ...LEGACY_CONFIG, ...Object.fromEntries(many((i) => [`unknown.property.${i}`, `value ${i}`])) };
  const offsets = [...OFFSETS, ...many((i) => stored(`PARTITIONED_TABLE_${i}`, 2180000n + BigInt(i)))];
  return cutoverPlan(INTENT, legacyWorld(config, { offsets }));
}

export function enormousRetirement(count: number): Plan<"Migration"> {
  const names = Array.from({ length: count }, (_, i) => `TABLE_${i}`);
  return retirementPlan(INTENT, {
    dictionary: known(dictionary(...names.map((name) => table(name)))),
    topics: known(names.map((name) => `ORCLPDB1.SALES.${name}`)),
    evidence: known({
      ...EVIDENCE,
      tables: names.map((name) => ({
        table: `ORCLPDB1.SALES.${name}`,
        outcome: "pass",
        legacyTopic: `ORCLPDB1.SALES.${name}`,
        byLegacy: 0n,
        leftOut: [],
      })),
    }),
  });
}

export const MIGRATION_EXAMPLES = {
  cutover,
  "cutover-stopped": cutoverStopped,
  "cutover-blocked": cutoverBlocked,
  "cutover-unseen": cutoverUnseen,
  verification,
  "verification-short": verificationShort,
  "going-back": goingBack,
  "going-back-whole": goingBackWhole,
  "going-back-nothing": goingBackNothing,
  retirement,
  "retirement-blocked": retirementBlocked,
  "hostile-cutover": hostileCutover,
  "hostile-retirement": hostileRetirement,
} as const;
