import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR_CLASS } from "../../core/legacy/connector-class.ts";
import { parseJson } from "../../core/values/json.ts";
import { startSandbox } from "../../providers/sandbox/sandbox.ts";
import { inFolder } from "../bad-input/table.ts";
import { schemaTester } from "../views/testing/schema.ts";
import { runApart } from "./testing/run-apart.ts";

const translate = suite("migrate translate");
const fits = schemaTester("translation.schema.json");

const PROPERTIES = {
  "connector.class": "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector",
  "tasks.max": 2,
  "oracle.server": "db.prod",
  "oracle.sid": "ORCLCDB",
  "oracle.pdb.name": "ORCLPDB1",
  "oracle.username": "C##LEGACY",
  "oracle.password": "hunter2",
  "table.inclusion.regex": "ORCLPDB1[.]SALES[.].*",
  "emit.tombstone.on.delete": true,
};
const whole = (more: object = {}) => JSON.stringify({ name: "orders-legacy", config: { ...PROPERTIES, ...more } });

translate("writes the configuration and the report, and reports it on stderr", () =>
  inFolder({ "legacy.json": whole() }, async (folder) => {
    const [output, report] = [join(folder, "new.json"), join(folder, "report.md")];
    const { exit, stdout, stderr } = await runApart([
      ...["migrate", "translate", "--input", join(folder, "legacy.json")],
      ...["--output", output, "--report", report, "--topic-prefix", "orders", "--name", "orders-cdc"],
    ]);
    assert.is(exit, 0);
    assert.match(stdout, "orders-cdc, translated from");
    assert.is(stderr, `wrote ${output}\nwrote ${report}\n`);
    const created = parseJson(await readFile(output, "utf8")) as { name: string; config: Record<string, string> };
    assert.is(created.name, "orders-cdc");
    assert.is(created.config["cdc.topic.prefix"], "orders");
    assert.is(created.config["cdc.tombstones.on.delete"], "true");
    const { "oracle.server": server } = PROPERTIES;
    assert.ok(
      (await readFile(report, "utf8")).includes(
        `\n| \`oracle.server\` | \`${server}\` | mapped | \`cdc.database.host\` | \`${server}\` |`,
      ),
    );
    for (const text of [stdout, stderr, JSON.stringify(created), await readFile(report, "utf8")])
      assert.not.match(text, "hunter2");
  }),
);

const OWN = { ...PROPERTIES, name: "orders-legacy" };
for (const [what, input] of [
  [
    "of one connector by expand=info",
    { "orders-legacy": { info: { name: "orders-legacy", config: OWN, tasks: [] }, status: {} } },
  ],
  [
    "with settings that are null, numbers or true",
    { name: "orders-legacy", config: { ...OWN, "errors.tolerance": null, "log.sensitive.data": true } },
  ],
] as const)
  translate(`takes an answer of the workers ${what}`, () =>
    inFolder({ "answer.json": JSON.stringify(input) }, async (folder) => {
      const output = join(folder, "new.json");
      const argv = ["migrate", "translate", "--input", join(folder, "answer.json"), "--output", output];
      const { exit, stdout, stderr } = await runApart(argv);
      assert.is(exit, 0, stderr);
      assert.not.match(stdout, /errors\.tolerance|null/);
      const { name, config } = JSON.parse(await readFile(output, "utf8"));
      assert.equal([name, config["tasks.max"], config["errors.tolerance"]], ["orders-legacy-cdc", "1", undefined]);
      assert.is(config["cdc.log.sensitive.data"], what.includes("null") ? "true" : undefined);
    }),
  );

translate("shows in no form and no table what another one hides, and writes it into the configuration", () =>
  inFolder(
    { "legacy.json": whole({ transforms: "t", "transforms.t.type": "x.Y", "transforms.t.of": "canary one" }) },
    async (folder) => {
      const at = (name: string) => join(folder, name);
      const argv = ["migrate", "translate", "--input", at("legacy.json")];
      const { stdout } = await runApart([...argv, "--output", at("new.json")]);
      const { stdout: document } = await runApart([...argv, "--format", "json"]);
      const reports = ["r.html", "r.md", "r.json"];
      for (const name of reports) await runApart([...argv, "--report", at(name)]);
      const written = await Promise.all(reports.map((name) => readFile(at(name), "utf8")));
      for (const shown of [stdout, document, ...written]) {
        assert.match(shown, "hidden:");
        assert.not.match(shown, "canary one");
      }
      assert.match(await readFile(at("new.json"), "utf8"), '"transforms.t.of": "canary one"');
    },
  ),
);

