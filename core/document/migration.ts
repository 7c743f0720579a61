import type { Migration } from "../../schemas/generated/migration.ts";
import schema from "../../schemas/migration.schema.json" with { type: "json" };
import { durationText, millisOf } from "../values/duration.ts";
import { fromDebezium } from "./debezium/template.ts";
import type { MigrationIntent, VerifyIntent } from "./intent.ts";
import type { DocumentKind } from "./kinds.ts";

const SAFETY_MARGIN_MILLIS = 30_000n;
const WAIT_MILLIS = 600_000n;

const TEMPLATE = `# Leaves the legacy connector for this one, phase by phase. Look at each with: cdcctl plan FILE
apiVersion: cdcctl/v1
kind: Migration
metadata:
  name: orders-to-cdc
  # Why; recorded.
  reason: leave the legacy connector
  # ticket: CHG-4800
target:
  # A name of the contexts file, which holds the URL of Kafka Connect and the credentials for it. Its file for \
the connector
  # orders-cdc holds what the new connector needs and no plan file may hold: login, hosts, references.
  context: prod
spec:
  # cutover   stops the legacy connector, creates the new one where it stood, starts it
  # verify    compares tables and topics, and writes the evidence
  # rollback  deletes the new connector and its offsets, resumes the legacy one
  # retire    deletes the legacy connector and its topics; needs the evidence
  phase: cutover
  from:
    connector: orders-legacy
    # Stored partitions that do not count: of tables that were dropped, or are long quiet.
    # leaveOut: [ORCLPDB1.SALES.OLD_ORDERS]
  to:
    name: orders-cdc
    # cdc.topic.prefix; the legacy connector's name, if left out.
    topicPrefix: orders
    # Settings that go before the translated ones.
    config: { cdc.lob.mode: skip }
  verify:
    tables: [SALES.ORDERS]
    # Where a transformation of the new connector gives records another topic.
    # topics: { SALES.ORDERS: orders.routed }
    # By the name in tables; a table without one is compared with its new topic alone.
    legacyTopics: { SALES.ORDERS: ORCLCDB.ORCLPDB1.SALES.ORDERS }
    # ignoreColumns: { SALES.ORDERS: [UPDATED_AT] }
    # For tables too large for one process: workers on Apache Spark, submitted as the context's spark section says.
    # engine: spark
  # What verify writes and retire reads, from this file's folder; NAME.evidence.json, if left out.
  # evidence: orders-to-cdc.evidence.json
  # What migrate verify --audit wrote of the legacy connector: a cutover then rests on it.
  # audit: orders.audit.json
  # Of a rollback: delete the new connector's topics too.
  # deleteTopics: true
  # Of a retirement: delete the licence topic too.
  # deleteLicenceTopic: true
  # Names of manual properties, and codes of acceptable findings, that are knowingly accepted.
  accept: []
`;

export const migration: DocumentKind<"Migration"> = {
  schema,
  template: TEMPLATE,
  templatesFrom: { confluent: TEMPLATE, debezium: fromDebezium(TEMPLATE) },

  intent(document, origin): MigrationIntent {
    // Its schema accepts it, and its type is generated from the schema.
    const { metadata, target = {}, spec } = document as Migration;
    const { from, to, verify } = spec;
    return {
      kind: "Migration",
      metadata: { name: metadata.name, reason: metadata.reason, ticket: metadata.ticket },
      target: { context: target.context, connectUrl: target.connectUrl, connector: to.name },
      origin,
      phase: spec.phase,
      from: { ...from, leaveOut: from.leaveOut ?? [] },
      to: {
        ...to,
        config: Object.fromEntries(Object.entries(to.config ?? {}).map(([name, value]) => [name, String(value)])),
      },
      verify: verify === undefined ? undefined : verification(verify),
      evidence: spec.evidence ?? `${metadata.name}.evidence.json`,
      audit: spec.audit,
      deleteTopics: spec.deleteTopics ?? false,
      deleteLicenceTopic: spec.deleteLicenceTopic ?? false,
      opsFormat: spec.opsFormat,
      ...(spec.capturedTables && { capturedTables: spec.capturedTables }),
      accept: spec.accept ?? [],
    };
  },

  document({ kind, metadata, target: { context, connectUrl }, origin: _, ...spec }) {
    const { verify } = spec;
    return {
      apiVersion: "cdcctl/v1",
      kind,
      metadata,
      target: { context, connectUrl },
      spec: {
        ...spec,
        verify: verify && {
          ...verify,
          safetyMargin: durationText(verify.safetyMargin),
          wait: durationText(verify.wait),
        },
      },
    };
  },
};

function verification(verify: NonNullable<Migration["spec"]["verify"]>): VerifyIntent {
  return {
    tables: verify.tables,
    topics: verify.topics ?? {},
    legacyTopics: verify.legacyTopics ?? {},
    checkScn: verify.checkScn,
    safetyMargin: millisOf(verify.safetyMargin) ?? SAFETY_MARGIN_MILLIS,
    wait: millisOf(verify.wait) ?? WAIT_MILLIS,
    ignoreColumns: verify.ignoreColumns ?? {},
    showValues: verify.showValues ?? false,
    ...(verify.engine === "spark" ? { engine: verify.engine } : {}),
  };
}
