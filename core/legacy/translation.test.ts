// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONFLUENT_PROPERTIES } from "./confluent/properties.ts";
import { CONNECTOR_CLASS, LEGACY_CLASS } from "./connector-class.ts";
import { COPIED } from "./property-table.ts";
import { type TranslatedProperty, translate } from "./translation.ts";

const translation = suite("the translation of a legacy configuration");

const of = (config: Readonly<Record<string, string>>) => translate("orders-legacy", config);
const fateOf = (name: string, config: Readonly<Record<string, string>>): TranslatedProperty | undefined =>
  of(config).properties.find((one) => one.name === name);

const PDB = { "oracle.sid": "ORCLCDB", "oracle.pdb.name": "ORCLPDB1" };
const NO_PDB = { "oracle.sid": "ORCL" };

translation("accepts both spellings", () => {
  for (const prefix of ["oracle", "srcdb"]) {
    const { config } = of({ [`${prefix}.server`]: "db.prod", [`${prefix}.pdb.name`]: "ORCLPDB1" });
    assert.is(config["cdc.database.host"], "db.prod");
    assert.is(config["cdc.database.pdbs"], "ORCLPDB1");
    assert.is(config["cdc.topic.template"], "${prefix}.${pdb}.${schema}.${table}");
  }
});

translation("the same property in both spellings with two values is manual", () => {
  const { config, properties } = of({ "srcdb.server": "a", "oracle.server": "b" });
  assert.is(config["cdc.database.host"], "a");
  assert.is(properties.find(({ name }) => name === "oracle.server")?.fate, "manual");
});

