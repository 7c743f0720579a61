/** The example for Kubernetes: its manifests fit each other, and its driver carries out a job from a plain shell. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse, parseAllDocuments } from "yaml";
import { isObject, parseJson } from "../../../core/values/json.ts";
import { openContexts } from "../../../providers/contexts/contexts.ts";
import { LEGACY_TOPIC } from "../../../providers/sandbox/migration/legacy-task.ts";
import { NEW_CONNECTOR } from "../../../providers/sandbox/migration/scenario.ts";
import { LOGIN } from "../../../providers/sandbox/sandbox.ts";
import { CHECK_SCN, cutOverSandbox } from "../cut-over.ts";
import { runHere } from "../run-command.ts";

const example = suite("the example for Kubernetes");
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FOLDER = join(ROOT, "examples/verify-on-kubernetes");
const DRIVE = join(FOLDER, "drive.mjs");

interface Manifest {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: { readonly stage: string };
  };
  readonly spec: {
    readonly completionMode?: string;
    readonly completions?: number;
    readonly parallelism?: number;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly { readonly port: number }[];
    readonly podFailurePolicy?: object;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly serviceAccountName?: string;
        readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
        readonly containers: readonly {
          readonly image: string;
          readonly args: readonly [string];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
      };
    };
  };
}

const text = (name: string) => readFile(join(FOLDER, name), "utf8");
async function manifests(name: string): Promise<readonly Manifest[]> {
  return parseAllDocuments(await text(name)).map((document) => {
    assert.equal(document.errors, [], name);
    return document.toJS() as Manifest;
  });
}
const jobsIn = async (name: string) => (await manifests(name)).filter(({ kind }) => kind === "Job");
const commandOf = ({ spec }: Manifest) => spec.template.spec.containers[0]?.args[0] ?? "";
const oneLine = (line: string) => line.replace(/(?:\\?\s)+/g, " ").trim();

example("submits with the same line in the manifest, the context and the documentation", async () => {
  const contexts = await openContexts({ path: join(FOLDER, "contexts.yaml"), env: {}, home: "/" });
  const { spark, configurations } = await contexts.resolve("prod");
  assert.equal([...configurations.keys()], ["orders-cdc"]);
  const [job] = await jobsIn("spark.yaml");
  const submit = oneLine(spark?.submit ?? "none");
  assert.match(commandOf(job as Manifest), `--spark-submit "${submit}"`);
  assert.match(commandOf(job as Manifest), `--worker-command "${spark?.workerCommand}"`);
  const page = await readFile(join(ROOT, "docs/verification-at-scale.md"), "utf8");
  assert.match(oneLine(page), submit);
});

example("lets executors reach the driver, and mounts the contexts file in both", async () => {
  const [service, , job] = await manifests("spark.yaml");
  assert.is(service?.kind, "Service");
  const command = commandOf(job as Manifest);
  const setting = (name: string) => new RegExp(`--conf ${name.replaceAll(".", "[.]")}=(\\S+)`).exec(command)?.[1];
  assert.is(setting("spark.driver.host"), `${service?.metadata.name}.${service?.metadata.namespace}.svc`);
  assert.equal(
    service?.spec.ports?.map(({ port }) => `${port}`),
    [setting("spark.driver.port"), setting("spark.driver.blockManager.port")],
  );
  const template = (job as Manifest).spec.template;
  assert.equal(service?.spec.selector, template.metadata.labels);
  const [container] = template.spec.containers;
  assert.is(setting("spark.kubernetes.container.image"), container?.image);
  const [mount] = container?.volumeMounts ?? [];
  const secret = template.spec.volumes.find(({ name }) => name === mount?.name)?.secret?.secretName;
  assert.is(setting(`spark.kubernetes.executor.secrets.${secret}`), mount?.mountPath);
  assert.match(command, `--contexts ${mount?.mountPath}/contexts.yaml`);
  const roles = await manifests("rbac.yaml");
  assert.ok(
    roles.some(({ kind, metadata }) => kind === "ServiceAccount" && metadata.name === template.spec.serviceAccountName),
  );
});

example("divides every stage among as many pods as its Job has", async () => {
  const jobs = await jobsIn("job-array.yaml");
  const readme = await text("README.md");
  const [, stages = ""] = /for stage in ([a-z -]+); do/.exec(readme) ?? [];
  assert.equal(
    jobs.map(({ metadata }) => metadata.labels?.stage),
    stages.split(" "),
  );
  for (const job of jobs) {
    const { completionMode, completions, parallelism = 1 } = job.spec;
    const part = /--part \$JOB_COMPLETION_INDEX\/(\d+)/.exec(commandOf(job))?.[1];
    assert.is(part, completions === undefined ? undefined : `${completions}`, job.metadata.name);
    assert.is(completionMode, part === undefined ? undefined : "Indexed", job.metadata.name);
    if (commandOf(job).includes("--side table")) assert.ok(parallelism <= 4, "database sessions");
    assert.is(job.spec.podFailurePolicy !== undefined, commandOf(job).includes("drive.mjs"), job.metadata.name);
  }
});

example("has no login in a manifest", async () => {
  for (const name of ["spark.yaml", "job-array.yaml", "contexts.yaml", "Dockerfile"])
    assert.not.match(await text(name), /password *[:=]|stringData|secretKeyRef/i);
  assert.ok(parse(await text("contexts.yaml")));
});

const inShell = (script: string, env: Readonly<Record<string, string>>) =>
  promisify(execFile)("sh", ["-ec", script], { env: { ...process.env, ...env } });

example("its driver gives the same findings as a local run, from a shell with two processes at a time", async () => {
  const sandbox = await cutOverSandbox("lost-row", "stale-value", "legacy-only-row");
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-drive-"));
  try {
    const contexts = join(dir, "contexts.yaml");
    const context = `contexts:\n  sandbox:\n    connect:\n      url: ${sandbox.connect.url}\n`;
    await writeFile(contexts, `apiVersion: cdcctl/v1\nkind: Contexts\n${context}`, { mode: 0o600 });
    const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state"), CDCCTL_CONTEXTS: contexts };
    const verify = (...more: readonly string[]) => runHere(["migrate", "verify", ...more], { env });
    const asked = ["--connector", NEW_CONNECTOR, "--context", "sandbox", "--table", "SALES.ORDERS"];
    const where = ["--legacy-topic", LEGACY_TOPIC, "--check-scn", String(CHECK_SCN)];
    const job = join(dir, "job");
    await verify(...asked, ...where, "--output", join(dir, "here.json"));
    const planned = await verify(...asked, ...where, "--engine", "spark", "--job-dir", job);
    assert.is(planned.exit, 0, planned.output);
    const worker = `--worker "${process.execPath} ${join(ROOT, "dist/cdcctl.js")} migrate verify-worker"`;
    const drive = `${process.execPath} ${DRIVE}`;
    await assertRejects(inShell(`${drive} gather ${job} ${worker}`, env), 1, "has not been read");
    await inShell(
      `drive="${drive}" job=${job}
      $drive check $job ${worker}
      $drive units $job --side table | xargs -P 2 -I UNIT ${drive} read $job UNIT ${worker}
      for part in 0 1; do $drive read $job --side topic --part $part/2 ${worker}; done
      $drive units $job | head -n 1 | xargs -I UNIT ${drive} read $job UNIT ${worker}
      $drive gather $job ${worker}
      $drive slots $job | xargs -P 2 -n 8 ${drive} join $job ${worker}`,
      env,
    );
    await verify("--finish", job, "--output", join(dir, "there.json"));
    const [here, there] = await Promise.all(
      ["here.json", "there.json"].map(async (name) => {
        const json = parseJson(await readFile(join(dir, name), "utf8"));
        return isObject(json) ? json : {};
      }),
    );
    assert.is(there?.["outcome"], "fail");
    assert.is(there?.["findings"], here?.["findings"]);
    sandbox.oracle.users[LOGIN.user] = { password: "changed since" };
    const before = sandbox.oracle.logons;
    await assertRejects(inShell(`${drive} check ${job} ${worker}`, env), 1, "ORA-01017");
    assert.is(sandbox.oracle.logons, before + 1, "a wrong password is tried once");
    await assertRejects(inShell(`${drive} check ${job} --worker false`, env), 75, "worker-ended");
    await assertRejects(inShell(`${drive} check ${job} --worker /nowhere/node`, env), 1, "worker-ended");
  } finally {
    await sandbox.close();
    await rm(dir, { recursive: true, force: true });
  }
});

async function assertRejects(run: Promise<unknown>, code: number, words: string): Promise<void> {
  const failed = (await run.then(
    () => undefined,
    (error: unknown) => error,
  )) as { readonly code: number; readonly stderr: string } | undefined;
  assert.is(failed?.code, code, failed?.stderr);
  assert.match(failed?.stderr ?? "", words);
}

example.run();
