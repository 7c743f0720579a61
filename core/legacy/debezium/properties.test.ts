// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

// biome-ignore lint/style/noRestrictedImports: the test reads what Debezium's classes said
import { readFileSync } from "node:fs";
// biome-ignore lint/style/noRestrictedImports: the same
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { compilePatterns, isBad } from "../../patterns/pattern-list.ts";
import type { Config } from "../../values/config.ts";
import { printJson } from "../../values/json.ts";
import type { TranslateOptions } from "../property-table.ts";
import { redactTranslation, translate } from "../translation.ts";

const debezium = suite("the translation of Debezium's configuration");

const testdata = (name: string): readonly (readonly string[])[] =>
  readFileSync(fileURLToPath(new URL(`testdata/${name}`, import.meta.url)), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(1)
    .map((line) => line.split("\t"));

const CLASS = { "connector.class": "io.debezium.connector.oracle.OracleConnector" };
const PDB = { "database.pdb.name": "PDB1" };
const of = (config: Config, options: TranslateOptions = {}) =>
  translate(
    "inventory",
    { ...CLASS, "topic.prefix": "inv", ...config },
    { topics: "keep", version: "3.6.1", ...options },
  );
const fateOf = (name: string, config: Config, options?: TranslateOptions) => {
  const whole = of(config, options);
  const fate = whole.properties.find((one) => one.name === name);
  return fate === undefined ? "none" : "target" in fate ? `${fate.fate} ${fate.target}=${fate.value}` : fate.fate;
};
const version = (text: string): TranslateOptions => ({ version: text });

// ---- Tables: what Debezium's own filter said

const TABLES =
  "PDB1.APP.ORDERS PDB1.app.orders PDB1.APP.ITEMS PDB1.APP.ORDERS_OLD PDB1.OTHER.ORDERS PDB2.APP.ORDERS PDB1.SYS.X";
/** Lists that have no translation, and why. */
const BY_HAND: Readonly<Record<string, RegExp>> = {
  "table.include.list=APP.(ORDERS\\,|ITEMS)": /comma inside a pattern/,
  "schema.include.list=APP & table.include.list=OTHER.ORDERS": /no table in common/,
  "table.whitelist=APP.ORDERS": /before 2\.0 only/,
  "schema.whitelist=APP": /before 2\.0 only/,
};

for (const [written = "", included = ""] of testdata("filters.tsv").filter(([written]) => written !== "(none)")) {
  const lists = written.replace("1.9.7: ", "");
  debezium(`of ${written} captures the same tables`, () => {
    const config = Object.fromEntries(lists.split(" & ").map((one) => one.split("=") as [string, string]));
    const whole = of({ ...PDB, ...config }, version(written.startsWith("1.9.7") ? "1.9.7.Final" : "3.6.1.Final"));
    const why = BY_HAND[written];
    if (why !== undefined) {
      const manual = whole.properties.find(({ name, fate }) => name in config && fate === "manual");
      assert.match(printJson(manual), why);
      assert.is(whole.config["cdc.tables.include"], undefined);
      return;
    }
    const matches = (setting: string) => {
      const compiled = compilePatterns((whole.config[setting] ?? "").split(",").filter(Boolean), false);
      assert.not.ok(isBad(compiled), printJson(compiled));
      return (name: string) => !isBad(compiled) && compiled.matches(name).matched === "yes";
    };
    const [inside, outside] = [matches("cdc.tables.include"), matches("cdc.tables.exclude")];
    assert.equal(
      TABLES.split(" ").filter((name) => inside(name) && !outside(name)),
      // Other PDBs are kept out by Debezium's mining query, and by cdc.database.pdbs.
      included.split(" ").filter((name) => name.startsWith("PDB1.")),
    );
    assert.is(whole.config["cdc.tables.case.sensitive"], "false");
  });
}

debezium("of no list at all asks for the tables, all of which it captured", () => {
  const { config, followUps } = of(PDB);
  assert.is(config["cdc.tables.include"], undefined);
  assert.match(followUps.join("\n"), /Without a list Debezium captured every table/);
});

for (const [lists, becomes] of [
  [{ "table.include.list": "APP\\.ORDERS" }, "PDB1[.]APP\\.ORDERS"],
  [{ "table.include.list": "^APP\\.ORDERS$|APP\\.(A|B)" }, "PDB1[.](?:APP\\.ORDERS|APP\\.(A|B))"],
  [{ "table.include.list": "APP\\.(?!TMP_).*" }, "PDB1[.]APP\\.(?!TMP_).*"],
  [{ "table.include.list": "(^APP)\\.X" }, undefined],
  [{ "table.include.list": "(?<=APP)\\.X" }, undefined],
  [{ "table.include.list": "APP.X{1,2}" }, undefined],
  [{ "schema.include.list": "APP|HR" }, "PDB1[.](?:APP|HR)[.].*"],
  [{ "schema.include.list": "A.*", "table.include.list": "APP\\.O.*,HR\\.E" }, "PDB1[.]APP\\.O.*"],
  [{ "schema.include.list": "APP", "table.include.list": "APP.O.*" }, undefined],
  [{ "schema.include.list": "(", "table.include.list": "APP.O" }, undefined],
] as const)
  debezium(`writes ${JSON.stringify(lists)} as ${becomes ?? "nothing, and asks"}`, () => {
    assert.is(of({ ...PDB, ...lists }).config["cdc.tables.include"], becomes);
  });

debezium("has no PDB before the names of a database without containers, and any before one that it can't read", () => {
  const list = { "table.include.list": "A.B,C.D" };
  assert.is(of(list).config["cdc.tables.include"], "A.B,C.D");
  assert.is(of({ ...list, "database.pdb.name": "${env:PDB}" }).config["cdc.tables.include"], "[^.]+[.]A.B,[^.]+[.]C.D");
  assert.is(of({ ...list, "database.pdb.name": "P$1" }).config["cdc.tables.include"], "P[$]1[.]A.B,P[$]1[.]C.D");
});

// ---- The fate of each property

const cases: readonly (readonly [property: string, value: string, beside: Config, fate: string, at?: string])[] = [
  ["name", "inventory", {}, "changed name=inventory-cdc"],
  ["database.hostname", "ora", {}, "mapped cdc.database.host=ora"],
  ["database.hostname", "<oracle host>", {}, "manual"],
  ["database.user", "c##cdc", {}, "mapped cdc.database.user=c##cdc"],
  ["database.password", "pw", {}, "mapped cdc.database.password=********"],
  ["database.password", "${file:/f:p}", {}, "mapped cdc.database.password=${file:/f:p}"],
  ["database.url", "jdbc:oracle:thin:@//h:1521/CDB1", PDB, "mapped cdc.database.url=jdbc:oracle:thin:@//h:1521/CDB1"],
  ["database.url", "jdbc:oracle:thin:@//h:1521/pdb1", PDB, "manual"],
  ["database.url", "jdbc:oracle:thin:@(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=PDB1)))", PDB, "manual"],
  [
    "database.url",
    "jdbc:oracle:thin:@//pdb1:1521/CDB1",
    PDB,
    "mapped cdc.database.url=jdbc:oracle:thin:@//pdb1:1521/CDB1",
  ],
  ["database.dbname", "ORCL", {}, "mapped cdc.database.service=ORCL"],
  ["database.dbname", "CDB1", PDB, "changed cdc.database.service=CDB1"],
  ["database.connection.adapter", "LogMiner", {}, "dropped"],
  ["database.connection.adapter", "logminer_unbuffered", {}, "dropped"],
  ["database.connection.adapter", "other", {}, "manual"],
  ["database.out.server.name", "out9", {}, "dropped"],
  ["rac.nodes", "a,b", {}, "manual"],
  ["secondary.hostname", "h2", {}, "manual"],
  ["log.mining.read.only", "true", {}, "manual"],
  ["internal.log.mining.read.only", "false", {}, "dropped"],
  ["driver.javax.net.ssl.trustStore", "/t.jks", {}, "mapped cdc.database.tls.truststore.location=/t.jks"],
  ["driver.javax.net.ssl.trustStorePassword", "pw", {}, "mapped cdc.database.tls.truststore.password=********"],
  ["driver.oracle.net.wallet_location", "file:/w", {}, "changed cdc.database.wallet.location=/w"],
  [
    "driver.oracle.net.wallet_location",
    "(SOURCE=(METHOD=file)(METHOD_DATA=(DIRECTORY=/w)))",
    {},
    "changed cdc.database.wallet.location=/w",
  ],
  ["driver.oracle.net.wallet_password", "pw", {}, "manual"],
  ["driver.oracle.net.CONNECT_TIMEOUT", "a=b", {}, "manual"],
  ["driver.some", "x", {}, "manual"],
  ["topic.prefix", "inv", {}, "mapped cdc.topic.prefix=inv"],
  ["topic.naming.strategy", "io.debezium.schema.SchemaTopicNamingStrategy", {}, "dropped"],
  ["topic.naming.strategy", "io.debezium.schema.DefaultTopicNamingStrategy", {}, "manual"],
  ["topic.delimiter", "-", {}, "changed cdc.topic.template=${prefix}-${schema}-${table}"],
  ["column.include.list", "A.B.C", {}, "manual"],
  ["column.exclude.list", "APP.CUST.SSN", PDB, "changed cdc.columns.exclude=PDB1[.]APP[.]CUST[.]SSN"],
  ["column.exclude.list", "APP\\.CUST\\.SSN", {}, "changed cdc.columns.exclude=APP[.]CUST[.]SSN"],
  ["column.exclude.list", "APP.CUST.*", {}, "manual"],
  ["column.blacklist", "APP.CUST.SSN", {}, "manual"],
  ["column.blacklist", "APP.CUST.SSN", {}, "changed cdc.columns.exclude=APP[.]CUST[.]SSN", "1.9"],
  ["column.mask.with.12.chars", "A.B.C", {}, "manual"],
  ["column.mask.hash.SHA-256.with.salt.pepper", "A.B.C", {}, "manual"],
  ["message.key.columns", "APP.CUST:ID,NR;HR.EMP:ID", {}, "mapped cdc.key.columns=APP.CUST:ID,NR;HR.EMP:ID"],
  ["message.key.columns", "APP\\.CUST:ID", {}, "changed cdc.key.columns=APP.CUST:ID"],
  ["message.key.columns", "APP.(.*):ID", {}, "manual"],
  ["snapshot.mode", "schema_only", {}, "changed cdc.snapshot.mode=none"],
  ["snapshot.mode.configuration.based.snapshot.data", "true", {}, "dropped"],
  ["snapshot.locking.mode", "none", {}, "dropped"],
  ["snapshot.select.statement.overrides", "A.B", {}, "manual"],
  ["snapshot.select.statement.overrides.A.B", "SELECT 1", {}, "manual"],
  ["snapshot.fetch.size", "5000", {}, "mapped cdc.snapshot.fetch.size=5000"],
  ["snapshot.max.threads", "100", {}, "changed cdc.snapshot.threads=64"],
  ["incremental.snapshot.chunk.size", "1024", {}, "mapped cdc.snapshot.chunk.rows=1024"],
  ["decimal.handling.mode", "precise", {}, "mapped cdc.decimal.mode=precise"],
  ["decimal.handling.mode", "string", {}, "mapped cdc.decimal.mode=string"],
  ["decimal.handling.mode", "double", {}, "changed cdc.decimal.mode=double", "2.6.2.Final"],
  ["decimal.handling.mode", "string", {}, "mapped cdc.decimal.mode=string", "2.7.0"],
  ["decimal.handling.mode", "other", {}, "manual"],
  ["legacy.decimal.handling.strategy", "true", { "decimal.handling.mode": "string" }, "manual"],
  ["legacy.decimal.handling.strategy", "true", {}, "dropped"],
  ["time.precision.mode", "adaptive_time_microseconds", {}, "changed cdc.temporal.mode=adaptive"],
  ["time.precision.mode", "isostring", {}, "changed cdc.temporal.mode=iso_string"],
  ["time.precision.mode", "connect", {}, "manual"],
  ["interval.handling.mode", "numeric", {}, "dropped"],
  ["interval.handling.mode", "string", {}, "manual"],
  ["binary.handling.mode", "hex", {}, "manual"],
  ["lob.enabled", "true", {}, "changed cdc.lob.mode=inline"],
  ["lob.enabled", "false", {}, "changed cdc.lob.mode=skip"],
  ["tombstones.on.delete", "false", {}, "mapped cdc.tombstones.on.delete=false"],
  ["skipped.operations", "t", {}, "dropped"],
  ["skipped.operations", "none", {}, "manual"],
  ["schema.name.adjustment.mode", "avro", {}, "mapped cdc.schema.name.adjustment.mode=avro"],
  ["sanitize.field.names", "true", {}, "changed cdc.field.name.adjustment.mode=avro", "1.9"],
  ["converters", "isbn", {}, "manual"],
  ["isbn.type", "x.Isbn", { converters: "isbn" }, "manual"],
  ["post.processors", "p", {}, "manual"],
  ["provide.transaction.metadata", "true", {}, "manual"],
  ["provide.transaction.metadata", "false", {}, "dropped"],
  ["value.converter", "io.debezium.converters.CloudEventsConverter", {}, "manual"],
  ["heartbeat.interval.ms", "10000", {}, "mapped cdc.heartbeat.interval.ms=10000"],
  ["heartbeat.interval.ms", "0", {}, "dropped"],
  ["heartbeat.action.query", "UPDATE hb SET at = SYSDATE", {}, "dropped"],
  ["log.mining.session.max.ms", "0", {}, "dropped"],
  ["log.mining.session.max.ms", "60000", {}, "mapped cdc.mining.session.max.age.ms=60000"],
  ["max.batch.size", "2048", {}, "mapped cdc.poll.max.records=2048"],
  ["log.mining.transaction.retention.ms", "60000", {}, "mapped cdc.transaction.max.age.ms=60000"],
  ["log.mining.transaction.retention.ms", "0", {}, "dropped"],
  ["log.mining.transaction.retention.hours", "2", {}, "changed cdc.transaction.max.age.ms=7200000", "2.2"],
  ["log.mining.transaction.retention.hours", "2", { "log.mining.transaction.retention.ms": "5000" }, "dropped", "2.7"],
  ["log.mining.archive.log.only.mode", "true", {}, "changed cdc.capture.mode=archive_only"],
  ["archive.destination.name", "LOG_ARCHIVE_DEST_2", {}, "mapped cdc.archive.destination=LOG_ARCHIVE_DEST_2"],
  ["archive.destination.name", "A,B", {}, "manual"],
  ["log.mining.archive.destination.name", "D", {}, "mapped cdc.archive.destination=D", "2.7"],
  ["log.mining.username.exclude.list", "SYS,BATCH", {}, "mapped cdc.users.exclude=SYS,BATCH"],
  ["log.mining.username.include.list", "APP", {}, "manual"],
  ["event.processing.failure.handling.mode", "fail", {}, "mapped cdc.on.decode.error=fail"],
  ["event.processing.failure.handling.mode", "warn", {}, "changed cdc.on.decode.error=dlq"],
  ["errors.max.retries", "3", {}, "dropped"],
  ["errors.tolerance", "none", {}, "mapped errors.tolerance=none"],
  ["schema.history.internal.kafka.topic", "h", {}, "dropped"],
  ["database.history.kafka.topic", "h", {}, "dropped"],
  ["log.mining.start.scn", "4711", {}, "dropped"],
  ["//", "a comment", {}, "dropped"],
];

for (const [name, value, beside, fate, at = "3.6.1"] of cases)
  debezium(
    `${name} = ${value}${printJson(beside) === "{}" ? "" : ` beside ${Object.keys(beside)}`} of ${at}: ${fate}`,
    () => {
      assert.is(fateOf(name, { [name]: value, ...beside }, version(at)), fate);
    },
  );

debezium("joins the properties of Oracle's driver, but no secret", () => {
  const driver = { "driver.oracle.net.CONNECT_TIMEOUT": "10", "driver.oracle.jdbc.ReadTimeout": "5" };
  const { config } = of({ ...driver, "driver.oracle.net.wallet_password": "hunter2" });
  assert.is(config["cdc.database.connection.properties"], "oracle.net.CONNECT_TIMEOUT=10;oracle.jdbc.ReadTimeout=5");
});

const tsv = testdata("properties.tsv");
const declared = tsv.filter(([, , , , , , where]) => where === "configdef").map(([name = ""]) => name);

debezium("knows every property that a version of the connector declares", () => {
  assert.ok(declared.length > 180);
  const unknown = declared.filter((name) => {
    const one = name.replace(/\([^)]*\)(?:\.with)?/, "12").replace(/\(\.\+\)/, "salt");
    const [fate] = of({ [one]: "x" }).properties.filter((property) => property.name === one);
    return fate?.fate === "dropped" && /unknown/.test(fate.reason);
  });
  assert.equal(unknown, []);
});

