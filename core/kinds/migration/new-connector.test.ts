import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, Refusal } from "../../errors.ts";
import type { ConnectorDescription } from "../../facts/connector/connector.ts";
import { CONNECTOR_CLASS, DEBEZIUM_CLASS } from "../../legacy/connector-class.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { World } from "../../ports/world.ts";
import { settingsSeen } from "../connector/observe.ts";
import { lentSettings } from "../connector/testing/journaled-world.ts";
import type { Sources } from "../kind.ts";
import { newConfiguration, settingsOfNew, translationFor } from "./new-connector.ts";
import { type IntentParts, intent } from "./testing/build-readings.ts";
import { LEGACY_CONFIG } from "./testing/story.ts";

type Config = Readonly<Record<string, string>>;

const LEGACY: ConnectorDescription = { name: "orders-legacy", type: "source", config: LEGACY_CONFIG, taskIds: [] };

/** Sources without an operator's file. */
const sources = (connectorClass?: string): Sources => ({
  settingsOf: async ({ config }) => lentSettings(config),
  deployed: async ({ config }) => lentSettings(config),
  completed: async (_name, translated, set) => {
    const body = { ...translated, ...set };
    return { body, settings: lentSettings(body) };
  },
  connectorClass,
  evidence: () => Promise.reject(new Error("no evidence is read")),
});

/** Workers that have these connectors. */
const workers = (...all: readonly ConnectorDescription[]) =>
  ({
    connect: {
      url: "http://w:8083",
      connector: async (name: string) => all.find((one) => one.name === name),
      connectors: async () => all.map(({ name }) => name),
    },
  }) as unknown as World;

const created = suite("the configuration of the new connector");

async function bodyFor(parts: IntentParts["to"] = {}, connectorClass?: string): Promise<Config> {
  return newConfiguration(intent({ to: parts }), workers(LEGACY), sources(connectorClass));
}

created("is refused where the plan file calls the legacy connector by another kind than its class", async () => {
  const asked = (kind: "confluent" | "debezium") =>
    newConfiguration(intent({ from: { kind } }), workers(LEGACY), sources());
  assert.is((await asked("confluent"))["cdc.topic.prefix"], "orders");
  try {
    await asked("debezium");
    assert.unreachable();
  } catch (refusal) {
    assert.instance(refusal, Refusal);
    const { code, message, remedies } = refusal as Refusal;
    assert.is(code, "LEG001");
    assert.match(message, /orders-legacy is a io\.confluent\..*, and the plan file calls it debezium/);
    assert.equal(remedies, [{ text: "Correct", setting: "spec.from.kind: confluent" }]);
  }
});

created("is the translation, with the plan file's prefix, without a snapshot, a start and a name", async () => {
  const body = await bodyFor();
  assert.equal(
    ["connector.class", "cdc.topic.prefix", "cdc.snapshot.mode", "cdc.tables.include"].map((name) => body[name]),
    [CONNECTOR_CLASS, "orders", "none", "ORCLPDB1[.]SALES[.].*"],
  );
  assert.not("name" in body);
  assert.not("cdc.start.scn" in body);
});

for (const [name, parts, setting, value] of [
  ["follows the plan file's settings", { config: { "cdc.tables.exclude": "X" } }, "cdc.tables.exclude", "X"],
  [
    "takes its prefix before that of its settings",
    { config: { "cdc.topic.prefix": "x" } },
    "cdc.topic.prefix",
    "orders",
  ],
  [
    "has the settings' prefix without its own",
    { topicPrefix: undefined, config: { "cdc.topic.prefix": "x" } },
    "cdc.topic.prefix",
    "x",
  ],
  [
    "never takes a snapshot, whatever its settings say",
    { config: { "cdc.snapshot.mode": "initial" } },
    "cdc.snapshot.mode",
    "none",
  ],
  ["never starts where its settings say", { config: { "cdc.start.scn": "7" } }, "cdc.start.scn", undefined],
  ["never has another name", { config: { name: "x" } }, "name", undefined],
] as const)
  created(name, async () => {
    assert.is((await bodyFor(parts))[setting], value);
  });

