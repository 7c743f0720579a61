import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { processorMillis } from "../values/testing/processor-time.ts";
import {
  isReference,
  isSecretName,
  redactConfiguration,
  redactSecrets,
  redactUserInfo,
  sameConfiguration,
} from "./redact.ts";

const CANARY = "c4n4ry";

/** `${inner}` */
const braced = (inner: string) => `\${${inner}}`;

const masking = suite("a configuration with its secrets masked");

masking("hides the credentials of an HTTP header after its scheme; a sentence with the word stays", () => {
  const written = { "x.headers": "X-Id:7,Authorization:Bearer c4n4ry.c4n4ry-1", "y.headers": "Basic dXNlcjpjNG40cnk=" };
  const masked = redactSecrets({ ...written, "z.note": "Basic auth, bearer of news" });
  assert.equal(masked, {
    "x.headers": "X-Id:7,Authorization:Bearer ********",
    "y.headers": "Basic ********",
    "z.note": "Basic auth, bearer of news",
  });
});

masking("hides the values of settings whose names suggest a secret, in every dialect", () => {
  for (const name of [
    "cdc.database.password",
    "srcdb.password",
    "cdc.stream.sasl.jaas.config",
    "cdc.stream.ssl.truststore.password",
    "ssl.keystore.key",
    "value.converter.basic.auth.user.info",
    "confluent.license",
    "aws.secret.access.key",
    "bearer.auth.token",
    "header.converter.Authorization",
    "sink.http.headers.authorization",
    "api.key",
    "DB_PWD",
    "db.pass",
    "key.passphrase",
    "s3.access.key",
    "schema.registry.basic.auth.user.info",
  ]) {
    assert.ok(isSecretName(name), name);
    assert.equal(redactSecrets({ [name]: CANARY }), { [name]: "********" });
  }
});

masking("keeps the names of places and classes, which a connector requires to start", () => {
  for (const [name, value] of [
    ["value.converter.basic.auth.credentials.source", "USER_INFO"],
    ["sasl.oauthbearer.token.endpoint.url", "https://idp.example.com/token"],
    ["ssl.keystore.password.location", "/etc/kafka/pw"],
    ["aws.credentials.provider", "x.Provider"],
  ] as const)
    assert.equal(redactSecrets({ [name]: value }), { [name]: value });
  assert.equal(redactSecrets({ "token.url": `https://u:${CANARY}@h/?token=${CANARY}` }), {
    "token.url": "https://********@h/?token=********",
  });
});

masking("keeps references, which reveal nothing, but not values that only resemble one", () => {
  for (const value of [
    braced("file:/etc/cdc.properties:password"),
    braced("env:DB_PASSWORD"),
    ` ${braced("directory:/run/secrets:pw")} `,
  ]) {
    assert.ok(isReference(value), value);
    assert.equal(redactSecrets({ "a.password": value }), { "a.password": value });
  }
  // Its provider, and the key in it, may have names of secrets.
  const user = { "oracle.username": braced("secrets:kafka/password:user") };
  assert.equal(redactSecrets(user), user);
  for (const value of [braced("hunter2"), braced(":x"), `a${braced("env:X")}`, `${braced("env:X")}b`, braced("a{b:c")])
    assert.equal(redactSecrets({ "a.password": value }), { "a.password": "********" }, value);
});

const JAAS = (password: string) => `org.x.Module required username="u" password="${password}";`;

masking("keeps a value whose secrets are all references", () => {
  for (const [name, value] of [
    ["sasl.jaas.config", JAAS(braced("file:/etc/cdc.properties:password"))],
    ["value.converter.basic.auth.user.info", `${braced("env:USER")}:${braced("env:PASSWORD")}`],
    ["value.converter.basic.auth.user.info", `svc:${braced("env:PASSWORD")}`],
    ["x.properties", `a=1;password="${braced("env:P")}"`],
  ] as const)
    assert.equal(redactSecrets({ [name]: value }), { [name]: value });
  for (const [name, value] of [
    ["sasl.jaas.config", `${JAAS(braced("env:P"))} clientSecret=${CANARY}`],
    ["sasl.jaas.config", JAAS(`${braced("env:P")}${CANARY}`)],
    ["value.converter.basic.auth.user.info", `${braced("env:USER")}:${CANARY}`],
    ["value.converter.basic.auth.user.info", `svc:${CANARY}:${braced("env:P")}`],
  ] as const)
    assert.equal(redactSecrets({ [name]: value }), { [name]: "********" });
});

