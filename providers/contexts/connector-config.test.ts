// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this

import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { readClientProperties, readConnectorConfig } from "./connector-config.ts";
import { inFolder } from "./testing/test-folder.ts";

const config = suite("connector configuration file");

const SETTINGS = { "cdc.topic.prefix": "orders", "cdc.database.password": "hunter2" };

function reading(
  name: string,
  content: string | Uint8Array,
  env: Record<string, string> = {},
  more: Record<string, string> = {},
) {
  return inFolder({ [name]: content, ...more }, (folder) =>
    readConnectorConfig(join(folder, name), { resolveReferences: true, env }),
  );
}

async function problemsOf(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    assert.instance(error, UsageError, String(error));
    return (error as UsageError).problems;
  }
  throw new Error("no problem was found");
}

const forms: readonly (readonly [string, string, string, string | undefined])[] = [
  ["a create body", "a.json", JSON.stringify({ name: "orders-cdc", config: SETTINGS }), "orders-cdc"],
  [
    "what GET answers",
    "a.json",
    JSON.stringify({
      name: "orders-cdc",
      config: SETTINGS,
      tasks: [{ connector: "orders-cdc", task: 0 }],
      type: "source",
    }),
    "orders-cdc",
  ],
  ["a flat map", "a.json", JSON.stringify(SETTINGS), undefined],
  ["JSON under another name", "a.conf", `\uFEFF\n${JSON.stringify(SETTINGS)}`, undefined],
  ["Java properties", "a.properties", "# c\ncdc.topic.prefix = orders\ncdc.database.password: hunter2\n", undefined],
];
for (const [title, name, text, connector] of forms)
  config(`is read: ${title}`, async () => {
    const read = await reading(name, text);
    assert.equal(read, { config: SETTINGS, name: connector, unresolved: {} });
  });

config("references are resolved; unresolvable ones are kept and explained", async () => {
  const text = JSON.stringify({
    a: "${env:A}-${file:s.properties:k}",
    b: "${directory:d:f}",
    c: "${env:NOT_SET}",
    d: "${vault:x:y}",
    e: "${prefix}.x",
    f: "${directory:d:../s.properties}",
  });
  const read = await reading("a.json", text, { A: "${env:B}", B: "no" }, { "s.properties": "k=v:w", "d/f": "text\n" });
  assert.equal(read.config, {
    a: "${env:B}-v:w",
    b: "text\n",
    c: "${env:NOT_SET}",
    d: "${vault:x:y}",
    e: "${prefix}.x",
    f: "${directory:d:../s.properties}",
  });
  assert.equal(Object.keys(read.unresolved), ["c", "d", "f"]);
  assert.match(read.unresolved["c"] ?? "", /NOT_SET is not set/);
  assert.match(read.unresolved["d"] ?? "", /not vault/);
  assert.match(read.unresolved["f"] ?? "", /has no file/);
});

config("references are resolved only if the operator named the file", () =>
  inFolder({ "a.json": '{"a":"${env:A}"}' }, async (folder) => {
    const read = await readConnectorConfig(join(folder, "a.json"), { resolveReferences: false, env: { A: "hunter2" } });
    assert.equal(read.config, { a: "${env:A}" });
  }),
);

const KAFKA_CONNECTOR = `apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata: { name: orders }
spec:
  class: x.Y
  tasksMax: 2
  config:
    a: "b"
`;

