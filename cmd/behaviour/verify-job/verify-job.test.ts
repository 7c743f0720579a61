/** Verifications that workers carry out: the findings are the local engine's, whatever becomes of a worker. */
import { spawnSync } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../../core/values/digest.ts";
import { canonicalJson, printJson } from "../../../core/values/json.ts";
import { until } from "../../../providers/connect/contract.ts";
import type { DeliveryFault } from "../../../providers/sandbox/migration/faults.ts";
import { LEGACY_TOPIC } from "../../../providers/sandbox/migration/legacy-task.ts";
import { NEW_CONNECTOR } from "../../../providers/sandbox/migration/scenario.ts";
import { LOGIN } from "../../../providers/sandbox/sandbox.ts";
import { CHECK_SCN, stopDivision } from "../cut-over.ts";
import { runHere } from "../run-command.ts";
import { contextsFile, object, type Verifying, afterCutover as verifyingAfterCutover } from "./after-cutover.ts";
import { type Driven, type DriverOptions, drive, startWorker, WorkerError } from "./local-driver.ts";

/** Whoever starts a process elsewhere has no packages beside it. */
const TSX = import.meta.resolve("tsx");

const jobs = suite("a verification carried out by workers");

interface Driving extends Omit<Verifying, "plan"> {
  /** A job in a new folder. */
  plan(): Promise<string>;
  drive(folder: string, options?: Partial<DriverOptions>): Promise<Driven>;
}

const afterCutover = (faults: readonly DeliveryFault[], body: (driving: Driving) => Promise<void>): Promise<void> =>
  verifyingAfterCutover(faults, (verifying) =>
    body({
      ...verifying,
      plan: async () => (await verifying.plan()).folder,
      drive: (folder, options) => drive(folder, { env: verifying.env, ...options }),
    }),
  );

for (const faults of [
  [],
  ["lost-row", "stale-value", "rounded-value", "legacy-only-row", "deleted-row-kept"],
  ["wrong-type"],
] satisfies DeliveryFault[][])
  jobs(`gives the same findings and digest as a local run: ${faults.join(", ") || "no faults"}`, () =>
    afterCutover(faults, async ({ local, plan, drive, finish }) => {
      const here = await local();
      const folder = await plan();
      await drive(folder);
      const there = await finish(folder);
      assert.equal(there["tables"], here["tables"]);
      assert.is(there["findings"], here["findings"]);
      assert.is(here["engine"], undefined);
      const { name, units, attempts } = there["engine"] as { name: string; units: bigint; attempts: bigint };
      assert.is(name, "a test");
      assert.ok(units >= 3n && attempts === units + 16n, `${units} ${attempts}`);
    }),
  );

jobs("agrees with a local run about legacy records that cannot be read, and of which keys they are", () =>
  afterCutover(["lost-row"], async ({ sandbox, local, plan, drive, finish }) => {
    for (const key of ["1023", "4711"])
      sandbox.broker.append(LEGACY_TOPIC, { key: Buffer.from(key), value: Buffer.from("\u0000avro") });
    const here = await local();
    const folder = await plan();
    await drive(folder);
    const there = await finish(folder);
    assert.equal(there["tables"], here["tables"]);
    assert.equal([there["findings"], there["outcome"]], [here["findings"], "fail"]);
    assert.match(printJson(there), /"legacy-unreadable": 1,/);
  }),
);

jobs("is planned into an owner-only folder, without a login, with the command that submits it", () =>
  afterCutover([], async ({ dir, verify }) => {
    const folder = join(dir, "a job");
    const { exit, stdout, output } = await verify(
      ...["--engine", "spark", "--job-dir", folder, "--worker-command", "cdcctl migrate verify-worker --contexts /c"],
    );
    assert.is(exit, 0, output);
    assert.is(
      stdout,
      `spark-submit '${folder}/verify_spark.py' '${folder}' --worker 'cdcctl migrate verify-worker --contexts /c'\n`,
    );
    assert.is((await stat(folder)).mode & 0o777, 0o700);
    assert.is((await stat(join(folder, "job.json"))).mode & 0o777, 0o600);
    assert.equal((await readdir(folder)).sort(), ["job.json", "verify_spark.py"]);
    const job = await readFile(join(folder, "job.json"), "utf8");
    for (const text of [job, output]) assert.not.match(text, LOGIN.password);
    assert.match(job, '"context":"sandbox"');
    const again = await verify("--engine", "spark", "--job-dir", folder);
    assert.is(again.exit, 64, "what is there is not replaced");
  }),
);

