import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseJson } from "../../core/values/json.ts";
import { makeReady, readyTable } from "../../providers/sandbox/check-scenarios.ts";
import type { OracleWorld } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { type Finished, runHere } from "../behaviour/run-command.ts";

const check = suite("doctor check, over the wire");

/** What references hold. */
const HELD = { TABLES: "ORCLPDB1[.]HELD_OWNER[.].*", PDBS: "ORCLPDB1,HELD_PDB", DEST: "HELD_DEST", HOST: "127.0.0.1" };

type Config = Readonly<Record<string, string | undefined>>;
type Look = (changes?: Config, ...more: readonly string[]) => Promise<Finished>;

function inWorld(
  name: string,
  change: (world: OracleWorld) => void,
  act: (look: Look, sandbox: Sandbox) => Promise<void>,
): void {
  check(name, async () => {
    const sandbox = await startSandbox({
      oracle: (world) => {
        makeReady(world);
        change(world);
      },
    });
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-check-"));
    try {
      await act(async (changes = {}, ...more) => {
        const file = join(folder, "orders-cdc.json");
        const config = { ...sandbox.config, "cdc.database.connection.properties": "oracle.net.TCP_KEEPIDLE=120" };
        await writeFile(file, JSON.stringify({ ...config, ...changes }), { mode: 0o600 });
        return runHere(["doctor", "check", "--config", file, ...more], {
          env: { HOME: "/nonexistent", PW: "cdc-secret", ...HELD },
        });
      }, sandbox);
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true });
    }
  });
}

const usual = (): void => undefined;

interface Document {
  readonly ready: boolean;
  readonly captured_tables: bigint | null;
  readonly findings: readonly {
    readonly code: string;
    readonly level: string;
    readonly remedies: readonly string[];
    readonly items: readonly { readonly sql: string | null }[];
  }[];
}

function levels({ output }: Finished): Readonly<Record<string, string>> {
  const { findings } = parseJson(output) as unknown as Document;
  return Object.fromEntries(findings.flatMap(({ code, level }) => (level === "fine" ? [] : [[code, level]])));
}

inWorld(
  "only reads: queries, switching containers, and statements that are only parsed",
  usual,
  async (run, { oracle }) => {
    assert.is((await run()).exit, 0);
    assert.ok(oracle.seen.length > 15);
    for (const sql of oracle.seen)
      assert.ok(/^(SELECT|ALTER SESSION SET)\b/.test(sql) || sql.includes("EXECUTE IMMEDIATE texts(i)"), sql);
  },
);

inWorld(
  "a database without containers can be ready too",
  (world) => {
    world.database.cdb = false;
    world.services = { ORCLCDB: "ORCLCDB" };
    world.tables = world.tables.map((table) => ({ ...table, pdb: null }));
  },
  async (run) => {
    const config = { "cdc.database.pdbs": undefined, "cdc.tables.include": "SALES[.].*" };
    const seen = await run(config, "--format", "json", "--fail-on", "warn");
    assert.equal(levels(seen), {});
    assert.is(seen.exit, 0);
    assert.equal(levels(await run({ "cdc.tables.include": "SALES[.].*" }, "--format", "json"))["DBA409"], "blocking");
  },
);

inWorld(
  "warnings are exit 1 only on request",
  (world) => {
    for (const table of world.tables) table.logGroups = ["PRIMARY KEY LOGGING"];
  },
  async (run) => {
    const seen = await run({}, "--format", "json");
    assert.equal(levels(seen), { TAB103: "warning" });
    assert.is(seen.exit, 0);
    assert.is((await run({}, "--fail-on", "warn")).exit, 1);
  },
);

