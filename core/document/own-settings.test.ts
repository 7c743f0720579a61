// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connector
import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { redactConfiguration } from "../redaction/redact.ts";
import { processorMillis } from "../values/testing/processor-time.ts";
import { settingFault, settingValueFault } from "./own-settings.ts";

const settings = suite("settings of a new connector in a plan file");

/** What a plan file sets, with a value as a user writes it. */
const ALLOWED: readonly (readonly [string, string])[] = [
  ["cdc.lob.mode", "reselect"],
  ["cdc.decimal.mode", "string"],
  ["cdc.tables.include", "ORCLPDB1[.]SALES[.](?:1A|2B), .*\\.C\\d+"],
  ["cdc.tables.case.sensitive", "true"],
  ["cdc.columns.exclude", ".*[.]NOTES"],
  ["cdc.key.columns", "SALES.ORDERS:ID,LINE;ORCLPDB1.SALES.X:A"],
  ["cdc.users.exclude", "BATCH, C##GG"],
  ["cdc.database.pdbs", "ORCLPDB1,ORCLPDB2"],
  ["cdc.ops.topic", "platform.ops"],
  ["cdc.archive.destination", "LOG_ARCHIVE_DEST_2"],
  ["cdc.mining.fetch.size", "1000"],
  ["cdc.on.decode.error", "dlq"],
  ["cdc.retry.extra.error.codes", "ORA-01555,3113"],
  ["value.converter.schemas.enable", "false"],
  ["errors.tolerance", "all"],
  ["errors.log.enable", "true"],
  ["topic.creation.groups", "big,small"],
  ["topic.creation.big.include", "orders[.].*"],
  ["topic.creation.default.partitions", "6"],
  ["topic.creation.default.cleanup.policy", "compact"],
  ["topic.creation.default.min.insync.replicas", "2"],
  ["topic.creation.my-group.exclude", "orders[.]cdc[.].*"],
  ["topic.creation.big.replication.factor", "-1"],
  ["topic.creation.big.retention.ms", "-1"],
  ["topic.creation.big.compression.type", "zstd"],
  ["topic.creation.big.message.timestamp.type", "LogAppendTime"],
  ["topic.creation.big.unclean.leader.election.enable", "false"],
  ["cdc.topic.template", "${prefix}.${pdb}.${schema}.${table}"],
  ["cdc.topic.template", "${prefix}-${database}-all"],
  ["cdc.signals.topic", "${prefix}.signals"],
];
settings("allow what is captured and how, the creation of topics and error handling, shown in clear", () => {
  for (const [name, value] of ALLOWED) {
    assert.equal([settingFault(name), settingValueFault(name, value)], [undefined, undefined], `${name}=${value}`);
    assert.is(redactConfiguration({ [name]: value })[name], value);
  }
});

settings("allow no value that a plan would not show in clear", async () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom(...ALLOWED.map(([, one]) => one), "hunter2", "a;b", "password=x"),
  );
  await fc.assert(
    fc.property(fc.constantFrom(...ALLOWED.map(([name]) => name)), value, (name, text) => {
      if (settingValueFault(name, text) === undefined) assert.is(redactConfiguration({ [name]: text })[name], text);
    }),
  );
  assert.match(settingValueFault("cdc.lob.mode", "hunter2")?.fault ?? "", "another form");
});

const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["settings given elsewhere", ["name", " name ", "cdc.topic.prefix"], /spec\.to\./],
  ["settings of the takeover", ["cdc.start.scn", "cdc.snapshot.mode"], /starts where the legacy one stood/],
  ["settings of the migration", ["connector.class", "tasks.max"], /Remove it/],
  [
    "secrets",
    [
      "cdc.database.password",
      "value.converter.basic.auth.user.info",
      "sasl.jaas.config",
      "x.api.key",
      "CDC.DATABASE.PASSWORD",
      "topic.creation.big.password",
      "topic.creation.secret.password",
      "topic.creation.password.partitions",
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
  [
    "classes of converters, transformations, predicates and policies, and their settings",
    [
      "value.converter",
      "key.converter",
      "cdc.journal.converter",
      "cdc.journal.converter.schemas.enable",
      "value.converter.registryUrl",
      "value.converter.apicurio.registry.find-latest",
      "transforms",
      "transforms.route.type",
      "transforms.route.replacement",
      "predicates.p.type",
      "connector.client.config.override.policy",
      "errors.deadletterqueue.topic.name",
    ],
    /context's file for the connector/,
  ],
  [
    "names that nobody has documented, in any spelling",
    [
      "cdc.note",
      "cdc.mining.hint",
      " cdc.lob.mode",
      "CDC.LOB.MODE",
      "x",
      "",
      "topic.creation.",
      "topic.creation..x",
      "topic.creation..partitions",
      "topic.creation.partitions",
      "topic.creation.big.retention",
      "topic.creation.big.partitions.x",
      "topic.creation.default.include",
      "topic.creation.big.interceptor.classes",
      "a.topic.creation.groups",
    ],
    /context's file for the connector/,
  ],
];
for (const [title, names, remedy] of refused)
  settings(`never allow ${title}`, () => {
    for (const name of names) assert.match(settingFault(name)?.remedy ?? "", remedy, name);
  });

settings("allow no value that is a URL, an address, a path or a descriptor, and do not repeat it", () => {
  const places = [
    ...["http://u:hunter2@evil", "jdbc:oracle:thin:@x", "JDBC:@x", "a@b", "ldaps://x", "evil:8081", "a,evil:8081"],
    ...["10.0.0.5", "a, 10.0.0.5", "[::1]", "fe80::1", "/etc/passwd", "../x", "C:\\x", "\\\\evil\\share"],
    ...["(DESCRIPTION=(ADDRESS=(HOST=evil)))", "( host = evil )"],
  ];
  for (const [name] of ALLOWED)
    for (const value of places) {
      const { fault = "", remedy = "" } = settingValueFault(name, value) ?? {};
      assert.match(fault, "a URL, a host, an address or a path", `${name}=${value}`);
      assert.not.match(`${fault} ${remedy}`, /hunter2|evil|passwd/);
    }
});

settings("allow no variable in the name of a topic but those that the connector fills in", () => {
  for (const [name, value] of [
    ["cdc.topic.template", "${prefix}.${password}"],
    ["cdc.topic.template", "${prefix}.${cdc.database.password}"],
    ["cdc.topic.template", "${PREFIX}.${table}"],
    ["cdc.topic.template", "${}"],
    ["cdc.topic.template", "x${prefix"],
    ["cdc.ops.topic", "${table}"],
    ["cdc.dlq.topic", "${prefix}.${x}"],
  ] as const) {
    const { fault = "", remedy = "" } = settingValueFault(name, value) ?? {};
    assert.match(fault, /^has a variable other than \$\{prefix\}/, `${name}=${value}`);
    assert.not.match(`${fault} ${remedy}`, "password");
  }
});

settings("accept or refuse a name of any length or form at once", () => {
  for (const name of ["a.".repeat(20_000), "__proto__", "constructor", "", "​host"]) {
    const started = processorMillis();
    settingFault(name);
    assert.ok(processorMillis() - started < 1000);
  }
});

settings.run();
