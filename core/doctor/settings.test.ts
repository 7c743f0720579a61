import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectorSettings } from "../document/connector-settings.ts";
import type { PreflightSettings } from "../facts/preflight.ts";
import { keySettings, preflightSettings } from "./settings.ts";

const settings = suite("the key settings of a configuration");

settings("is the connector's default if it is not set", () => {
  assert.equal(keySettings({}, "c.json"), { missing: "fail", columns: undefined });
  assert.equal(keySettings({ "cdc.key.missing": " ROWID ", "cdc.key.columns": " A.B:C " }, "c.json"), {
    missing: "rowid",
    columns: "A.B:C",
  });
});

settings("is rejected if the connector would not accept it", () => {
  assert.throws(() => keySettings({ "cdc.key.missing": "skip" }, "c.json"), /cdc.key.missing is "skip"/);
});

settings.run();

const judged = suite("the settings for logs, LOBs and Avro");

function of(config: Readonly<Record<string, string>>): PreflightSettings {
  const whole = { "cdc.topic.prefix": "orders", "cdc.tables.include": ".*", "cdc.database.user": "CDC", ...config };
  return preflightSettings(connectorSettings(whole, "c.json"), whole);
}

judged("is the connector's default if it is not set", () => {
  const { lobMode, avro, keepIdle, dictionary, maxDowntime, journalThreshold } = of({});
  assert.equal(
    { lobMode, avro, keepIdle, dictionary, maxDowntime, journalThreshold },
    {
      lobMode: undefined,
      avro: undefined,
      keepIdle: undefined,
      dictionary: { builds: true, elsewhere: false },
      maxDowntime: 86_400_000,
      journalThreshold: 300_000,
    },
  );
});

judged("follows the settings", () => {
  assert.is(of({ "cdc.lob.mode": " Inline " }).lobMode, "inline");
  assert.is(of({ "cdc.txjournal.threshold.ms": "-1" }).journalThreshold, 0);
  const properties = (text: string) => of({ "cdc.database.connection.properties": text }).keepIdle;
  assert.is(properties("a=b; oracle.net.TCP_KEEPIDLE = 60 ;c=d"), 60n);
  assert.is(properties("x.oracle.net.TCP_KEEPIDLE=60"), undefined);
  assert.is(properties("oracle.net.TCP_KEEPIDLE=soon"), undefined);
  assert.equal(of({ "cdc.dictionary.build.interval.ms": "0" }).dictionary, { builds: false, elsewhere: false });
  assert.is(of({ "cdc.dictionary.database.url": "jdbc:oracle:thin:@//h/s" }).dictionary.elsewhere, true);
});

judged("recognizes Avro converters by name, and whether names are adjusted for them", () => {
  for (const name of ["io.confluent.connect.avro.AvroConverter", "io.apicurio.registry.utils.converter.AvroConverter"])
    assert.equal(of({ "value.converter": name }).avro?.settings, ["value.converter"]);
  assert.is(of({ "value.converter": "org.apache.kafka.connect.json.JsonConverter" }).avro, undefined);
  const adjusted = { "key.converter": "AvroConverter", "cdc.field.name.adjustment.mode": "avro_unicode" };
  assert.equal(of(adjusted).avro, { settings: ["key.converter"], fieldsAdjusted: true, schemasAdjusted: false });
  assert.is(of({ ...adjusted, "cdc.field.name.adjustment.mode": "none" }).avro?.fieldsAdjusted, false);
});

judged("includes exactly-once settings only if it is required, with the defaults of connector and producer", () => {
  assert.is(of({ "exactly.once.support": "requested" }).exactlyOnce, undefined);
  const by = "transaction.boundary=connector";
  assert.equal(of({ "transaction.boundary": "Connector" }).exactlyOnce, {
    by,
    batchMillis: 500,
    timeoutMillis: 60_000,
  });
  const set = { "cdc.eos.batch.max.ms": "900", "producer.override.transaction.timeout.ms": "800" };
  const exactlyOnce = of({ ...set, "transaction.boundary": "connector" }).exactlyOnce;
  assert.equal(exactlyOnce, { by, batchMillis: 900, timeoutMillis: 800 });
});

judged("is rejected if the connector would not accept it", () => {
  assert.throws(() => of({ "cdc.lob.mode": "topics" }), /cdc.lob.mode is "topics"/);
  assert.throws(() => of({ "cdc.txjournal.threshold.ms": "5m" }), /"5m", not a number of milliseconds/);
});

judged.run();