const bad: readonly (readonly [string, string, string | Uint8Array, RegExp, number | undefined])[] = [
  ["an empty file", "a.json", "", /is empty/, 1],
  ["an empty properties file", "a.properties", "\n\n", /is empty/, 1],
  ["comments only", "a.properties", "# a=b\n", /no settings/, 1],
  ["an empty map", "a.json", "{}", /no settings/, 1],
  ["broken JSON", "a.json", '{\n  "a": "hunter2\n}', /not valid JSON/, undefined],
  ["JSON that ends early", "a.json", '{\n  "a": "hunter2",\n', /not valid JSON/, 3],
  ["a missing comma", "a.json", '{\n  "a": "hunter2"\n  "b": "c"\n}', /not valid JSON: .*expected/, 3],
  ["a duplicate key", "a.json", '{"a": "b",\n"a": "hunter2"}', /"a" is given twice/, 2],
  ["a duplicate property", "a.properties", "a=b\nc=d\na=hunter2\n", /a is given twice, first in line 1/, 3],
  ["a bad escape", "a.properties", "a=b\nc=\\u12hunter2\n", /malformed/, 2],
  ["a list", "a.json", '["hunter2"]', /is a list/, 1],
  ["a text", "a.json", '"hunter2"', /is a text/, 1],
  ["a number", "a.json", '{\n"cdc.database.port": 1521}', /cdc\.database\.port is a number/, 2],
  ["true", "a.json", '{"a":\ntrue}', /a is true or false/, 1],
  ["null", "a.json", '{"config": {"a": null}}', /no settings/, 1],
  ["null alone", "a.json", "null", /is null, not a JSON object/, 1],
  ["two connectors", "a.json", '{"a": {"info": {}}, "b": {"info": {}}}', /it holds 2 connectors: a, b/, undefined],
  ["another resource", "a.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a: hunter2", /of kind ConfigMap/, 1],
  ["another resource as JSON", "a.json", '{"apiVersion": "v1", "kind": "Secret", "data": {}}', /of kind Secret/, 1],
  ["two resources", "a.yaml", `${KAFKA_CONNECTOR}---\n${KAFKA_CONNECTOR}`, /holds 2 documents of YAML, not one/, 1],
  ["a resource with a list", "a.yaml", `${KAFKA_CONNECTOR}    b: [hunter2]\n`, /b is a list/, undefined],
  ["a resource that is no YAML", "a.yaml", `${KAFKA_CONNECTOR}  - "hunter2`, /./, 9],
  ["a resource with a key twice", "a.yaml", `${KAFKA_CONNECTOR}    a: hunter2\n`, /key a is given twice/, 9],
  ["nested YAML", "a.properties", "config:\n  a: hunter2\n", /looks like YAML/, 1],
  ["a YAML document", "a.yaml", "---\na: hunter2\n", /looks like YAML/, 1],
  ["a page of a proxy", "a.json", "<html>hunter2</html>", /looks like HTML or XML/, 1],
  ["config that is a text", "a.json", '{"name": "a",\n"config": "hunter2"}', /"config" is a text/, 2],
  ["a misspelt config", "a.json", '{"conifg": {"a": "hunter2"}}', /conifg is an object/, 1],
  ["deep nesting", "a.json", `${"[".repeat(200_000)}`, /not valid JSON|nested/, undefined],
  ["bytes that are not text", "a.json", new Uint8Array([123, 255, 125]), /not UTF-8 text/, undefined],
  ["3 MB", "a.json", " ".repeat(3_000_000), /larger than/, undefined],
];
config(
  "a KafkaConnector is read as Strimzi would create it, its numbers and truth values as they are written",
  async () => {
    const body = {
      name: "orders",
      unresolved: {},
      config: {
        ...{ "connector.class": "x.Y", "tasks.max": "2", a: "b", port: "1521", on: "true", rate: "1.50" },
        pattern: "A[.]B",
      },
    };
    const more = ["port: 1521", "on: true", "rate: 1.50", "none: null", "pattern: 'A[.]B'"];
    const yaml = `${KAFKA_CONNECTOR}${more.map((line) => `    ${line}\n`).join("")}`;
    assert.equal(await reading("a.yaml", yaml), body);
    const spec = { class: "x.Y", tasksMax: 2, config: { a: "b", pattern: "A[.]B" } };
    const json = { apiVersion: "k/v1", kind: "KafkaConnector", metadata: { name: "orders" }, spec };
    const { port: _port, on: _on, rate: _rate, ...same } = body.config;
    assert.equal(await reading("a.json", JSON.stringify(json)), { ...body, config: same });
  },
);

for (const [title, name, content, message, line] of bad)
  config(`${title} is rejected, without showing a value`, async () => {
    const [problem, ...more] = await problemsOf(reading(name, content));
    assert.match(problem?.message ?? "", message);
    assert.ok(lineOf(problem?.remedy ?? "").length > 0);
    assert.ok(problem?.file?.endsWith(name));
    if (line !== undefined) assert.is(problem?.line, line);
    assert.not.match(JSON.stringify([problem, ...more]), /hunter2/);
  });

