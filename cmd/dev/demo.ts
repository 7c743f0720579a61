/**
 * Shows the main jobs on loopback worlds, each command with its output: an offset change with a kill in the middle,
 * recovered and rolled back; and a connector brought past redo that is gone.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONNECTOR, type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cdcctl.js", import.meta.url));
interface Stage {
  readonly dir: string;
  readonly sandbox: Sandbox;
  readonly env: NodeJS.ProcessEnv;
}

await on("stopped", async (stage) => {
  print("A loopback world runs in this process: Kafka Connect, a Kafka broker and an Oracle database. First, look.");
  await cdcctl(stage, "plan", "orders-replay.yaml");

  print("Apply it, and kill cdcctl right after the worker has stored the new offset, before it can be recorded.");
  await killedAfterPatch(stage, "apply", "orders-replay.yaml", "--yes");

  print("What is true now? The journal knows where it ended.");
  await cdcctl(stage, "status");

  print("Recover: it finds the change made, and completes the story.");
  await cdcctl(stage, "recover", "--yes");

  print("And back: the connector has not run since, so the offset is restored exactly.");
  await cdcctl(stage, "rollback", "--yes");
  await cdcctl(stage, "admin", "offsets", "show", "--connect-url", stage.sandbox.connect.url, "--name", CONNECTOR);
  await cdcctl(stage, "history");
});

await on("gap", async (stage) => {
  print(
    "Another world: archived logs are gone, and the connector has stopped at them. A table that is not named " +
      "would lose changes.",
  );
  await cdcctl(stage, "plan", "orders-only.yaml");

  print("Every captured table is named: signal, move past the gap, resume, and the connector's own answer.");
  await cdcctl(stage, "apply", "orders-after-purge.yaml", "--yes");
});

/** A story in the world of a scenario, with its files around it. */
async function on(name: string, story: (stage: Stage) => Promise<void>): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-demo-"));
  const scenario = scenarioNamed(name);
  const sandbox = await startSandbox(scenario.options);
  const env = {
    ...process.env,
    CDCCTL_CONTEXTS: join(dir, "contexts.yaml"),
    CDCCTL_STATE: join(dir, "state"),
    CDCCTL_OPERATOR: "demo",
  };
  try {
    for (const [file, text] of Object.entries(scenario.files(sandbox)))
      await writeFile(join(dir, file), text, { mode: 0o600 });
    await story({ dir, sandbox, env });
  } finally {
    await sandbox.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function print(text: string): void {
  process.stdout.write(`\n# ${text}\n`);
}

function start({ dir, env }: Stage, args: readonly string[]): ReturnType<typeof spawn> {
  process.stdout.write(`\n$ cdcctl ${args.join(" ")}\n`);
  return spawn(process.execPath, [PROGRAM, ...args], { cwd: dir, env, stdio: ["ignore", "inherit", "inherit"] });
}

async function cdcctl(stage: Stage, ...args: readonly string[]): Promise<void> {
  const code = await ended(start(stage, args));
  if (code !== 0) process.stdout.write(`exit ${code}\n`);
}

/** The sandbox applies the PATCH, holds back its answer, and the process is killed meanwhile. */
async function killedAfterPatch(stage: Stage, ...args: readonly string[]): Promise<void> {
  const { sandbox } = stage;
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
  const child = start(stage, args);
  await Promise.race([patched.then(() => stored(sandbox)), ended(child)]);
  child.kill("SIGKILL");
  await ended(child);
  process.stdout.write("killed\n");
  sandbox.connect.fail(undefined);
  release();
}

/** Resolves when the new offset is stored. */
async function stored(sandbox: Sandbox): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (sandbox.stored()?.["resume_scn"] !== 2_010_000n && Date.now() < deadline)
    await new Promise((resolve) => setImmediate(resolve));
}

function ended(child: ReturnType<typeof spawn>): Promise<number | string> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(child.exitCode ?? child.signalCode ?? "");
  return new Promise((resolve) => child.once("close", (code, signal) => resolve(code ?? signal ?? "")));
}
