/**
 * Readers whose genuine text takes a verification, a migration, an approval or a stop to make, and variables of the
 * environment, by the rules of `fuzz.test.ts`.
 * `CDCCTL_FUZZ_SEED` sets another seed, `CDCCTL_FUZZ_CASES` how many cases each has.
 */
import { spawnSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { canonicalJson, jsonObjectIn, parseJson } from "../../../../core/values/json.ts";
import { LEGACY_TOPIC } from "../../../../providers/sandbox/migration/legacy-task.ts";
import { migrationFile, NEW_CONNECTOR } from "../../../../providers/sandbox/migration/scenario.ts";
import { CONNECTOR } from "../../../../providers/sandbox/sandbox.ts";
import { contexts } from "../../../../providers/sandbox/scenario.ts";
import { OPS_TOPIC, openChangedWorld } from "../../changed-world.ts";
import { OFFSET_CHANGE } from "../../changes.ts";
import { CHECK_SCN, cutOverSandbox } from "../../cut-over.ts";
import { runHere } from "../../run-command.ts";
import { drive } from "../../verify-job/local-driver.ts";
import { fuzz, judge, story } from "./fuzz.ts";
import { damaged } from "./mutators.ts";
import {
  changed,
  document,
  type Form,
  JSON_TEXT,
  LIMITS,
  linesOf,
  PLAN,
  record,
  SEALED,
  type Target,
  TIMEOUT,
  YAML_TEXT,
} from "./targets.ts";

const reading = suite("readers of what others may have written");
const SEED = process.env["CDCCTL_FUZZ_SEED"] ?? "20261128";
const CASES = Number(process.env["CDCCTL_FUZZ_CASES"] ?? 24);

/** A file of the job of a verification that has been carried out, which is finished from it. */
function ofJob(name: string, form: Form, fileIn: (folder: string) => Promise<string>): Target {
  return {
    ...{ name, ends: 0, lasts: 1000, cases: CASES },
    async open() {
      const sandbox = await cutOverSandbox();
      const dir = await mkdtemp(join(tmpdir(), "cdcctl-fuzz-job-"));
      await writeFile(join(dir, "contexts.yaml"), contexts(sandbox), { mode: 0o600 });
      const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state"), CDCCTL_CONTEXTS: join(dir, "contexts.yaml") };
      const folder = join(dir, "job");
      const asked = ["--table", "SALES.ORDERS", "--legacy-topic", LEGACY_TOPIC, "--check-scn", String(CHECK_SCN)];
      const verify = ["migrate", "verify", "--connector", NEW_CONNECTOR, "--context", "sandbox", ...asked];
      const again = [...verify, "--engine", "spark", "--job-dir", folder, "--spark-submit", "true"];
      const planned = await runHere([...verify, "--engine", "spark", "--job-dir", folder], { env });
      assert.is(planned.exit, 0, planned.output);
      await drive(folder, { env });
      const path = await fileIn(folder);
      const text = await readFile(path, "utf8");
      return {
        async attempt(chance, interrupt) {
          const { what, bytes } = changed(text, text, form, chance);
          await writeFile(path, bytes, { mode: 0o600 });
          const commands = [["migrate", "verify", "--finish", folder], again];
          const argv = chance === undefined ? (commands[0] ?? []) : chance.pick(commands);
          return { ...(await runHere(argv, { env, interrupt })), what, argv, input: bytes };
        },
        async close() {
          await sandbox.close();
          await rm(dir, { recursive: true, force: true });
        },
      };
    },
  };
}

const LINES: Form = { parse: (text) => parseJson(`[${text.trim().split("\n").join(",")}]`), print: linesOf };

const TARGETS: readonly Target[] = [
  // First, as it waits for nothing briefly: modules are loaded meanwhile.
  {
    ...{ name: "variables of the environment", ends: 0, lasts: 40, cases: 2 * CASES },
    async open() {
      const world = await openChangedWorld({ state: "STOPPED" });
      const genuine: Readonly<Record<string, string>> = {
        ...{ CDCCTL_OPERATOR: "ana", CI: "true", GITHUB_ACTIONS: "true", TF_BUILD: "True", NO_COLOR: "1" },
        ...{ GITHUB_WORKSPACE: world.dir, CI_PROJECT_DIR: world.dir, BUILD_SOURCESDIRECTORY: world.dir },
        ...{ WORKSPACE: world.dir, CDCCTL_CONTEXTS: join(world.dir, "contexts.yaml"), SSH_AUTH_SOCK: "/nowhere" },
      };
      const here = ["--context", "sandbox", ...TIMEOUT];
      const commands = [
        PLAN(world.plan),
        [...PLAN(world.plan), "--format", "sarif"],
        ["validate", world.plan, "--format", "junit"],
        ["connectors", "stop", CONNECTOR, ...here, "--reason", "storage"],
        ["status", ...here, "--metrics-file", join(world.dir, "cdcctl.prom")],
      ];
      return {
        async attempt(chance, interrupt) {
          const name = chance?.pick(Object.keys(genuine)) ?? "GITHUB_WORKSPACE";
          const before = Buffer.from(genuine[name] ?? "");
          const { what, bytes } = chance === undefined ? { what: "nothing", bytes: before } : damaged(before, chance);
          // No variable can hold it.
          const env = { ...world.env, ...genuine, [name]: bytes.toString().replaceAll("\0", "") };
          const argv = chance === undefined ? PLAN(world.plan) : chance.pick(commands);
          return { ...(await runHere(argv, { env, interrupt })), what: `${name}: ${what}`, argv, input: bytes };
        },
        close: () => world.close(),
      };
    },
  },
  document("rule of a policy", YAML_TEXT, async (world) => {
    const folder = join(world.dir, "policies");
    await mkdir(folder, { recursive: true });
    return {
      text: await readFile(
        fileURLToPath(new URL("../../../../examples/policies/plan-is-recent.yaml", import.meta.url)),
        "utf8",
      ),
      path: join(folder, "rule.yaml"),
      commands: [
        [...PLAN(world.plan), "--policy", folder],
        ["policy", "test", folder],
      ],
    };
  }),
  ofJob("job of a verification", SEALED, async (folder) => join(folder, "job.json")),
  ofJob("results of a verification", LINES, async (folder) => {
    const [first = "none"] = (await readdir(join(folder, "results"))).sort();
    return join(folder, "results", first);
  }),
  ...["cutover", "verify", "rollback", "retire"].map((phase) =>
    document(
      `plan file of a migration, ${phase}`,
      YAML_TEXT,
      async (world) => {
        const path = join(world.dir, "fuzzed.yaml");
        const more = phase === "verify" ? ["evidence: below.evidence.json"] : ["accept: [MIG124]"];
        return { text: migrationFile(phase, ...more), path, commands: [["validate", path], PLAN(path)] };
      },
      { cases: CASES },
    ),
  ),
  document(
    "legacy configuration that is translated",
    JSON_TEXT,
    async (world) => {
      const path = join(world.dir, "legacy.json");
      const sandbox = await cutOverSandbox();
      const config = sandbox.migration?.legacyConfig ?? {};
      await sandbox.close();
      const words = ["migrate", "translate", "--input", path];
      const commands = [
        words,
        [...words, "--format", "json"],
        [...words, "--output", join(world.dir, "translated.json")],
      ];
      return { text: JSON.stringify({ name: "orders-legacy", config }), path, commands };
    },
    { cases: CASES },
  ),
  {
    ...{ name: "approval", ends: 0, lasts: 1, cases: CASES },
    async open() {
      const world = await openChangedWorld({ state: "STOPPED" });
      const plan = join(world.dir, "plan.json");
      await runHere(["plan", world.plan, "--out", plan], world);
      const { approval } = parse(await readFile(plan, "utf8")) as { readonly approval: string };
      return {
        async attempt(chance, interrupt) {
          const { what, bytes } =
            chance === undefined
              ? { what: "nothing", bytes: Buffer.from(approval) }
              : damaged(Buffer.from(approval), chance);
          const before = world.sandbox.connect.requests.filter(({ method }) => method === "PATCH").length;
          const argv = ["apply", plan, `--expect=${bytes.toString()}`, ...LIMITS];
          const ended = await runHere(argv, { ...world, interrupt });
          const sent = world.sandbox.connect.requests.filter(({ method }) => method === "PATCH").length - before;
          const isOwn = bytes.toString().trim() === approval;
          if (!isOwn) assert.is(sent, 0, `${bytes.toString()}: ${ended.output}`);
          return { ...ended, what, argv, input: bytes };
        },
        close: () => world.close(),
      };
    },
  },
  record(
    "records of who stopped a connector",
    OPS_TOPIC,
    async (world, run) => {
      const here = ["--context", "sandbox", ...TIMEOUT];
      const stopped = await run(["connectors", "stop", CONNECTOR, ...here, "--reason", "storage", "--ticket", "CHG-1"]);
      assert.is(stopped.exit, 0, stopped.output);
      return [
        ["connectors", "show", CONNECTOR, ...here],
        ["connectors", "list", ...here, "--format", "json"],
        ["status", ...here, "--fail-on", "undone,in-flight", "--metrics-file", join(world.dir, "cdcctl.prom")],
        ["history", "--ops", ...here],
        PLAN(world.plan),
      ];
    },
    { change: OFFSET_CHANGE },
    { cases: CASES / 2 },
  ),
  // Where ssh-keygen is missing, `approvals.test.ts` says so.
  ...(spawnSync("ssh-keygen", ["-?"]).error === undefined ? [signedApproval()] : []),
];

/** A signed approval: one that is changed moves nothing. */
function signedApproval(): Target {
  return {
    ...{ name: "signed approval", ends: 0, lasts: 1, cases: CASES },
    async open() {
      const world = await openChangedWorld({ state: "STOPPED" });
      const inFolder = (name: string) => join(world.dir, name);
      const [plan, key, path] = [inFolder("plan.json"), inFolder("key"), inFolder("a.approval.json")];
      spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
      await writeFile(inFolder("signers"), `ana@x ${await readFile(`${key}.pub`, "utf8")}`);
      await appendFile(inFolder("contexts.yaml"), "    approvals: { required: 1, signers: signers }\n");
      const env = { ...world.env, PATH: process.env["PATH"] ?? "" };
      await runHere(["plan", world.plan, "--out", plan], { env });
      const signed = await runHere(["approve", plan, "--key", key, "--as", "ana@x", "--out", path], { env });
      assert.is(signed.exit, 0, signed.output);
      const text = await readFile(path, "utf8");
      return {
        async attempt(chance, interrupt) {
          const { what, bytes } = changed(text, text, JSON_TEXT, chance);
          await writeFile(path, bytes, { mode: 0o600 });
          const before = world.sandbox.connect.requests.filter(({ method }) => method === "PATCH").length;
          const argv = ["apply", plan, "--yes", "--approvals", world.dir, ...LIMITS];
          const ended = await runHere(argv, { env, interrupt });
          const sent = world.sandbox.connect.requests.filter(({ method }) => method === "PATCH").length - before;
          if (sent > 0) assert.is(statementIn(bytes), statementIn(Buffer.from(text)), `${what}: ${ended.output}`);
          return { ...ended, what, argv, input: bytes };
        },
        close: () => world.close(),
      };
    },
  };
}

function statementIn(bytes: Uint8Array): string {
  return canonicalJson(jsonObjectIn(bytes)?.["statement"] ?? null);
}

for (const target of TARGETS)
  reading(
    `${target.name}: ${target.cases} changes end with a documented exit code, in time, without a secret`,
    async () => {
      const stage = await target.open();
      try {
        const { tried, wrong } = await judge(target, stage, undefined, 0);
        assert.is(tried?.exit, target.ends, tried?.output);
        assert.equal(wrong, []);
      } finally {
        await stage.close();
      }
      const { cases, failures } = await fuzz(target, SEED, 0, (done) => done < target.cases);
      assert.is(cases, target.cases);
      assert.is(failures.length, 0, failures.map(story).join("\n"));
    },
  );

reading.run();
