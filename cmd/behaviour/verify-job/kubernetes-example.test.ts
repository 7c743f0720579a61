/** The example for Kubernetes: its manifests fit each other, and its driver carries out a job from a plain shell. */
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse, parseAllDocuments } from "yaml";
import { openContexts } from "../../../providers/contexts/contexts.ts";
import { LOGIN } from "../../../providers/sandbox/sandbox.ts";
import { EXAMPLE, withPlannedJob } from "./planned-job.ts";

const example = suite("the example for Kubernetes");
const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

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
    readonly podFailurePolicy?: {
      readonly rules: readonly {
        readonly action: string;
        readonly onExitCodes?: { readonly values: readonly number[] };
      }[];
    };
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

const text = (name: string) => readFile(join(EXAMPLE, name), "utf8");
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
  const contexts = await openContexts({ path: join(EXAMPLE, "contexts.yaml"), env: {}, home: "/" });
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
  const [, onExit] = (job as Manifest).spec.podFailurePolicy?.rules ?? [];
  assert.equal([onExit?.action, onExit?.onExitCodes?.values], ["FailJob", [1, 64]], "a wrong password is tried once");
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
const DRIVE = `${process.execPath} ${join(EXAMPLE, "drive.mjs")}`;

example("its driver gives the same findings as a local run, from a shell with two processes at a time", () =>
  withPlannedJob(async ({ sandbox, folder, worker: command, env, finishedAsHere }) => {
    const worker = `--worker "${command}"`;
    await assertRejects(inShell(`${DRIVE} gather ${folder} ${worker}`, env), 1, "has not been read");
    await inShell(
      `drive="${DRIVE}" job=${folder}
      $drive check $job ${worker}
      $drive units $job --side table | xargs -P 2 -I UNIT ${DRIVE} read $job UNIT ${worker}
      for part in 0 1; do $drive read $job --side topic --part $part/2 ${worker}; done
      $drive units $job | head -n 1 | xargs -I UNIT ${DRIVE} read $job UNIT ${worker}
      $drive gather $job ${worker}`,
      env,
    );
    const gathered = join(folder, "results", "unit-0.jsonl");
    const result = await readFile(gathered, "utf8");
    await writeFile(gathered, result.replace("{", '{"attempt":9,'));
    await assertRejects(inShell(`${DRIVE} join ${folder} 0 ${worker}`, env), 1, "a unit was read again");
    await inShell(
      `for nth in 1 2 3; do ${DRIVE} read ${folder} --side topic ${worker} & done; wait
      ${DRIVE} gather ${folder} ${worker}
      ${DRIVE} slots ${folder} | xargs -P 2 -n 8 ${DRIVE} join ${folder} ${worker}`,
      env,
    );
    assert.is(await readFile(gathered, "utf8"), result, "the same result, whoever reads");
    await finishedAsHere();
    const parts = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".part"));
    assert.equal(parts, []);
    sandbox.oracle.users[LOGIN.user] = { password: "changed since" };
    const before = sandbox.oracle.logons;
    await assertRejects(inShell(`${DRIVE} check ${folder} ${worker}`, env), 1, "ORA-01017");
    assert.is(sandbox.oracle.logons, before + 1, "a wrong password is tried once");
    await assertRejects(inShell(`${DRIVE} check ${folder} --worker false`, env), 75, "worker-ended");
    await assertRejects(inShell(`${DRIVE} check ${folder} --worker /nowhere/node`, env), 1, "worker-ended");
  }),
);

example("the pods of the Job array give the same findings as a local run, each with its part", () =>
  withPlannedJob(async ({ contexts, folder, worker, env, finishedAsHere }) => {
    for (const job of await jobsIn("job-array.yaml")) {
      if (!commandOf(job).includes("drive.mjs")) continue;
      const command = oneLine(commandOf(job))
        .replace("node /opt/cdcctl/drive.mjs", DRIVE)
        .replace("/work/job", folder)
        .replace("cdcctl migrate verify-worker", worker)
        .replace("/etc/cdcctl/contexts.yaml", contexts);
      const pods = [...Array(job.spec.completions ?? 1).keys()];
      const pod = async (): Promise<void> => {
        for (let nth = pods.shift(); nth !== undefined; nth = pods.shift())
          await inShell(command, { ...env, JOB_COMPLETION_INDEX: `${nth}` });
      };
      await Promise.all([pod(), pod()]);
    }
    await finishedAsHere();
  }),
);

async function assertRejects(run: Promise<unknown>, code: number, words: string): Promise<void> {
  const failed = (await run.then(
    () => undefined,
    (error: unknown) => error,
  )) as { readonly code: number; readonly stderr: string } | undefined;
  assert.is(failed?.code, code, failed?.stderr);
  assert.match(failed?.stderr ?? "", words);
}

example.run();
