import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { CONNECTOR_CLASS, DEBEZIUM_CLASS, LEGACY_CLASS } from "../../../core/legacy/connector-class.ts";
import { callsTo, connectorsOf } from "../../../providers/real/connectors.ts";
import { stackFolder } from "../../../providers/real/folder.ts";
import { STAND_IN_CLASS } from "../../../providers/real/jars.ts";
import type { RestAccess } from "../../../providers/real/rest.ts";
import { type StartConnectOptions, startConnect } from "../../../providers/sandbox/connect/start-connect.ts";
import { type BrokerOptions, startBroker } from "../../../providers/sandbox/kafka/broker.ts";
import { startOracleDatabase } from "../../../providers/sandbox/oracle/database.ts";
import { healthyWorld } from "../../../providers/sandbox/oracle/world.ts";
import { deliveringTask, standInDebezium } from "./debezium/stand-ins.ts";
import { standInLegacy } from "./stand-in-legacy.ts";
import type { World } from "./world.ts";

const CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw";

/** @param access what the worker asks of those who call it, where `connect` makes it ask */
export async function startSandboxWorld(
  options: {
    readonly connect?: Partial<StartConnectOptions>;
    readonly access?: RestAccess;
    readonly broker?: Partial<BrokerOptions>;
  } = {},
): Promise<World> {
  const folder = await stackFolder(false);
  const oracle = healthyWorld();
  const [database, broker] = await Promise.all([
    startOracleDatabase(oracle),
    startBroker({ clusterId: CLUSTER_ID, ...options.broker }),
  ]);
  const connect = await startConnect({
    clusterId: CLUSTER_ID,
    commitInterval: 100,
    plugins: Object.entries(STAND_INS).map(([name, { version }]) => ({ class: name, type: "source", version })),
    validate: missingSetting,
    task: (connector) => standInOf(connector.config["connector.class"]).task(connector, broker),
    hang: (name) => hangOf(connect.cluster.connectors.get(name)?.config["standin.hang.while.file"]),
    ...options.connect,
  });
  return {
    name: "the sandbox",
    ...connectorsOf(callsTo(() => connect.url, options.access ?? {})),
    connectUrl: connect.url,
    bootstrap: broker.address,
    oraclePort: database.port,
    oracle,
    folder: folder.path,
    createTopic: async (name, partitions = 1) => broker.createTopic(name, { partitions }),
    topics: async () => [...broker.state.topics.keys()],
    async records(topic) {
      const records = await broker.records(topic);
      return records.map(({ key, value, timestamp }) => ({ key: text(key), value: text(value), timestamp }));
    },
    async append(topic, { key, value, partition = 0 }) {
      const record = { key: key === null ? null : Buffer.from(key, "utf8"), value: Buffer.from(value, "utf8") };
      broker.append(topic, record, { partition });
    },
    async consume(group, topic) {
      const committed = { [topic]: 0n };
      broker.state.groups.set(group, { state: "Stable", members: [[topic]], committed });
      return async () => void broker.state.groups.set(group, { state: "Empty", members: [], committed });
    },
    async stop() {
      await Promise.all([connect.close(), broker.close(), database.close()]);
      await folder.remove();
    },
  };
}

const PRODUCT = { version: "0.0.1-standin", required: "cdc.topic.prefix", task: deliveringTask };
const STAND_INS: Readonly<Record<string, typeof PRODUCT>> = {
  [STAND_IN_CLASS]: PRODUCT,
  [CONNECTOR_CLASS]: PRODUCT,
  [LEGACY_CLASS]: { version: "2.14.3-standin", required: "oracle.server", task: standInLegacy },
  [DEBEZIUM_CLASS]: { version: "3.6.1.Final", required: "database.hostname", task: standInDebezium },
};
const standInOf = (name = "") => STAND_INS[name] ?? PRODUCT;

/** What the stand-ins require, as a worker says that it is missing. */
function missingSetting(className: string, config: Readonly<Record<string, string>>) {
  const { required: name } = standInOf(className);
  if (config[name] !== undefined) return [];
  return [{ name, errors: [`Missing required configuration "${name}" which has no default value.`] }];
}

const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString("utf8"));

/** A task hangs for as long as the file is there. */
function hangOf(file: string | undefined): Promise<void> | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  const gone = async (): Promise<void> => {
    while (existsSync(file)) await pause(10, undefined, { ref: false });
  };
  return gone();
}
