/** What a worker or a record repeats of the configuration gets into no output, no journal and no file. */
import { spawnSync } from "node:child_process";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Json, printJson } from "../../core/values/json.ts";
import { until } from "../../providers/connect/contract.ts";
import { CONNECTOR, PREFIX, storedOffset } from "../../providers/sandbox/sandbox.ts";
import {
  type Arrival,
  CANARIES,
  type ChangedWorld,
  failAll,
  OPS_TOPIC,
  openChangedWorld,
  RECOVER_FROM_OPS,
} from "./changed-world.ts";
import { type Change, OFFSET_CHANGE, SIGNAL_ONLY } from "./changes.ts";
import { PATIENCE } from "./injected-faults.ts";
import { runHere } from "./run-command.ts";

const redacted = suite("secrets in messages of other systems");

const LIMITS = ["--settle", "200ms", "--stop-timeout", "1s", "--resume-timeout", "1s"];
/** The last one is cut off where a message is cut: no part of it may be left either. */
const SAYS = `Could not do it: ${CANARIES.join(" or ")}; ${"and so on, ".repeat(40)}${CANARIES[0]}`;

function inWorld(name: string, change: Change, act: (world: ChangedWorld) => Promise<void>): void {
  redacted(name, async () => {
    const world = await openChangedWorld({ signals: "silent" }, change);
    try {
      await act(world);
    } finally {
      await world.close();
    }
  });
}

/** Runs a command, and looks for every secret in what it printed and in every file. */
async function quiet(world: ChangedWorld, ...argv: readonly string[]): Promise<string> {
  // A call that is never answered otherwise is given up soon.
  // With annotations.
  const env = { ...world.env, GITHUB_ACTIONS: "true", PATH: process.env["PATH"] ?? "" };
  const { output } = await runHere(argv, { env, patience: PATIENCE });
  const everything = `${output}\n${await world.written()}`;
  for (const canary of CANARIES)
    for (let end = canary.length; end >= canary.length - 3; end--)
      assert.not.ok(everything.includes(canary.slice(0, end)), `${argv.join(" ")} let ${canary} through:\n${output}`);
  return output.replace(/\s+/g, " ");
}

/** Its files are below the folder of the world, where every file is read. */
function forForge({ plan, dir }: ChangedWorld, format: string): readonly string[] {
  return ["plan", plan, "--format", format, ...(format === "gitlab" ? ["--out-dir", dir] : [])];
}

async function lookedAt(world: ChangedWorld): Promise<void> {
  await quiet(world, "status");
  await quiet(world, "history", "--format", "json");
  const run = (await runHere(["history"], world)).output.split(/\s+/)[2] ?? "";
  if (!/^\d{4}-/.test(run)) return;
  for (const format of ["text", "markdown", "json"]) await quiet(world, "show", run, "--format", format);
  await quiet(world, "report", run, "--out", `${world.dir}/run.html`);
}

const CALLS: readonly (readonly [string, (arrival: Extract<Arrival, { system: "connect" }>) => boolean])[] = [
  ["a PATCH of the offsets", ({ method }) => method === "PATCH"],
  ["a stop", ({ path }) => path.endsWith("/stop")],
  ["a resume", ({ path }) => path.endsWith("/resume")],
  ["a state", ({ path }) => path.endsWith("/status")],
  ["the stored offsets", ({ method, path }) => method === "GET" && path.endsWith("/offsets")],
];

for (const [what, concerns] of CALLS)
  for (const status of [400, 403, 500])
    inWorld(`an answer ${status} to ${what} is reported without them`, OFFSET_CHANGE, async (world) => {
      failAll(world.sandbox, (arrival) =>
        arrival.system === "connect" && concerns(arrival) ? { connect: { says: SAYS, status } } : undefined,
      );
      const printed = await quiet(world, "apply", world.plan, "--yes", ...LIMITS);
      assert.match(printed, /redacted, because it repeats a secret of the configuration/);
      await lookedAt(world);
      await quiet(world, "recover", "--yes", ...LIMITS);
      await quiet(world, "plan", world.plan, "--format", "json");
      for (const format of ["sarif", "junit", "gitlab"]) await quiet(world, ...forForge(world, format));
      for (const format of ["sarif", "junit", "gitlab"]) await quiet(world, ...forForge(world, format));
      await lookedAt(world);
    });

