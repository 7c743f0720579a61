import { suite } from "uvu";
import * as assert from "uvu/assert";
import { settingFault, settingValueFault } from "./own-settings.ts";

const settings = suite("settings of a new connector in a plan file");

const allowed = [
  "cdc.lob.mode",
  "cdc.decimal.mode",
  "cdc.tables.include",
  "cdc.users.exclude",
  "cdc.database.pdbs",
  "cdc.mining.fetch.size",
  "value.converter",
  "value.converter.schemas.enable",
  "topic.creation.default.partitions",
  "errors.tolerance",
  "transforms.route.replacement",
  "cdc.topic.template",
];
settings("allow settings of its work", () => {
  for (const name of allowed) assert.is(settingFault(name), undefined, name);
});

const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["settings given elsewhere", ["name", " name ", "cdc.topic.prefix"], /spec\.to\./],
  ["settings of the takeover", ["cdc.start.scn", "cdc.snapshot.mode"], /starts where the legacy one stood/],
  ["settings of the migration", ["connector.class", "tasks.max"], /remove it/],
  [
    "secrets",
    [
      "cdc.database.password",
      "value.converter.basic.auth.user.info",
      "sasl.jaas.config",
      "x.api.key",
      "CDC.DATABASE.PASSWORD",
    ],
    /context's file for the connector/,
  ],
  [
    "destination and user",
    [
      "cdc.database.host",
      "cdc.database.port",
      "cdc.database.service",
      "cdc.database.sid",
      "cdc.database.url",
      "cdc.database.user",
      "cdc.database.connection.properties",
      "cdc.database.wallet.location",
      "cdc.database.tls.truststore.location",
      "cdc.stream.bootstrap.servers",
      "cdc.stream.security.protocol",
      "cdc.kafka.sasl.mechanism",
      "value.converter.schema.registry.url",
      "Value.Converter.Schema.Registry.URL",
      "producer.override.bootstrap.servers",
      "producer.override.acks",
      "config.providers",
      "ssl.keystore.location",
    ],
    /context's file for the connector/,
  ],
];
for (const [title, names, remedy] of refused)
  settings(`never allow ${title}`, () => {
    for (const name of names) assert.match(settingFault(name)?.remedy ?? "", remedy, name);
  });

settings("allow no value that is a URL or contains a host, and do not repeat it", () => {
  for (const value of ["http://u:hunter2@evil", "jdbc:oracle:thin:@x", "JDBC:x", "a@b", "ldaps://x"]) {
    const fault = settingValueFault(value);
    assert.ok(fault !== undefined, value);
    assert.not.match(`${fault.fault} ${fault.remedy}`, "hunter2");
  }
  for (const value of ["skip", "10", "true", "ORCLPDB1[.]SALES[.].*", "a:b"])
    assert.is(settingValueFault(value), undefined, value);
});

settings("accept or refuse a name of any length or form at once", () => {
  for (const name of ["a.".repeat(20_000), "__proto__", "constructor", "", "​host"]) {
    const started = performance.now();
    settingFault(name);
    assert.ok(performance.now() - started < 1000);
  }
});

settings.run();
