// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../errors.ts";
import { unresolved } from "../values/config.ts";
import { lineOf } from "../values/remedy.ts";
import { secret } from "../values/secret.ts";
import { connectorSettings, withBrokers } from "./connector-settings.ts";

const settings = suite("connector settings");

const read = (config: Record<string, string>) =>
  connectorSettings({ "cdc.topic.prefix": "orders", ...config }, "GET /connectors/orders-cdc");
const opened = (properties: Readonly<Record<string, { open(): string }>>): Record<string, string> =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, value.open()]));

settings("have the connector's defaults", () => {
  const { database, brokers, ...rest } = read({});
  assert.equal(rest, {
    origin: "GET /connectors/orders-cdc",
    connectorClass: undefined,
    prefix: "orders",
    opsTopic: "orders.cdc.ops",
    signalsTopic: "orders.cdc.signals",
    journalTopic: "orders.cdc.txjournal",
    schemaTopic: "orders.cdc.schema",
    captureMode: "online",
    miningMode: "auto",
    archiveDestination: undefined,
    startScn: undefined,
    valueConverter: undefined,
    valueConverterSchemas: undefined,
    journalConverter: { name: undefined, schemas: undefined },
    tables: { pdbs: [], include: undefined, exclude: undefined, caseSensitive: false },
  });
  assert.ok(Object.values(database).every((value) => value === undefined));
  assert.equal(brokers, { bootstrapServers: undefined, properties: {} });
});

settings("topics expand the prefix, whatever characters it has", () => {
  const { opsTopic, signalsTopic } = read({
    "cdc.topic.prefix": "a$&b",
    "cdc.ops.topic": "ops-${prefix}-${prefix}",
    "cdc.signals.topic": "signals",
  });
  assert.is(opsTopic, "ops-a$&b-a$&b");
  assert.is(signalsTopic, "signals");
});

settings("cdc.stream comes before cdc.kafka, without the prefix", () => {
  const { brokers } = read({
    "cdc.stream.bootstrap.servers": "new:9093",
    "cdc.kafka.bootstrap.servers": "old:9092",
    "cdc.kafka.security.protocol": "SSL",
    "cdc.kafka.sasl.mechanism": "PLAIN",
    "cdc.stream.security.protocol": " SASL_SSL ",
    "cdc.stream.": "nothing",
  });
  assert.is(brokers.bootstrapServers, "new:9093");
  assert.equal(opened(brokers.properties), { "security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN" });
});

settings("blanks around values are ignored, and a blank value is absent", () => {
  const { database, tables } = read({
    "cdc.database.host": " db ",
    "cdc.database.sid": "  ",
    "cdc.database.password": " tiger ",
    "cdc.database.pdbs": "PDB1 , PDB2,",
  });
  assert.is(database.host, "db");
  assert.is(database.sid, undefined);
  assert.is(database.password?.open(), "tiger");
  assert.equal(tables.pdbs, ["PDB1", "PDB2"]);
});

settings("passwords are hidden when they are printed", () => {
  const all = read({ "cdc.database.password": "canary", "cdc.stream.sasl.jaas.config": 'x password="canary";' });
  assert.not.match(JSON.stringify(all), /canary/);
});

settings("a database setting that only the worker resolves causes no failure", () => {
  const config = {
    "cdc.topic.prefix": "orders",
    "cdc.topic.template": "${prefix}.${table}",
    "cdc.database.password": "${file:/run/secrets/db:password}",
    "cdc.database.url": "jdbc:oracle:thin:@${env:DB_HOST}:1521/X",
  };
  assert.is(connectorSettings(config, "x").database.password?.open(), "${file:/run/secrets/db:password}");
  assert.equal(unresolved(config), ["cdc.database.password", "cdc.database.url"]);
});

const impossible: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  ["no prefix", { "cdc.topic.prefix": "" }, /cdc\.topic\.prefix is not set in GET/],
  ["a prefix that is a reference", { "cdc.topic.prefix": "${env:P}" }, /cdc\.topic\.prefix in GET .* reference/],
  ["a strange capture mode", { "cdc.capture.mode": "both" }, /cdc\.capture\.mode in GET .* "both"/],
];
for (const [title, config, message] of impossible)
  settings(`${title} is refused, and --config is the remedy`, () => {
    assert.throws(
      () => read(config),
      (error: unknown) =>
        error instanceof UsageError &&
        message.test(error.message) &&
        error.problems.every(({ remedy }) => lineOf(remedy ?? "").includes("--config")),
    );
  });

settings("client properties replace all of the configuration's; brokers may be replaced separately", () => {
  const own = read({ "cdc.stream.bootstrap.servers": "own:9092", "cdc.stream.security.protocol": "SASL_SSL" });
  const other = withBrokers(own, { properties: { "ssl.truststore.type": secret("PEM") } });
  assert.is(other.brokers.bootstrapServers, "own:9092");
  assert.equal(opened(other.brokers.properties), { "ssl.truststore.type": "PEM" });
  const elsewhere = withBrokers(own, { bootstrapServers: "else:9092" });
  assert.is(elsewhere.brokers.bootstrapServers, "else:9092");
  assert.equal(opened(elsewhere.brokers.properties), { "security.protocol": "SASL_SSL" });
});

settings.run();
