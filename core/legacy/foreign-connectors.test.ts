import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lineOf } from "../values/remedy.ts";
import { foreignConnector } from "./foreign-connectors.ts";
import { refuseForeign } from "./legacy-kind.ts";

const foreign = suite("a connector that can't be migrated");

const ORACLE = "io.debezium.connector.oracle.OracleConnector";
const ADAPTER = "database.connection.adapter";

for (const [config, title] of [
  [
    { "connector.class": " io.confluent.connect.oracle.xstream.cdc.OracleXStreamSourceConnector " },
    "Confluent's Oracle XStream CDC Source connector",
  ],
  [{ "connector.class": ORACLE, [ADAPTER]: "XStream" }, "Debezium's Oracle connector with the XStream adapter"],
  [{ "connector.class": ORACLE, [ADAPTER]: "olr" }, "Debezium's Oracle connector with the OpenLogReplicator adapter"],
  [{ "connector.class": "io.debezium.connector.mysql.MySqlConnector" }, "Debezium's connector for MySQL"],
  [{ "connector.class": "io.debezium.connector.postgresql.PostgresConnector" }, "Debezium's connector for PostgreSQL"],
  [{ "connector.class": "io.debezium.connector.constructor.X" }, "Debezium's connector for another database"],
] as const)
  foreign(`is told by its name: ${title}`, () => {
    assert.is(foreignConnector(config)?.title, title);
    assert.throws(
      () => refuseForeign("inventory", config),
      (error: { code: string; message: string; remedies: readonly string[] }) =>
        error.code === "LEG030" && error.message.startsWith(`inventory is ${title}: `) && error.remedies.length > 0,
    );
  });

foreign("names the view that shows where an outbound server stands", () => {
  const { remedies = [] } = foreignConnector({ "connector.class": ORACLE, [ADAPTER]: "xstream" }) ?? {};
  assert.match(remedies.map(lineOf).join("\n"), /DBA_XSTREAM_OUTBOUND_PROGRESS/);
});

for (const [what, config] of [
  ["Debezium's Oracle connector, which mines by default", { "connector.class": ORACLE }],
  ["the one with left-overs of XStream", { "connector.class": ORACLE, "database.out.server.name": "out9" }],
  ["the unbuffered one", { "connector.class": ORACLE, [ADAPTER]: "logminer_unbuffered" }],
  ["an adapter that is no adapter", { "connector.class": ORACLE, [ADAPTER]: "constructor" }],
  ["Confluent's Oracle CDC Source", { "connector.class": "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector" }],
  ["a connector of somebody else", { "connector.class": "com.example.Source" }],
  ["nothing", {}],
] as const)
  foreign(`is not ${what}`, () => {
    assert.is(foreignConnector(config), undefined);
    refuseForeign("inventory", config);
  });

foreign.run();
