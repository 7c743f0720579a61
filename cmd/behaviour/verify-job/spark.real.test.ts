/** Verifications on Apache Spark as PyPI has it, submitted by the printed line or by one command. */
import { existsSync } from "node:fs";
import { copyFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, parseJson } from "../../../core/values/json.ts";
import { run as command } from "../../../providers/real/command.ts";
import { type PySpark, pyspark } from "../../../providers/real/pyspark.ts";
import type { DeliveryFault } from "../../../providers/sandbox/migration/faults.ts";
import { NEW_CONNECTOR } from "../../../providers/sandbox/migration/scenario.ts";
import { LOGIN } from "../../../providers/sandbox/sandbox.ts";
import { bundle, bundleWorker } from "../../dev/bundle.ts";
import { type Finished, runHere, startProcess } from "../run-command.ts";
import { type Verifying, afterCutover as verifyingAfterCutover } from "./after-cutover.ts";
import {
  commandsWith,
  filesIn,
  KILLING,
  LIMIT_MILLIS,
  standaloneCluster,
  submitted,
  watchedProcesses,
  yarnCluster,
} from "./spark-runs.ts";
import { FAULTS } from "./spark-scenes.ts";

const LINE = "3.5.7";
/** The line that comes after it. */
const NEXT = "4.2.0";
const spark = suite("a verification on Apache Spark");

const [installed, next] = [await pyspark(LINE), await pyspark(NEXT)];
// biome-ignore lint/suspicious/noConsole: the harness names what was not run
for (const one of [installed, next]) if ("why" in one) console.log(`NOT RUN  ${one.why}`);

const built = await mkdtemp(join(tmpdir(), "cdcctl-spark-"));
if (!("why" in installed)) await bundle(built);
const WORKER = `${process.execPath} ${join(built, "cdcctl.js")} migrate verify-worker`;
spark.after(() => rm(built, { recursive: true, force: true }));

interface Submitting extends Omit<Verifying, "plan"> {
  plan(worker: string): ReturnType<Verifying["plan"]>;
  /** Runs the line that was printed, with this master. */
  submit(line: string, master: string, by?: PySpark): Promise<Finished>;
}

const afterCutover = (faults: readonly DeliveryFault[], body: (submitting: Submitting) => Promise<void>) =>
  verifyingAfterCutover(faults, (verifying) =>
    body({
      ...verifying,
      plan: (worker) => verifying.plan("--worker-command", `${worker} --contexts ${verifying.contexts}`),
      submit: (line, master, by = installed as PySpark) => submitted(by, line, master, verifying.dir),
    }),
  );

/** How workers reach the executors, and the file there that shows it. */
const ARCHIVES = {
  worker: "node/bin/node cdcctl/package/dist/cdcctl.js migrate verify-worker",
  along: "--archives node.tgz#node,cdcctl.tgz#cdcctl",
  ran: /\/node(?:\.tgz)?\/bin\/node$/,
};
const EXECUTABLE = { worker: "./verify_worker", along: "--files verify_worker", ran: /\/verify_worker$/ };

const CLUSTERS = [
  {
    name: "a standalone cluster",
    paragraph: "Standalone, ",
    start: standaloneCluster,
    application: /"application": "app-/,
    ways: [ARCHIVES, EXECUTABLE],
  },
  {
    name: "YARN",
    paragraph: "YARN, ",
    start: yarnCluster,
    application: /"application": "application_/,
    ways: [{ ...ARCHIVES, along: "" }],
  },
];

/** The line of docs/verification-at-scale.md after a paragraph that begins like this, or the lines. */
async function documentedLine(beginning: string): Promise<string> {
  const page = await readFile(new URL("../../../docs/verification-at-scale.md", import.meta.url), "utf8");
  const [, line] = new RegExp(`^${beginning}.*\n\n\`\`\`sh\n([^\`]*)\n`, "m").exec(page) ?? [];
  if (line === undefined) throw new Error(`no line after ${beginning}`);
  return line.replaceAll(/ \\\n\s+/g, " ");
}

/** Writes the two archives, Node.js and cdcctl as `npm pack` lays it out, and the single executable as documented. */
async function sendAlong(dir: string): Promise<void> {
  await cp(built, join(dir, "package", "dist"), { recursive: true });
  await copyFile(new URL("../../../package.json", import.meta.url), join(dir, "package", "package.json"));
  await command("tar", ["-czf", join(dir, "cdcctl.tgz"), "-C", dir, "package"]);
  await bundleWorker(join(dir, "package", "dist", "verify_worker.cjs"));
  const made = (await documentedLine("The executable is made"))
    .replace("$(npm root -g)/cdcctl", join(dir, "package"))
    .replace("npx postject", fileURLToPath(new URL("../../../node_modules/.bin/postject", import.meta.url)));
  await command("bash", ["-euc", `cd "$0"; ${made}`, dir]);
  await command("tar", ["-czf", join(dir, "node.tgz"), "-C", dirname(dirname(process.execPath)), "bin/node"]);
}