const inside: readonly (readonly [string, string])[] = [
  [`https://ana:${CANARY}@registry:8081/x`, "https://********@registry:8081/x"],
  [`https://${CANARY}@registry`, "https://********@registry"],
  [`http://a:8083,http://u:${CANARY}@b:8083`, "http://a:8083,http://********@b:8083"],
  [`https://u:${CANARY}@${CANARY}@h/p`, "https://********@h/p"],
  [`https://u:${CANARY}/${CANARY}@h`, "https://********@h"],
  [`jdbc:oracle:thin:scott/${CANARY}@//db:1521/s`, "jdbc:oracle:thin:********@//db:1521/s"],
  [`jdbc:oracle:thin:scott/${CANARY}@${CANARY}@//db/s`, "jdbc:oracle:thin:********@//db/s"],
  [`a.b=1;javax.net.ssl.trustStorePassword=${CANARY};c=2`, "a.b=1;javax.net.ssl.trustStorePassword=********;c=2"],
  [`http://h/?x=1&token=${CANARY}&y=2`, "http://h/?x=1&token=********&y=2"],
  [
    `org.x.Module required user="u" password="${CANARY} ; ${CANARY}";`,
    'org.x.Module required user="u" password=********;',
  ],
];
for (const [value, masked] of inside)
  masking(`hides secrets in a harmless setting: ${masked}`, () => {
    assert.equal(redactSecrets({ "some.setting": value }), { "some.setting": masked });
  });

masking("keeps values without a login", () => {
  for (const value of [
    "http://connect:8083/a@b",
    "http://[::1]:8083/x@y",
    "jdbc:oracle:thin:@tcps://db:2484/s",
    "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(HOST=db)(PORT=1521)))",
    "ORCLPDB\\.SALES\\..*,A:B",
    `password=${braced("file:/x:y")}`,
    "mail ana@example.org about http://h:1",
    "",
  ])
    assert.equal(redactSecrets({ "some.setting": value }), { "some.setting": value });
});

masking("leaves no password of any configuration, and changes no other setting", async () => {
  const password = fc.string({ minLength: 1, maxLength: 8 }).map((tail) => `${CANARY}${tail}`);
  const name = fc.constantFrom("cdc.database.password", "cdc.stream.sasl.jaas.config", "x.secret", "ssl.keystore.key");
  await fc.assert(
    fc.property(fc.dictionary(name, password), fc.stringMatching(/^[a-z.]{0,20}$/), (secrets, plain) => {
      const masked = redactSecrets({ ...secrets, "cdc.topic.prefix": plain });
      assert.not.match(JSON.stringify(masked), CANARY);
      assert.is(masked["cdc.topic.prefix"], plain);
      assert.equal(Object.keys(masked).sort(), [...Object.keys(secrets), "cdc.topic.prefix"].sort());
    }),
  );
});

masking("masking twice changes nothing more", async () => {
  await fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constantFrom(...inside.map(([value]) => value)))),
      (config) => {
        const once = redactSecrets(config);
        assert.equal(redactSecrets(once), once);
      },
    ),
  );
});

masking("takes no longer for a hostile text than for another", () => {
  const began = processorMillis();
  for (const piece of ["a", "http://", "u:", "jdbc:oracle:thin:a/", "a=", "://", '="'])
    redactSecrets({ x: piece.repeat(100_000) });
  redactUserInfo("http://u:".repeat(50_000));
  assert.ok(processorMillis() - began < 20_000);
});

masking.run();

const redaction = suite("a configuration as plans and facts hold it");

