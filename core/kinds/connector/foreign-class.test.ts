import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Refusal } from "../../errors.ts";
import { CONNECTOR_CLASS, LEGACY_CLASS } from "../../legacy/connector-class.ts";
import { lineOf } from "../../values/remedy.ts";
import { refuseForeignClass, refuseOtherProgram } from "./foreign-class.ts";

const foreign = suite("CON301 before any login is used");

const LOGIN = { "cdc.database.host": "db", "cdc.database.password": "c4n4ry" };
const CHECK = "Check `target.connector`.";
const LEGACY = [
  "Name the connector that took over from it.",
  { text: "To migrate it, write a plan file", command: "cdcctl init Migration" },
];

function refusedOf(config: Readonly<Record<string, string>>, named?: string): Refusal | undefined {
  try {
    refuseForeignClass({ name: "orders-cdc", config, taskIds: [], type: "source" }, named);
  } catch (error) {
    assert.instance(error, Refusal);
    return error as Refusal;
  }
  return undefined;
}

for (const [what, config, named] of [
  ["the documented class", { "connector.class": ` ${CONNECTOR_CLASS} `, ...LOGIN }],
  ["another build under its simple name", { "connector.class": "com.acme.OracleCdcSourceConnector", ...LOGIN }],
  ["the class that the operator names", { "connector.class": "com.acme.Cdc", ...LOGIN }, "com.acme.Cdc"],
  ["a deleted connector with known topic names", { "cdc.topic.prefix": "o", "cdc.ops.topic": "p" }],
] as const)
  foreign(`${what} is not refused`, () => assert.is(refusedOf(config, named), undefined));

for (const [what, config, seen, remedies] of [
  [
    "another class, even with the connector's settings, which may be a build of it",
    { "connector.class": "com.acme.MyOracleCdcSourceConnectorV2", ...LOGIN },
    "a com.acme.MyOracleCdcSourceConnectorV2, not the CDC source connector: cdcctl uses no login for it",
    [
      CHECK,
      "If this is your build of the connector, set connectorClass in the context to " +
        "com.acme.MyOracleCdcSourceConnectorV2.",
    ],
  ],
  [
    "no class, with a login",
    { "cdc.topic.prefix": "orders", ...LOGIN },
    "a connector without a class, not the CDC source connector: cdcctl uses no login for it",
    [CHECK],
  ],
  [
    "no class, with settings of a topic that are another program's",
    { "cdc.topic.prefix": "orders", "my.cdc.topic.name": "x" },
    "a connector without a class, not the CDC source connector: cdcctl uses no login for it",
    [CHECK],
  ],
  [
    "a text that is not a class name, which may be a secret",
    { "connector.class": "hunter2 hunter2", ...LOGIN },
    "a hidden:c16, not the CDC source connector: cdcctl uses no login for it",
    [CHECK],
  ],
  [
    "the legacy connector, whatever its settings",
    { "connector.class": LEGACY_CLASS, ...LOGIN },
    "Confluent's Oracle CDC Source, not the CDC source connector: its stored offsets have another form, and " +
      "nothing changes them but a migration",
    LEGACY,
  ],
  [
    "the legacy connector by its short name",
    { "connector.class": "OracleCdcSourceConnector", "oracle.server": "db" },
    "a OracleCdcSourceConnector, not the CDC source connector: its configuration has no cdc.* settings",
    LEGACY,
  ],
  [
    "another build of the legacy connector",
    { "connector.class": "com.acme.OracleCdcSourceConnector", "oracle.server": "db" },
    "a com.acme.OracleCdcSourceConnector, not the CDC source connector: its configuration has no cdc.* settings",
    LEGACY,
  ],
  [
    "a configuration without a class",
    { topics: "orders" },
    "a connector without a class, not the CDC source connector: its configuration has no cdc.* settings",
    [CHECK],
  ],
  [
    "another program, for which no setting of a context helps",
    { "connector.class": " org.example.Sink ", topics: "orders", "acdc.x": "1" },
    "a org.example.Sink, not the CDC source connector: its configuration has no cdc.* settings",
    [CHECK],
  ],
] as const)
  foreign(`${what}, is refused`, () => {
    const refusal = refusedOf(config);
    assert.equal([refusal?.code, refusal?.message, refusal?.remedies], ["CON301", `orders-cdc is ${seen}`, remedies]);
  });

for (const [what, config, says] of [
  [
    "Debezium's Oracle connector",
    { "connector.class": "io.debezium.connector.oracle.OracleConnector" },
    /plan file.*init/,
  ],
  [
    "Debezium's Oracle connector with the XStream adapter",
    { "connector.class": "io.debezium.connector.oracle.OracleConnector", "database.connection.adapter": "xstream" },
    /DBA_XSTREAM_OUTBOUND_PROGRESS/,
  ],
  [
    "Debezium's Oracle connector with the OpenLogReplicator adapter",
    { "connector.class": "io.debezium.connector.oracle.OracleConnector", "database.connection.adapter": "olr" },
    /by hand/,
  ],
  [
    "Confluent's Oracle XStream CDC Source connector",
    { "connector.class": "io.confluent.connect.oracle.xstream.cdc.OracleXStreamSourceConnector" },
    /DBA_XSTREAM_OUTBOUND_PROGRESS/,
  ],
  ["Debezium's connector for MySQL", { "connector.class": "io.debezium.connector.mysql.MySqlConnector" }, /Oracle/],
] as const)
  foreign(`${what} is refused by its name, with what to do instead, whatever its settings`, () => {
    for (const settings of [{}, LOGIN]) {
      const refusal = refusedOf({ ...config, ...settings });
      assert.is(refusal?.code, "CON301");
      assert.ok(refusal?.message.startsWith(`orders-cdc is ${what}, not the CDC source connector: `), refusal?.message);
      assert.match((refusal?.remedies ?? []).map(lineOf).join("\n"), says);
    }
  });

foreign("an alias of Debezium's class is told by its stored offset, except under the connector's own settings", () => {
  const offsets = [{ partition: { server: "inventory" }, offset: { scn: "5", commit_scn: null } }];
  const alias = { name: "inventory", config: { "connector.class": "Oracle" }, taskIds: [], type: "source" } as const;
  assert.throws(() => refuseOtherProgram(alias, offsets), /inventory is Debezium's Oracle connector/);
  assert.throws(() => refuseOtherProgram(alias), /inventory is a Oracle, not the CDC/);
  refuseOtherProgram({ ...alias, config: LOGIN }, offsets);
});

foreign.run();
