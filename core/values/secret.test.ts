// biome-ignore lint/style/noRestrictedImports: the test prints as a console does
import { format, inspect } from "node:util";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { canonicalJson, printJson } from "./json.ts";
import { isReference, isSecretName, maskConfiguration, maskUserInfo, secret } from "./secret.ts";

const sealed = suite("a secret");

const CANARY = "c4n4ry";

/** `${inner}` */
const braced = (inner: string) => `\${${inner}}`;

sealed("gives its value to who opens it", () => {
  assert.is(secret(CANARY).open(), CANARY);
});

const shown: readonly (readonly [string, (value: unknown) => string])[] = [
  ["String()", String],
  ["a template", (value) => `${value}`],
  ["concatenation", (value) => "".concat(value as string)],
  ["JSON.stringify", (value) => JSON.stringify({ value })],
  ["printJson", (value) => printJson({ value })],
  ["canonicalJson", (value) => canonicalJson({ value })],
  ["inspect", (value) => inspect({ value }, { depth: 9, showHidden: true, getters: true })],
  ["inspect without custom forms", (value) => inspect(value, { customInspect: false, showHidden: true })],
  ["the console's formats", (value) => format("%s %o %O %j %d", value, value, value, value, value)],
  ["spreading", (value) => JSON.stringify({ ...(value as object) })],
  ["Object.entries", (value) => JSON.stringify(Object.entries(value as object))],
  ["a clone", (value) => inspect(structuredClone(value))],
  ["an error's message and stack", (value) => new Error(`${value}`).stack ?? ""],
];
for (const [name, show] of shown)
  sealed(`is not seen by ${name}`, () => {
    assert.not.match(show(secret(CANARY)), CANARY);
  });

sealed.run();

const masking = suite("a configuration with its secrets masked");

masking("hides what an HTTP header says after its scheme; a sentence with the word stays", () => {
  const written = { "x.headers": "X-Id:7,Authorization:Bearer c4n4ry.c4n4ry-1", "y.headers": "Basic dXNlcjpjNG40cnk=" };
  const masked = maskConfiguration({ ...written, "z.note": "Basic auth, bearer of news" });
  assert.equal(masked, {
    "x.headers": "X-Id:7,Authorization:Bearer ********",
    "y.headers": "Basic ********",
    "z.note": "Basic auth, bearer of news",
  });
});

masking("hides the values of settings whose names say that they are secret, in every dialect", () => {
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
    assert.equal(maskConfiguration({ [name]: CANARY }), { [name]: "********" });
  }
});

masking("leaves alone the names of places and classes, which a connector would not start without", () => {
  for (const [name, value] of [
    ["value.converter.basic.auth.credentials.source", "USER_INFO"],
    ["sasl.oauthbearer.token.endpoint.url", "https://idp.example.com/token"],
    ["ssl.keystore.password.location", "/etc/kafka/pw"],
    ["aws.credentials.provider", "x.Provider"],
  ] as const)
    assert.equal(maskConfiguration({ [name]: value }), { [name]: value });
  assert.equal(maskConfiguration({ "token.url": `https://u:${CANARY}@h/?token=${CANARY}` }), {
    "token.url": "https://********@h/?token=********",
  });
});

masking("keeps references, which reveal nothing, but not what only looks like one", () => {
  for (const value of [
    braced("file:/etc/cdc.properties:password"),
    braced("env:DB_PASSWORD"),
    ` ${braced("directory:/run/secrets:pw")} `,
  ]) {
    assert.ok(isReference(value), value);
    assert.equal(maskConfiguration({ "a.password": value }), { "a.password": value });
  }
  for (const value of [braced("hunter2"), braced(":x"), `a${braced("env:X")}`, `${braced("env:X")}b`, braced("a{b:c")])
    assert.equal(maskConfiguration({ "a.password": value }), { "a.password": "********" }, value);
});

const JAAS = (password: string) => `org.x.Module required username="u" password="${password}";`;

masking("keeps a value whose secrets are all references", () => {
  for (const [name, value] of [
    ["sasl.jaas.config", JAAS(braced("file:/etc/cdc.properties:password"))],
    ["value.converter.basic.auth.user.info", `${braced("env:USER")}:${braced("env:PASSWORD")}`],
    ["value.converter.basic.auth.user.info", `svc:${braced("env:PASSWORD")}`],
    ["x.properties", `a=1;password="${braced("env:P")}"`],
  ] as const)
    assert.equal(maskConfiguration({ [name]: value }), { [name]: value });
  for (const [name, value] of [
    ["sasl.jaas.config", `${JAAS(braced("env:P"))} clientSecret=${CANARY}`],
    ["sasl.jaas.config", JAAS(`${braced("env:P")}${CANARY}`)],
    ["value.converter.basic.auth.user.info", `${braced("env:USER")}:${CANARY}`],
    ["value.converter.basic.auth.user.info", `svc:${CANARY}:${braced("env:P")}`],
  ] as const)
    assert.equal(maskConfiguration({ [name]: value }), { [name]: "********" });
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
  masking(`hides what a harmless setting holds: ${masked}`, () => {
    assert.equal(maskConfiguration({ "some.setting": value }), { "some.setting": masked });
  });

masking("leaves alone what holds no login", () => {
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
    assert.equal(maskConfiguration({ "some.setting": value }), { "some.setting": value });
});

masking("no password is left of any configuration, and no other setting is changed", async () => {
  const password = fc.string({ minLength: 1, maxLength: 8 }).map((tail) => `${CANARY}${tail}`);
  const name = fc.constantFrom("cdc.database.password", "cdc.stream.sasl.jaas.config", "x.secret", "ssl.keystore.key");
  await fc.assert(
    fc.property(fc.dictionary(name, password), fc.stringMatching(/^[a-z.]{0,20}$/), (secrets, plain) => {
      const masked = maskConfiguration({ ...secrets, "cdc.topic.prefix": plain });
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
        const once = maskConfiguration(config);
        assert.equal(maskConfiguration(once), once);
      },
    ),
  );
});

masking("takes no longer for a hostile text than for another", () => {
  const began = Date.now();
  for (const piece of ["a", "http://", "u:", "jdbc:oracle:thin:a/", "a=", "://", '="'])
    maskConfiguration({ x: piece.repeat(100_000) });
  maskUserInfo("http://u:".repeat(50_000));
  assert.ok(Date.now() - began < 20_000);
});

masking.run();