const cases: readonly (readonly [
  name: string,
  value: string,
  beside: Readonly<Record<string, string>>,
  fate: string,
  target?: string,
  becomes?: string,
])[] = [
  ["name", "orders-legacy", {}, "changed", "name", "orders-legacy-cdc"],
  // The class has the name that the connector's reference gives.
  ["connector.class", LEGACY_CLASS, {}, "changed", "connector.class", "sh.oso.connect.oracle.OracleCdcSourceConnector"],
  ["tasks.max", "4", {}, "changed", "tasks.max", "1"],
  ["tasks.max", "1", {}, "mapped", "tasks.max", "1"],
  ["oracle.port", "1521", {}, "mapped", "cdc.database.port", "1521"],
  ["oracle.password", "tiger-4711", {}, "mapped", "cdc.database.password", "********"],
  ["oracle.password", "${file:/run/db:password}", {}, "mapped", "cdc.database.password", "${file:/run/db:password}"],
  ["table.inclusion.regex", "ORCLPDB1[.]SALES[.].*", PDB, "mapped", "cdc.tables.include", "ORCLPDB1[.]SALES[.].*"],
  [
    "table.inclusion.regex",
    "ORCL[.]SALES[.].*|ORCL\\.HR\\.EMP(A|B)",
    NO_PDB,
    "changed",
    "cdc.tables.include",
    "SALES[.].*|HR\\.EMP(A|B)",
  ],
  ["table.inclusion.regex", "ORCL.SALES[.][A|B]", NO_PDB, "changed", "cdc.tables.include", "SALES[.][A|B]"],
  ["table.inclusion.regex", ".*SALES.*", NO_PDB, "manual"],
  ["table.inclusion.regex", "ORCL.*SALES", NO_PDB, "manual"],
  ["table.inclusion.regex", "A{1,3}", PDB, "manual"],
  ["table.inclusion.regex", "ORCL[.]+SALES", NO_PDB, "manual"],
  ["table.inclusion.regex", "ORCL[.]SALES[.].*|.*[.]HR[.].*", NO_PDB, "manual"],
  [
    ...(["table.inclusion.regex", "(ORCL[.]A[.]B|ORCL[.]C[.]D)", NO_PDB, "changed"] as const),
    ...(["cdc.tables.include", "(A[.]B|C[.]D)"] as const),
  ],
  ["table.inclusion.regex", "^ORCL[.]A[.]B$", NO_PDB, "changed", "cdc.tables.include", "^A[.]B$"],
  ["table.inclusion.regex", "^(?:ORCL[.]A[.]B|ORCL[.]C)$", NO_PDB, "changed", "cdc.tables.include", "^(?:A[.]B|C)$"],
  ["table.inclusion.regex", "(ORCL[.]A[.]B)|(X)", NO_PDB, "manual"],
  ["table.inclusion.regex", "(ORCL[.]A[.]B|X[.]C)", NO_PDB, "manual"],
  ["table.inclusion.regex", "(ORCL[.]A)+", NO_PDB, "manual"],
  ["table.inclusion.regex", "(?!ORCL[.]A)", NO_PDB, "manual"],
  ["table.inclusion.regex", "(?i)ORCL[.]A", NO_PDB, "manual"],
  ["table.inclusion.regex", "(ORCL[.]A[)]", NO_PDB, "manual"],
  ["table.inclusion.regex", "", PDB, "dropped"],
  [
    "table.exclusion.regex",
    "SVC[.]HR[.]X",
    { "oracle.service.name": "SVC" },
    "changed",
    "cdc.tables.exclude",
    "HR[.]X",
  ],
  [
    "table.topic.name.template",
    "${fullyQualifiedTableName}",
    PDB,
    "changed",
    "cdc.topic.template",
    "${prefix}.${pdb}.${schema}.${table}",
  ],
  [
    "table.topic.name.template",
    "${databaseName}-${schemaName}_${tableName}",
    NO_PDB,
    "changed",
    "cdc.topic.template",
    "${prefix}.${database}-${schema}_${table}",
  ],
  [
    "table.topic.name.template",
    "${connectorName}.${tableName}",
    PDB,
    "changed",
    "cdc.topic.template",
    "${prefix}.orders-legacy.${table}",
  ],
  ["table.topic.name.template", "${emptyString}", PDB, "manual"],
  ["table.topic.name.template", "a\\b", PDB, "manual"],
  ["table.topic.name.template", "${tableName", PDB, "manual"],
  ["table.topic.name.template", "", PDB, "manual"],
  ["start.from", "snapshot", {}, "changed", "cdc.snapshot.mode", "none"],
  ["redo.log.row.fetch.size", "10", {}, "changed", "cdc.mining.fetch.size", "100"],
  ["redo.log.row.fetch.size", "2000000", {}, "changed", "cdc.mining.fetch.size", "1000000"],
  ["redo.log.row.fetch.size", "5000", {}, "mapped", "cdc.mining.fetch.size", "5000"],
  ["redo.log.row.fetch.size", "-1", {}, "changed", "cdc.mining.fetch.size", "100"],
  ["redo.log.row.fetch.size", "many", {}, "manual"],
  ["max.batch.size", "1000", {}, "mapped", "cdc.poll.max.records", "1000"],
  ["max.batch.size", "0", {}, "manual"],
  ["max.batch.size", "200000", {}, "changed", "cdc.poll.max.records", "100000"],
  ["poll.linger.ms", "0", {}, "mapped", "cdc.poll.linger.ms", "0"],
  ["poll.linger.ms", "-1", {}, "manual"],
  ["poll.linger.ms", "300000", {}, "changed", "cdc.poll.linger.ms", "60000"],
  ["query.timeout.ms", "300000", {}, "mapped", "cdc.mining.query.timeout.ms", "300000"],
  ["query.timeout.ms", "5000", {}, "changed", "cdc.mining.query.timeout.ms", "10000"],
  ["query.timeout.ms", "0", {}, "manual"],
  ["query.timeout.ms", "-1", {}, "manual"],
  ["max.retry.time.ms", "86400000", {}, "mapped", "cdc.retry.max.time.ms", "86400000"],
  ["max.retry.time.ms", "10", {}, "changed", "cdc.retry.max.time.ms", "1000"],
  ["max.retry.time.ms", "-1", {}, "manual"],
  ["snapshot.row.fetch.size", "2000", {}, "mapped", "cdc.snapshot.fetch.size", "2000"],
  ["snapshot.row.fetch.size", "0", {}, "manual"],
  ["snapshot.row.fetch.size", "all", {}, "manual"],
  ["snapshot.threads.per.task", "4", {}, "mapped", "cdc.snapshot.threads", "4"],
  ["snapshot.threads.per.task", "0", {}, "manual"],
  ["snapshot.threads.per.task", "100", {}, "changed", "cdc.snapshot.threads", "64"],
  [
    "log.mining.transaction.age.threshold.ms",
    "0",
    { "log.mining.transaction.threshold.breached.action": "discard" },
    "manual",
  ],
  ["oracle.fan.events.enable", "FALSE", {}, "dropped"],
  ["db.timezone", "utc", {}, "dropped"],
  ["db.timezone", "etc/utc", {}, "dropped"],
  ["retry.error.codes", "ORA-01555,", {}, "changed", "cdc.retry.extra.error.codes", "ORA-01555"],
  ["retry.error.codes", ",", {}, "manual"],
  ["heartbeat.interval.ms", "0", {}, "dropped"],
  ["heartbeat.interval.ms", "10000", {}, "mapped", "cdc.heartbeat.interval.ms", "10000"],
  [
    "log.mining.transaction.age.threshold.ms",
    "60000",
    { "log.mining.transaction.threshold.breached.action": "discard" },
    "mapped",
    "cdc.transaction.max.age.ms",
    "60000",
  ],
  [
    "log.mining.transaction.age.threshold.ms",
    "10",
    { "log.mining.transaction.threshold.breached.action": "discard" },
    "changed",
    "cdc.transaction.max.age.ms",
    "1000",
  ],
  ["log.mining.transaction.age.threshold.ms", "60000", {}, "dropped"],
  [
    "log.mining.transaction.age.threshold.ms",
    "60000",
    { "log.mining.transaction.threshold.breached.action": "DISCARD" },
    "manual",
  ],
  [
    "log.mining.transaction.age.threshold.ms",
    "-1",
    { "log.mining.transaction.threshold.breached.action": "discard" },
    "dropped",
  ],
  ["log.mining.transaction.threshold.breached.action", "warn", {}, "dropped"],
  [
    "log.mining.transaction.threshold.breached.action",
    "discard",
    { "log.mining.transaction.age.threshold.ms": "5000" },
    "mapped",
    "cdc.transaction.max.age.action",
    "discard",
  ],
  ["log.mining.transaction.threshold.breached.action", "discard", {}, "dropped"],
  ["behavior.on.dictionary.mismatch", "fail", {}, "mapped", "cdc.on.decode.error", "fail"],
  [
    "behavior.on.dictionary.mismatch",
    "fail",
    { "behavior.on.unparsable.statement": "log" },
    "changed",
    "cdc.on.decode.error",
    "dlq",
  ],
  ["retry.error.codes", "12514, ORA-1", {}, "changed", "cdc.retry.extra.error.codes", "ORA-12514,ORA-00001"],
  ["retry.error.codes", "all", {}, "manual"],
  ["numeric.mapping", "best_fit", {}, "changed", "cdc.decimal.mode", "precise"],
  ["numeric.mapping", "best_fit_or_double", {}, "manual"],
  ["numeric.default.scale", "127", {}, "dropped"],
  ["numeric.default.scale", "2", {}, "manual"],
  ["emit.tombstone.on.delete", "true", {}, "mapped", "cdc.tombstones.on.delete", "true"],
  ["lob.topic.name.template", "", {}, "changed", "cdc.lob.mode", "skip"],
  ["lob.topic.name.template", "lob.${tableName}", {}, "manual"],
  ["db.timezone", "Etc/UTC", {}, "dropped"],
  ["db.timezone", "Europe/Vienna", {}, "manual"],
  ["oracle.fan.events.enable", "true", {}, "manual"],
  [
    "ldap.url",
    "ldap://ldap:389/cn=orcl",
    {},
    "changed",
    "cdc.database.url",
    "jdbc:oracle:thin:@ldap://ldap:389/cn=orcl",
  ],
  ["ldap.url", "ldap:389", {}, "manual"],
  ["output.op.type.field", "op", {}, "manual"],
  ["use.transaction.begin.for.mining.session", "true", {}, "dropped"],
  ["redo.log.consumer.bootstrap.servers", "b:9092", {}, "dropped"],
  ["confluent.topic.bootstrap.servers", "b:9092", {}, "dropped"],
  ["transforms.a.type", "x.Y", {}, "mapped", "transforms.a.type", "x.Y"],
  ["value.converter.basic.auth.user.info", "u:pw", {}, "mapped", "value.converter.basic.auth.user.info", "********"],
  ["max.batch.size", "", {}, "dropped"],
  ["never.heard.of", "x", {}, "manual"],
];

