// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors
import type { PartitionShown, TakeoverShown } from "../migration-plan.ts";
import type { ConnectorShown } from "../plan.ts";

/**
 * The world of the migrations in tests: a legacy connector with its configuration and stored offsets, and the new one.
 */

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
};

export const partition = (name: string, scn: bigint, more: Partial<PartitionShown> = {}): PartitionShown => ({
  name,
  of: "table",
  scn,
  commitScn: undefined,
  leftOut: false,
  at: undefined,
  committedAt: undefined,
  ...more,
});

export const TAKEOVER: TakeoverShown = {
  partitions: [
    partition("ORCLPDB1.SALES.OLD_ORDERS", 1200000n, { commitScn: 1199000n, leftOut: true }),
    partition("ORCLCDB.ORCLPDB1", 2169287n, { of: "database", at: "2026-11-20T18:30:00Z" }),
    partition("ORCLPDB1.SALES.ORDERS", 2170000n, {
      commitScn: 2204498n,
      at: "2026-11-20T18:31:00Z",
      committedAt: "2026-11-20T19:02:08Z",
    }),
    partition("ORCLPDB1.SALES.LINES", 2172000n, {
      commitScn: 2190412n,
      at: "2026-11-20T18:33:00Z",
      committedAt: "2026-11-20T18:47:55Z",
    }),
  ],
  startScn: 2169287n,
  startedAt: "2026-11-20T18:30:00Z",
  lastDelivered: 2204498n,
  lastDeliveredAt: "2026-11-20T19:02:08Z",
  overlap: { from: 2169287n, to: 2204498n, scns: 35211n, millis: 1_928_000n },
};

const STATE = { worker: "worker-2:8083", tasks: [{ id: 0n, state: "RUNNING", worker: "worker-2:8083" }] } as const;

export const legacyRuns: ConnectorShown = {
  name: "orders-legacy",
  connectorClass: "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector",
  state: "RUNNING",
  ...STATE,
};

export const legacyStopped: ConnectorShown = { ...legacyRuns, state: "STOPPED", tasks: [] };

export const newRuns: ConnectorShown = {
  name: "orders-cdc",
  connectorClass: "sh.oso.connect.oracle.OracleCdcSourceConnector",
  state: "RUNNING",
  ...STATE,
};
