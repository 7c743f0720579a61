// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
/** What `--config` may be, what `offsets show` needs, and what is said where no brokers are given. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR, type Sandbox, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../providers/sandbox/scenario.ts";
import { type Apart, runApart } from "./testing/run-apart.ts";

const configs = suite("the configuration of the connector");

interface Row {
  readonly name: string;
  readonly world?: SandboxOptions;
  /** The file of `--config`; undefined: none is given. Null: it is not there. */
  readonly file?: ((config: Readonly<Record<string, string>>) => string) | null;
  readonly command?: "plan";
  readonly flags?: readonly string[];
  readonly exit: number;
  readonly out?: RegExp;
  readonly err?: RegExp;
}

const REFERENCE: SandboxOptions = { config: { "cdc.database.password": "${file:/run/secrets:db}" } };
const TIMED = /resume SCN {11}2044511 {3}20/;
const UNTIMED = /resume SCN {11}2044511$/m;
const flat =
  (changes: Readonly<Record<string, string>> = {}) =>
  (config: Readonly<Record<string, string>>) =>
    JSON.stringify({ ...config, ...changes });
const body =
  (name: string, changes: Readonly<Record<string, string>> = {}) =>
  (config: Readonly<Record<string, string>>) =>
    JSON.stringify({ name, config: { ...config, ...changes } });

const ROWS: readonly Row[] = [
  {
    name: "show: a password that only the worker knows",
    world: REFERENCE,
    exit: 0,
    out: UNTIMED,
    err: /^note: without times.*cdc\.database\.password/,
  },
  {
    name: "show --check-redo: the same",
    world: REFERENCE,
    flags: ["--check-redo"],
    exit: 1,
    out: /resume SCN {11}2044511$[\s\S]*redo +unknown: [\s\S]*cdc\.database\.password[\s\S]*--config/m,
    err: /^note: without times and timeline, redo unknown: [\s\S]*cdc\.database\.password/,
  },
  {
    name: "show: the file holds the password",
    world: REFERENCE,
    file: flat({ "cdc.database.password": "cdc-secret" }),
    exit: 0,
    out: TIMED,
  },
  {
    name: "show: the file is not there",
    file: null,
    exit: 64,
    err: /config\.json/,
  },
  { name: "show: the file is broken", file: () => "{", exit: 64, err: /config\.json/ },
  { name: "show: the file has no prefix", file: () => '{"a":"b"}', exit: 64, err: /cdc\.topic\.prefix/ },
  { name: "the same configuration, flat", file: flat(), exit: 0, out: TIMED },
  { name: "the same configuration, named", file: body(CONNECTOR), exit: 0, out: TIMED },
  { name: "the same configuration, its name within", file: flat({ name: CONNECTOR }), exit: 0, out: TIMED },
  {
    name: "another connector's, by its name",
    file: body("billing-cdc"),
    exit: 64,
    err: /config\.json: this is not the configuration of orders-cdc: its name is "billing-cdc", not "orders-cdc"/,
  },
  {
    name: "another connector's, by the name within",
    file: flat({ name: "billing-cdc" }),
    exit: 64,
    err: /its name is "billing-cdc"/,
  },
  {
    name: "another prefix",
    file: flat({ "cdc.topic.prefix": "billing" }),
    exit: 64,
    err: /cdc\.topic\.prefix is "billing", and the worker's copy has "orders"/,
  },
  {
    name: "another ops topic",
    file: flat({ "cdc.ops.topic": "billing.ops" }),
    exit: 64,
    err: /cdc\.ops\.topic is "billing\.ops", and the worker's copy has "orders\.cdc\.ops"/,
  },
  {
    name: "another signals topic",
    file: flat({ "cdc.signals.topic": "x" }),
    exit: 64,
    err: /cdc\.signals\.topic is "x"/,
  },
  {
    name: "an ops topic that only the worker knows",
    world: { config: { "cdc.ops.topic": "${file:/run/x:ops}" } },
    file: flat({ "cdc.ops.topic": "orders.cdc.ops" }),
    exit: 0,
    out: TIMED,
  },
  {
    name: "plan: another ops topic",
    command: "plan",
    file: flat({ "cdc.ops.topic": "billing.ops" }),
    exit: 64,
    err: /this is not the configuration of orders-cdc/,
  },
  {
    name: "plan: no brokers are given, a context",
    command: "plan",
    world: { config: { "cdc.stream.bootstrap.servers": undefined } },
    exit: 64,
    err: /GET \/connectors\/orders-cdc: no brokers are given for orders-cdc.* context sandbox .*--bootstrap-servers/,
  },
  {
    name: "plan: no brokers are given in the file",
    command: "plan",
    file: flat({ "cdc.stream.bootstrap.servers": " , " }),
    exit: 64,
    err: /config\.json: no brokers are given for orders-cdc.*--bootstrap-servers/,
  },
];