// ---- Defaults, which differ between versions

for (const [at, avro, schema, field] of [
  ["1.9.7.Final", false, "avro", "none"],
  ["1.9.7.Final", true, "avro", "avro"],
  ["2.0.0", true, "none", "avro"],
  ["2.7.3.Final", true, "none", "none"],
  ["3.6.1", false, "none", "none"],
] as const)
  debezium(`pins what ${at} did by default${avro ? " with Avro" : ""}`, () => {
    const { config } = of(avro ? { "value.converter": "io.confluent.connect.avro.AvroConverter" } : {}, version(at));
    const pinned = {
      "cdc.database.port": "1528",
      "cdc.tables.case.sensitive": "false",
      "cdc.snapshot.mode": "none",
      "cdc.key.missing": "none",
      "cdc.decimal.mode": "precise",
      "cdc.tombstones.on.delete": "true",
      "cdc.lob.mode": "skip",
      "cdc.topic.template": "${prefix}.${schema}.${table}",
      "cdc.schema.name.adjustment.mode": schema,
      "cdc.field.name.adjustment.mode": field,
    };
    assert.equal(Object.fromEntries(Object.keys(pinned).map((name) => [name, config[name]])), pinned);
  });

debezium("pins the placeholder with LOBs alone, and discards with an age alone", () => {
  const placeholder = "cdc.unavailable.placeholder";
  assert.is(of({}).config[placeholder], undefined);
  assert.is(of({ "lob.enabled": "true" }).config[placeholder], "__debezium_unavailable_value");
  assert.is(of({ "lob.enabled": "true", "unavailable.value.placeholder": "?" }).config[placeholder], "?");
  assert.is(of({}).config["cdc.transaction.max.age.action"], undefined);
  assert.is(of({ "log.mining.transaction.retention.ms": "60000" }).config["cdc.transaction.max.age.action"], "discard");
});

