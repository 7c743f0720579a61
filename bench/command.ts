/** Runs the built commands as a user does, and measures their time. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const USED = fileURLToPath(new URL("./used.cjs", import.meta.url));

export interface Built {
  /** `cdcctl.js` */
  readonly program: string;
  /** A folder for what the commands write. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

/** Builds the commands from the current sources into a separate folder. */
export async function buildCommands(): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  const dist = join(folder, "dist");
  // Node.js tries programs as CommonJS first where they have no package.json, which an installation has.
  await copyFile(join(ROOT, "package.json"), join(folder, "package.json"));
  await promisify(execFile)(process.execPath, ["--import", "tsx", "cmd/dev/build.ts"], {
    cwd: ROOT,
    env: { ...process.env, CDCCTL_DIST: dist },
  });
  const { NODE_OPTIONS: _options, ...own } = process.env;
  return {
    program: join(dist, "cdcctl.js"),
    folder,
    env: { ...own, CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), CDCCTL_STATE: join(folder, "state") },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** One run of Node with these arguments. @returns milliseconds from start to end */
export async function wallMillis(args: readonly string[], { env, folder }: Built): Promise<number> {
  const start = performance.now();
  await ended(spawn(process.execPath, args, { cwd: folder, env, stdio: "ignore" }), args);
  return performance.now() - start;
}

/** Resources used by a run. */
export interface Used {
  readonly millis: number;
  /** User and system. */
  readonly processorMillis: number;
  /** Peak resident memory of the process, in bytes. */
  readonly memory: number;
}

/** @returns milliseconds of processor time that a run took, user and system */
export async function cpuMillis(args: readonly string[], built: Built): Promise<number> {
  return (await measuredRun(args, built)).processorMillis;
}

/** One run of Node with these arguments. @throws with its whole output if the exit code is not 0 */
export async function measuredRun(args: readonly string[], { env, folder }: Built): Promise<Used> {
  const start = performance.now();
  const child = spawn(process.execPath, ["--require", USED, ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [out, err, reported] = child.stdio.slice(1).map(textOf);
  await ended(child, args).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : error}\n${out?.()}${err?.()}`);
  });
  return { ...(JSON.parse(reported?.() ?? "") as Omit<Used, "millis">), millis: performance.now() - start };
}

function textOf(stream: ChildProcess["stdio"][number] | undefined): () => string {
  let text = "";
  stream?.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}

function ended(child: ChildProcess, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`node ${args.join(" ")} ended with ${code}`)),
    );
  });
}