const SHOWN: readonly (readonly [string, string])[] = [
  ["connector.class", "sh.oso.connect.oracle.OracleCdcSourceConnector"],
  ["tasks.max", "1"],
  ["cdc.topic.prefix", "orders"],
  ["cdc.topic.template", `${braced("prefix")}.${braced("schema")}.${braced("table")}`],
  ["cdc.tables.include", "ORCLPDB1[.]SALES[.](?!TMP_).*, (?i)hr\\..+"],
  ["cdc.key.columns", "SALES.ORDERS:ID,LINE;ORCLPDB1.SALES.X:Y"],
  ["cdc.database.host", "db-1.example.com"],
  ["cdc.database.user", "C##CDC"],
  ["cdc.database.url", "jdbc:oracle:thin:@tcps://db:2484/orders?retry_count=3&connect_timeout=5"],
  [
    "cdc.database.url",
    "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=db)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=s)))",
  ],
  ["cdc.stream.bootstrap.servers", "SASL_SSL://a:9092, [::1]:9093"],
  ["cdc.stream.security.protocol", "SASL_SSL"],
  ["cdc.heartbeat.interval.ms", "30000"],
  ["cdc.snapshot.fetch.size", "2000"],
  ["value.converter", "io.confluent.connect.avro.AvroConverter"],
  ["value.converter.schema.registry.url", "https://a:8081,https://b/registry"],
  ["producer.override.linger.ms", "20"],
  ["producer.override.sasl.jaas.config", `x.Module required password="${braced("file:/x:y")}";`],
  ["transforms", "route,unwrap"],
  ["transforms.route.type", "org.apache.kafka.connect.transforms.RegexRouter"],
  ["transforms.route.regex", "orders\\.(.*)"],
  ["transforms.route.replacement", "crm-$1"],
  ["topic.creation.default.cleanup.policy", "compact"],
  ["srcdb.server", "db"],
  ["oracle.pdb.name", "ORCLPDB1"],
  ["start.from", "snapshot"],
  ["acme.plugin.enabled", "TRUE"],
  ["acme.plugin.blank", " "],
  ["acme.plugin.reference", braced("file:/etc/acme:login")],
];
for (const [name, value] of SHOWN)
  redaction(`shows ${name}, whose meaning is known: ${value.slice(0, 50)}`, () => {
    const config = { "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter", [name]: value };
    assert.is(redactConfiguration(config)[name], value);
  });

const NOT_SHOWN: readonly (readonly [string, string])[] = [
  ["acme.plugin.words", "hunter2"],
  ["acme.plugin.number", "4711"],
  ["acme.plugin.variable", braced("hunter2")],
  ["acme.plugin.half", `${braced("env:X")}hunter2`],
  ["cdc.anything", "hunter2"],
  ["cdc.capture.mode", "hunter2"],
  ["cdc.heartbeat.interval.ms", "hunter2"],
  ["cdc.database.host", "scott/tiger@db"],
  ["cdc.database.url", "jdbc:oracle:thin:@db:1521/s?acme=hunter2"],
  ["cdc.stream.security.protocol", "hunter2"],
  ["cdc.stream.anything", "hunter2"],
  ["value.converter.schema.registry.url", "https://a:8081/?key=hunter2"],
  ["transforms.acme.type", "not a class"],
  ["transforms.acme.regex", "hunter2"],
  ["constructor", "hunter2"],
];
for (const [name, value] of NOT_SHOWN)
  redaction(`does not show ${name}: ${value}`, () => {
    const shown = redactConfiguration({ [name]: value })[name] ?? "";
    assert.match(shown, /^(?:hidden:[0-9a-f]{3}|\*{8})$/);
    assert.is.not(redactConfiguration({ [name]: `${value}1` })[name], shown, "a change of it");
  });

redaction("a hidden value reveals twelve bits, and a password nothing", () => {
  const shown = new Set(Array.from({ length: 5000 }, (_, i) => redactConfiguration({ x: `value ${i}` })["x"]));
  assert.ok(shown.size > 2500 && shown.size <= 4096, `${shown.size}`);
  assert.is(
    redactConfiguration({ "a.password": "one" })["a.password"],
    redactConfiguration({ "a.password": "two" })["a.password"],
  );
  const withPassword = (password: string) => redactConfiguration({ x: `a=1;password=${password}` });
  assert.equal(withPassword("one"), withPassword("two"));
  assert.not.equal(redactConfiguration({ x: "same" })["x"], redactConfiguration({ y: "same" })["y"]);
});

redaction("redacting twice changes nothing more, and an earlier version's redaction is the same configuration", () => {
  const config = Object.fromEntries([...SHOWN, ...NOT_SHOWN, ["x", PEM], ["y", "a=1;password=hunter2"]]);
  const once = redactConfiguration(config);
  assert.equal(redactConfiguration(once), once);
  assert.ok(sameConfiguration(config, redactSecrets(config)));
  assert.not.ok(sameConfiguration(config, { ...config, "acme.plugin.words": "hunter3" }));
});

const PEM = "-----BEGIN PRIVATE KEY-----\nc4n4ry\n-----END PRIVATE KEY-----";

redaction("takes no longer for a hostile value than for another", () => {
  const began = processorMillis();
  const pieces = [
    ", ",
    " ",
    "a,",
    "a.",
    "HOST= ",
    "HOST=a",
    "(",
    "&retry_count=1",
    "${a",
    "TLS,",
    "http://a,",
    '{"',
    '\\"',
    "a:",
    "X-a: ",
  ];
  for (const [name, value] of SHOWN)
    for (const piece of pieces) redactConfiguration({ [name]: `${value}${piece.repeat(2000)}!` });
  assert.ok(processorMillis() - began < 20_000);
});

redaction.run();