config("what is no setting is told what a configuration looks like, and not to have quotes around it", async () => {
  const told = async (text: string) => (await problemsOf(reading("a.json", text))).map(({ remedy }) => String(remedy));
  const status = '{"name": "a", "connector": {"state": "RUNNING"}, "tasks": []}';
  for (const remedy of await told(status)) assert.match(remedy, /^Write JSON .*or the settings alone/);
  assert.equal(await told('{"a": 5}'), ["Put quotes around the value."]);
});

config("a null is not set, and the answer of expand=info about one connector is its configuration", async () => {
  assert.equal((await reading("a.json", '{"config": {"a": null, "b": "c"}}')).config, { b: "c" });
  const answer = { "a-1": { info: { name: "a-1", config: { a: "b", c: null } }, status: {} } };
  const { name, config: settings } = await reading("a.json", JSON.stringify(answer));
  assert.equal([name, settings], ["a-1", { a: "b" }]);
});

config("client properties are read as Java reads them, and what no client has is named once", () =>
  inFolder(
    { "c.properties": Buffer.from("# caf\u00e9\nsasl.enabled.mechanisms=PLAIN\nacks=1\n", "latin1") },
    async (folder) => {
      const warnings: string[] = [];
      const path = join(folder, "c.properties");
      const read = await readClientProperties(path, { env: {}, warn: (text) => warnings.push(text) });
      assert.is(read["acks"]?.open(), "1");
      assert.equal(warnings, [
        `${path}: ignored unknown client properties (the Java client ignores them too): sasl.enabled.mechanisms`,
      ]);
    },
  ),
);

config("JSON in any layout is not taken for YAML", async () => {
  for (const text of ['{"config":\n  {"a": "b"}}', '{\n"config":\n  {"a": "b"}}'])
    assert.equal((await reading("a.json", text)).config, { a: "b" });
});

config("a properties file may have a colon after its keys, and a key without a value", async () => {
  assert.equal((await reading("a.properties", "apiVersion: 1\na:b\nc:\nd=e")).config, {
    apiVersion: "1",
    a: "b",
    c: "",
    d: "e",
  });
});

config("numbers and booleans are read as text where allowed, with every digit", () =>
  inFolder(
    { "a.json": '{"a": 9007199254740993, "b": true, "c": 1.50, "d": "x"}', "b.json": '{"a": null, "b": {}, "c": []}' },
    async (folder) => {
      const options = { resolveReferences: false, env: {}, scalars: true };
      const read = await readConnectorConfig(join(folder, "a.json"), options);
      assert.equal(read.config, { a: "9007199254740993", b: "true", c: "1.50", d: "x" });
      const problems = await problemsOf(readConnectorConfig(join(folder, "b.json"), options));
      assert.is(problems.length, 2);
    },
  ),
);

config("a missing file, or a folder, is named", () =>
  inFolder({}, async (folder) => {
    const options = { resolveReferences: true, env: {} };
    const [missing] = await problemsOf(readConnectorConfig(join(folder, "a.json"), options));
    assert.match(missing?.message ?? "", /not there.*a\.json/);
    const [directory] = await problemsOf(readConnectorConfig(folder, options));
    assert.match(directory?.message ?? "", /is a folder/);
  }),
);

config("client properties are sealed, and their references resolved", () =>
  inFolder(
    { "c.properties": 'security.protocol=SASL_SSL\nsasl.jaas.config=x password="${env:P}";\n' },
    async (folder) => {
      const path = join(folder, "c.properties");
      const properties = await readClientProperties(path, { env: { P: "hunter2" } });
      assert.is(properties["sasl.jaas.config"]?.open(), 'x password="hunter2";');
      assert.not.match(JSON.stringify(properties), /hunter2/);
      const [problem] = await problemsOf(readClientProperties(path, { env: {} }));
      assert.match(problem?.message ?? "", /sasl\.jaas\.config: .*variable P is not set/);
      assert.is(problem?.line, 2);
    },
  ),
);

config.run();