for (const { name, world, file, command, flags = [], exit, out, err } of ROWS)
  configs(`${name}: exit ${exit}`, async () => {
    await inSandbox(world ?? {}, async (sandbox, folder) => {
      const path = join(folder, "config.json");
      if (file !== undefined && file !== null) await writeFile(path, file(sandbox.config), { mode: 0o600 });
      const words = file === undefined ? flags : [...flags, "--config", path];
      const seen = await (command === "plan"
        ? run(folder, "plan", join(folder, "plan.yaml"), ...words)
        : run(folder, "admin", "offsets", "show", "--connect-url", sandbox.connect.url, "--name", CONNECTOR, ...words));
      const { stdout, stderr } = seen;
      assert.is(seen.exit, exit, stdout + stderr);
      if (out !== undefined) assert.match(stdout, out);
      if (err !== undefined) assert.match(stderr.replaceAll(/\s+/g, " "), err);
      else assert.is(stderr, "");
    });
  });

const AT = ["--context", "sandbox"];
const NAMED = [...AT, "--connector", CONNECTOR];

const ACCESS = /^cdc\.(?:database\.(?!pdbs$)|stream\.|kafka\.)/;

/** A context whose file of the connector holds what no plan file may hold, and nothing else. */
async function withShortFile(sandbox: Sandbox, folder: string, more: Readonly<Record<string, string>> = {}) {
  const access = Object.entries(sandbox.config).filter(([name]) => ACCESS.test(name));
  const file = { ...Object.fromEntries(access), "cdc.database.password": "cdc-secret", ...more };
  await writeFile(join(folder, "short.json"), JSON.stringify(file), { mode: 0o600 });
  const text = `${contexts(sandbox)}    connectors:\n      ${CONNECTOR}: { config: short.json }\n`;
  await writeFile(join(folder, "contexts.yaml"), text, { mode: 0o600 });
}

/**
 * Each command, and what proves that it used the completed configuration: only the file has the password of the
 * database, and only the worker's copy the prefix, the topics and the tables.
 */