inWorld(
  "--max-downtime sets how long archived logs have to be kept, and --rules fast does not inspect them",
  (world) => {
    const [first] = world.archivedLogs;
    if (first !== undefined) Object.assign(first, { deleted: true, status: "D", name: null });
    world.fixedStatistics = 0n;
  },
  async (run, { oracle }) => {
    assert.equal(levels(await run({}, "--format", "json")), { RED207: "warning", DBA413: "warning" });
    assert.equal(levels(await run({}, "--format", "json", "--max-downtime", "10m")), { DBA413: "warning" });
    oracle.seen.length = 0;
    const fast = await run({}, "--format", "json", "--rules", "fast");
    assert.equal(levels(fast), {});
    assert.is(fast.exit, 0);
    assert.not.match(fast.output, "RED207");
    for (const slow of ["V$ARCHIVED_LOG", "V$PARAMETER", "DBA_TAB_STATISTICS"])
      assert.not.ok(
        oracle.seen.some((sql) => sql.includes(`FROM ${slow}`)),
        slow,
      );
    assert.is((await run({}, "--max-downtime", "soon")).exit, 64);
  },
);

inWorld("every view without a grant leaves its checks unknown, with the reason", usual, async (run, { oracle }) => {
  for (const view of ["V$DATABASE", "V$INSTANCE", "V$THREAD", "V$ARCHIVE_DEST_STATUS", "V$CONTAINERS"]) {
    oracle.denied.clear();
    oracle.denied.add(view);
    const seen = await run({}, "--format", "json");
    assert.is(seen.exit, 1, view);
    assert.ok(Object.values(levels(seen)).includes("unknown"), view);
    assert.match(seen.output, `may not read ${view}`);
  }
});

inWorld(
  "thousands of tables with a problem are counted, and all of them are in the JSON",
  (world) => {
    world.tables = Array.from({ length: 2000 }, (_, at) => readyTable(world, `TABLE_${at}`, { logGroups: [] }));
  },
  async (run) => {
    const finished = await run();
    assert.match(finished.output, "2,000 of 2,000 captured tables: no supplemental logging");
    assert.ok(finished.output.split("\n").length < 80);
    const { findings, captured_tables } = parseJson((await run({}, "--format", "json")).output) as unknown as Document;
    assert.is(captured_tables, 2000n);
    assert.is(findings.find(({ code }) => code === "TAB102")?.items.length, 2000);
  },
);

inWorld("a refused login shows nothing, and is not reported as a finding", usual, async (run) => {
  const seen = await run({ "cdc.database.password": "wrong" });
  assert.is(seen.exit, 1);
  assert.not.match(seen.output, "preflight of");
  assert.match(seen.output, "user name or password is wrong");
});

