/**
 * The threads of `migrate verify`, built as they are installed, on the sandbox: what they find, and what becomes of it
 * when something fails in one.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, type JsonObject, parseJson, printJson } from "../../core/values/json.ts";
import type { DeliveryFault } from "../../providers/sandbox/migration/faults.ts";
import { LEGACY_TOPIC } from "../../providers/sandbox/migration/legacy-task.ts";
import { NEW_CONNECTOR, NEW_TOPIC } from "../../providers/sandbox/migration/scenario.ts";
import { plainJaas } from "../../providers/sandbox/plain-login.ts";
import { LOGIN, type Sandbox } from "../../providers/sandbox/sandbox.ts";
import { bundle, ROOT } from "../dev/bundle.ts";
import { CHECK_SCN, cutOver } from "./cut-over.ts";
import { type Finished, runHere } from "./run-command.ts";

const threads = suite("the threads of a verification");

const built = await mkdtemp(join(tmpdir(), "cdcctl-threads-"));
await bundle(built);
const THREAD = pathToFileURL(join(built, "verify-thread.js"));
threads.after(() => rm(built, { recursive: true, force: true }));

const BROKERS = "canary-brokers-c052";
const JAAS = plainJaas("cdc", BROKERS);
const BROKER_LOGIN = {
  "cdc.stream.security.protocol": "SASL_PLAINTEXT",
  "cdc.stream.sasl.mechanism": "PLAIN",
  "cdc.stream.sasl.jaas.config": JAAS,
};

const SECRETS = [LOGIN.password, BROKERS];

interface Verifying {
  readonly sandbox: Sandbox;
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The command line of `verify`. */
  readonly words: readonly string[];
  /** `migrate verify` of SALES.ORDERS in threads of this module, or in none. */
  verify(module: URL | undefined, ...more: readonly string[]): Promise<Finished>;
  /** The same, in threads where there are so many rows and records. */
  verifyFrom(module: URL, from: number): Promise<Finished>;
  evidence(module: URL | undefined, ...more: readonly string[]): Promise<JsonObject>;
  /** Working files that are left. */
  left(): Promise<readonly string[]>;
  /** Aborts what runs now. */
  stop(): void;
}

async function afterCutover(
  faults: readonly DeliveryFault[],
  body: (verifying: Verifying) => Promise<void>,
): Promise<void> {
  const sandbox = await cutOver({ broker: { auth: { mechanisms: ["PLAIN"], users: { cdc: BROKERS } } } }, faults);
  const connector = sandbox.connect.cluster.connectors.get(NEW_CONNECTOR);
  assert.ok(connector);
  connector.config = { ...connector.config, ...BROKER_LOGIN };
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-verify-"));
  const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state") };
  const words = [
    ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
    ...["--table", "SALES.ORDERS", "--legacy-topic", LEGACY_TOPIC, "--check-scn", String(CHECK_SCN)],
  ];
  let running = new AbortController();
  const ran = async (more: readonly string[], threads: Parameters<typeof runHere>[1]["threads"]): Promise<Finished> => {
    running = new AbortController();
    const finished = await runHere([...words, ...more], {
      env: { ...env, DB: LOGIN.password },
      interrupt: running.signal,
      ...(threads === undefined ? {} : { threads }),
    });
    for (const secret of SECRETS) assert.not.match(finished.output, secret, "it stays in the memory of the process");
    return finished;
  };
  const verify: Verifying["verify"] = (module, ...more) =>
    ran(more, module === undefined ? undefined : { module, from: 0 });
  let files = 0;
  try {
    await body({
      sandbox,
      dir,
      env,
      words,
      verify,
      verifyFrom: (module, from) => ran([], { module, from }),
      stop: () => running.abort(),
      left: () => readdir(join(dir, "state", "cdcctl", "verify")).catch(() => []),
      async evidence(module, ...more) {
        const path = join(dir, `evidence-${++files}.json`);
        const { output } = await verify(module, "--output", path, "--report", `${path}.md`, ...more);
        const text = await readFile(path, "utf8").catch(() => assert.unreachable(output) as never);
        for (const secret of SECRETS)
          for (const one of [text, await readFile(`${path}.md`, "utf8")]) assert.not.match(one, secret);
        const json = parseJson(text);
        if (!isObject(json)) throw new Error("no object");
        return json;
      },
    });
  } finally {
    await sandbox.close();
    await rm(dir, { recursive: true, force: true });
  }
}