for (const [name, value, beside, fate, target, becomes] of cases) {
  const others = Object.keys(beside).length === 0 ? "" : ` beside ${Object.keys(beside).join(", ")}`;
  translation(`${name} = ${value === "" ? "(empty)" : value}${others}: ${fate}`, () => {
    const found = fateOf(name, { [name]: value, ...beside });
    assert.is(found?.fate, fate);
    if (target !== undefined && found !== undefined && "target" in found) {
      assert.is(found.target, target);
      assert.is(found.value, becomes);
      assert.is(of({ [name]: value, ...beside }).config[target], becomes);
    }
  });
}

translation("a tombstone setting that the source omits is false, as before", () => {
  assert.is(of({}).config["cdc.tombstones.on.delete"], "false");
});

translation("LOBs with separate topics are manual", () => {
  assert.is(of({ "lob.topic.name.template": "lob.${tableName}" }).config["cdc.lob.mode"], undefined);
});

translation("a manual template is not replaced by the default", () => {
  assert.is(of({ "table.topic.name.template": "${emptyString}" }).config["cdc.topic.template"], undefined);
});

translation("a missing setting that the connector requires is reported", () => {
  const text = of({ "table.inclusion.regex": "A{1,3}" }).followUps.join("\n");
  for (const name of ["cdc.database.host", "cdc.database.service", "cdc.database.user", "cdc.tables.include"])
    assert.match(text, `${name} is required, but not set`);
  assert.not.match(
    of({ "ldap.url": "ldap://l/cn=o" }).followUps.join("\n"),
    /cdc\.database\.(host|service) is required/,
  );
});

