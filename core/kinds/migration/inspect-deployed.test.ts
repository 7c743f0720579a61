import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../errors.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import { STOPPED } from "../offset-change/testing/build-facts.ts";
import { inspectDeployed } from "./observe.ts";
import { LEGACY_OFFSETS } from "./testing/story.ts";

const looking = suite("a connector as its workers show it");

const CONFIG = { "connector.class": "X", "oracle.password": "hunter2" };

const workers = (parts: Partial<ConnectPort> = {}): ConnectPort =>
  ({
    url: "http://connect:8083",
    connector: async (name: string) => ({ name, config: CONFIG, type: "source", tasks: [] }),
    status: async () => STOPPED,
    offsets: async () => LEGACY_OFFSETS,
    ...parts,
  }) as Partial<ConnectPort> as ConnectPort;

const missing = new CallFailed("connect", "missing", { message: "404" });

looking("is shown with its stored offset, and its secrets masked", async () => {
  assert.equal(await inspectDeployed("orders-legacy", workers()), {
    name: "orders-legacy",
    connectorClass: "X",
    config: { "connector.class": "X", "oracle.password": "********" },
    status: STOPPED,
    offsets: LEGACY_OFFSETS,
  });
});

looking("has the version of its class on the workers if it is Debezium's; others are not asked for", async () => {
  const config = { "connector.class": "io.debezium.connector.oracle.OracleConnector" };
  const plugins = async () => [
    { className: "io.debezium.connector.mysql.MySqlConnector", type: "source", version: "3.0.0.Final" },
    { className: config["connector.class"], type: "source", version: "2.7.3.Final" },
  ];
  const connector = async (name: string) => ({ name, config, type: "source", taskIds: [] });
  assert.is((await inspectDeployed("inventory", workers({ connector, plugins })))?.version, "2.7.3.Final");
});

looking("is undefined if it does not exist, and has no offsets if none were ever stored", async () => {
  assert.is(await inspectDeployed("nobody", workers({ connector: async () => undefined })), undefined);
  const without = await inspectDeployed("orders-legacy", workers({ offsets: () => Promise.reject(missing) }));
  assert.equal(without?.offsets, []);
});

looking("is not read as missing while it has no status, nor as without offsets while they are unreadable", async () => {
  const forbidden = new CallFailed("connect", "forbidden", { message: "403" });
  for (const [parts, says, remedies] of [
    [
      { status: async () => undefined },
      ["missing", "the workers at http://connect:8083 report no status for orders-legacy"],
      ["It may just have been created; try again."],
    ],
    [{ offsets: () => Promise.reject(forbidden) }, ["forbidden", "403"], []],
  ] as const) {
    const failure = await inspectDeployed("orders-legacy", workers(parts)).catch((error: unknown) => error);
    assert.instance(failure, CallFailed);
    const { system, kind, message, remedies: offered } = failure as CallFailed;
    assert.equal([system, [kind, message], offered], ["connect", says, remedies]);
  }
});

looking.run();