for (const faults of [
  [],
  ["lost-row", "stale-value", "rounded-value", "legacy-only-row", "deleted-row-kept"],
  ["wrong-type"],
] satisfies DeliveryFault[][])
  threads(`give the same findings and digest as one thread: ${faults.join(", ") || "no faults"}`, () =>
    afterCutover(faults, async ({ evidence, left }) => {
      const [alone, together] = [await evidence(undefined), await evidence(THREAD)];
      assert.equal(together["tables"], alone["tables"]);
      assert.is(together["findings"], alone["findings"]);
      assert.is(alone["outcome"], faults.length === 0 ? "pass" : faults.length === 1 ? "inconclusive" : "fail");
      assert.equal(await left(), []);
    }),
  );

threads("agree with one thread about legacy records that cannot be read, and of which keys they are", () =>
  afterCutover(["lost-row"], async ({ sandbox, evidence }) => {
    for (const key of ["1023", "4711"])
      sandbox.broker.append(LEGACY_TOPIC, { key: Buffer.from(key), value: Buffer.from("\u0000avro") });
    const [alone, together] = [await evidence(undefined), await evidence(THREAD)];
    assert.equal(together["tables"], alone["tables"]);
    assert.equal([together["findings"], together["outcome"]], [alone["findings"], "fail"]);
    assert.match(printJson(together), /"legacy-unreadable": 1,/);
  }),
);

threads("report each of their calls with --verbose, as one thread does, and no value", () =>
  afterCutover([], async ({ verify }) => {
    const calls = async (module: URL | undefined): Promise<readonly string[]> => {
      const { exit, output } = await verify(module, "--verbose");
      assert.is(exit, 0, output);
      return output.split("\n").filter((line) => /^(?:kafka|oracle) \w+(?: \S+)? {2}[\d,]+ ms {2}answered$/.test(line));
    };
    const [alone, together] = [await calls(undefined), await calls(THREAD)];
    const names = (lines: readonly string[]): readonly string[] =>
      [...new Set(lines.map((line) => line.split("  ")[0] ?? ""))].sort();
    assert.equal(names(together), names(alone));
    for (const one of ["oracle rowsAsOf", `kafka recordsInPlace ${NEW_TOPIC}`, `kafka recordsInPlace ${LEGACY_TOPIC}`])
      assert.ok(names(together).includes(one), names(together).join("\n"));
  }),
);

threads(
  "leave the table inconclusive where undo does not reach back to the check SCN, and leave no working files",
  () =>
    afterCutover([], async ({ sandbox, evidence, left }) => {
      const rows = sandbox.oracle.tables.find(({ name }) => name === "ORDERS")?.rows;
      Object.assign(rows ?? {}, { undoFrom: CHECK_SCN + 1n });
      const [alone, together] = [await evidence(undefined), await evidence(THREAD)];
      assert.is(together["outcome"], "inconclusive");
      assert.match(printJson(together), "ORA-01555");
      assert.equal(together["tables"], alone["tables"]);
      assert.equal(await left(), []);
    }),
);

threads("log in with the flags, where the configuration is masked or has other hosts", () =>
  afterCutover([], async ({ sandbox, dir, verify, evidence }) => {
    const connector = sandbox.connect.cluster.connectors.get(NEW_CONNECTOR);
    assert.ok(connector);
    const input = join(dir, "new.json");
    const port = connector.config["cdc.database.port"];
    const config = {
      ...connector.config,
      "cdc.database.host": "db.invalid",
      "cdc.database.user": "C##OTHER",
      "cdc.database.password": "********",
      "cdc.stream.bootstrap.servers": "brokers.invalid:9092",
      "cdc.stream.sasl.jaas.config": "********",
    };
    await writeFile(input, printJson({ name: NEW_CONNECTOR, config }));
    const properties = join(dir, "client.properties");
    await writeFile(properties, `security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config=${JAAS}\n`);
    const login = [
      ...["--input", input, "--db-dsn", `127.0.0.1:${port}/ORCLCDB`, "--db-user", LOGIN.user],
      ...["--bootstrap-servers", sandbox.broker.address, "--command-config", properties],
    ];
    const masked = await verify(undefined, ...login);
    assert.is(masked.exit, 64, masked.output);
    assert.match(masked.output, "Pass --db-password-env");
    for (const module of [undefined, THREAD])
      assert.is((await evidence(module, ...login, "--db-password-env", "DB"))["outcome"], "pass");
  }),
);

