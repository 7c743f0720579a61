import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OffsetEntry } from "../../core/facts/offset/stored-offset.ts";
import { parseJson } from "../../core/values/json.ts";
import { openTransaction, purge } from "../../providers/sandbox/faults.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { inFolder } from "../bad-input/table.ts";
import { schemaTester } from "../views/testing/schema.ts";
import { type Apart, runApart } from "./testing/run-apart.ts";

const takeover = suite("migrate takeover");
const fits = schemaTester("takeover.schema.json");

const LEGACY = "orders-legacy";
const PASSWORD = "cdc-secret";
const PROPERTIES = {
  "connector.class": "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector",
  "oracle.server": "db.prod",
  "oracle.password": "legacy-canary",
  "key.template": "x",
  "use.transaction.begin.for.mining.session": "true",
};
const DATABASE: OffsetEntry = {
  partition: { sidPdb: "ORCLCDB.ORCLPDB1" },
  offset: { scn: "2030000", tablePlacement: '{"0":["ORCLPDB1.SALES.ORDERS"]}' },
};
const table = (name: string, scn: bigint | string, cscn?: bigint | string): OffsetEntry => ({
  partition: { catalog: "ORCLPDB1", schema: "SALES", table: name },
  offset: { scn, ...(cscn === undefined ? {} : { cscn }), rows: 5n, rps: 1n, def: "{}" },
});
const inPdb = (catalog: string) => ({ catalog, schema: "SALES", table: "ORDERS" });
const OFFSETS = [DATABASE, table("ORDERS", 2031000n, "2040000"), table("LINES", "2032000", 2039000n)];

