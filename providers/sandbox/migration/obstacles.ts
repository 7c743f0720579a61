import { strimziPod } from "../connect/strimzi.ts";
import { purge, switchLog } from "../faults.ts";
import type { Sandbox } from "../sandbox.ts";
import { topicOf } from "./delivering-task.ts";
import { ORDERS } from "./orders-script.ts";
import { LEGACY_CONNECTOR, NEW_CLASS } from "./stage.ts";

/** Read by the legacy connector until it was dropped. */
export const OLD_TABLE = "ORDERS_2024";

interface Obstacle {
  readonly about: string;
  readonly put: (sandbox: Sandbox, prefix: string, name: string) => void;
}

/** Obstacles to a migration, each caused by a change elsewhere. */
export const OBSTACLES = {
  "old-table": {
    about: `${OLD_TABLE} was dropped long ago; its stored position pins the takeover below redo that is gone`,
    put: ({ connect, oracle }) => {
      const partition = { catalog: ORDERS.pdb, schema: ORDERS.owner, table: OLD_TABLE };
      const offset = { scn: "2003000", cscn: "2003000", rows: "88", rps: "0", def: `${OLD_TABLE}:1` };
      connect.cluster.offsets.write(LEGACY_CONNECTOR, [{ partition, offset }]);
      purge(oracle, 118n);
    },
  },
  "redo-purged": {
    about: "the redo that the legacy connector would go on with is archived, backed up and deleted",
    put: ({ oracle }) => {
      const current = oracle.onlineLogs.find(({ status }) => status === "CURRENT");
      switchLog(oracle);
      if (current !== undefined) purge(oracle, current.sequence);
    },
  },
  "old-transaction": {
    about: "a report holds a transaction open since before the redo that is left",
    put: ({ oracle }) => {
      const startScn = 2_003_000n;
      oracle.transactions.push({
        ...{ instance: 1n, container: 3n, usn: 6n, slot: 3n, sequence: 4711n, startScn, user: "REPORTS" },
        startTime: oracle.scnTimes.timeOf(startScn),
        clientId: null,
      });
      purge(oracle, 118n);
    },
  },
  "offsets-left": {
    about: "an earlier attempt has left offsets under the new connector's name",
    put: ({ connect, oracle }, prefix, name) => {
      const { dbid, resetlogsScn } = oracle.database;
      const offset = { v: 1n, resume_scn: 2_041_000n, journal_generation: 1n, dbid, resetlogs_scn: resetlogsScn };
      connect.cluster.offsets.write(name, [{ partition: { server: prefix }, offset }]);
    },
  },
  "topics-left": {
    about: "an earlier attempt has left topics of the prefix",
    put: ({ broker }, prefix) => {
      for (const topic of [`${prefix}.cdc.ops`, topicOf({ "cdc.topic.prefix": prefix })])
        if (!broker.state.topics.has(topic)) broker.createTopic(topic);
    },
  },
  "prefix-taken": {
    about: "shipping-cdc uses the prefix already",
    put: ({ connect }, prefix) => {
      const config = { "connector.class": NEW_CLASS, "cdc.topic.prefix": prefix, "tasks.max": "1" };
      connect.cluster.create("shipping-cdc", config, "STOPPED");
    },
  },
  "another-legacy": {
    about: "returns-legacy uses the same licence topic",
    put: ({ connect, migration }) => {
      const config = {
        ...migration?.legacyConfig,
        "table.inclusion.regex": "ORCLPDB1[.]SALES[.]RETURNS",
        "redo.log.topic.name": "returns-legacy-redo-log",
      };
      connect.cluster.create("returns-legacy", config, "STOPPED");
    },
  },
  strimzi: {
    about: "the workers turn out to be Strimzi's",
    put: ({ connect }) => {
      connect.operator.advertised = strimziPod;
    },
  },
} as const satisfies Readonly<Record<string, Obstacle>>;
