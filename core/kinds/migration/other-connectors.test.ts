// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connector
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONFLUENT_TOPICS, legacyWrites } from "../../legacy/confluent/topics.ts";
import { DEBEZIUM_CLASS } from "../../legacy/connector-class.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import { otherConnectors } from "./observe.ts";
import { LEGACY_CLASS } from "./testing/story.ts";

const ROUTED = { transforms: "r", "transforms.r.type": "org.apache.kafka.connect.transforms.RegexRouter" };
const NAMES_NONE = { templates: [], reroutings: [] };

const others = suite("other connectors of the cluster");

const connect = (all: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>) =>
  ({
    connectors: async () => Object.keys(all),
    connector: async (name: string) => {
      const config = all[name];
      return config === undefined ? undefined : { name, config, taskIds: [], type: "source" };
    },
  }) as unknown as ConnectPort;

others("are all except the two, in order; one that is deleted meanwhile is left out", async () => {
  const seen = await otherConnectors(connect({ b: {}, legacy: {}, a: {}, new: {}, gone: undefined }), [
    "legacy",
    "new",
  ]);
  assert.equal(
    seen.map(({ name }) => name),
    ["a", "b"],
  );
});

others(
  "with class, prefix, and of a legacy one its licence topic and how its topics are named; nothing else of their " +
    "configurations",
  async () => {
    const seen = await otherConnectors(
      connect({
        cdc: {
          "connector.class": "x",
          "cdc.topic.prefix": "orders",
          "cdc.database.password": "hunter2",
          "cdc.topic.template": "${prefix}.${table}",
          "cdc.dlq.topic": "lost",
        },
        old: { "connector.class": LEGACY_CLASS },
        older: { "connector.class": LEGACY_CLASS, "confluent.topic": " licences " },
      }),
      [],
    );
    const writes = (connector: string) => legacyWrites(connector, {});
    const legacy = { connectorClass: LEGACY_CLASS, prefix: undefined };
    assert.equal(seen, [
      {
        name: "cdc",
        connectorClass: "x",
        prefix: "orders",
        licenceTopic: undefined,
        writes: undefined,
        templates: ["lost", "orders.${table}"],
        reroutings: [],
      },
      { name: "old", ...legacy, licenceTopic: "_confluent-command", writes: writes("old"), ...NAMES_NONE },
      { name: "older", ...legacy, licenceTopic: "licences", writes: writes("older"), ...NAMES_NONE },
    ]);
  },
);

others(
  "are legacy ones whatever Connect takes for their class, unless they have the new connector's settings",
  async () => {
    const isLegacy = async (config: Readonly<Record<string, string>>) =>
      (await otherConnectors(connect({ one: config }), []))[0]?.writes !== undefined;
    const names = [
      "org.example.OracleCdcSourceConnector",
      "OracleCdcSourceConnector",
      "OracleCdcSource",
      ` ${LEGACY_CLASS} `,
      "${env:CLASS}",
    ];
    for (const name of names) assert.ok(await isLegacy({ "connector.class": name, "oracle.sid": "ORCL" }), name);
    for (const name of ["OracleCdcSource", "org.example.OracleCdcSourceConnector", "org.example.Sink"])
      assert.not(await isLegacy({ "connector.class": name, "cdc.topic.prefix": "crm" }), name);
  },
);

others("of another kind have the topics that their settings name, and what theirs begin with", async () => {
  const named = async (config: Readonly<Record<string, string>>) =>
    (await otherConnectors(connect({ one: { ...ROUTED, ...config } }), []))[0];
  assert.equal((await named({ "topic.prefix": "ORCLPDB1" }))?.templates, ["ORCLPDB1${name}"]);
  assert.equal((await named({ "database.server.name": " dbz ", "kafka.topic": "a" }))?.templates, ["a", "dbz${name}"]);
  assert.is((await named({ topics: "ORCLPDB1.SALES.ORDERS" }))?.templates, undefined);
  assert.is((await named({ "topic.prefix": "ORCLPDB1" }))?.reroutings, undefined);
});

others("of Debezium's for Oracle may write anywhere by their transformations, and have no licence topic", async () => {
  const config = { ...ROUTED, "connector.class": DEBEZIUM_CLASS, "topic.prefix": "inventory" };
  const [seen] = await otherConnectors(connect({ one: config }), []);
  assert.equal([seen?.templates, seen?.reroutings], [["inventory${name}"], ["r"]]);
  assert.equal([seen?.licenceTopic, seen?.writes], [undefined, undefined]);
});

others("use the default licence topic if theirs is blank", () => {
  assert.is(CONFLUENT_TOPICS.licenceTopic?.({ "confluent.topic": "  " }), "_confluent-command");
});

others.run();
