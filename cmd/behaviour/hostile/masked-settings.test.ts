// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect
/**
 * Secrets in settings of a connector whose names promise nothing: none of them is in a plan, a fact, a journal, a
 * record or a report.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR } from "../../../providers/sandbox/sandbox.ts";
import { type ChangedWorld, OPS_TOPIC, openChangedWorld } from "../changed-world.ts";
import { OFFSET_CHANGE } from "../changes.ts";
import { PATIENCE } from "../injected-faults.ts";
import { runHere } from "../run-command.ts";
import { leaks } from "./trap.ts";

const hidden = suite("secrets in any setting");

const PEM = (kind: string, content: string) =>
  `-----BEGIN ${kind}-----\nMIIEvQIBADAN${content}Ag==\n-----END ${kind}-----`;

/** Each makes the value of a setting around its secret. */
const SETTINGS: readonly (readonly [string, (secret: string) => string])[] = [
  // PEM, where a path or a class is expected too
  ["value.converter.tls.client", (s) => PEM("PRIVATE KEY", s)],
  ["key.converter.tls.client", (s) => PEM("ENCRYPTED PRIVATE KEY", s).replaceAll("\n", "\\n")],
  ["cdc.stream.ssl.keystore.certificate.chain", (s) => PEM("RSA PRIVATE KEY", s)],
  ["cdc.stream.ssl.keystore.location", (s) => PEM("EC PRIVATE KEY", s)],
  ["transforms.sign.x", (s) => PEM("OPENSSH PRIVATE KEY", s)],
  ["transforms.sign.cut", (s) => `-----BEGIN PRIVATE KEY-----\nMIIE${s}`],
  ["transforms.sign.pgp", (s) => PEM("PGP PRIVATE KEY BLOCK", s)],
  // JSON
  ["transforms.kms.config", (s) => JSON.stringify({ region: "eu-1", password: s })],
  ["transforms.kms.nested", (s) => JSON.stringify({ a: { b: [{ "client-secret": s }] } })],
  ["transforms.kms.quoted", (s) => JSON.stringify({ inner: JSON.stringify({ apiKey: s }) })],
  ["transforms.kms.gcp", (s) => JSON.stringify({ type: "service_account", private_key: PEM("PRIVATE KEY", s) })],
  ["transforms.kms.single", (s) => `{'accessToken': '${s}'}`],
  ["transforms.kms.list", (s) => JSON.stringify([{ key: "anything", value: s }])],
  ["transforms.kms.flat", (s) => JSON.stringify({ harmless: s })],
  // Connection strings and query strings
  ["transforms.blob.target", (s) => `DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=${s}==`],
  ["transforms.bus.target", (s) => `Endpoint=sb://acme.example/;SharedAccessKeyName=root;SharedAccessKey=${s}=`],
  ["transforms.blob.place", (s) => `https://acme.example/box?sv=2022&sp=rw&sig=${s}`],
  ["transforms.s3.place", (s) => `https://acme.example/o?X-Amz-Credential=AKIA1&X-Amz-Signature=${s}`],
  ["transforms.gcs.place", (s) => `https://acme.example/o?GoogleAccessId=a&Signature=${s}`],
  ["transforms.hook.target", (s) => `https://hooks.example.com/services/T0/B0/${s}`],
  ["transforms.hook.other", (s) => `https://example.com/hook#${s}`],
  ["transforms.http.login", (s) => `https://svc:${s}@example.com/x`],
  ["transforms.http.user", (s) => `https://${s}@example.com/x`],
  ["transforms.mongo.uri", (s) => `mongodb+srv://svc:${s}@db.example.com/x`],
  ["transforms.redis.uri", (s) => `redis://:${s}@db.example.com:6379`],
  ["transforms.pg.uri", (s) => `jdbc:postgresql://db/x?user=svc&password=${s}`],
  ["transforms.ora.uri", (s) => `jdbc:oracle:thin:scott/${s}@//db:1521/s`],
  ["transforms.mssql.uri", (s) => `jdbc:sqlserver://db;user=svc;password={${s}}`],
  ["cdc.database.connection.properties", (s) => `oracle.net.CONNECT_TIMEOUT=5;javax.net.ssl.keyStorePassword=${s}`],
  ["cdc.reader.connection.properties", (s) => `a=1;b=${s}`],
  // Headers
  ["transforms.http.header", (s) => `X-Api-Key: ${s}`],
  ["transforms.http.headers", (s) => `Accept:text/plain,X-Api-Key:${s}`],
  ["transforms.http.bearer", (s) => `Authorization: Bearer ${s}`],
  ["transforms.http.basic", (s) => `Authorization: Basic ${Buffer.from(`svc:${s}`).toString("base64")}`],
  ["transforms.http.digest", (s) => `Authorization: Digest username=svc, response=${s}`],
  ["transforms.http.cookies", (s) => `Cookie: a=b; sid=${s}`],
  ["transforms.http.vault", (s) => `X-Vault-Token: ${s}`],
  ["transforms.http.plain", (s) => `X-Anything: ${s}`],
  // Names that say it
  ["transforms.sign.hmac.key", (s) => s],
  ["transforms.sign.hmacKey", (s) => s],
  ["transforms.enc.aes-key", (s) => s],
  ["transforms.enc.master_key", (s) => s],
  ["transforms.enc.dek.key", (s) => s],
  ["transforms.enc.passphrase", (s) => s],
  ["transforms.auth.clientSecret", (s) => s],
  ["transforms.auth.refresh_token", (s) => s],
  ["transforms.auth.storage.account.key", (s) => s],
  ["transforms.auth.otp", (s) => s],
  ["value.converter.schema.registry.basic.auth.user.info", (s) => `svc:${s}`],
  ["producer.override.sasl.jaas.config", (s) => `org.x.Module required username="u" password="${s}";`],
  ["producer.override.ssl.truststore.certificates", (s) => PEM("PRIVATE KEY", s)],
  ["consumer.override.sasl.login.callback.extra", (s) => s],
  ["admin.override.ssl.key.password", (s) => s],
  // Names that promise nothing
  ["transforms.sign.k", (s) => s],
  ["transforms.sign.value", (s) => s],
  ["transforms.sign.material", (s) => Buffer.from(s).toString("base64")],
  ["transforms.sign.hexadecimal", (s) => Buffer.from(s).toString("hex")],
  ["acme.plugin.connect", (s) => `tcp;acme;${s}`],
  ["acme.plugin.args", (s) => `--user svc --pw ${s}`],
  ["acme.plugin.yaml", (s) => `user: svc\npassword: ${s}\n`],
  ["acme.plugin.xml", (s) => `<login user="svc">${s}</login>`],
  ["acme.plugin.lines", (s) => `first\n${s}\nlast`],
  ["acme.plugin.jwt", (s) => `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(s).toString("base64url")}.c2ln`],
  ["acme.plugin.reference", (s) => `\${env:NAME}${s}`],
  ["acme.plugin.variable", (s) => `\${${s}}`],
  ["cdc.mining.hint", (s) => s],
  ["cdc.note", (s) => s],
  // A setting of ours that a paste has gone into.
  ["cdc.snapshot.fetch.size", (s) => s],
  ["cdc.temporal.mode", (s) => s],
  ["cdc.retry.extra.error.codes", (s) => s],
  ["errors.tolerance", (s) => s],
  ["topic.creation.default.partitions", (s) => s],
  ["cdc.stream.client.dns.lookup", (s) => s],
];

