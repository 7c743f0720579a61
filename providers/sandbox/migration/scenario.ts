import type { Sandbox } from "../sandbox.ts";
import { contexts, type Scenario } from "../scenario.ts";
import { DELIVERY_FAULTS, type DeliveryFault } from "./faults.ts";
import { LEGACY_TOPIC } from "./legacy-task.ts";
import { OBSTACLES } from "./obstacles.ts";
import { LEGACY_CONNECTOR, LICENCE_TOPIC } from "./stage.ts";

export const NEW_CONNECTOR = "orders-cdc";
const PREFIX = "orders";
export const NEW_TOPIC = `${PREFIX}.ORCLPDB1.SALES.ORDERS`;

/** A plan file of kind Migration. @param spec further lines */
export function migrationFile(phase: string, ...spec: readonly string[]): string {
  return `apiVersion: cdcctl/v1
kind: Migration
metadata:
  name: orders-to-cdc
  reason: leave the legacy connector
  ticket: CHG-4800
target:
  context: sandbox
spec:
  from:
    connector: ${LEGACY_CONNECTOR}
  to:
    name: ${NEW_CONNECTOR}
    topicPrefix: ${PREFIX}
  verify:
    tables: [SALES.ORDERS]
    legacyTopics:
      SALES.ORDERS: ${LEGACY_TOPIC}
    safetyMargin: 1s
  phase: ${[phase, ...spec].join("\n  ")}
`;
}

/** The settings that no plan file may contain: addresses and logins of the database and the brokers. */
function ownSettings(legacy: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  return {
    "cdc.database.host": legacy["oracle.server"],
    "cdc.database.port": legacy["oracle.port"],
    "cdc.database.service": "ORCLCDB",
    "cdc.database.user": legacy["oracle.username"],
    "cdc.database.password": legacy["oracle.password"],
    "cdc.stream.bootstrap.servers": legacy["redo.log.consumer.bootstrap.servers"],
  };
}

type Happen = (sandbox: Sandbox) => void;
const OBSTACLE_NAMES = Object.keys(OBSTACLES) as (keyof typeof OBSTACLES)[];
const FAULTS = Object.keys(DELIVERY_FAULTS) as DeliveryFault[];

export const MIGRATION_SCENARIO: Scenario = {
  name: "migration",
  about: "A legacy connector at work, its table changing under it: take over, cut over, verify, roll back, retire.",
  options: { migration: true },
  files: (sandbox) => ({
    "contexts.yaml": `${contexts(sandbox)}    connectors:
      ${NEW_CONNECTOR}: { config: ${NEW_CONNECTOR}.json }
`,
    [`${NEW_CONNECTOR}.json`]: `${JSON.stringify(ownSettings(sandbox.migration?.legacyConfig ?? {}), undefined, 2)}\n`,
    "cutover.yaml": migrationFile("cutover"),
    "verify.yaml": migrationFile("verify"),
    "rollback.yaml": migrationFile("rollback"),
    "retire.yaml": migrationFile("retire"),
  }),
  tries: [
    "cdcctl plan cutover.yaml               # the translation, the legacy offsets, the steps, the way back",
    "cdcctl apply cutover.yaml",
    "cdcctl apply verify.yaml",
    "cdcctl apply rollback.yaml             # or back to the legacy connector",
    "touch consumers-moved                  # nobody reads the legacy topic any more",
    `cdcctl apply retire.yaml               # ${LICENCE_TOPIC} stays unless it is asked for`,
    ...FAULTS.map((fault) => `${`touch ${fault}`.padEnd(39)}# before the cutover: ${DELIVERY_FAULTS[fault].about}`),
    ...OBSTACLE_NAMES.map((name) => `${`touch ${name}`.padEnd(39)}# ${OBSTACLES[name].about}`),
  ],
  events: {
    "consumers-moved": ({ migration }) => migration?.moveConsumers(NEW_TOPIC),
    ...Object.fromEntries(FAULTS.map((fault): [string, Happen] => [fault, ({ migration }) => migration?.plant(fault)])),
    ...Object.fromEntries(
      OBSTACLE_NAMES.map((name): [string, Happen] => [
        name,
        (sandbox) => OBSTACLES[name].put(sandbox, PREFIX, NEW_CONNECTOR),
      ]),
    ),
  },
};