for (const [what, theirs] of [
  ["another connector's", { "connector.class": "com.example.OracleConnector" }],
  ["the new connector's already", { "connector.class": CONNECTOR_CLASS }],
] as const)
  translate(`exits with 1, and writes no configuration, where the input is ${what}`, () =>
    inFolder({ "other.json": whole(theirs) }, async (folder) => {
      const output = join(folder, "new.json");
      const argv = ["migrate", "translate", "--input", join(folder, "other.json"), "--output", output];
      const { exit, stdout, stderr } = await runApart(argv);
      assert.is(exit, 1);
      assert.match(
        stdout.replaceAll(/\s+/g, " "),
        theirs["connector.class"] === CONNECTOR_CLASS ? "already" : "connector.class was not",
      );
      assert.match(stderr, `${output} is not written`);
      assert.is(await readFile(output, "utf8").catch(() => "none"), "none");
    }),
  );

translate("prints only the report as JSON, and writes it as JSON under a name that ends in .json", () =>
  inFolder({ "legacy.json": whole() }, async (folder) => {
    const report = join(folder, "REPORT.JSON");
    const argv = ["migrate", "translate", "--input", join(folder, "legacy.json"), "--report", report];
    const { stdout } = await runApart([...argv, "--format", "json"]);
    fits(stdout);
    assert.is(await readFile(report, "utf8"), stdout);
    const { properties } = JSON.parse(stdout) as { properties: readonly { name: string; fate: string }[] };
    assert.equal(
      properties.map(({ name }) => name),
      Object.keys(PROPERTIES),
    );
  }),
);

translate("exits with 2 on request, while something is manual", () =>
  inFolder({ "fine.json": whole(), "manual.json": whole({ "key.template": "x" }) }, async (folder) => {
    const exit = async (file: string, ...more: readonly string[]) =>
      (await runApart(["migrate", "translate", "--input", join(folder, file), ...more])).exit;
    assert.is(await exit("fine.json", "--detailed-exitcode"), 0);
    assert.is(await exit("manual.json", "--detailed-exitcode"), 2);
    assert.is(await exit("manual.json"), 0);
  }),
);

translate("never replaces a file, and checks before it calls a system", () =>
  inFolder({ "legacy.json": whole(), "there.json": "mine" }, async (folder) => {
    const input = ["migrate", "translate", "--input", join(folder, "legacy.json")];
    const there = join(folder, "there.json");
    for (const option of ["--output", "--report"]) {
      const { exit, stderr, stdout } = await runApart([...input, option, there, "--connect-url", "http://127.0.0.1:1"]);
      assert.is(exit, 64);
      assert.match(stderr, /it already exists/);
      assert.is(stdout, "");
    }
    assert.is(await readFile(there, "utf8"), "mine");
    const twice = join(folder, "twice.json");
    const { exit, stderr } = await runApart([...input, "--output", twice, "--report", twice]);
    assert.is(exit, 64);
    assert.match(stderr, /given twice/);
  }),
);

const CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: hunter2\n";

const bad: readonly (readonly [string, string, string, RegExp])[] = [
  ["a truncated file", "a.json", whole().slice(0, 200), /not valid JSON/],
  ["a duplicate property", "a.properties", "name=x\na=hunter2\na=2\n", /a is given twice/],
  ["a duplicate key", "a.json", '{"name":"x","a":"hunter2","a":"b"}', /"a" is given twice/],
  ["nothing", "a.json", "", /is empty/],
  ["a value that is a list", "a.json", '{"name":"x","a":["hunter2"]}', /a is a list/],
  ["no name", "a.json", '{"oracle.server":"x"}', /does not name the legacy connector/],
  [
    "a name that is not a valid topic",
    "a.json",
    '{"name":"my orders","connector.class":"x","oracle.server":"x"}',
    /not a valid topic prefix/,
  ],
  ["no class", "a.json", '{"name":"x","oracle.password":"hunter2"}', /no connector\.class/],
  ["another resource", "a.yaml", CONFIG_MAP, /a resource of kind ConfigMap, not a KafkaConnector/],
];
for (const [what, name, text, says] of bad)
  translate(`${what} is refused as input, with 64 and without a value of it`, () =>
    inFolder({ [name]: text }, async (folder) => {
      const { exit, stdout, stderr } = await runApart(["migrate", "translate", "--input", join(folder, name)]);
      assert.is(exit, 64);
      assert.match(stderr, says);
      assert.is(stdout, "");
      assert.not.match(stderr, "hunter2");
    }),
  );

const DEBEZIUM = {
  "connector.class": "io.debezium.connector.oracle.OracleConnector",
  "topic.prefix": "inv",
  "database.hostname": "ora",
  "database.password": "hunter2",
  "table.include.list": "INV.ITEMS",
};
const debezium = (more: object = {}) => JSON.stringify({ name: "inventory", config: { ...DEBEZIUM, ...more } });