const secretOf = (index: number): string => `c4n4ry/${String(index).padStart(2, "0")}!pW`;

/** Everything that cdcctl says and writes of a connector with all these settings, by its form; made once. */
let made: Promise<Readonly<Record<string, string>>> | undefined;
const everything = () => {
  made ??= collect();
  return made;
};

async function collect(): Promise<Readonly<Record<string, string>>> {
  const config = Object.fromEntries(SETTINGS.map(([name, value], index) => [name, value(secretOf(index))]));
  const world = await openChangedWorld({ config }, OFFSET_CHANGE);
  try {
    const file = (name: string) => join(world.dir, name);
    const run = async (...argv: readonly string[]) =>
      (await runHere(argv, { env: world.env, patience: PATIENCE })).output;
    const limits = ["--settle", "100ms", "--stop-timeout", "2s", "--resume-timeout", "2s"];
    const forms = {
      "a plan as text": await run("plan", world.plan),
      "a plan as JSON": await run("plan", world.plan, "--format", "json"),
      "a plan as Markdown": await run("plan", world.plan, "--format", "markdown"),
      "a saved plan": await run("plan", world.plan, "--out", file("plan.json")).then(() => text(file("plan.json"))),
      "recorded facts": await run("observe", world.plan, "--out", file("facts.json")).then(() =>
        text(file("facts.json")),
      ),
      "an applied change": await run("apply", world.plan, "--yes", ...limits),
      ...(await afterwards(world, run)),
    };
    for (const [form, content] of Object.entries(forms))
      assert.ok(content.length > 100, `${form}: ${content.slice(0, 2000)}`);
    return forms;
  } finally {
    await world.close();
  }
}