created("has the class that the operator names, also before that of the settings", async () => {
  assert.is((await bodyFor({}, "com.example.Cdc"))["connector.class"], "com.example.Cdc");
  const set = { config: { "connector.class": "com.example.Other" } };
  assert.is((await bodyFor(set, "com.example.Cdc"))["connector.class"], "com.example.Cdc");
});

created("is translated under the plan file's name, prefix and class", () => {
  const wanted = intent({ to: { name: "orders-eu", topicPrefix: "eu" } });
  const translation = translationFor(wanted, LEGACY, { connectorClass: "com.example.Cdc" });
  assert.equal(
    [translation.name, translation.config["cdc.topic.prefix"], translation.config["connector.class"]],
    ["orders-eu", "eu", "com.example.Cdc"],
  );
});

created(
  "pins the defaults of the version that the workers have of Debezium, unless the plan file states one",
  async () => {
    const debezium = { "connector.class": DEBEZIUM_CLASS, "topic.prefix": "shop", "database.hostname": "ora" };
    const legacy = { ...LEGACY, config: debezium };
    const named = async (version: string | undefined, plugins: ConnectPort["plugins"]) => {
      const { connect } = workers(legacy);
      const wanted = intent({ from: { kind: "debezium", version }, to: { topicPrefix: "orders", topics: "new" } });
      const world = { connect: { ...connect, plugins } } as unknown as World;
      const body = await newConfiguration(wanted, world, sources());
      assert.equal((await settingsOfNew(wanted, world, sources())).config, body);
      return body["cdc.schema.name.adjustment.mode"];
    };
    const has = async () => [{ className: DEBEZIUM_CLASS, type: "source", version: "1.9.7.Final" }];
    assert.is(await named(undefined, has), "avro");
    assert.is(await named("2.7.3", has), "none");
    assert.is(await named(undefined, async () => []), "none");
    const refused = new CallFailed("connect", "forbidden", { message: "403" });
    assert.is(await named(undefined, () => Promise.reject(refused)), "none");
  },
);

created("is not made of a connector of another class: LEG001", () => {
  const sink = { ...LEGACY, config: { ...LEGACY_CONFIG, "connector.class": "com.example.Sink" } };
  assert.throws(
    () => translationFor(intent(), sink, {}),
    (thrown: unknown) =>
      thrown instanceof Refusal && thrown.code === "LEG001" && /com\.example\.Sink/.test(thrown.message),
  );
});

created("is not made without a legacy connector, whose name the error gives", async () => {
  const failure = await newConfiguration(intent(), workers(), sources()).catch((thrown: unknown) => thrown);
  assert.instance(failure, CallFailed);
  assert.match(String(failure), "have no connector orders-legacy");
});

created.run();

const read = suite("the settings of the new connector");

read("are its own once it exists, even without the legacy connector", async () => {
  const own = { ...LEGACY, name: "orders-cdc", config: { "cdc.topic.prefix": "own" } };
  const { config, settings } = await settingsOfNew(intent(), workers(own), sources());
  assert.equal([config, settings.prefix], [own.config, "own"]);
});

read("are those that it would be created with before", async () => {
  const { config, settings } = await settingsOfNew(intent(), workers(LEGACY), sources());
  assert.equal([config, settings.prefix], [await bodyFor(), "orders"]);
});

read("are unknown without either, and the error gives the name of the new one", async () => {
  const failure = await settingsOfNew(intent(), workers(), sources()).catch((thrown: unknown) => thrown);
  assert.instance(failure, CallFailed);
  assert.match(String(failure), "have no connector orders-cdc");
});

read("show no value of a setting that the configuration does not show", () => {
  const names = ["cdc.mining.mode", "cdc.archive.destination", "value.converter", "value.converter.schemas.enable"];
  const config = {
    "cdc.topic.prefix": "orders",
    ...Object.fromEntries(names.map((name) => [name, `${name} is s3cret`])),
  };
  const seen = settingsSeen(config, lentSettings(config));
  const { miningMode, archiveDestination, valueConverter, valueConverterSchemas } = seen;
  assert.equal(
    [miningMode, archiveDestination, valueConverter, valueConverterSchemas],
    names.map((name) => seen.config[name]),
  );
  assert.not.match(JSON.stringify(seen), "s3cret");
});

read.run();