interface Given {
  readonly offsets?: readonly OffsetEntry[];
  readonly state?: "RUNNING" | "PAUSED" | "STOPPED";
  readonly world?: SandboxOptions;
  /** Overrides the target configuration; undefined removes a setting. */
  readonly target?: Readonly<Record<string, string | undefined>>;
  /** Overrides the legacy connector's properties. */
  readonly properties?: Readonly<Record<string, string>>;
  /** A connector of this name is there, stopped, with a stored offset. */
  readonly created?: string;
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A legacy connector beside the one that the sandbox has, and the command that takes over from it. */
async function takenOver<T>(
  { offsets = OFFSETS, state = "STOPPED", world = {}, target = {}, properties, created, argv = [], env = {} }: Given,
  use: (result: Apart, at: { readonly folder: string; readonly sandbox: Sandbox }) => T | Promise<T>,
): Promise<T> {
  const sandbox = await startSandbox({
    ...world,
    connect: { task: () => ({ start: () => undefined, tick: () => [] }), statusLag: 0, ...world.connect },
  });
  try {
    const { cluster } = sandbox.connect;
    cluster.offsets.write(LEGACY, offsets);
    await cluster.create(LEGACY, { ...PROPERTIES, ...properties }, state).settled;
    if (created !== undefined) {
      cluster.offsets.write(created, [{ partition: { server: "orders2" }, offset: { v: 1n, resume_scn: 2030000n } }]);
      await cluster.create(created, { ...sandbox.config }, "STOPPED").settled;
    }
    const config = { ...sandbox.config, "cdc.topic.prefix": "orders2", "cdc.tables.case.sensitive": "true", ...target };
    const files = { "orders2.json": JSON.stringify({ name: "orders2", config }) };
    return await inFolder(files, async (folder) => {
      const asked = ["migrate", "takeover", "--connect-url", sandbox.connect.url, "--connector", LEGACY];
      const given = argv.map((word) => word.replace("FOLDER", folder));
      const result = await runApart([...asked, "--target-config", join(folder, "orders2.json"), ...given], env);
      assert.equal(
        sandbox.connect.requests.filter(({ method }) => method !== "GET"),
        [],
        "nothing is changed",
      );
      for (const secret of [PASSWORD, "legacy-canary"])
        assert.not.ok(`${result.stdout}${result.stderr}`.includes(secret), secret);
      return use(result, { folder, sandbox });
    });
  } finally {
    await sandbox.close();
  }
}

takeover("shows every partition, the start, the overlap and the redo, and writes where to start", () =>
  takenOver(
    { argv: ["--output", "FOLDER/start.json", "--report", "FOLDER/report.md"] },
    async ({ exit, stdout, stderr }, { folder }) => {
      assert.is(exit, 0, stdout + stderr);
      for (const shown of [
        "ORCLCDB.ORCLPDB1 ",
        "ORCLPDB1.SALES.ORDERS ",
        "ORCLPDB1.SALES.LINES ",
        "2031000",
        "2039000",
      ])
        assert.match(stdout, shown);
      assert.match(stdout, /cdc\.start\.scn +2030000, \d{4}-/);
      assert.match(stdout, /overlap +10,000 SCNs, \d+ min/);
      assert.match(stdout, /redo +complete: .*every file opened/);
      assert.match(stdout.replaceAll(/\s+/g, " "), /run migrate translate for instructions\): key\.template/);
      assert.match(stdout, /next: {2}curl -X POST/);
      const output = join(folder, "start.json");
      const created = parseJson(await readFile(output, "utf8")) as { name: string; config: Record<string, string> };
      assert.is(created.name, "orders2");
      assert.is(created.config["cdc.start.scn"], "2030000");
      assert.is(created.config["cdc.snapshot.mode"], "none");
      assert.is(created.config["cdc.database.password"], PASSWORD, "what the operator wrote stays");
      assert.is((await stat(output)).mode & 0o777, 0o600);
      assert.match(stderr, /start\.json \(it holds secrets/);
      const report = await readFile(join(folder, "report.md"), "utf8");
      assert.match(report, "- **cdc.start.scn**: `2030000`");
      assert.not.match(report, PASSWORD);
    },
  ),
);

takeover("prints the report as JSON and nothing else", () =>
  takenOver({ argv: ["--format", "json"] }, ({ exit, stdout }) => {
    assert.is(exit, 0);
    fits(stdout);
    const { startScn, lastDelivered, overlap, partitions, config, outcome } = JSON.parse(stdout);
    assert.equal([outcome, startScn, lastDelivered, overlap.scns], ["ready", 2030000, 2040000, 10000]);
    assert.is(partitions.length, 3);
    assert.is(config["cdc.start.scn"], "2030000");
    assert.is(config["cdc.database.password"], "********");
  }),
);

takeover("references stay references in the files it writes, and are still used to open the database", () =>
  takenOver(
    {
      target: { "cdc.database.password": "$" + "{env:CDC_PASSWORD}" },
      env: { CDC_PASSWORD: PASSWORD },
      argv: ["--output", "FOLDER/start.json"],
    },
    async ({ exit, stderr }, { folder }) => {
      assert.is(exit, 0, stderr);
      const text = await readFile(join(folder, "start.json"), "utf8");
      assert.match(text, "{env:CDC_PASSWORD}");
      assert.not.match(text, PASSWORD);
      assert.is(stderr, `wrote ${join(folder, "start.json")}\n`);
    },
  ),
);

takeover("no command line creates a connector of a configuration that holds a mask anywhere", async () => {
  for (const [setting, value] of [
    ["cdc.kafka.ssl.truststore.password", "********"],
    ["cdc.kafka.sasl.jaas.config", 'org.x.PlainLoginModule required username="svc" password="********";'],
    ["value.converter.schema.registry.url", "https://svc:********@registry:8081"],
  ] as const)
    await takenOver(
      { target: { [setting]: value }, argv: ["--output", "FOLDER/start.json"] },
      ({ exit, stdout, stderr }) => {
        assert.is(exit, 0, stdout + stderr);
        assert.match(
          stdout.replaceAll(/\s+/g, " "),
          `${setting} is masked (********): set it before the connector is created`,
        );
        assert.not.match(stdout, "curl");
      },
    );
});

takeover("logs in with the flags, where the configuration is masked or has another host", async () => {
  const target = {
    "cdc.database.host": "nowhere.invalid",
    "cdc.database.user": undefined,
    "cdc.database.password": "********",
  };
  await takenOver({ target }, ({ exit, stderr }) => {
    assert.is(exit, 64);
    assert.match(stderr, /cdc\.database\.user is not set/);
    assert.match(stderr, /--db-user/);
  });
  await takenOver({ target: { "cdc.database.password": "********" } }, ({ exit, stderr }) => {
    assert.is(exit, 64);
    assert.match(stderr, /cdc\.database\.password is masked/);
    assert.match(stderr, /--db-password-env/);
  });
});

takeover("uses a login of the flags, whatever the configuration holds", async () => {
  const sandbox = await startSandbox({ connect: { statusLag: 0 } });
  try {
    const { cluster } = sandbox.connect;
    cluster.offsets.write(LEGACY, OFFSETS);
    await cluster.create(LEGACY, { ...PROPERTIES }, "STOPPED").settled;
    const config = {
      "connector.class": sandbox.config["connector.class"],
      "cdc.topic.prefix": "orders2",
      "cdc.database.host": "nowhere.invalid",
      "cdc.database.password": "********",
      "cdc.database.pdbs": "ORCLPDB1",
    };
    await inFolder({ "orders2.json": JSON.stringify(config) }, async (folder) => {
      const argv = ["migrate", "takeover", "--connect-url", sandbox.connect.url, "--connector", LEGACY];
      const login = ["--db-dsn", `127.0.0.1:${sandbox.config["cdc.database.port"]}/ORCLCDB`, "--db-user", "C##CDC"];
      const target = ["--target-config", join(folder, "orders2.json"), "--output", join(folder, "start.json")];
      const run = (...more: readonly string[]) => runApart([...argv, ...target, ...login, ...more], { DB: PASSWORD });
      const wrong = await run("--db-password-env", "DB_NOT_SET");
      assert.is(wrong.exit, 64);
      assert.match(wrong.stderr, /variable DB_NOT_SET is not set/);
      const finished = await run("--db-password-env", `${PASSWORD} oops`);
      assert.is(finished.exit, 64);
      assert.not.match(finished.stderr, PASSWORD);
      const { exit, stdout, stderr } = await run("--db-password-env", "DB");
      assert.is(exit, 0, stdout + stderr);
      assert.match(stdout, /cdc\.database\.password is masked \(\*+\): set it/);
      const written = parseJson(await readFile(join(folder, "start.json"), "utf8")) as Record<string, string>;
      assert.is(written["cdc.start.scn"], "2030000", "a flat map stays one");
      assert.not.match(stdout + stderr + JSON.stringify(written), PASSWORD);
    });
  } finally {
    await sandbox.close();
  }
});

const refused: readonly (readonly [string, Given, string, RegExp])[] = [
  [
    "a paused connector",
    { state: "PAUSED" },
    "LEG002",
    /only PAUSED.*cdcctl connectors stop orders-legacy --connect-url http:/s,
  ],
  ["a running connector", { state: "RUNNING" }, "LEG002", /is RUNNING.*cdcctl connectors stop orders-legacy/s],
  ["a connector without an offset", { offsets: [] }, "LEG003", /has no stored offset/],
  [
    "an offset of another form",
    { offsets: [{ partition: { server: "x" }, offset: { scn: 5n } }] },
    "LEG004",
    /unknown format/,
  ],
  [
    "an invalid SCN",
    { offsets: [table("ORDERS", "soon")] },
    "LEG004",
    /ORCLPDB1\.SALES\.ORDERS has no readable scn: "soon"/,
  ],
  ["a partition that does not exist", { argv: ["--leave-out", "ORCLPDB1.SALES.ORDRES"] }, "LEG005", /Did you mean/],
  [
    "an SCN of an earlier incarnation",
    { offsets: [DATABASE, table("OLD", 0n)] },
    "LEG006",
    /--leave-out ORCLPDB1\.SALES\.OLD/,
  ],
  [
    "an SCN above the current one",
    { offsets: [DATABASE, table("ORDERS", 999_999_999n)] },
    "LEG007",
    /another database/,
  ],
  [
    "missing redo",
    { offsets: [DATABASE, table("ORDERS", 2005000n)], world: { oracle: (world) => purge(world, 119n, 120n) } },
    "LEG008",
    /CDC-2002.*RESTORE ARCHIVELOG/s,
  ],
  ["offsets of tables alone", { offsets: OFFSETS.slice(1) }, "LEG009", /only of tables/],
  [
    "a start that may lie above open transactions",
    { properties: { "use.transaction.begin.for.mining.session": "false" } },
    "LEG010",
    /mining\.session=false.*is not visible/,
  ],
  [
    "a new connector with a stored offset",
    { created: "orders2" },
    "LEG011",
    /orders2 exists \(STOPPED\) and has a stored offset/,
  ],
  [
    "a database in NOARCHIVELOG mode",
    { world: { oracle: (world) => Object.assign(world.database, { logMode: "NOARCHIVELOG" }) } },
    "LEG012",
    /is in NOARCHIVELOG mode/,
  ],
  [
    "redo without permission to read it",
    { world: { oracle: (world) => void world.denied.add("V$ARCHIVED_LOG") } },
    "LEG008",
    /the redo could not be inspected/,
  ],
  [
    "a table's catalog that is another PDB",
    { offsets: [DATABASE, { ...table("ORDERS", 2031000n), partition: inPdb("PRODPDB1") }] },
    "LEG015",
    /the stored offsets name the PDB PRODPDB1, where cdc\.database\.pdbs is ORCLPDB1/,
  ],
  [
    "a database that only the legacy settings call otherwise",
    { properties: { "oracle.sid": "ORCLCDB", "oracle.pdb.name": "TESTPDB1" } },
    "LEG015",
    /the stored offsets name the PDB ORCLPDB1, where oracle\.pdb\.name is TESTPDB1.*--accept LEG015/,
  ],
  [
    "another SID, where the PDB agrees,",
    { offsets: [{ ...DATABASE, partition: { sidPdb: "PRODCDB.ORCLPDB1" } }, ...OFFSETS.slice(1)] },
    "LEG015",
    /name the SID PRODCDB, where V\$DATABASE\.NAME is ORCLCDB \(an instance may have another name than its database\)/,
  ],
];
for (const [what, given, code, says] of refused)
  takeover(`${what} is refused, with its code and a remedy`, () =>
    takenOver(
      { ...given, argv: [...(given.argv ?? []), "--output", "FOLDER/start.json"] },
      async ({ exit, stdout, stderr }, { folder }) => {
        const output = `${stdout}${stderr}`;
        assert.is(exit, 1, output);
        assert.match(output, `cdcctl explain ${code}`);
        assert.match(output.replaceAll(/\s+/g, " "), says);
        assert.is(output.match(/^refused: /gm)?.length, 1);
        await stat(join(folder, "start.json")).then(
          () => assert.unreachable("a refused takeover writes no configuration"),
          () => undefined,
        );
      },
    ),
  );

takeover("a partition that is left out does not determine the start, and is in the report", () =>
  takenOver(
    {
      offsets: [...OFFSETS, table("OLD", 5n, 4n), table("OLDER", 3n)],
      argv: ["--leave-out", "ORCLPDB1.SALES.OLD", "--leave-out", "ORCLPDB1.SALES.OLDER", "--report", "FOLDER/r.json"],
    },
    async ({ exit, stdout, stderr }, { folder }) => {
      assert.is(exit, 0, stdout + stderr);
      const text = await readFile(join(folder, "r.json"), "utf8");
      fits(text);
      const { partitions, startScn } = JSON.parse(text);
      assert.is(startScn, 2030000);
      assert.equal(
        partitions.filter(({ leftOut }: { leftOut: boolean }) => leftOut).map(({ name }: { name: string }) => name),
        ["ORCLPDB1.SALES.OLDER", "ORCLPDB1.SALES.OLD"],
      );
    },
  ),
);

takeover("a refusal after the inspection is also a report, for a person and for a pipeline", () =>
  takenOver(
    { offsets: [DATABASE, table("ORDERS", 999_999_999n)], argv: ["--format", "json", "--report", "FOLDER/r.md"] },
    async ({ exit, stdout, stderr }, { folder }) => {
      assert.is(exit, 1, stderr);
      fits(stdout);
      const { outcome, problems, config } = JSON.parse(stdout);
      assert.equal([outcome, problems[0].code, config], ["refused", "LEG007", null]);
      assert.match(await readFile(join(folder, "r.md"), "utf8"), "cannot take over");
    },
  ),
);

takeover("a transaction that was open before the start is reported", () =>
  takenOver({ world: { oracle: (world) => openTransaction(world, 2_025_000n) } }, ({ exit, stdout }) => {
    assert.is(exit, 0);
    assert.match(stdout.replaceAll(/\s+/g, " "), /1 open transaction began before the start/);
  }),
);

takeover("a finding that is accepted by its code no longer refuses, and is in the report", () =>
  takenOver(
    { offsets: OFFSETS.slice(1), argv: ["--accept", "LEG009", "--output", "FOLDER/start.json"] },
    async ({ exit, stdout, stderr }, { folder }) => {
      assert.is(exit, 0, stdout + stderr);
      assert.match(
        stdout.replaceAll(/\s+/g, " "),
        /accepted \(LEG009\): the stored offsets have no partition of the database itself/,
      );
      assert.ok((await stat(join(folder, "start.json"))).isFile());
    },
  ),
);

takeover("a stored SCN above the current one can be accepted", () =>
  takenOver(
    {
      offsets: [DATABASE, table("ORDERS", 2_031_000n, 999_999_999n)],
      argv: ["--accept", "LEG007", "--output", "FOLDER/start.json"],
    },
    async ({ exit, stdout, stderr }, { folder }) => {
      assert.is(exit, 0, stdout + stderr);
      assert.match(stdout.replaceAll(/\s+/g, " "), /accepted \(LEG007\): 999999999 is above the current SCN/);
      assert.ok((await stat(join(folder, "start.json"))).isFile());
    },
  ),
);

takeover("a code that cannot be accepted is refused as input", () =>
  takenOver({ argv: ["--accept", "LEG008"] }, ({ exit, stderr }) => {
    assert.is(exit, 64);
    assert.match(stderr, /Only LEG007, LEG009, LEG010, LEG014 and LEG015 can be accepted/);
  }),
);

takeover("captured tables without an offset of the legacy connector are named", () =>
  takenOver({ offsets: OFFSETS.slice(0, 2) }, ({ exit, stdout }) => {
    assert.is(exit, 0);
    const [output = ""] = /stored nothing: [^;]*;/.exec(stdout.replaceAll(/\s+/g, " ")) ?? [];
    assert.match(output, "ORCLPDB1.SALES.LINES");
    assert.not.match(output, "ORCLPDB1.SALES.ORDERS");
  }),
);

takeover("brokers are required where nothing names them", async () => {
  const missingBrokers = /cdc\.stream\.bootstrap\.servers is not set: name the brokers/;
  await takenOver({}, ({ stdout }) => assert.not.match(stdout.replaceAll(/\s+/g, " "), missingBrokers));
  await takenOver(
    { target: { "cdc.stream.bootstrap.servers": undefined, "cdc.kafka.bootstrap.servers": undefined } },
    ({ exit, stdout }) => {
      assert.is(exit, 0);
      assert.match(stdout.replaceAll(/\s+/g, " "), missingBrokers);
    },
  );
});

takeover("an invalid target is refused as input", async () => {
  for (const [target, says] of [
    [{ "cdc.topic.prefix": undefined }, /not a configuration of the new connector/],
    [{ "cdc.capture.mode": "sometimes" }, /cdc\.capture\.mode/],
    [{ "cdc.database.tls.truststore.password": "********" }, /truststore\.password is masked/],
    [{ "cdc.database.service": undefined }, /cdc\.database\.service is not set.*--db-dsn/s],
    [{ "cdc.database.password": "$" + "{vault:a:b}" }, /a reference that could not be resolved/],
  ] as const)
    await takenOver({ target }, ({ exit, stderr }) => {
      assert.is(exit, 64);
      assert.match(stderr, says);
    });
  await inFolder({ "t.json": JSON.stringify({ name: LEGACY, config: { a: "b" } }) }, async (folder) => {
    const argv = ["migrate", "takeover", "--connect-url", "http://127.0.0.1:1", "--connector", LEGACY];
    const { exit, stderr } = await runApart([...argv, "--target-config", join(folder, "t.json")]);
    assert.is(exit, 64);
    assert.match(stderr, /legacy connector's name/);
  });
});

takeover("a connector that does not exist, and the new connector itself, are named", () =>
  takenOver({}, async (_result, { folder, sandbox }) => {
    const argv = [
      "migrate",
      "takeover",
      "--connect-url",
      sandbox.connect.url,
      "--target-config",
      `${folder}/orders2.json`,
    ];
    const missing = await runApart([...argv, "--connector", "nobody"]);
    assert.is(missing.exit, 1);
    assert.match(missing.stderr, /have no connector nobody/);
    const itself = await runApart([...argv, "--connector", "orders-cdc"]);
    assert.is(itself.exit, 1);
    assert.match(itself.stderr, /LEG001/);
  }),
);

const DEBEZIUM = { "connector.class": "io.debezium.connector.oracle.OracleConnector", "topic.prefix": "inventory" };
const inventory = (offset: OffsetEntry["offset"]) => [{ partition: { server: "inventory" }, offset }];
const STREAMED = { scn: "2030000", commit_scn: "2040000:1:0a00120034120000", snapshot_scn: "2000000" };

takeover("of Debezium's position shows start, overlap, age and what a missing heartbeat costs", () =>
  takenOver(
    { offsets: inventory(STREAMED), properties: DEBEZIUM, argv: ["--output", "FOLDER/start.json"] },
    async ({ exit, stdout, stderr }, { folder }) => {
      assert.is(exit, 0, stdout + stderr);
      assert.match(stdout, /cdc\.start\.scn +2030000, \d{4}-/);
      assert.match(stdout, /last delivered +2040000, \d{4}-/);
      assert.match(stdout, /overlap +10,000 SCNs, \d+ min/);
      const said = stdout.replaceAll(/\s+/g, " ");
      assert.match(said, /the stored scn 2030000 is .* old; orders-legacy stores one only with a record \(heartbeat/);
      assert.match(said, /let it deliver one change, then stop it/);
      assert.not.match(said, /captures \d+ tables? for which the legacy connector has stored nothing/);
      const created = parseJson(await readFile(join(folder, "start.json"), "utf8")) as {
        config: Record<string, string>;
      };
      assert.is(created.config["cdc.start.scn"], "2030000");
    },
  ),
);

takeover("from Debezium compares the captured tables with those of its lists", () =>
  takenOver(
    {
      offsets: inventory(STREAMED),
      properties: { ...DEBEZIUM, "table.include.list": "SALES[.]ORDERS" },
    },
    ({ exit, stdout, stderr }) => {
      assert.is(exit, 0, stdout + stderr);
      const said = stdout.replaceAll(/\s+/g, " ");
      assert.match(
        said,
        /captures \d+ tables? for which the legacy connector has stored nothing: [^.]*ORCLPDB1\.SALES\.LINES/,
      );
      assert.not.match(said, /stored nothing: [^;]*SALES\.ORDERS\b/);
    },
  ),
);

takeover("from Debezium starts where the operator says, at or below what is stored and what is open", () =>
  takenOver(
    {
      offsets: inventory({ ...STREAMED, window_advance_enabled: true }),
      properties: DEBEZIUM,
      argv: ["--start-scn", "2029000", "--format", "json"],
    },
    ({ exit, stdout, stderr }) => {
      assert.is(exit, 0, stdout + stderr);
      const document = parseJson(stdout) as { startScn: bigint; overlap: { from: bigint } };
      fits(stdout);
      assert.equal([document.startScn, document.overlap.from], [2029000n, 2029000n]);
    },
  ),
);

for (const [title, given, argv, says] of [
  ["a start above what is stored", STREAMED, ["--start-scn", "2030001"], /2030001 is above the stored 2030000.*LEG016/],
  ["a window without a start", { ...STREAMED, window_advance_enabled: true }, [], /window_advance_enabled.*LEG019/],
  ["an incremental snapshot", { ...STREAMED, snapshot: "INCREMENTAL" }, [], /incremental snapshot.*LEG018/],
  ["a position of XStream", { lcr_position: "00", commit_scn: null }, [], /DBA_XSTREAM_OUTBOUND_PROGRESS.*LEG017/],
  ["an offset that no version loads", { ...STREAMED, commit_scn: "2040000:1" }, [], /no readable commit_scn.*LEG004/],
] as const)
  takeover(`from Debezium with ${title} is refused`, () =>
    takenOver({ offsets: inventory(given), properties: DEBEZIUM, argv }, ({ exit, stdout, stderr }) => {
      assert.is(exit, 1);
      assert.match(`${stdout}${stderr}`.replaceAll(/\s+/g, " "), says);
    }),
  );

takeover("a start that is no SCN is a usage error", () =>
  takenOver({ argv: ["--start-scn", "x"] }, ({ exit, stderr }) => {
    assert.is(exit, 64);
    assert.match(stderr, /--start-scn x is not a valid SCN/);
  }),
);

takeover.run();
