// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
/** `contexts`: what is listed, what a test of a context finds, and the file that it begins with. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR_CLASS, LEGACY_CLASSES } from "../../core/legacy/connector-class.ts";
import { CONNECTOR } from "../../providers/sandbox/sandbox.ts";
import { contexts } from "../../providers/sandbox/scenario.ts";
import { schemaTester } from "../views/testing/schema.ts";
import { inSandboxOf } from "./testing/in-sandbox.ts";

const commands = suite("contexts");
const inSandbox = inSandboxOf(commands);

const flat = (text: string) => text.replaceAll(/\s+/g, " ");
const SECRET = "hunter2-in-the-file";
const PROD = `
  prod:
    connect:
      url: https://connect.prod:8083
      auth: { basic: { user: cdcctl, password: ${SECRET} } }
    brokers: { bootstrapServers: "kafka.prod:9093", commandConfig: client.properties }
    jmx: { hosts: [jvm.prod], login: { user: monitor, password: "\${env:JMX_PASSWORD}" } }
    connectors: { ${CONNECTOR}: { config: own.json } }
`;

inSandbox(
  "list and show print what is configured, resolve nothing and show no secret",
  {},
  async (_sandbox, cdcctl, folder) => {
    await writeFile(join(folder, "contexts.yaml"), `${await readFile(join(folder, "contexts.yaml"), "utf8")}${PROD}`, {
      mode: 0o600,
    });
    const list = await cdcctl("contexts", "list");
    assert.is(list.exit, 0, list.stderr);
    assert.match(flat(list.stdout), /sandbox http:\/\/127\.0\.0\.1:\d+ none as configured none/);
    assert.match(flat(list.stdout), /prod https:\/\/connect\.prod:8083 basic kafka\.prod:9093 jvm\.prod orders-cdc/);
    const show = await cdcctl("contexts", "show", "prod");
    assert.match(flat(show.stdout), /Properties client\.properties .* orders-cdc, configuration own\.json/);
    const json = await cdcctl("contexts", "list", "--format", "json");
    schemaTester("context-list.schema.json")(json.stdout);
    for (const { output } of [list, show, json]) assert.not.match(output, SECRET);
    assert.is((await cdcctl("contexts", "show", "prdo")).exit, 64);
  },
);

inSandbox(
  "test tries Connect, brokers and Oracle of every connector, each with its latency",
  {},
  async (sandbox, cdcctl) => {
    const seen = await cdcctl("contexts", "test", "sandbox");
    assert.is(seen.exit, 0, seen.stdout + seen.stderr);
    const text = flat(seen.stdout);
    assert.match(text, /sandbox: all required systems work/);
    assert.match(text, /Connect http:\S+ ok [\d,]+ ms Kafka Connect 3\.9\.2, Kafka cluster 4L6g3nShT/);
    assert.match(text, /Connect classes ok [\d,]+ ms sh\.oso\.connect\.oracle\.OracleCdcSourceConnector/);
    assert.match(text, /brokers ops topic of orders-cdc ok [\d,]+ ms orders\.cdc\.ops: read and write/);
    assert.match(text, /brokers signals topic of orders-cdc ok/);
    assert.match(text, /brokers journal topic of orders-cdc ok/);
    assert.match(text, /Oracle \S+ ok [\d,]+ ms C##CDC logged in to ORCLCDB \S+, container CDB\$ROOT/);
    assert.match(text, /Oracle grants for orders-cdc ok/);
    assert.match(text, /JMX workers skipped not tried: the context has no jmx\.hosts/);
    const json = await cdcctl("contexts", "test", "--format", "json", "--connector", CONNECTOR);
    schemaTester("context-test.schema.json")(json.stdout);
    assert.match(json.stdout, /"ok": true/);
    assert.equal(
      sandbox.connect.requests.filter(({ method }) => method !== "GET"),
      [],
    );
  },
);

for (const legacy of LEGACY_CLASSES)
  inSandbox(
    `test says that the workers have a legacy connector: ${legacy}`,
    { connect: { plugins: [CONNECTOR_CLASS, legacy].map((name) => ({ class: name, type: "source", version: "1" })) } },
    async (_sandbox, cdcctl) => {
      const seen = await cdcctl("contexts", "test", "sandbox");
      assert.match(flat(seen.stdout), /OracleCdcSourceConnector, and the legacy connector/);
    },
  );

inSandbox(
  "a wrong password is tried once, and fails the test with a remedy",
  { config: { "cdc.database.password": "wrong" } },
  async (sandbox, cdcctl) => {
    const { oracle } = sandbox;
    assert.is((await cdcctl("admin", "offsets", "show", "--context", "sandbox", "--name", CONNECTOR)).exit, 0);
    // What one attempt takes.
    const once = oracle.roundTrips;
    assert.ok(once > 0);
    const seen = await cdcctl("contexts", "test", "sandbox");
    assert.is(seen.exit, 1, seen.stdout);
    assert.match(flat(seen.stdout), /sandbox: 1 failed/);
    assert.match(flat(seen.stdout), /Oracle \S+ failed \d+ ms .*ORA-01017/, seen.stdout);
    assert.not.match(seen.stdout, /grants for/);
    assert.is(oracle.roundTrips, 2 * once);
  },
);

inSandbox(
  "a reference that only the worker resolves, and a context whose systems do not answer, are named with their remedy",
  { config: { "cdc.database.password": "${file:/run/secrets:db}" } },
  async (_sandbox, cdcctl, folder) => {
    const seen = await cdcctl("contexts", "test", "sandbox");
    assert.is(seen.exit, 1, seen.stdout);
    assert.match(flat(seen.stdout), /cdc\.database\.password is a reference that only the worker resolves/);
    assert.match(flat(seen.stdout), /connectors\.NAME\.config of the context, or --config/);
    await writeFile(join(folder, "contexts.yaml"), `${await readFile(join(folder, "contexts.yaml"), "utf8")}${PROD}`, {
      mode: 0o600,
    });
    const all = await cdcctl("contexts", "test");
    assert.is(all.exit, 1);
    assert.match(flat(all.stdout), /prod: 1 failed .*Connect https:\/\/connect\.prod:8083 failed/);
  },
);

inSandbox(
  "init writes a commented file that is valid, and never over an existing one",
  {},
  async (_sandbox, cdcctl, folder) => {
    const path = join(folder, "new", "contexts.yaml");
    const wrote = await cdcctl("contexts", "init", "--contexts", path);
    assert.is(wrote.exit, 0, wrote.stderr);
    assert.is((await stat(path)).mode & 0o777, 0o600);
    assert.match((await cdcctl("contexts", "list", "--contexts", path)).stdout, /prod +http:\/\/localhost:8083/);
    assert.is((await cdcctl("contexts", "init", "--contexts", path)).exit, 64);
    // Every commented key is one that there is.
    const text = await readFile(path, "utf8");
    const [head = "", body = ""] = text.split("contexts:\n", 2).map((part, i) => (i === 0 ? part : part));
    const keys = body.replaceAll(/^( +)# ((?:[a-zA-Z-]+:| {2,}\S).*)$/gm, "$1$2");
    await writeFile(join(folder, "all.yaml"), `${head}contexts:\n${keys}`, { mode: 0o600 });
    const all = await cdcctl("contexts", "show", "prod", "--contexts", join(folder, "all.yaml"));
    assert.is(all.exit, 0, all.stderr);
    assert.match(
      flat(all.stdout),
      /login basic Brokers kafka-1\.example\.com:9093,\S+ .* orders-cdc, configuration orders-cdc\.json/,
    );
  },
);

inSandbox(
  "a login is tried at every JVM of jmx.hosts; a rejected one is a warning, since nothing else requires it",
  { jmx: { values: () => ({ lag: { MinedToScn: 7n } }), login: { user: "monitor", password: "jmx-secret" } } },
  async (sandbox, cdcctl, folder) => {
    const port = /:(\d+)\/jmxrmi/.exec(sandbox.jvm?.url ?? "")?.[1] ?? "";
    const jmx = (password: string) =>
      `${contexts(sandbox)}    jmx:\n      hosts: ["127.0.0.1:${port}"]\n` +
      `      login: { user: monitor, password: ${password} }\n`;
    await writeFile(join(folder, "contexts.yaml"), jmx("jmx-secret"), { mode: 0o600 });
    const seen = await cdcctl("contexts", "test", "sandbox");
    assert.is(seen.exit, 0, seen.stdout);
    assert.match(flat(seen.stdout), /JMX 127\.0\.0\.1:\d+ ok [\d,]+ ms logged in; it runs the task of orders/);
    await writeFile(join(folder, "contexts.yaml"), jmx("jmx-wrong"), { mode: 0o600 });
    const wrong = await cdcctl("contexts", "test", "sandbox");
    assert.is(wrong.exit, 0, wrong.stdout);
    assert.match(flat(wrong.stdout), /JMX 127\.0\.0\.1:\d+ warning/);
    assert.not.match(wrong.output, "jmx-wrong");
  },
);

commands.run();