inWorld("an unusable configuration is exit 64, and shows no password", usual, async (run) => {
  const cases: readonly (readonly [Config, RegExp])[] = [
    [{ "cdc.key.missing": "skip" }, /cdc.key.missing is "skip"/],
    [{ "cdc.database.user": undefined }, /cdc.database.user is not set/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference in the notation of Connect
    [{ "cdc.database.user": "${vault:db:user}" }, /cdc.database.user is masked, or a reference/],
    [{ "cdc.database.password": "********" }, /cdc.database.password is masked/],
    [{ "cdc.topic.prefix": undefined }, /cdc.topic.prefix is not set/],
    [{ "cdc.capture.mode": "both" }, /cdc.capture.mode/],
  ];
  for (const [changes, says] of cases) {
    const seen = await run(changes);
    assert.is(seen.exit, 64, JSON.stringify(changes));
    assert.match(seen.output, says);
    assert.not.match(seen.output, "cdc-secret");
  }
});

inWorld("the password may come from the environment, and the address from a flag", usual, async (run, { config }) => {
  const dsn = `127.0.0.1:${config["cdc.database.port"]}/ORCLCDB`;
  const changes = { "cdc.database.password": undefined, "cdc.database.host": "db.invalid" };
  assert.is((await run(changes, "--db-dsn", dsn, "--db-password-env", "PW")).exit, 0);
});

inWorld("values of references are used, and the references are shown in their place", usual, async (run) => {
  /* biome-ignore-start lint/suspicious/noTemplateCurlyInString: references in the notation of Connect */
  const changes = { "cdc.tables.include": "${env:TABLES}", "cdc.archive.destination": "${env:DEST}" };
  const hidden = { "cdc.database.pdbs": "${env:PDBS}", "cdc.database.host": "${env:HOST}" };
  for (const format of ["text", "json", "markdown"]) {
    const tables = await run(changes, "--format", format);
    const pdbs = await run(hidden, "--format", format);
    assert.equal([tables.exit, pdbs.exit], [1, 1]);
    for (const { output } of [tables, pdbs]) assert.not.match(output, "HELD");
    if (format !== "text") continue;
    assert.match(tables.output, "matches cdc.tables.include: ${env:TABLES}");
    assert.match(tables.output, "cdc.archive.destination is ${env:DEST}");
    assert.match(pdbs.output, "PDB ${env:PDBS} not found");
    assert.match(pdbs.output, "${env:HOST}:");
  }
  /* biome-ignore-end lint/suspicious/noTemplateCurlyInString: references in the notation of Connect */
});

inWorld("every remedy statement is a single one, in the form that SQL*Plus accepts", usual, async (run, { oracle }) => {
  const faults = scenarioNamed("check-faults").options.oracle;
  const worlds: readonly ((world: OracleWorld) => void)[] = [
    (world) => Object.assign(world, { openModes: { ORCLPDB1: "RESTRICTED" } }),
    (world) => Object.assign(world, { openModes: { ORCLPDB1: "MOUNTED" } }),
    (world) => Object.assign(world, { openModes: {}, containerData: false }),
    (world) => {
      world.containerData = true;
      faults?.(world);
    },
  ];
  let statements = 0;
  for (const change of worlds) {
    change(oracle);
    const { findings } = parseJson((await run({}, "--format", "json")).output) as unknown as Document;
    for (const { code, remedies, items } of findings)
      for (const statement of [...remedies, ...items.flatMap(({ sql }) => sql ?? [])]) {
        if (!/\b(ALTER|GRANT|SELECT) \S+ .*;/.test(statement)) continue;
        statements++;
        assert.match(statement.replace(/"[^"]*"/g, '""'), /^[^;]+;$/, `${code}: ${statement}`);
      }
  }
  assert.ok(statements > 15, `${statements} statements`);
});

inWorld(
  "tables that the deployed configuration does not capture are streamed, not snapshotted: the worker is asked",
  (world) => world.tables.push({ ...readyTable(world, "RATES"), owner: "FINANCE" }),
  async (run, { connect }) => {
    const grown = { "cdc.tables.include": "ORCLPDB1[.](SALES|FINANCE)[.].*" };
    const asking = ["--connect-url", connect.url, "--connector", CONNECTOR, "--format", "json"];
    const seen = await run(grown, ...asking);
    assert.equal(levels(seen), { TAB114: "warning" });
    assert.is(seen.exit, 0);
    const { findings } = parseJson(seen.output) as unknown as Document;
    const found = findings.find(({ code }) => code === "TAB114");
    assert.match(found?.remedies[0] ?? "", 'kind: Resnapshot, spec.tables: ["ORCLPDB1.FINANCE.RATES"]');
    assert.is(found?.items.length, 1);
    assert.is((await run(grown, ...asking, "--fail-on", "warn")).exit, 1);
    assert.equal(levels(await run({}, ...asking)), {});
    // A system that gives no answer is unknown; one that is not asked is left out, neither unknown nor fine.
    const down = ["--connect-url", "http://127.0.0.1:1", "--connector", CONNECTOR, "--format", "json"];
    assert.equal(levels(await run(grown, ...down)), { TAB114: "unknown" });
    assert.not.match((await run(grown, "--format", "json")).output, "TAB114");
    assert.not.match((await run(grown, ...asking, "--rules", "fast")).output, "TAB114");
  },
);

inWorld("a connector of another class is named", usual, async (run) => {
  const seen = await run({ "connector.class": "org.example.Other" });
  assert.match(seen.output, "warning: connector.class is org.example.Other");
});

check.run();