// ---- What becomes of a worker ---------------------------------------------------------------------------------------

jobs("gives the same findings wherever a worker is killed: at each of its frames", () =>
  afterCutover(["stale-value", "lost-row"], async ({ local, plan, drive, finish }) => {
    const here = await local();
    const folder = await plan();
    const { frames } = await drive(folder);
    assert.ok(frames > 40);
    for (let at = 1; at <= frames; at += 1) {
      await rm(join(folder, "results"), { recursive: true });
      const driven = await drive(folder, { dies: (seen) => seen === at });
      assert.is(driven.deaths, 1);
      const there = await finish(folder);
      assert.is(there["findings"], here["findings"], `killed at frame ${at}`);
    }
  }),
);

jobs("repeats a unit whose connection was lost, and counts its attempts", () =>
  afterCutover(["stale-value"], async ({ sandbox, local, plan, drive, finish }) => {
    const here = await local();
    const folder = await plan();
    sandbox.failBroker(({ api }) => (api === "Fetch" ? "disconnect-before" : undefined));
    const { deaths } = await drive(folder, { again: () => sandbox.failBroker(undefined) });
    assert.is(deaths, 1);
    const there = await finish(folder);
    assert.is(there["findings"], here["findings"]);
    const { units, attempts } = there["engine"] as { units: bigint; attempts: bigint };
    assert.is(attempts, units + 16n + BigInt(deaths));
  }),
);

jobs("accepts as a result what another attempt would not change: expired undo", () =>
  afterCutover([], async ({ sandbox, local, plan, drive, finish }) => {
    const folder = await plan();
    const rows = sandbox.oracle.tables.find(({ name }) => name === "ORDERS")?.rows;
    Object.assign(rows ?? {}, { undoFrom: CHECK_SCN + 1n });
    const here = await local();
    assert.is((await drive(folder)).deaths, 0);
    const there = await finish(folder);
    assert.is(there["outcome"], "inconclusive");
    assert.match(JSON.stringify(there["tables"], bigints), "ORA-01555");
    assert.is(there["findings"], here["findings"]);
  }),
);

const bigints = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

const failureOf = async (driven: Promise<unknown>): Promise<WorkerError["said"] & { readonly text: string }> => {
  const error = await driven.then(
    () => assert.unreachable("it has to fail") as never,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof WorkerError)) throw error;
  return { ...error.said, text: error.message };
};

jobs("tries a wrong password once, and reports it without showing it", () =>
  afterCutover([], async ({ sandbox, plan, drive }) => {
    const folder = await plan();
    sandbox.oracle.users[LOGIN.user] = { password: "changed since" };
    const before = sandbox.oracle.logons;
    const { code, retriable, text } = await failureOf(drive(folder));
    assert.equal([code, retriable], ["ORA-01017", false]);
    assert.not.match(text, LOGIN.password);
    assert.is(sandbox.oracle.logons, before + 1);
  }),
);

jobs("a worker whose login was refused does not try it again, whatever it is asked for", () =>
  afterCutover([], async ({ sandbox, env, plan }) => {
    const folder = await plan();
    sandbox.oracle.users[LOGIN.user] = { password: "changed since" };
    const before = sandbox.oracle.logons;
    const worker = await startWorker(join(folder, "job.json"), { env });
    for (let again = 0; again < 3; again++)
      assert.is((await failureOf(worker.ask({ is: "read", unit: "0:table-0", attempt: 0 }, [], 7))).code, "ORA-01017");
    assert.is((await worker.end()).exit, 0);
    assert.is(sandbox.oracle.logons, before + 1);
  }),
);

for (const [what, setting, value] of [
  ["brokers", "cdc.stream.bootstrap.servers", "127.0.0.1:9"],
  ["database", "cdc.database.service", "OTHER"],
] as const)
  jobs(`a worker refuses a job whose ${what} does not match its own context, and logs in to none`, () =>
    afterCutover([], async ({ sandbox, dir, env, plan, drive }) => {
      const folder = await plan();
      const config = { ...sandbox.connect.cluster.connectors.get(NEW_CONNECTOR)?.config, [setting]: value };
      await writeFile(join(dir, "other.json"), printJson({ name: NEW_CONNECTOR, config }), { mode: 0o600 });
      const contexts = join(dir, "other.yaml");
      const own = `    connectors:\n      ${NEW_CONNECTOR}:\n        config: other.json\n`;
      await writeFile(contexts, contextsFile(sandbox.connect.url, own), { mode: 0o600 });
      const before = sandbox.oracle.logons;
      const { code, retriable, text } = await failureOf(
        drive(folder, { env: { ...env, CDCCTL_CONTEXTS: "/nowhere" }, words: ["--contexts", contexts] }),
      );
      assert.equal([code, retriable], ["VER110", false]);
      assert.match(text, value);
      if (what === "database") assert.is(sandbox.oracle.logons, before);
    }),
  );

