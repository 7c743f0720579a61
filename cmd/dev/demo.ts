/**
 * Shows the main job on a loopback world, each command with its output: plan, apply, a kill in the middle, recover, roll back.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONNECTOR, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cdcctl.js", import.meta.url));
const dir = await mkdtemp(join(tmpdir(), "cdcctl-demo-"));
const scenario = scenarioNamed("stopped");
const sandbox = await startSandbox(scenario.options);
const env = {
  ...process.env,
  CDCCTL_CONTEXTS: join(dir, "contexts.yaml"),
  CDCCTL_STATE: join(dir, "state"),
  CDCCTL_OPERATOR: "demo",
};
try {
  for (const [name, text] of Object.entries(scenario.files(sandbox)))
    await writeFile(join(dir, name), text, { mode: 0o600 });

  say("A loopback world runs in this process: Kafka Connect, a Kafka broker and an Oracle database. First, look.");
  await cdcctl("plan", "orders-replay.yaml");

  say("Apply it, and kill cdcctl right after the worker has stored the new offset, before it can be recorded.");
  await killedAfterPatch("apply", "orders-replay.yaml", "--yes");

  say("What is true now? The journal knows where it ended.");
  await cdcctl("status");

  say("Recover: it finds the change made, and completes the story.");
  await cdcctl("recover");

  say("And back: the connector has not run since, so the offset is restored exactly.");
  await cdcctl("rollback", "--yes");
  await cdcctl("admin", "offsets", "show", "--connect-url", sandbox.connect.url, "--name", CONNECTOR);
  await cdcctl("history");
} finally {
  await sandbox.close();
  await rm(dir, { recursive: true, force: true });
}

function say(text: string): void {
  process.stdout.write(`\n# ${text}\n`);
}

function start(args: readonly string[]): ReturnType<typeof spawn> {
  process.stdout.write(`\n$ cdcctl ${args.join(" ")}\n`);
  return spawn(process.execPath, [PROGRAM, ...args], { cwd: dir, env, stdio: ["ignore", "inherit", "inherit"] });
}

async function cdcctl(...args: readonly string[]): Promise<void> {
  const code = await ended(start(args));
  if (code !== 0) process.stdout.write(`exit ${code}\n`);
}

/** The sandbox applies the PATCH, holds back its answer, and the process is killed meanwhile. */
async function killedAfterPatch(...args: readonly string[]): Promise<void> {
  let release: () => void = () => undefined;
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const patched = new Promise<void>((resolve) => {
    sandbox.connect.fail(({ method }) => {
      if (method !== "PATCH") return undefined;
      resolve();
      return { hold, when: "after" };
    });
  });
  const child = start(args);
  await Promise.race([patched.then(stored), ended(child)]);
  child.kill("SIGKILL");
  await ended(child);
  process.stdout.write("killed\n");
  sandbox.connect.fail(undefined);
  release();
}

/** Resolves when the new offset is stored. */
async function stored(): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (sandbox.stored()?.["resume_scn"] !== 2_010_000n && Date.now() < deadline)
    await new Promise((resolve) => setImmediate(resolve));
}

function ended(child: ReturnType<typeof spawn>): Promise<number | string> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(child.exitCode ?? child.signalCode ?? "");
  return new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal ?? "")));
}