for (const [what, options, says] of [
  ["no word on topics", [], /kept has to be decided.*--topics keep/s],
  ["kept topics and another prefix", ["--topics", "keep", "--topic-prefix", "other"], /the prefix is theirs, "inv"/],
  ["no version", ["--topics", "keep", "--debezium-version", "newest"], /"newest" is not a version of Debezium/],
] as const)
  translate(`of Debezium's configuration with ${what} exits with 64, and writes nothing`, () =>
    inFolder({ "debezium.json": debezium() }, async (folder) => {
      const output = join(folder, "new.json");
      const argv = ["migrate", "translate", "--input", join(folder, "debezium.json"), "--output", output, ...options];
      const { exit, stdout, stderr } = await runApart(argv);
      assert.equal([exit, stdout], [64, ""]);
      assert.match(stderr.replaceAll(/\s+/g, " "), says);
      assert.is(await readFile(output, "utf8").catch(() => "none"), "none");
    }),
  );

translate("tells Debezium by its class, and takes its topics, its version and its forms", () =>
  inFolder({ "debezium.json": debezium() }, async (folder) => {
    const argv = ["migrate", "translate", "--input", join(folder, "debezium.json"), "--format", "json"];
    const of = async (...more: readonly string[]) => JSON.parse((await runApart([...argv, ...more])).stdout);
    const kept = await of("--topics", "keep", "--debezium-version", "1.9.7.Final");
    assert.equal([kept.name, kept.config["cdc.topic.prefix"]], ["inventory-cdc", "inv"]);
    assert.is(kept.config["cdc.schema.name.adjustment.mode"], "avro");
    const own = await of("--topics", "new", "--topic-prefix", "inventory");
    assert.is(own.config["cdc.topic.prefix"], "inventory");
    assert.not.match(JSON.stringify([kept, own]), "hunter2");
  }),
);