inWorld("the connector's answer to a signal is reported without them", SIGNAL_ONLY, async (world) => {
  const applied = quiet(world, "apply", world.plan, "--yes", ...LIMITS);
  await until("the signal", async () => (await world.signals()).length > 0);
  const [id = ""] = await world.signals();
  world.answer({ id, outcome: "rejected", message: SAYS });
  assert.match(await applied, /answered "rejected" to the signal .* repeats a secret of the configuration/);
  await lookedAt(world);
  await quiet(world, "plan", world.plan, "--format", "json", "--out", `${world.dir}/again.plan.json`);
});

inWorld(
  "another user's change in the ops topic is reported and taken over without them",
  OFFSET_CHANGE,
  async (world) => {
    const stored = storedOffset(world.sandbox.oracle);
    const { resume_rs_id: _rsId, resume_ssn: _ssn, ...kept } = stored;
    const details = {
      connector: CONNECTOR,
      command: "offsets set",
      reason: SAYS,
      operator: SAYS,
      direction: "backward",
      previous_resume_scn: String(stored["resume_scn"]),
      new_resume_scn: "2010000",
      outcome: "applying",
      run: "2026-11-21T09-15-40Z-0001",
      decision: "sha256:0",
      previous_offset: printJson(stored, 0),
      new_offset: printJson({ ...kept, resume_scn: 2010000n }, 0),
    };
    const bytes = (json: Json) => Buffer.from(printJson(json, 0));
    const event = {
      v: 1n,
      type: "offsets-set",
      ts_ms: BigInt(Date.now()),
      server: PREFIX,
      resume_scn: 2010000n,
      details,
    };
    world.sandbox.broker.append(OPS_TOPIC, { key: bytes({ server: PREFIX }), value: bytes(event) });
    assert.match(await quiet(world, "plan", world.plan), /OPS603/);
    await quiet(world, "plan", world.plan, "--format", "json");
    for (const format of ["sarif", "junit", "gitlab"]) await quiet(world, ...forForge(world, format));
    const taken = await quiet(world, ...RECOVER_FROM_OPS, ...LIMITS);
    assert.match(taken, /run 2026-11-21T09-15-40Z-0001/);
    await lookedAt(world);
  },
);

const WATCH = ["--fail-on", "unsettled,undone,in-flight,lag=30m,redo-retention=24h", "--context", "sandbox"];

/** Everything that shows what happened between changes. Its file is below the folder of the world. */
async function watched(world: ChangedWorld): Promise<void> {
  for (const format of ["text", "json", "markdown"]) {
    await quiet(world, "status", ...WATCH, "--metrics-file", `${world.dir}/cdcctl.prom`, "--format", format);
    await quiet(world, "history", "--ops", "--context", "sandbox", "--format", format);
    await quiet(world, "connectors", "show", CONNECTOR, "--context", "sandbox", "--format", format);
  }
}