/** The value of an expression about what is `given`, with the script that Spark runs imported. */
async function ofScript(expression: string, given: unknown): Promise<unknown> {
  const script = fileURLToPath(new URL("../../spark/", import.meta.url));
  const asked = `import sys, json; sys.dont_write_bytecode = True; sys.path.insert(0, ${JSON.stringify(script)})
import verify_spark
given = json.loads(sys.argv[1])
print(json.dumps(${expression}))`;
  return JSON.parse(await command("python3", ["-c", asked, JSON.stringify(given)]));
}

async function becomes(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const limit = Date.now() + LIMIT_MILLIS;
  while (!(await holds())) {
    assert.ok(Date.now() < limit, `in vain: ${what}`);
    await pause(100);
  }
}

if (!("why" in installed)) {
  for (const [line, by] of [
    [LINE, installed],
    [NEXT, next],
  ] as const)
    if (!("why" in by))
      spark(`gives the same findings as a local run: five kinds of faults, the printed line on ${line}`, () =>
        afterCutover(FAULTS, async ({ dir, local, plan, submit, finish }) => {
          const here = await local();
          const { folder, line: printed } = await plan(WORKER);
          const { exit, stdout, output } = await submit(printed, "local[2,4]", by);
          assert.is(exit, 0, output.slice(-4000));
          assert.match(stdout, `"version": "${line}"`);
          const there = await finish(folder);
          assert.is(there["outcome"], "fail");
          assert.is(there["findings"], here["findings"]);
          const { name, version, units, attempts } = there["engine"] as Record<string, unknown>;
          assert.equal([name, version], ["spark", line]);
          assert.is(attempts, (units as bigint) + 16n);
          // Event log, work folders, job, results: and the search does find what is there.
          const held = await Promise.all((await filesIn(dir)).map((path) => readFile(path)));
          assert.ok(held.some((bytes) => bytes.includes(NEW_CONNECTOR)));
          for (const bytes of held) assert.not.ok(bytes.includes(LOGIN.password));
          assert.not.match(output, LOGIN.password);
        }),
      );

  spark("is one command, which reports progress, and which Ctrl-C or a kill cancels", () =>
    afterCutover(["stale-value"], async ({ dir, contexts, words: verify, env: ours, local }) => {
      const here = await local();
      const { submit, env: own } = installed;
      const env = { ...(process.env as Record<string, string>), ...own, ...ours };
      const line = `${submit} --master 'local[2,4]' --conf spark.driver.host=127.0.0.1 --conf spark.local.dir=${dir}`;
      const words = [...verify, "--engine", "spark", "--spark-submit", line, "--worker-command"];
      // Its job ends after half a minute: meanwhile the others are run.
      const [again, left] = [join(dir, "waits-again"), join(dir, "left-alone")];
      const holding = `${process.execPath} ${KILLING} ${again} nobody read ${WORKER} --contexts ${contexts}`;
      const { child: alone, finished } = startProcess([...words, holding, "--job-dir", left], { env });
      const early = finished.then(({ output: said }) => assert.unreachable(`it ended: ${said}`));
      await Promise.race([early, becomes("a worker was started", () => existsSync(again))]);
      early.catch(() => undefined);
      alone.kill("SIGKILL");

      const path = join(dir, "whole.json");
      const whole = await runHere([...words, `${WORKER} --contexts ${contexts}`, "--output", path], { env });
      assert.is(whole.exit, 1, whole.output);
      assert.match(whole.output, new RegExp(`Spark ${LINE}, application local-`));
      const json = parseJson(await readFile(path, "utf8"));
      assert.is(isObject(json) && json["findings"], here["findings"]);

      const mark = join(dir, "waits");
      const folder = join(dir, "cancelled");
      const waiting = `${process.execPath} ${KILLING} ${mark} nobody read ${WORKER} --contexts ${contexts}`;
      const stop = new AbortController();
      const running = runHere([...words, waiting, "--job-dir", folder], { env, interrupt: stop.signal });
      await becomes("a worker was started", () => existsSync(mark));
      stop.abort();
      const { exit, output } = await running;
      assert.is(exit, 1, output);
      assert.match(output, "Interrupted: the job is cancelled");
      assert.equal(await commandsWith(`verify_spark.py\0${folder}\0`), []);

      await becomes("the job of a killed cdcctl has ended", async () => {
        const running = await commandsWith(`verify_spark.py\0${left}\0`);
        return running.length === 0;
      });
    }),
  );

  for (const { name, paragraph, start, application, ways } of CLUSTERS)
    spark(`runs on ${name} by the documented line, with Node.js and cdcctl sent along`, () =>
      afterCutover(FAULTS, async ({ dir, local, plan, submit, finish }) => {
        const secret = `canary-spark-${process.pid}`;
        const cluster = await start(installed, dir, secret);
        const watched = watchedProcesses([secret, LOGIN.password]);
        try {
          const here = await local();
          const documented = await documentedLine(paragraph);
          await sendAlong(dir);
          for (const { worker, along } of ways) {
            const { folder, line } = await plan(worker);
            const asked = documented.replace(/--master \S+/, `--master ${cluster.master}`);
            const { exit, output } = await submit(
              line.replace(/^spark-submit/, `${asked} ${along}`),
              cluster.master,
              cluster.spark,
            );
            assert.is(exit, 0, output.slice(-4000));
            assert.match(output, application);
            assert.not.match(output, "encryption enabled without RPC encryption");
            assert.is((await finish(folder))["findings"], here["findings"]);
          }
          const { samples, seen } = watched.end();
          assert.ok(samples > 0);
          assert.equal(seen, []);
          // What was sent along is what ran; of the rest of the executors' folders, nothing holds a login.
          const written = await filesIn(cluster.work);
          for (const { ran } of ways)
            assert.ok(
              written.some((path) => ran.test(path)),
              `${ran}`,
            );
          for (const path of written.filter((path) => !/\/cdcctl(?:\.tgz)?\/package\//.test(path))) {
            // YARN removes the folders of a container that has ended.
            const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
              if (error.code !== "ENOENT") throw error;
              return Buffer.alloc(0);
            });
            for (const one of [secret, LOGIN.password]) assert.not.ok(bytes.includes(one), `${one} in ${path}`);
          }
        } finally {
          watched.end();
          await cluster.end();
        }
      }),
    );

  spark("reads tables first, in as many tasks as there may be sessions, and each unit once", async () => {
    const units = [...Array(7).keys()].map((at) => ({ unit: `0:table-${at}`, table: 0, side: "table" }));
    const topics = [0, 1].map((at) => ({ unit: `0:new-${at}`, table: 0, side: "new" }));
    const divided = "[verify_spark.tasks_of(given, sessions) for sessions in (1, 4, 20)]";
    const [one, four, twenty] = (await ofScript(divided, [...topics, ...units])) as string[][][];
    const tables = (tasks: string[][] = []) => tasks.filter(([first]) => first?.includes("table"));
    assert.equal(
      [one, four, twenty].map((tasks) => tables(tasks).length),
      [1, 4, 7],
    );
    for (const tasks of [one, four, twenty]) {
      assert.equal(tasks?.flat().sort(), [...topics, ...units].map(({ unit }) => unit).sort());
      assert.equal(tasks?.slice(-2), [["0:new-0"], ["0:new-1"]]);
    }
  });

  spark(
    "goes on while the file of the waiting command is missing for a moment: another command removed it",
    async () => {
      const [last, there] = (await ofScript("[verify_spark.touched(path, 7) for path in given]", [
        "/nowhere/submitter.alive",
        process.execPath,
      ])) as number[];
      assert.is(last, 7);
      assert.ok((there ?? 0) > 7);
    },
  );

  spark("sees whether Spark encrypts, by whichever setting", async () => {
    const settings = [
      {},
      { "spark.authenticate": "true", "spark.io.encryption.enabled": "false" },
      { "spark.io.encryption.enabled": "true" },
      { "spark.network.crypto.enabled": "TRUE" },
      { "spark.ssl.rpc.enabled": "true" },
    ];
    const seen = await ofScript("[verify_spark.encrypted(settings) for settings in given]", settings);
    assert.equal(seen, [false, false, true, true, true]);
  });

  spark("ends with the worker's error message, and one login, where the password is wrong", () =>
    afterCutover([], async ({ sandbox, plan, submit }) => {
      const { line } = await plan(WORKER);
      sandbox.oracle.users[LOGIN.user] = { password: "changed since" };
      const before = sandbox.oracle.logons;
      const { exit, stdout } = await submit(line, "local[2,4]");
      assert.is(exit, 1);
      assert.match(stdout, /cdcctl \{"code": "ORA-01017", "is": "failed"/);
      assert.is(sandbox.oracle.logons, before + 1);
    }),
  );

  spark("reports a missing Node.js, or a missing cdcctl, on the executors", () =>
    afterCutover([], async ({ plan, submit }) => {
      const { line } = await plan("/nowhere/node cdcctl.js migrate verify-worker");
      const { exit, stdout } = await submit(line, "local[2,4]");
      assert.is(exit, 1);
      assert.match(stdout, /"worker-missing".*Install Node\.js and cdcctl on every executor/);
    }),
  );
}

spark.run();
