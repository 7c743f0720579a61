import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONFLUENT_PROPERTIES } from "../../core/legacy/confluent/properties.ts";
import { COPIED, type TranslateOptions } from "../../core/legacy/property-table.ts";
import { redactTranslation, translate } from "../../core/legacy/translation.ts";
import { redactConfiguration } from "../../core/redaction/redact.ts";
import { codeSpan, escapeHtml } from "../../core/values/escape.ts";
import { printJson } from "../../core/values/json.ts";
import { parseConnectorConfig } from "../../providers/contexts/connector-config.ts";
import type { Translation } from "../../schemas/generated/shared.ts";
import { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { assertGolden } from "./testing/golden.ts";
import { asMarkdown, asPage } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";
import { type TranslationReport, translationDocument, translationReport } from "./translation.ts";

const renderTranslationText = (of: TranslationReport, input: string, options: TerminalOptions) =>
  renderTerminal(translationReport(of, input), options);
const renderTranslationMarkdown = (of: TranslationReport, input: string) => asMarkdown(translationReport(of, input));

const views = suite("a translation");

const FOLDER = fileURLToPath(new URL("testdata/translation/", import.meta.url));
const inputs = readdirSync(FOLDER).filter((name) => name.includes(".input."));
const fits = schemaTester("translation.schema.json");
const CANARY = /canary-47\d\d/;

const reportOf = (config: Readonly<Record<string, string>>, of: Translation): TranslationReport => ({
  source: redactConfiguration(config),
  translation: redactTranslation(of),
});

/** What the operator says of Debezium: the five shapes of public configurations, and eight more. */
const SAID: Readonly<Record<string, TranslateOptions>> = {
  // Tables of every schema, a host that was never filled in, names of 1.x.
  "debezium-01": { topics: "keep", version: "1.9.7.Final" },
  "debezium-03": { topics: "new" },
  "debezium-04": { topics: "keep", version: "2.7.3.Final" },
  // Names of two versions that no version reads together.
  "debezium-07": { topics: "keep" },
  // XStream's user and server, and no adapter.
  "debezium-09": { topics: "new" },
  "debezium-1.9-non-cdb": { topics: "keep", version: "1.9.7.Final" },
  "debezium-2.7-cdb": { topics: "keep", version: "2.7.3.Final" },
  "debezium-3.0-strimzi": { topics: "new", version: "3.0.8.Final" },
  "debezium-3.6": { topics: "keep", version: "3.6.1.Final" },
  "debezium-rac": { topics: "new", version: "3.6.1.Final" },
  "debezium-unwrap": { topics: "new", version: "2.7.3.Final" },
  "debezium-lob": { topics: "keep", version: "3.3.2.Final" },
  "debezium-avro": { topics: "keep", version: "3.0.8.Final" },
};

/** Translates a legacy configuration in one of its forms. */
async function translated(text: string, name: string) {
  const read = await parseConnectorConfig(text, name, { resolveReferences: false, env: {}, scalars: true });
  const { config } = read;
  const [world = ""] = name.split(".input.");
  const translation = translate(read.name ?? config["name"] ?? "legacy", config, SAID[world]);
  return { config, translation, report: reportOf(config, translation) };
}

for (const name of inputs) {
  const [world = ""] = name.split(".input.");
  views(`of ${world} matches the expected text, without a secret`, async () => {
    const text = readFileSync(`${FOLDER}${name}`, "utf8");
    assert.match(text, world === "lob-topics" ? /./ : CANARY);
    const { config, translation, report } = await translated(text, name);
    const created = printJson({ name: translation.name, config: translation.config });
    const shown = renderTranslationText(report, name, { colour: false });
    const markdown = renderTranslationMarkdown(report, name);
    const json = printJson(translationDocument(report));
    assertGolden(`${created}\n`, `translation/${world}.config.json`);
    assertGolden(shown, `translation/${world}.txt`);
    assertGolden(markdown, `translation/${world}.md`);
    assertGolden(asPage(translationReport(report, name)), `translation/${world}.html`);
    fits(json);
    for (const one of [created, shown, markdown, json]) assert.not.match(one, CANARY);
    assert.equal(
      translation.properties.map((one) => one.name),
      Object.keys(config),
    );
  });
}

/** Settings of Debezium's that hold secrets, or may hold one within their value. */
const OF_DEBEZIUM: Readonly<Record<string, string>> = {
  "database.password": "S",
  "database.url": "jdbc:oracle:thin:scott/S@//ora:1521/CDB1",
  "driver.oracle.net.wallet_password": "S",
  "driver.password": "S",
  "driver.some": "S",
  "heartbeat.action.query": "UPDATE hb SET p = 'S'",
  "snapshot.select.statement.overrides.A.B": "SELECT 'S'",
  "rac.nodes": "u:S@h",
  "secondary.password": "S",
  "schema.history.internal.consumer.ssl.keystore.key": "S",
  "schema.history.internal.jdbc.url": "jdbc:x://u:S@h",
  "database.history.producer.sasl.jaas.config": 'x required password="S";',
  "signal.consumer.sasl.jaas.config": 'x required password="S";',
  "value.converter.schema.registry.url": "http://u:S@registry:8081",
  "log.mining.buffer.infinispan.client.hotrod.auth_password": "S",
  "//": "the password is S",
};

views("of Debezium's secrets shows none, in any form", () => {
  fc.assert(
    fc.property(
      fc.subarray(Object.keys(OF_DEBEZIUM), { minLength: 1 }),
      fc.constantFrom("keep", "new"),
      fc.constantFrom(undefined, "1.9.7", "2.7.3", "3.6.1"),
      (held, topics, version) => {
        const secret = "canary-4711";
        const config = {
          ...{ "connector.class": "io.debezium.connector.oracle.OracleConnector", "topic.prefix": "inv" },
          ...{ "database.server.name": "inv", "value.converter": "io.confluent.connect.avro.AvroConverter" },
          ...Object.fromEntries(held.map((name) => [name, (OF_DEBEZIUM[name] ?? "").replace("S", () => secret)])),
        };
        const options = { topics, version, topicPrefix: topics === "new" ? "other" : undefined } as const;
        const report = reportOf(config, translate("inventory", config, options));
        const forms = [
          renderTranslationText(report, "in.json", { colour: false }),
          renderTranslationMarkdown(report, "in.json"),
          asPage(translationReport(report, "in.json")),
          printJson(translationDocument(report)),
        ];
        for (const form of forms) assert.not.match(form, secret);
      },
    ),
    { numRuns: 60 },
  );
});

views(
  "is one table on a page and in a comment: every value with its reason, and the whole new configuration",
  async () => {
    for (const name of inputs) {
      const { report } = await translated(readFileSync(`${FOLDER}${name}`, "utf8"), name);
      const { source, translation } = report;
      const page = asPage(translationReport(report, name));
      const markdown = renderTranslationMarkdown(report, name);
      const rows = page.split("<tr").map((row) => row.replaceAll(/<[^>]*>/g, "\0"));
      const has = (...texts: readonly string[]) =>
        rows.some((row) => texts.every((text) => row.includes(`\0${escapeHtml(text)}\0`)));
      for (const one of translation.properties) {
        const because = "instruction" in one ? one.instruction : "reason" in one ? one.reason : "";
        const shown = "value" in one && one.value !== "" ? [one.value] : [];
        const was = source[one.name] === "" ? "empty" : (source[one.name] ?? "");
        assert.ok(has(one.name, was, one.fate, because, ...shown), `${name}: ${one.name}`);
        assert.match(markdown, `| ${codeSpan(one.name)} |`);
      }
      for (const { target, value, reason } of translation.added) assert.ok(has("added", target, value, reason), target);
      const [, whole = ""] = page.split("The new configuration</h2>");
      for (const [setting, value] of Object.entries(translation.config)) {
        assert.ok(has(setting, value), setting);
        assert.ok(whole.includes(`<code>${escapeHtml(setting)}</code>`), setting);
      }
      const changed = page.match(/<tr class="changed"><th scope="row"><code>connector\.class</g) ?? [];
      assert.is(changed.length, 2, "a changed row stands out, above and in the configuration");
    }
  },
);

const CANARIES = [
  "~canary 4711!",
  "canary-4711",
  "x:canary-4711@h",
  "a|canary 4711",
  `$${"{canary-4711}"}`,
  "A|canary-4711~",
];

for (const name of [...Object.keys(CONFLUENT_PROPERTIES.rules), ...COPIED].map((pattern) =>
  pattern.replace("*", "some.thing"),
))
  views(`what one table hides of ${name}, no other shows, in no form`, () => {
    for (const value of CANARIES) {
      const config = { "oracle.sid": "ORCL", [name]: value };
      const report = reportOf(config, translate("orders-legacy", config));
      for (const shown of [
        asPage(translationReport(report, "legacy.json")),
        renderTranslationMarkdown(report, "legacy.json"),
        renderTranslationText(report, "legacy.json", { colour: false, width: 500 }),
        printJson(translationDocument(report)),
      ])
        assert.not.ok(/hidden:|\*{8}/.test(shown) && /canary.4711/.test(shown), shown);
    }
  });

views("has expected texts for a wide range of configurations", () => {
  assert.equal(inputs.length, 6 + Object.keys(SAID).length);
});

views("of a worker's messages shows what is wrong and what is ignored", () => {
  const translation = translate("orders-legacy", { "oracle.password": "hunter2" });
  const source = { "oracle.password": "********" };
  const report: TranslationReport = {
    source,
    translation,
    validation: {
      worker: "http://connect.prod:8083",
      problems: [{ setting: "cdc.tables.include", errors: ["Missing required configuration", "no value"] }],
      notJudged: ["cdc.database.password"],
    },
  };
  const text = renderTranslationText(report, "-", { colour: false, width: 80 });
  assert.match(text, "translated from standard input");
  assert.match(text, "cdc.tables.include: Missing required configuration; no value");
  assert.match(text, /cdc\.database\.password is masked, so the worker's finding about it is\s+ignored/);
  assert.match(renderTranslationMarkdown(report, "-"), "**validated by");
  fits(printJson(translationDocument(report)));
  const fine = { source, translation, validation: { worker: "w", problems: [], notJudged: [] } };
  assert.match(renderTranslationText(fine, "-", { colour: true }), "the configuration is valid");
});

const SECRETS = [
  "oracle.password",
  "srcdb.password",
  "oracle.ssl.truststore.password",
  "confluent.license",
  "ldap.security.credentials",
  "producer.override.sasl.jaas.config",
  "redo.log.consumer.sasl.jaas.config",
  "value.converter.basic.auth.user.info",
  "errors.deadletterqueue.token",
  "some.passphrase",
  "nobody.knows.this.api-key",
];
const known = [...Object.keys(CONFLUENT_PROPERTIES.rules), ...COPIED].map((name) => name.replace("*", "some.thing"));
const names = fc.oneof(
  fc.constantFrom(...known, ...known.map((name) => name.replace(/^oracle\./, "srcdb."))),
  fc.string({ minLength: 1, maxLength: 20 }),
);
const values = fc.oneof(
  fc.constantFrom("", "0", "-1", "127", "true", "discard", "warn", "log", "none", "UTC", "|", "a|b", "[.]"),
  fc.string({ maxLength: 30 }),
);

views("has every key of a random configuration exactly once, and no secret, in every rendering", async () => {
  await fc.assert(
    fc.property(
      fc.dictionary(names, values, { maxKeys: 25 }),
      fc.subarray(SECRETS, { minLength: 1 }),
      fc.constantFrom("hunter2-canary", 'm required x="y" password="hunter2-canary";', "svc:hunter2-canary"),
      (config, held, secret) => {
        const whole = { ...config, ...Object.fromEntries(held.map((name) => [name, secret])) };
        const report = reportOf(whole, translate("orders-legacy", whole));
        const document = printJson(translationDocument(report));
        const { properties } = JSON.parse(document) as { properties: readonly { name: string }[] };
        assert.equal(properties.map(({ name }) => name).sort(), Object.keys(whole).sort());
        fits(document);
        for (const shown of [
          document,
          renderTranslationText(report, "legacy.json", { colour: false }),
          renderTranslationMarkdown(report, "legacy.json"),
        ])
          assert.not.match(shown, "hunter2-canary");
      },
    ),
  );
});

views.run();