threads("report the database's message when it no longer accepts the password, with the remedy", () =>
  afterCutover([], async ({ sandbox, verify }) => {
    const before = await verify(undefined);
    assert.is(before.exit, 0, before.output);
    let statements = 0;
    sandbox.oracle.fault = () => {
      statements += 1;
      // Whoever asks is connected already; the threads are not.
      sandbox.oracle.users[LOGIN.user] = { password: "changed since" };
      return undefined;
    };
    const { exit, output } = await verify(THREAD);
    assert.ok(statements > 0);
    assert.is(exit, 1, output);
    assert.match(output, "ORA-01017");
    assert.not.match(output, "a bug");
  }),
);

threads("stop at Ctrl-C, and another run resumes from there, with or without threads", () =>
  afterCutover(["stale-value"], async ({ sandbox, verify, evidence, left, stop }) => {
    const whole = await evidence(undefined);
    for (const module of [undefined, THREAD]) {
      sandbox.failBroker(({ api }) => {
        if (api === "Fetch") stop();
        return undefined;
      });
      const first = await verify(THREAD);
      sandbox.failBroker(undefined);
      assert.is(first.exit, 1);
      assert.match(first.output, "Interrupted: run the same command again to resume");
      assert.is((await left()).length, 1);
      assert.is((await evidence(module))["findings"], whole["findings"]);
      assert.equal(await left(), []);
    }
  }),
);

/** The same command as a process, which a test can kill. */
const AS_PROCESS = `
  import { runHere } from ${JSON.stringify(new URL("./run-command.ts", import.meta.url).href)};
  const { argv, env, module } = JSON.parse(process.env.ASKED);
  await runHere(argv, { env, threads: { module: new URL(module), from: 0 } });
`;

threads("killed together with their process leave their progress, and the next run resumes from it", () =>
  afterCutover(["stale-value"], async ({ sandbox, dir, words, env, verify, evidence, left }) => {
    const whole = await evidence(undefined);
    const asked = JSON.stringify({ argv: words, env, module: THREAD.href });
    await writeFile(join(dir, "process.mjs"), AS_PROCESS);
    const child = spawn(process.execPath, ["--import", "tsx", join(dir, "process.mjs")], {
      cwd: ROOT,
      env: { ...process.env, ASKED: asked },
      stdio: "inherit",
    });
    sandbox.failBroker(({ api }) => {
      if (api === "Fetch") child.kill("SIGKILL");
      return undefined;
    });
    const [, signal] = await once(child, "close");
    sandbox.failBroker(undefined);
    assert.is(signal, "SIGKILL");
    assert.is((await left()).length, 1);
    const again = await verify(THREAD);
    assert.match(again.output, "resuming an interrupted run");
    assert.equal(await left(), []);
    assert.is((await evidence(THREAD))["findings"], whole["findings"]);
  }),
);

threads("that exit end the command with the reason, and what was read is kept for the next run", () =>
  afterCutover([], async ({ dir, verify, evidence, left }) => {
    const dying = join(dir, "dying.mjs");
    await writeFile(
      dying,
      'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => process.exit(7));',
    );
    const { exit, output } = await verify(pathToFileURL(dying));
    assert.is(exit, 1, output);
    assert.match(output, "a thread of the verification ended unexpectedly");
    assert.match(output, "Run the same command again to resume");
    assert.is((await evidence(THREAD))["outcome"], "pass");
    assert.equal(await left(), []);
  }),
);

threads("are started by the total amount to be read, most of which is in the legacy topic after a cutover", () =>
  afterCutover([], async ({ sandbox, dir, verifyFrom }) => {
    const dying = join(dir, "dying.mjs");
    await writeFile(dying, 'import "node:worker_threads"; process.exit(7);');
    const rows = 14;
    const counts = [NEW_TOPIC, LEGACY_TOPIC].map(async (topic) => (await sandbox.broker.records(topic)).length);
    const [fresh = 0, legacy = 0] = await Promise.all(counts);
    assert.ok(legacy > 0);
    assert.match((await verifyFrom(pathToFileURL(dying), fresh + legacy)).output, "ended unexpectedly");
    assert.is((await verifyFrom(pathToFileURL(dying), 10 * (rows + fresh + legacy))).exit, 0);
  }),
);

threads.run();