translate("keeps no topics of Confluent's connector, which has no such version either", () =>
  inFolder({ "legacy.json": whole() }, async (folder) => {
    const argv = ["migrate", "translate", "--input", join(folder, "legacy.json")];
    const keep = await runApart([...argv, "--topics", "keep"]);
    assert.is(keep.exit, 64);
    assert.match(keep.stderr, /can't be kept: its records have another form/);
    const version = await runApart([...argv, "--debezium-version", "2.7.3"]);
    assert.is(version.exit, 64);
    assert.match(version.stderr, /of Debezium only/);
    assert.is((await runApart([...argv, "--topics", "new"])).exit, 0);
  }),
);

for (const [what, config, title] of [
  [
    "Debezium with XStream",
    { "database.connection.adapter": "xstream" },
    /^refused: inventory is Debezium's Oracle connector with the XStream adapter:/,
  ],
  [
    "Debezium with OpenLogReplicator",
    { "database.connection.adapter": "olr" },
    /inventory is Debezium's Oracle connector with the OpenLogReplicator adapter:/,
  ],
  [
    "Debezium for another database",
    { "connector.class": "io.debezium.connector.mysql.MySqlConnector" },
    /inventory is Debezium's connector for MySQL:/,
  ],
  [
    "Confluent's XStream connector",
    { "connector.class": "io.confluent.connect.oracle.xstream.cdc.OracleXStreamSourceConnector" },
    /inventory is Confluent's Oracle XStream CDC Source connector:/,
  ],
] as const)
  translate(`refuses ${what} by name in the first line, with 1, and writes nothing`, () =>
    inFolder({ "other.json": debezium(config) }, async (folder) => {
      const [output, report] = [join(folder, "new.json"), join(folder, "report.md")];
      const argv = ["migrate", "translate", "--input", join(folder, "other.json"), "--output", output];
      const { exit, stdout, stderr } = await runApart([...argv, "--report", report]);
      assert.equal([exit, stdout], [1, ""]);
      assert.match(stderr.replaceAll(/\s+/g, " "), title);
      for (const path of [output, report]) assert.is(await readFile(path, "utf8").catch(() => "none"), "none");
    }),
  );

const RESOURCE = [
  ...["apiVersion: kafka.strimzi.io/v1beta2", "kind: KafkaConnector", "metadata: { name: orders-legacy }", "spec:"],
  ...[`  class: ${PROPERTIES["connector.class"]}`, "  tasksMax: 2", "  config:"],
  ...[
    "    oracle.server: db.prod",
    "    oracle.port: 1521",
    "    oracle.password: hunter2",
    `    oracle.username: $${"{secrets:kafka/oracle:user}"}`,
    "    emit.tombstone.on.delete: true",
  ],
];

translate("takes the YAML of a KafkaConnector, for either legacy connector", () =>
  inFolder(
    {
      "orders.yaml": RESOURCE.join("\n"),
      "inv.yaml": RESOURCE.join("\n").replace(PROPERTIES["connector.class"], DEBEZIUM["connector.class"]),
    },
    async (folder) => {
      const of = (file: string, ...more: readonly string[]) =>
        runApart(["migrate", "translate", "--input", join(folder, file), "--format", "json", ...more]);
      const { exit, stdout } = await of("orders.yaml");
      assert.is(exit, 0);
      const { name, config } = JSON.parse(stdout);
      assert.equal(
        [name, config["cdc.database.port"], config["cdc.tombstones.on.delete"]],
        ["orders-legacy-cdc", "1521", "true"],
      );
      assert.is((await of("inv.yaml", "--topics", "new")).exit, 0);
    },
  ),
);

translate("takes Debezium's version from the workers that are asked, unless it is given", async () => {
  const plugins = [{ class: DEBEZIUM["connector.class"], type: "source", version: "1.9.7.Final" }];
  const sandbox = await startSandbox({ connect: { plugins } });
  try {
    await inFolder({ "debezium.json": debezium() }, async (folder) => {
      const argv = ["migrate", "translate", "--input", join(folder, "debezium.json"), "--topics", "keep"];
      const names = async (...more: readonly string[]) => {
        const { stdout } = await runApart([...argv, "--format", "json", "--connect-url", sandbox.connect.url, ...more]);
        return JSON.parse(stdout).config["cdc.schema.name.adjustment.mode"];
      };
      assert.is(await names(), "avro");
      assert.is(await names("--debezium-version", "2.7.3.Final"), "none");
    });
  } finally {
    await sandbox.close();
  }
});

translate("lets a worker validate the result, and creates nothing", async () => {
  const sandbox = await startSandbox({
    connect: {
      validate: (_class, config) => [
        ...(config["cdc.tables.include"] === undefined
          ? [{ name: "cdc.tables.include", errors: ["it has no default value"] }]
          : []),
        ...(config["cdc.database.password"] === "********"
          ? [{ name: "cdc.database.password", errors: ["ORA-01017"] }]
          : []),
      ],
    },
  });
  try {
    await inFolder(
      { "fine.json": whole(), "wrong.json": whole({ "table.inclusion.regex": "A{1,3}" }) },
      async (folder) => {
        const validated = async (file: string) => {
          const argv = ["migrate", "translate", "--input", join(folder, file), "--format", "json"];
          const { exit, stdout } = await runApart([...argv, "--connect-url", sandbox.connect.url]);
          fits(stdout);
          return { exit, validation: (JSON.parse(stdout) as { validation: unknown }).validation };
        };
        const worker = sandbox.connect.url;
        const notJudged = ["cdc.database.password"];
        assert.equal(await validated("fine.json"), { exit: 0, validation: { worker, problems: [], notJudged } });
        const problems = [{ setting: "cdc.tables.include", errors: ["it has no default value"] }];
        assert.equal(await validated("wrong.json"), { exit: 1, validation: { worker, problems, notJudged } });
      },
    );
    assert.equal([...sandbox.connect.cluster.connectors.keys()], ["orders-cdc"]);
  } finally {
    await sandbox.close();
  }
});

translate("reports workers without the new connector's class", async () => {
  const sandbox = await startSandbox({ connect: { plugins: [] } });
  try {
    await inFolder({ "legacy.json": whole() }, async (folder) => {
      const argv = ["migrate", "translate", "--input", join(folder, "legacy.json")];
      const { exit, stdout } = await runApart([...argv, "--connect-url", sandbox.connect.url]);
      assert.is(exit, 1);
      assert.match(stdout, /connector\.class: the workers have no sh\.oso\.connect\.oracle\.OracleCdcSourceConnector/);
    });
  } finally {
    await sandbox.close();
  }
});

translate("writes the class that --connector-class names, and asks the workers for it", async () => {
  const fork = "com.example.cdc.OracleCdcSourceConnector";
  const plugins = [{ class: fork, type: "source", version: "1" }];
  const sandbox = await startSandbox({ connect: { plugins } });
  try {
    await inFolder({ "legacy.json": whole() }, async (folder) => {
      const argv = ["migrate", "translate", "--input", join(folder, "legacy.json")];
      const asked = [...argv, "--connect-url", sandbox.connect.url];
      assert.match((await runApart(asked)).stdout, /--connector-class\s+com\.example\.cdc\.OracleCdcSourceConnector/);
      const named = await runApart([...asked, "--connector-class", fork]);
      assert.is(named.exit, 0);
      assert.match(named.stdout, /connector\.class = com\.example\.cdc\./);
      assert.match((await runApart([...argv, "--connector-class", fork])).stdout, /connector\.class = com\.example\./);
      assert.is((await runApart([...argv, "--connector-class", "a b"])).exit, 64);
    });
  } finally {
    await sandbox.close();
  }
});

translate.run();
