/** A connector that is known and not the CDC source connector is refused by its name, and nothing is changed. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { inFolder } from "../bad-input/table.ts";
import { runApart } from "./testing/run-apart.ts";

const others = suite("connectors of others");

const ORACLE = "io.debezium.connector.oracle.OracleConnector";
const LCR = { lcr_position: "0000", commit_scn: null };
const OTHERS = [
  ["Debezium's Oracle connector", { "connector.class": ORACLE }, { scn: "2030000", commit_scn: "2040000:1:0a" }],
  [
    "Debezium's Oracle connector with the XStream adapter",
    { "connector.class": ORACLE, "database.connection.adapter": "xstream" },
    LCR,
  ],
  [
    "Debezium's Oracle connector with the OpenLogReplicator adapter",
    { "connector.class": ORACLE, "database.connection.adapter": "olr" },
    { scn: "2030000", scn_idx: 7n, commit_scn: null },
  ],
  [
    "Confluent's Oracle XStream CDC Source connector",
    { "connector.class": "io.confluent.connect.oracle.xstream.cdc.OracleXStreamSourceConnector" },
    LCR,
  ],
  [
    "Debezium's connector for MySQL",
    { "connector.class": "io.debezium.connector.mysql.MySqlConnector" },
    { file: "binlog.000001", pos: 4n },
  ],
] as const;

const COMMANDS: readonly (readonly string[])[] = [
  ["doctor", "check"],
  ["doctor", "explain-lag"],
  ["admin", "offsets", "show"],
  ["admin", "offsets", "set", "--scn", "2010000", "--reason", "again"],
];

async function inSandbox(use: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ connect: { task: () => ({ start: () => undefined, tick: () => [] }) } });
  try {
    for (const [at, [, config, offset]] of OTHERS.entries()) {
      sandbox.connect.cluster.offsets.write(`inventory-${at}`, [{ partition: { server: "inventory" }, offset }]);
      await sandbox.connect.cluster.create(`inventory-${at}`, { ...config }, "STOPPED").settled;
    }
    await use(sandbox);
    assert.equal(
      sandbox.connect.requests.filter(({ method }) => method !== "GET"),
      [],
      "nothing is changed",
    );
  } finally {
    await sandbox.close();
  }
}

const offsetChange = (url: string, name: string) =>
  `apiVersion: cdcctl/v1\nkind: OffsetChange\nmetadata: { name: replay, reason: again }\n` +
  `target: { connectUrl: ${JSON.stringify(url)}, connector: ${name} }\nspec: { scn: 2010000 }\n`;

others("are refused by their names in the first line, with what to do instead, and nothing is changed", () =>
  inSandbox(async ({ connect: { url } }) => {
    for (const [at, [title, config]] of OTHERS.entries()) {
      const name = `inventory-${at}`;
      await inFolder(
        { "plan.yaml": offsetChange(url, name), "own.json": JSON.stringify({ name, config }) },
        async (folder) => {
          const argvs = [
            ...COMMANDS.map((words) => [...words, "--connect-url", url, "--connector", name]),
            ["doctor", "check", "--config", join(folder, "own.json")],
            ["plan", join(folder, "plan.yaml")],
            ["apply", "--yes", join(folder, "plan.yaml")],
          ];
          for (const argv of argvs) {
            const { exit, stdout, stderr } = await runApart(argv);
            const what = `${argv.join(" ")}\n${stdout}${stderr}`;
            assert.is(exit, 1, what);
            const said = `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
            assert.ok(said.startsWith(`refused: ${name} is ${title}, not the CDC source connector: `), what);
            assert.match(said, /CON301/, what);
            assert.not.match(said, /unreadable|can't be read/, what);
          }
        },
      );
    }
  }),
);

others("are refused by an audit by their names too, and so are offsets of another connector than the class", () =>
  inSandbox(async ({ connect: { url, cluster } }) => {
    const offset = { scn: "2010000" };
    cluster.offsets.write("mixed", [{ partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset }]);
    await cluster.create("mixed", { "connector.class": ORACLE }, "STOPPED").settled;
    const says = [
      ...OTHERS.slice(1).map(([title], at) => [`inventory-${at + 1}`, `is ${title}: `, "LEG030"] as const),
      ["mixed", "the stored offsets of mixed are another connector's than its class says", "LEG001"] as const,
    ];
    for (const [name, seen, code] of says) {
      const argv = ["--audit", "--connect-url", url, "--connector", name, "--table", "INV.ITEMS"];
      const { exit, stdout, stderr } = await runApart(["migrate", "verify", ...argv]);
      assert.equal([exit, stdout], [1, ""], stderr);
      const said = stderr.replaceAll(/\s+/g, " ");
      assert.ok(said.startsWith("refused: ") && said.includes(seen) && said.includes(code), stderr);
    }
  }),
);

others.run();