async function afterwards(
  { dir, sandbox, journal }: ChangedWorld,
  run: (...argv: readonly string[]) => Promise<string>,
) {
  const records = await sandbox.broker.records(OPS_TOPIC);
  const page = join(dir, "page.html");
  const id = /\d{4}-\d\d-\d\dT\S+/.exec(await run("history"))?.[0] ?? "";
  return {
    "the journal": journal()
      .map((entry) => JSON.stringify(entry, (_, value) => (typeof value === "bigint" ? String(value) : value)))
      .join("\n"),
    "the ops topic": records.map(({ value }) => `${value}`).join("\n"),
    "the run as JSON": await run("show", id, "--format", "json"),
    "the run as a page": await run("report", id, "--out", page).then(() => text(page)),
  };
}

const text = (path: string) => readFile(path, "utf8");

const FORMS = [
  ...["a plan as text", "a plan as JSON", "a plan as Markdown", "a saved plan", "recorded facts", "an applied change"],
  ...["the journal", "the ops topic", "the run as JSON", "the run as a page"],
];

for (const [index, [setting, value]] of SETTINGS.entries())
  hidden(
    `the secret in ${setting} appears in no output: ${value("…").replaceAll("\n", " ").slice(0, 40)}`,
    async () => {
      const forms = await everything();
      assert.equal(Object.keys(forms).sort(), [...FORMS].sort());
      const secret = secretOf(index);
      const kept = [secret, Buffer.from(`svc:${secret}`).toString("base64")];
      assert.equal(leaks(kept, forms), []);
    },
  );

/** Settings that facts and plans copy beside the configuration. */
const COPIED = ["cdc.archive.destination", "cdc.mining.mode", "value.converter", "value.converter.schemas.enable"];

for (const setting of [...COPIED, "connector.class"])
  hidden(`a secret pasted into ${setting} appears in no output`, async () => {
    const secret = secretOf(99);
    const world = await openChangedWorld({ config: { [setting]: secret } }, OFFSET_CHANGE);
    try {
      const run = async (...argv: readonly string[]) =>
        (await runHere(argv, { env: world.env, patience: PATIENCE })).output;
      const place = ["--context", "sandbox", "--connector", CONNECTOR];
      const file = (name: string) => join(world.dir, name);
      // What is refused is not written.
      const written = (name: string) => text(file(name)).catch(() => "");
      const forms = {
        text: await run("plan", world.plan),
        json: await run("plan", world.plan, "--format", "json"),
        markdown: await run("plan", world.plan, "--format", "markdown"),
        facts: (await run("observe", world.plan, "--out", file("facts.json"))) + (await written("facts.json")),
        position: (await run("report", ...place, "--out", file("page.html"))) + (await written("page.html")),
        status: await run("status", ...place, "--position"),
      };
      for (const [form, content] of Object.entries(forms)) assert.ok(content.length > 10, `${form}: ${content}`);
      assert.equal(leaks([secret], forms), []);
    } finally {
      await world.close();
    }
  });

hidden("a hidden setting changed between plan and apply is noticed and named", async () => {
  const world = await openChangedWorld(
    { config: { "acme.plugin.args": "--pw one", "acme.same": "kept" } },
    OFFSET_CHANGE,
  );
  try {
    const run = (...argv: readonly string[]) => runHere(argv, { env: world.env, patience: PATIENCE });
    const saved = join(world.dir, "saved.json");
    assert.is((await run("plan", world.plan, "--out", saved)).exit, 0);
    const again = await run("apply", saved, "--dry-run");
    const connector = [...world.sandbox.connect.cluster.connectors.values()].find(
      ({ config }) => "acme.same" in config,
    );
    assert.ok(connector);
    connector.config = { ...connector.config, "acme.plugin.args": "--pw two" };
    const { exit, output } = await run("apply", saved, "--yes");
    assert.is(exit, 1, output);
    assert.match(output.replace(/\s+/g, " "), /the connector's configuration was changed: acme\.plugin\.args/);
    assert.not.match(output, /--pw (?:one|two)/);
    assert.ok(again.output.length > 0);
  } finally {
    await world.close();
  }
});

hidden.run();