const COMPLETED: readonly (readonly [words: readonly string[], exit: number, proof: RegExp])[] = [
  [["connectors", "list", ...AT], 0, /orders-cdc +STOPPED +2044511 +\d/],
  [["connectors", "show", CONNECTOR, ...AT], 0, /resume SCN +2044511 +20/],
  [["admin", "offsets", "show", ...NAMED], 0, /resume SCN {11}2044511 {3}20/],
  [["admin", "transactions", ...NAMED], 0, /journaled +0 transactions in orders\.cdc\.txjournal/],
  [["admin", "journal", "inspect", ...NAMED], 0, /orders\.cdc\.txjournal/],
  [["report", CONNECTOR, ...AT], 0, /current SCN +2045000/],
  [["observe", "plan.yaml", "--out", "facts.json"], 0, /facts\.json/],
  [["plan", "plan.yaml"], 0, / back .*34,511 SCNs/],
  [["doctor", "check", "--connector", CONNECTOR, ...AT], 1, /preflight of orders-cdc .*as C##CDC/],
  [["doctor", "explain-lag", ...NAMED, "--interval", "10ms"], 0, /resume SCN +2044511/],
  [["doctor", "setup-sql", ...NAMED, "--ask-database"], 0, /ORCLPDB1/],
  [["contexts", "test", "sandbox"], 0, /C##CDC logged in to ORCLCDB/],
  [["apply", "plan.yaml", "--yes", "--settle", "100ms"], 3, /cdcctl recover/],
  [["recover", "--yes"], 0, /(?:is|was set to) 2010000, as planned/],
  [["rollback", "--yes"], 0, /(?:is|was set to) 2044511, as planned/],
  [["apply", "plan.yaml", "--yes", "--again"], 0, /(?:is|was set to) 2010000, as planned/],
  [["recover", "--from-ops", ...NAMED], 0, /orders\.cdc\.ops records no change of orders-cdc in flight/],
  [["status", ...AT], 0, /orders-cdc +run \S+ +succeeded +STOPPED/],
  [
    ["admin", "offsets", "set", ...NAMED, "--scn", "2009000", "--reason", "replay"],
    0,
    /(?:is|was set to) 2009000, as planned/,
  ],
  [
    ["admin", "resnapshot", ...NAMED, "--tables", "ORCLPDB1.SALES.ORDERS", "--reason", "replay"],
    0,
    /the signal .* is written/,
  ],
  [["connectors", "resume", CONNECTOR, ...AT], 0, /orders-cdc/],
];

configs("a context's short file completes the worker's copy in every command", async () => {
  await inSandbox({ ...REFERENCE, state: "STOPPED" }, async (sandbox, folder) => {
    await withShortFile(sandbox, folder);
    for (const [words, exit, proof] of COMPLETED) {
      sandbox.connect.fail(({ method }) => (exit === 3 && method === "PATCH" ? "disconnect-before" : undefined));
      const seen = await run(folder, ...inFolder(words, folder));
      assert.is(seen.exit, exit, words.join(" ") + seen.stdout + seen.stderr);
      assert.match(seen.stdout + seen.stderr, proof);
      assert.not.match(seen.stdout + seen.stderr, "cdc-secret");
    }
  });
});

const ALONE = /without times and timeline: cdc\.database\.user, .*cdc\.database\.host, .* are not set/;

/** Each command, and what proves that a file of `--config` without any access settings is all that it has. */
const REPLACED: readonly (readonly [words: readonly string[], exit: number, proof: RegExp])[] = [
  [["admin", "offsets", "show", ...NAMED], 0, ALONE],
  [["admin", "transactions", ...NAMED], 1, /journaled could not be read: \S+alone\.json: no brokers are given/],
  [["doctor", "check"], 64, /alone\.json: cdc\.database\.user is not set/],
  [["doctor", "explain-lag", ...NAMED, "--interval", "10ms"], 0, /current SCN unknown: cdc\.database\.user, .*not set/],
];

configs("--config of admin and doctor replaces the worker's copy, also where a context has one", async () => {
  await inSandbox({ state: "STOPPED" }, async (sandbox, folder) => {
    await withShortFile(sandbox, folder);
    const file = Object.fromEntries(Object.entries(sandbox.config).filter(([name]) => !ACCESS.test(name)));
    const path = join(folder, "alone.json");
    await writeFile(path, JSON.stringify(file), { mode: 0o600 });
    for (const [words, exit, proof] of REPLACED) {
      const seen = await run(folder, ...words, "--config", path);
      assert.is(seen.exit, exit, words.join(" ") + seen.stdout + seen.stderr);
      assert.match((seen.stdout + seen.stderr).replaceAll(/\s+/g, " "), proof);
      assert.not.match(seen.output, "\\n");
    }
    assert.is(sandbox.oracle.roundTrips, 0);
  });
});

configs("cdc.database.pdbs of the worker's copy counts, whatever else of cdc.database the file has", async () => {
  await inSandbox({ state: "STOPPED", config: { "cdc.database.pdbs": "NOPDB" } }, async (sandbox, folder) => {
    await withShortFile(sandbox, folder);
    const check = await run(folder, "doctor", "check", ...NAMED);
    assert.match(check.stdout + check.stderr, "NOPDB");
    await withShortFile(sandbox, folder, { "cdc.database.pdbs": "ORCLPDB1" });
    assert.not.match((await run(folder, "doctor", "check", ...NAMED)).output, "NOPDB");
  });
});

configs("a context's file with a password and without a host sends it nowhere, in no command", async () => {
  await inSandbox({ state: "STOPPED" }, async (sandbox, folder) => {
    await writeFile(join(folder, "short.json"), '{"cdc.database.password": "cdc-secret"}', { mode: 0o600 });
    const text = `${contexts(sandbox)}    connectors:\n      ${CONNECTOR}: { config: short.json }\n`;
    await writeFile(join(folder, "contexts.yaml"), text, { mode: 0o600 });
    for (const [words] of COMPLETED.filter(([[first = ""]]) => !/status|rollback|recover/.test(first))) {
      const { output } = await run(folder, ...inFolder(words, folder));
      const why =
        /short\.json: the file has settings of the database, and cdc\.database\.host, .* are missing: no login/;
      assert.match(output.replaceAll(/\s+/g, " "), why, words.join(" "));
      assert.not.match(output, /cdc-secret|Resume SCN.*\n.*none/);
    }
    assert.is(sandbox.oracle.roundTrips, 0);
  });
});

configs("a login in a context's file is sent to no host of the worker's copy", async () => {
  const world = { config: { "cdc.database.wallet.location": "/evil" } };
  await inSandbox({ ...world, state: "STOPPED" }, async (sandbox, folder) => {
    const { "cdc.database.wallet.location": _evil, ...own } = sandbox.config;
    await withShortFile({ ...sandbox, config: own }, folder);
    const { exit, stderr } = await run(folder, "plan", join(folder, "plan.yaml"));
    assert.is(exit, 64, stderr);
    assert.match(stderr.replaceAll(/\s+/g, " "), /cdc\.database\.wallet\.location is missing: no login in it is sent/);
  });
});

configs("a flag's password goes to no host that only the worker's copy names", async () => {
  await inSandbox({ state: "STOPPED" }, async (sandbox, folder) => {
    await writeFile(join(folder, "short.json"), '{"cdc.lob.mode": "skip"}', { mode: 0o600 });
    const text = `${contexts(sandbox)}    connectors:\n      ${CONNECTOR}: { config: short.json }\n`;
    await writeFile(join(folder, "contexts.yaml"), text, { mode: 0o600 });
    const flags = ["--context", "sandbox", "--connector", CONNECTOR, "--db-password-env", "P"];
    const { exit, stderr } = await run(folder, { P: "hunter2" }, "doctor", "check", ...flags);
    assert.is(exit, 64, stderr);
    assert.match(stderr.replaceAll(/\s+/g, " "), /login of a flag for the database is not sent to .*worker named by/);
  });
});

configs("admin keeps its runs where --state says", async () => {
  await inSandbox({ state: "STOPPED" }, async (sandbox, folder) => {
    const target = ["--connect-url", sandbox.connect.url, "--name", CONNECTOR, "--state", join(folder, "kept")];
    const set = await run(folder, "admin", "offsets", "set", ...target, "--scn", "2010000", "--reason", "replay");
    assert.is(set.exit, 0, set.stdout + set.stderr);
    assert.match((await run(folder, "status", "--state", join(folder, "kept"))).stdout, /succeeded/);
    assert.match((await run(folder, "status")).stdout, /no runs here/);
  });
});

configs.run();

function inFolder(words: readonly string[], folder: string): readonly string[] {
  return words.map((word) => (/\.(?:yaml|json)$/.test(word) ? join(folder, word) : word));
}

function run(folder: string, ...given: readonly (string | Readonly<Record<string, string>>)[]): Promise<Apart> {
  const words = given.filter((one) => typeof one === "string");
  return runApart(words, {
    ...Object.assign({}, ...given.filter((one) => typeof one !== "string")),
    CDCCTL_STATE: join(folder, "state"),
    CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
    HOME: folder,
  });
}

async function inSandbox(
  options: SandboxOptions,
  act: (sandbox: Sandbox, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-config-"));
  const sandbox = await startSandbox(options);
  try {
    await writeFile(join(folder, "contexts.yaml"), contexts(sandbox), { mode: 0o600 });
    await writeFile(join(folder, "plan.yaml"), planFile("orders-replay", "replay", "scn: 2010000"));
    await act(sandbox, folder);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}