debezium("says what it assumes where the version is not known, and refuses what is no version", () => {
  const { added, followUps } = of({}, { version: undefined });
  assert.match(
    added.find(({ target }) => target === "cdc.schema.name.adjustment.mode")?.reason ?? "",
    /assumed: that of 3\.6/,
  );
  assert.match(followUps.join("\n"), /version is not known.*--debezium-version/);
  assert.not.match(printJson(of({})), /assumed/);
  const installed = of({}, { version: undefined, installed: "1.9.7.Final" });
  assert.is(installed.config["cdc.schema.name.adjustment.mode"], "avro");
  assert.not.match(printJson(installed), /assumed|is not known/);
  assert.match(printJson(of({}, { version: undefined, installed: "unknown" })), /assumed/);
  for (const text of ["newest", "3", "3.6.1 or so"])
    assert.throws(() => of({}, version(text)), /is not a version of Debezium/);
});

debezium("says that truncates are delivered from now on, except to those who had them", () => {
  const says = (at: string) => /delivers them, as op t/.test(of({}, version(at)).followUps.join("\n"));
  assert.equal([says("1.9.7"), says("2.0.0"), says("3.6")], [false, true, true]);
});

// ---- Names of several versions

debezium("takes the spelling that the version reads, and says of the other that it did nothing", () => {
  const both = { "database.server.name": "old" };
  const fates = (at: string | undefined) => {
    const { config, properties } = of(both, { version: at });
    return [config["cdc.topic.prefix"], ...properties.slice(1).map(({ fate }) => fate)];
  };
  assert.equal(fates("2.0.0"), ["inv", "mapped", "dropped"]);
  assert.equal(fates(undefined), ["inv", "mapped", "dropped"]);
  assert.equal(fates("1.9.7"), ["old", "dropped", "mapped"]);
  assert.match(
    of({}, version("1.9.7")).followUps.join("\n"),
    /topic\.prefix is read since 2\.0, and this is Debezium 1\.9\.7/,
  );
  const history = { "database.history.kafka.topic": "h" };
  assert.match(
    of(history, version("2.7")).followUps.join("\n"),
    /database\.history\.kafka\.topic is not read since 2\.0/,
  );
  assert.match(of(history, { version: undefined }).followUps.join("\n"), /no version of Debezium reads both/);
  assert.not.match(of({}, { version: undefined }).followUps.join("\n"), /reads both|did nothing/);
});