jobs("a worker logs in with the context's own file, without a request to Connect", () =>
  afterCutover([], async ({ sandbox, dir, plan, local, drive, finish, env }) => {
    const here = await local();
    const folder = await plan();
    const config = sandbox.connect.cluster.connectors.get(NEW_CONNECTOR)?.config;
    await writeFile(join(dir, "own.json"), printJson({ name: NEW_CONNECTOR, config }), { mode: 0o600 });
    const contexts = join(dir, "own.yaml");
    const own = `    connectors:\n      ${NEW_CONNECTOR}:\n        config: own.json\n`;
    await writeFile(contexts, contextsFile("http://127.0.0.1:9", own), { mode: 0o600 });
    await drive(folder, { env: { ...env, CDCCTL_CONTEXTS: contexts } });
    assert.is((await finish(folder))["findings"], here["findings"]);
  }),
);

// ---- All in one -----------------------------------------------------------------------------------------------------

/** Stands in for spark-submit: drives the job, or fails, or waits to be cancelled. */
const STAND_IN = `
  import { writeFileSync } from "node:fs";
  import { drive } from ${JSON.stringify(new URL("./local-driver.ts", import.meta.url).href)};
  const [manner, script, folder] = process.argv.slice(2);
  const say = (said) => console.log("cdcctl " + JSON.stringify(said));
  say({ is: "started", version: "9.9", application: "app-1", web: null });
  console.error("a word of Spark's own");
  if (manner === "fails") {
    const said = { code: "ORA-01017", message: "the login was turned away", remedy: ["Check it."], retriable: false };
    say({ is: "failed", ...said });
    process.exit(1);
  }
  if (manner === "crashes") {
    console.error("Caused by: a full disk\\n\\tat java.base/java.lang.Thread.run(Thread.java:840)\\n");
    for (let at = 0; at < 9; at++) console.error("26/11/27 14:22:18 INFO ShutdownHookManager: Deleting directory /tmp");
    process.exit(9);
  }
  if (manner === "hangs") {
    process.once("SIGTERM", () => { writeFileSync(folder + ".cancelled", script); process.exit(143); });
    writeFileSync(folder + ".hangs", "");
    setInterval(() => undefined, 1000);
  } else await drive(folder, { env: process.env });
`;

jobs("is planned, submitted and finished by one command, which leaves no files behind", () =>
  afterCutover(["stale-value"], async ({ dir, verify, local, run }) => {
    const here = await local();
    const path = join(dir, "whole.json");
    const submit = await standIn(dir, "drives");
    const { exit, output } = await verify("--engine", "spark", "--spark-submit", submit, "--output", path);
    assert.is(exit, 1, output);
    assert.match(output, "Spark 9.9, application app-1");
    assert.match(output, /carried out\s+a test 1, \d units, \d+ attempts/);
    assert.match(output, "FAILED");
    assert.is(object(await readFile(path, "utf8"))["findings"], here["findings"]);
    assert.equal(await readdir(join(dir, "state", "cdcctl", "verify")), []);
    assert.is((await run("migrate", "verify", "--check-evidence", path)).exit, 1);
  }),
);

jobs("reports why Spark failed, with the worker's message or Spark's, and resumes in the same folder", () =>
  afterCutover([], async ({ dir, verify }) => {
    const folder = join(dir, "job");
    const on = async (submit: string, ...more: readonly string[]) =>
      verify("--engine", "spark", "--spark-submit", submit, "--job-dir", folder, ...more);
    const finished = await on(await standIn(dir, "fails"));
    assert.is(finished.exit, 1);
    assert.match(finished.output, /the login was turned away.*\n.*Check it\./);
    const crashed = await on(await standIn(dir, "crashes"));
    assert.is(crashed.exit, 1);
    assert.match(crashed.output, /resuming the job in/);
    assert.match(
      crashed.output.replaceAll(/\s+/g, " "),
      /ended with 9: a word of Spark's own \| Caused by: a full disk Read/,
    );
    const missing = await on("/nowhere/spark-submit");
    assert.is(missing.exit, 1);
    assert.match(missing.output, "Name the spark-submit of your Spark by its path");
    const other = await on(await standIn(dir, "drives"), "--ignore-column", "STATUS");
    assert.is(other.exit, 64);
    assert.match(other.output, "the job in this folder is a different one");
    const whole = await on(await standIn(dir, "drives"));
    assert.is(whole.exit, 0, whole.output);
    assert.equal((await readdir(folder)).sort(), ["job.json", "results", "spark.log", "verify_spark.py"]);
    assert.is((await stat(join(folder, "spark.log"))).mode & 0o777, 0o600);
  }),
);