translation("a configuration of another connector causes a question", () => {
  assert.match(of({ "connector.class": "x.Y" }).followUps[0] ?? "", /is it the Oracle CDC connector's/);
  assert.match(of({ "connector.class": CONNECTOR_CLASS }).followUps[0] ?? "", /already/);
  assert.match(of({}).followUps.join("\n"), /cdc\.stream\.bootstrap\.servers is not set: name the brokers/);
});

translation("a missing setting that defaults to false is reported", () => {
  const begin = "use.transaction.begin.for.mining.session";
  assert.match(
    of({}).followUps.join("\n"),
    new RegExp(`${begin} is not set, and its published default is false.*LEG010`),
  );
  assert.not.match(of({ [begin]: "true" }).followUps.join("\n"), begin);
  assert.not.match(of({ "connector.class": "x.Y" }).followUps.join("\n"), begin);
});

translation("unusable names are refused", () => {
  assert.throws(() => translate("orders", {}, { name: "orders" }), /legacy connector's name/);
  assert.throws(() => translate("orders", {}, { topicPrefix: "a b" }), /is not a valid topic prefix/);
  assert.throws(() => translate("my orders", {}), /is not a valid topic prefix/);
  assert.is(translate("my orders", {}, { topicPrefix: "orders" }).config["cdc.topic.prefix"], "orders");
});

translation("prefix and name are the operator's, or follow the legacy name", () => {
  assert.is(of({}).name, "orders-legacy-cdc");
  assert.is(of({}).config["cdc.topic.prefix"], "orders-legacy");
  const { name, config } = translate("orders-legacy", {}, { name: "orders-cdc", topicPrefix: "orders" });
  assert.equal([name, config["cdc.topic.prefix"]], ["orders-cdc", "orders"]);
});

const names = [...Object.keys(CONFLUENT_PROPERTIES.rules), ...COPIED].map((name) => name.replace("*", "some.thing"));
const spellings = names.flatMap((name) =>
  name.startsWith("oracle.") ? [name, name.replace("oracle.", "srcdb.")] : [name],
);
const SECRET = "hunter2-never-shown";
const anyConfig = fc.dictionary(
  fc.oneof(fc.constantFrom(...spellings, "sasl.jaas.config", "x.password"), fc.string({ minLength: 1, maxLength: 20 })),
  fc.oneof(
    fc.constantFrom("", "0", "127", "true", "false", "discard", "warn", "log", "fail", "none", "UTC"),
    fc.string({ maxLength: 30 }),
  ),
  { maxKeys: 30 },
);

translation("every key of a random configuration is reported exactly once, and each target set by one", async () => {
  await fc.assert(
    fc.property(anyConfig, (config) => {
      const { properties, config: translated, added } = of(config);
      assert.equal(
        properties.map(({ name }) => name),
        Object.keys(config),
      );
      const targets = new Set([
        ...properties.flatMap((one) => ("target" in one ? [one.target] : [])),
        ...added.map(({ target }) => target),
      ]);
      assert.equal([...targets].sort(), Object.keys(translated).sort());
    }),
  );
});

translation("no secret is anywhere in it", async () => {
  const secrets = [
    "oracle.password",
    "srcdb.password",
    "oracle.ssl.truststore.password",
    "confluent.license",
    "ldap.security.credentials",
    "producer.override.sasl.jaas.config",
    "value.converter.basic.auth.user.info",
    "my.own.secret",
    "errors.deadletterqueue.token",
    "some.passphrase",
    "transforms.mask.access-key",
  ];
  await fc.assert(
    fc.property(anyConfig, fc.subarray(secrets, { minLength: 1 }), (config, held) => {
      const whole = of({ ...config, ...Object.fromEntries(held.map((name) => [name, SECRET])) });
      assert.not.match(JSON.stringify(whole), SECRET);
    }),
  );
});

translation(
  "reports values that allow the stored scn to be above open transactions, which the takeover refuses",
  () => {
    for (const [name, value] of [
      ["use.transaction.begin.for.mining.session", "false"],
      ["record.buffer.mode", "database"],
    ] as const) {
      const [property] = of({ [name]: value }).properties.filter((one) => one.name === name);
      assert.match(property?.fate === "dropped" ? property.reason : "", /LEG010/);
      const [other] = of({ [name]: value === "false" ? "true" : "connector" }).properties.filter(
        (one) => one.name === name,
      );
      assert.not.match(other?.fate === "dropped" ? other.reason : "LEG010", /LEG010/);
    }
  },
);

translation.run();