// ---- Topics

debezium("has to be told whether topics are kept, and takes no prefix that contradicts it", () => {
  const config = { ...CLASS, "topic.prefix": "inv" };
  assert.throws(() => translate("inventory", config), /kept has to be decided/);
  assert.throws(() => of({}, { topicPrefix: "other" }), /the prefix is theirs, "inv"/);
  assert.throws(() => translate("inventory", CLASS, { topics: "keep" }), /no topic\.prefix/);
  assert.throws(() => of({ "topic.prefix": "a..b" }), /can't be kept/);
  assert.throws(() => of({}, { topics: "new", topicPrefix: "inv" }), /prefix of Debezium's own topics/);
  assert.is(of({}, { topics: "new" }).config["cdc.topic.prefix"], "inventory");
  assert.is(of({}, { topics: "new", topicPrefix: "two" }).config["cdc.topic.prefix"], "two");
  assert.is(fateOf("topic.prefix", {}, { topics: "new" }), "changed cdc.topic.prefix=inventory");
});

debezium("names kept topics without the PDB, and none where their strategy is another", () => {
  assert.is(of(PDB).config["cdc.topic.template"], "${prefix}.${schema}.${table}");
  assert.is(of({ "topic.naming.strategy": "x.Y" }).config["cdc.topic.template"], undefined);
});

debezium("says what consumers see: both connectors in one stream, or other topics", () => {
  assert.match(of({}).followUps.at(-1) ?? "", /Consumers stay, and see the changes of the overlap twice/);
  assert.match(of({}, { topics: "new" }).followUps.at(-1) ?? "", /Point consumers at the new topics/);
});

debezium("says that nobody asked the schema registry of kept topics, and how to", () => {
  const avro = {
    ...PDB,
    "table.include.list": "CORE\\.ACCOUNT",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://registry:8081",
  };
  const says = (options?: TranslateOptions) => of(avro, options).followUps.join("\n");
  assert.match(
    says(),
    /is unchecked.*curl 'http:\/\/registry:8081\/config\/inv\.CORE\.ACCOUNT-value\?defaultToGlobal=true'/,
  );
  assert.not.match(says({ topics: "new" }), /is unchecked/);
});

// ---- Transformations

const UNWRAP = { transforms: "unwrap", "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState" };

debezium("asks about flat rows and about classes that the new workers lack, and copies other transformations", () => {
  const config = {
    ...UNWRAP,
    transforms: "unwrap, route",
    "transforms.unwrap.drop.tombstones": "false",
    "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.route.regex": "x",
  };
  assert.is(fateOf("transforms", UNWRAP), "manual");
  assert.is(fateOf("transforms", config), "changed transforms=route");
  assert.is(fateOf("transforms.unwrap.type", config), "manual");
  assert.is(fateOf("transforms.unwrap.drop.tombstones", config), "manual");
  assert.is(fateOf("transforms.route.regex", config), "mapped transforms.route.regex=x");
  const { properties } = of({ ...config, "transforms.route.type": "io.debezium.transforms.ByLogicalTableRouter" });
  assert.match(printJson(properties), /flat rows, which migrate verify can't read/);
  assert.match(printJson(properties.find(({ name }) => name === "transforms.route.type")), /classes of Debezium's/);
});

debezium("says what transformations meet: other records, and other topics only where they are new", () => {
  const route = { transforms: "r", "transforms.r.type": "org.apache.kafka.connect.transforms.TimestampRouter" };
  assert.match(of(route).followUps.join("\n"), /are unchanged, but records are not: check each/);
  assert.match(of(route, { topics: "new" }).followUps.join("\n"), /are unchanged, but records and topics are not/);
});

debezium("names transformations that reach no column any more, and what flows in clear", () => {
  const masked = {
    ...UNWRAP,
    transforms: "unwrap,mask",
    "transforms.mask.type": "org.apache.kafka.connect.transforms.MaskField$Value",
    "transforms.mask.fields": "SSN",
  };
  assert.match(
    of(masked).followUps.join("\n"),
    /no longer reach columns.*transforms\.mask \(MaskField\$Value, fields=SSN\).*in clear/,
  );
  // It has reached none before either.
  assert.not.match(of({ ...masked, transforms: "mask" }).followUps.join("\n"), /no longer reach/);
});

// ---- Whatever the configuration

const SECRET = "hunter2-never-shown";
const secrets = [
  ...["database.password", "schema.history.internal.kafka.ssl.key.password", "driver.oracle.net.wallet_password"],
  ...[
    "database.history.producer.sasl.jaas.config",
    "driver.javax.net.ssl.trustStorePassword",
    "signal.consumer.sasl.jaas.config",
  ],
  ...["value.converter.basic.auth.user.info", "openlineage.integration.token", "some.api-key", "//secret"],
];
const values = new Map(tsv.map(([name = "", , , type = "", , allowed = ""]) => [name, { type, allowed }]));
const anyValueOf = (name: string) => {
  const { type = "", allowed = "" } = values.get(name) ?? {};
  const words = allowed.split("; ").flatMap((part) => part.replace(/^[\d.]+\+: /, "").split("|"));
  return fc.oneof(
    fc.constantFrom(...words, "", " "),
    type === "BOOLEAN" ? fc.constantFrom("true", "false") : fc.string({ maxLength: 20 }),
    /INT|LONG/.test(type)
      ? fc.integer().map(String)
      : fc.constantFrom("A.B", "A\\.B,C\\.D", "(", "^x$|y", "io.debezium.x.Y"),
  );
};
const anyConfig = fc
  .uniqueArray(fc.constantFrom(...tsv.map(([name = ""]) => name)), { maxLength: 40 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, anyValueOf(name)]))));

debezium(
  "every key of any configuration has one fate, each setting comes from one place, and no secret is in it",
  () => {
    fc.assert(
      fc.property(
        anyConfig,
        fc.subarray(secrets),
        fc.constantFrom(undefined, "1.9.7", "2.0.0", "2.7.3", "3.0.8", "3.6.1"),
        (config, held, at) => {
          const whole = { ...CLASS, ...config, ...Object.fromEntries(held.map((name) => [name, SECRET])) };
          const translation = translate("inventory", whole, { topics: "new", topicPrefix: "other", version: at });
          assert.equal(
            translation.properties.map(({ name }) => name),
            Object.keys(whole),
          );
          const targets = new Set([
            ...translation.properties.flatMap((one) => ("target" in one ? [one.target] : [])),
            ...translation.added.map(({ target }) => target),
          ]);
          assert.equal([...targets].sort(), Object.keys(translation.config).sort());
          assert.not.match(printJson(translation), SECRET);
          assert.not.match(printJson(redactTranslation(translation)), SECRET);
        },
      ),
      { numRuns: 300 },
    );
  },
);

debezium.run();