jobs("is cancelled by Ctrl-C, and resumes", () =>
  afterCutover([], async ({ dir, env, words }) => {
    const folder = join(dir, "job");
    const stop = new AbortController();
    const submit = await standIn(dir, "hangs");
    const asked = [...words, "--engine", "spark", "--job-dir", folder, "--spark-submit"];
    const running = runHere([...asked, submit], { env, interrupt: stop.signal });
    const isThere = (path: string) => async () => (await stat(path).catch(() => undefined)) !== undefined;
    await until("the job runs", isThere(`${folder}.hangs`));
    const alive = join(folder, "submitter.alive");
    await rm(alive);
    await until("it is waited for, also after another command that waited has ended", isThere(alive));
    stop.abort();
    const { exit, output } = await running;
    assert.is(exit, 1, output);
    assert.match(output, "Interrupted: the job is cancelled");
    const packaged = fileURLToPath(new URL("../../spark/verify_spark.py", import.meta.url));
    assert.is(await readFile(`${folder}.cancelled`, "utf8"), packaged, "never the copy in the job's folder");
    const again = await runHere([...asked, await standIn(dir, "drives")], { env });
    assert.is(again.exit, 0, again.output);
  }),
);

for (const fault of ["hang", "freeze"] as const)
  jobs(`is not planned on Ctrl-C while the table is divided, also if the database would ${fault}`, () =>
    afterCutover([], async ({ sandbox, dir, env, words }) => {
      const stop = new AbortController();
      const millisSince = stopDivision(sandbox, fault, () => stop.abort());
      const asked = [...words, "--engine", "spark", "--job-dir", join(dir, "job")];
      const { exit, output } = await runHere(asked, { env, interrupt: stop.signal });
      assert.ok(millisSince() < 10_000, `${millisSince()} ms`);
      assert.is(exit, 1, output);
      assert.match(output, "Interrupted");
      assert.equal(await readdir(join(dir, "job")).catch(() => []), []);
      sandbox.oracle.fault = undefined;
      const again = await runHere(asked, { env });
      assert.is(again.exit, 0, again.output);
    }),
  );

async function standIn(dir: string, manner: string): Promise<string> {
  const file = join(dir, "stand-in.mjs");
  await writeFile(file, STAND_IN, { mode: 0o600 });
  return `${process.execPath} --import ${TSX} ${file} ${manner}`;
}

jobs("waits for no pipe in its folder", () =>
  afterCutover([], async ({ verify, plan, drive }) => {
    const folder = await plan();
    await drive(folder);
    for (const name of [join("results", "z.jsonl"), "job.json"]) {
      await rm(join(folder, name), { force: true });
      assert.is(spawnSync("mkfifo", ["-m", "600", join(folder, name)]).status, 0);
      const { exit, output } = await verify("--finish", folder);
      assert.is(exit, 64, output);
      assert.match(output.replaceAll(/\s+/g, " "), /it is a pipe, not a regular file/);
    }
  }),
);

// ---- Jobs and results that are not what they should be --------------------------------------------------------------

jobs("a worker refuses a job that was changed, or that another version planned", () =>
  afterCutover([], async ({ env, plan }) => {
    const file = join(await plan(), "job.json");
    const job = object(await readFile(file, "utf8"));
    const { digest: _, ...content } = job;
    const older = { ...content, engine: 1n, cdcctl: "0.0.9" };
    for (const [text, problem] of [
      [canonicalJson({ ...job, segment: 1n }), /digest does not match/],
      [canonicalJson({ ...older, digest: digestOf(older) }), /cdcctl 0\.0\.9 planned this job, with .* engine 1/],
      [canonicalJson({ ...job, surprise: "x" }), /no key "surprise"/],
      ["{", /not JSON/],
    ] as const) {
      await writeFile(file, text, { mode: 0o600 });
      const { exit, output } = await runHere(["migrate", "verify-worker", "--job", file], { env, bytes: closed });
      assert.is(exit, 64, output);
      assert.match(output, problem);
    }
  }),
);

const closed = {
  input: (async function* (): AsyncGenerator<Uint8Array> {})(),
  write: async () => undefined,
};

