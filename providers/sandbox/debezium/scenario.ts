import { DELIVERY_FAULTS, type DeliveryFault } from "../migration/faults.ts";
import { NEW_CONNECTOR } from "../migration/scenario.ts";
import type { Sandbox } from "../sandbox.ts";
import { contexts, type Scenario } from "../scenario.ts";
import { DEBEZIUM_CONNECTOR, DEBEZIUM_PREFIX, DEBEZIUM_TOPIC, debezium } from "./legacy-task.ts";

/** Whether the new connector writes into Debezium's topics. */
type Topics = "keep" | "new";

const NEW_PREFIX: Readonly<Record<Topics, string>> = { keep: DEBEZIUM_PREFIX, new: "orders" };

/** A plan file that leaves Debezium. @param spec further lines */
export function debeziumFile(phase: string, topics: Topics, ...spec: readonly string[]): string {
  return `apiVersion: cdcctl/v1
kind: Migration
metadata:
  name: orders-to-cdc
  reason: leave Debezium
  ticket: CHG-4801
target:
  context: sandbox
spec:
  from:
    connector: ${DEBEZIUM_CONNECTOR}
    kind: debezium
    version: 2.7.3
  to:
    name: ${NEW_CONNECTOR}
    topicPrefix: ${NEW_PREFIX[topics]}
    topics: ${topics}
  verify:
    tables: [SALES.ORDERS]${topics === "keep" ? "" : `\n    legacyTopics:\n      SALES.ORDERS: ${DEBEZIUM_TOPIC}`}
    safetyMargin: 1s
  phase: ${[phase, ...spec].join("\n  ")}
`;
}

/** The settings that no plan file may contain: addresses and logins of the database and the brokers. */
function ownSettings(legacy: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  return {
    "cdc.database.host": legacy["database.hostname"],
    "cdc.database.port": legacy["database.port"],
    "cdc.database.service": legacy["database.dbname"],
    "cdc.database.user": legacy["database.user"],
    "cdc.database.password": legacy["database.password"],
    "cdc.stream.bootstrap.servers": legacy["schema.history.internal.kafka.bootstrap.servers"],
  };
}

const FAULTS = Object.keys(DELIVERY_FAULTS) as DeliveryFault[];

const PHASES = ["cutover", "verify", "rollback", "retire"] as const;

export const DEBEZIUM_SCENARIO: Scenario = {
  name: "migration-debezium",
  about: "Debezium's Oracle connector at work: take over, cut over into its own topics or new ones, verify, retire.",
  options: { migration: debezium() },
  files: (sandbox) => ({
    "contexts.yaml": `${contexts(sandbox)}    connectors:
      ${NEW_CONNECTOR}: { config: ${NEW_CONNECTOR}.json }
`,
    [`${NEW_CONNECTOR}.json`]: `${JSON.stringify(ownSettings(sandbox.migration?.legacyConfig ?? {}), undefined, 2)}\n`,
    ...Object.fromEntries(PHASES.map((phase) => [`${phase}.yaml`, debeziumFile(phase, "keep")])),
    ...Object.fromEntries(PHASES.map((phase) => [`${phase}-new.yaml`, debeziumFile(phase, "new")])),
  }),
  tries: [
    "cdcctl plan cutover.yaml               # into Debezium's topics: what consumers see twice",
    "cdcctl plan cutover-new.yaml           # into topics of its own",
    "cdcctl apply cutover.yaml",
    "cdcctl apply verify.yaml",
    "cdcctl apply rollback.yaml             # or back to Debezium",
    "cdcctl apply retire.yaml               # its own topics, flush table and grants are left as follow-ups",
    ...FAULTS.map((fault) => `${`touch ${fault}`.padEnd(39)}# before the cutover: ${DELIVERY_FAULTS[fault].about}`),
  ],
  events: {
    "consumers-moved": ({ migration }: Sandbox) => migration?.moveConsumers(`orders.ORCLPDB1.SALES.ORDERS`),
    ...Object.fromEntries(FAULTS.map((fault) => [fault, ({ migration }: Sandbox) => migration?.plant(fault)])),
  },
};