inWorld("who stopped a connector, and what is watched, is shown without them", OFFSET_CHANGE, async (world) => {
  const stop = ["connectors", "stop", CONNECTOR, "--context", "sandbox"];
  await runHere([...stop, "--reason", "storage is moved"], { env: world.env, patience: PATIENCE });
  const details = { connector: CONNECTOR, operator: SAYS, reason: SAYS, ticket: SAYS };
  const event = {
    v: 1n,
    type: "connector-stopped",
    ts_ms: BigInt(Date.now()),
    server: PREFIX,
    resume_scn: null,
    details,
  };
  const bytes = (json: Json) => Buffer.from(printJson(json, 0));
  world.sandbox.broker.append(OPS_TOPIC, { key: bytes({ server: PREFIX }), value: bytes(event) });
  const shown = await quiet(world, "connectors", "show", CONNECTOR, "--context", "sandbox");
  assert.match(shown, /Stopped .*repeats a secret of the configuration/);
  await watched(world);
  failAll(world.sandbox, (arrival) =>
    arrival.system === "connect" && arrival.path.endsWith("/offsets")
      ? { connect: { says: SAYS, status: 500 } }
      : undefined,
  );
  await watched(world);
});

/** What a rule may do with the texts of a plan: deny for them, and fail over them. */
const RULES: Readonly<Record<string, string>> = {
  denies: `deny: 'plan.findings.exists(f, has(f.seen) && size(f.seen) > 0)'`,
  fails: `warn: 'timestamp(plan.findings.filter(f, has(f.seen))[0].seen) > now'`,
  warns: `warn: 'true'`,
};

/** Every form in which a finding is shown, and both forges' annotations. */
const FORMS = ["text", "json", "markdown", "html", "sarif", "junit", "gitlab"] as const;

inWorld(
  "policies and approvals, and what is found and kept of them, hold none of them",
  OFFSET_CHANGE,
  async (world) => {
    const inDir = (name: string) => join(world.dir, name);
    await mkdir(inDir("rules"));
    for (const [name, condition] of Object.entries(RULES))
      await writeFile(inDir(`rules/${name}.yaml`), `title: It ${name}\n${condition}\nmessage: Ask first.\n`);
    failAll(world.sandbox, (arrival) =>
      arrival.system === "connect" && arrival.path.endsWith("/config")
        ? { connect: { says: SAYS, status: 500 } }
        : undefined,
    );
    const policy = ["--policy", inDir("rules")];
    for (const format of FORMS) await quiet(world, ...forForge(world, format), ...policy);
    failAll(world.sandbox, undefined);
    for (const format of FORMS) await quiet(world, ...forForge(world, format), ...policy);
    assert.match(await quiet(world, "plan", world.plan, ...policy), /POL101.*POL103/);
    await runHere(["plan", world.plan, "--format", "json"], world).then(({ stdout }) =>
      writeFile(inDir("rules/warns.warn.json"), stdout),
    );
    assert.match(await quiet(world, "policy", "test", inDir("rules")), /warns\.warn\.json/);
    if (spawnSync("ssh-keygen", ["-?"]).error !== undefined)
      return void process.stdout.write("NOT RUN  approvals without secrets: ssh-keygen is not in PATH\n");
    spawnSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", inDir("key")]);
    await writeFile(inDir("signers"), `ben@x ${await readFile(inDir("key.pub"), "utf8")}`);
    await appendFile(inDir("contexts.yaml"), "    approvals: { required: 1, signers: signers }\n");
    await quiet(world, "plan", world.plan, "--out", inDir("plan.json"));
    const words = ["apply", inDir("plan.json"), "--yes", "--approvals", world.dir, ...LIMITS];
    assert.match(await quiet(world, ...words), /APL825/);
    await quiet(
      world,
      "approve",
      inDir("plan.json"),
      "--key",
      inDir("key"),
      "--as",
      "ben@x",
      "--out",
      inDir("a.approval.json"),
    );
    failAll(world.sandbox, (arrival) =>
      arrival.system === "connect" && arrival.method === "PATCH" ? { connect: { says: SAYS, status: 500 } } : undefined,
    );
    assert.match(
      await quiet(world, ...words),
      /approved as sandbox asks: ben@x.*repeats a secret of the configuration/,
    );
    await lookedAt(world);
    failAll(world.sandbox, undefined);
    await quiet(world, "recover", "--yes", ...LIMITS);
    await lookedAt(world);
    await watched(world);
  },
);

redacted.run();