jobs("a worker reports a driver that sends no frames, or ends within one", () =>
  afterCutover([], async ({ env, plan }) => {
    const file = join(await plan(), "job.json");
    for (const [bytes, problem] of [
      [Buffer.from("hello, worker, are you there?"), /sent a frame of \d+ bytes/],
      [Uint8Array.of(4, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1), /ended within a frame/],
      [Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0x7b, 0x7d), /does not know/],
    ] as const) {
      const input = (async function* () {
        yield bytes;
      })();
      const { exit, output } = await runHere(["migrate", "verify-worker", "--job", file], {
        env,
        bytes: { input, write: async () => undefined },
      });
      assert.is(exit, 1, output);
      assert.match(output, problem);
    }
  }),
);

jobs("is finished only from exactly one result of every unit and every slot of this job", () =>
  afterCutover([], async ({ dir, run, plan, drive, finish }) => {
    const [folder, other] = [await plan(), await plan()];
    await drive(folder);
    const job = join(other, "job.json");
    const { digest: _, ...content } = object(await readFile(job, "utf8"));
    const changed = { ...content, segment: 1_000_000n };
    await writeFile(job, canonicalJson({ ...changed, digest: digestOf(changed) }), { mode: 0o600 });
    await drive(other);
    const path = join(folder, "results", "table-0.jsonl");
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    const others = (await readFile(join(other, "results", "table-0.jsonl"), "utf8")).trimEnd().split("\n");
    const [first = "", ...rest] = lines;
    const evidence = join(dir, "not-whole.json");
    for (const [text, problem] of [
      [[...lines, first].join("\n"), /result of the unit 0:table-0 appears twice/],
      [[...lines, lines.at(-1)].join("\n"), /result of the slot 15 appears twice/],
      [rest.join("\n"), /1 of \d units have no result: 0:table-0/],
      [lines.slice(0, -2).join("\n"), /2 of 16 slots have no result: 14, 15/],
      [lines.join("\n").slice(0, -40), /table-0\.jsonl, line \d+: it is not JSON/],
      [lines.join("\n").replace('"count":', '"count":1'), /line \d+: its digest does not match/],
      [[others[0], ...rest].join("\n"), /a result of the unit\s+0:table-0 belongs to the job\s+sha256:/],
      ["", /have no\s+result/],
    ] as const) {
      await writeFile(path, text, { mode: 0o600 });
      const { exit, output } = await run("migrate", "verify", "--finish", folder, "--output", evidence);
      assert.is(exit, 1, output);
      assert.match(output, "VER111");
      assert.match(output, problem);
      assert.is(await stat(evidence).catch(() => undefined), undefined);
    }
    await writeFile(path, lines.join("\n"), { mode: 0o600 });
    assert.is((await finish(folder))["outcome"], "pass");
    for (const nothing of [join(dir, "nowhere"), dir])
      assert.is((await run("migrate", "verify", "--finish", nothing)).exit, 64);
  }),
);

jobs("is refused where the options contradict each other", () =>
  afterCutover([], async ({ dir, verify, run }) => {
    const folder = join(dir, "never");
    for (const [words, problem] of [
      [["--job-dir", folder], /--job-dir requires --engine spark/],
      [["--engine", "spark"], /cannot submit the job/],
      [["--spark-submit", "x"], /--spark-submit requires --engine spark/],
      [["--engine", "spark", "--job-dir", folder, "--db-user", "x"], /--db-user applies only to this process/],
      [["--engine", "spark", "--job-dir", folder, "--database-sessions", "0"], /--database-sessions 0/],
      [["--engine", "spark", "--job-dir", dir], /already exists/],
      [
        ["--engine", "spark", "--spark-submit", "spark-submit --conf spark.authenticate.secret=hunter2"],
        /--spark-submit contains the setting spark\.authenticate\.secret, and command lines are visible/,
      ],
      [
        ["--engine", "spark", "--job-dir", folder, "--worker-command", "env DB_PASSWORD=hunter2 cdcctl"],
        /--worker-command contains the setting DB_PASSWORD/,
      ],
    ] as const) {
      const { exit, output } = await verify(...words);
      assert.is(exit, 64, output);
      assert.match(output, problem);
      assert.not.match(output, "hunter2");
    }
    const without = await run("migrate", "verify", "--connector", "c", "--table", "A.B", "--engine", "spark");
    assert.is(without.exit, 64);
    assert.match(without.output, "requires a context");
    assert.is(await stat(folder).catch(() => undefined), undefined);
  }),
);

jobs.run();
