/** Runs the built commands as a user does, and takes their time. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const CPU_TIME = fileURLToPath(new URL("./cpu-time.cjs", import.meta.url));

export interface Built {
  /** `cdcctl.js` */
  readonly program: string;
  /** A folder for what the commands write. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

/** Builds the commands as they are now, into a folder of their own. */
export async function buildCommands(): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bench-"));
  const dist = join(folder, "dist");
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

/** @returns milliseconds of processor time that a run took, user and system */
export async function cpuMillis(args: readonly string[], { env, folder }: Built): Promise<number> {
  const child = spawn(process.execPath, ["--require", CPU_TIME, ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  let told = "";
  child.stdio[3]?.on("data", (chunk: Buffer) => {
    told += chunk.toString();
  });
  await ended(child, args);
  return Number(told);
}

function ended(child: ChildProcess, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`node ${args.join(" ")} ended with ${code}`)),
    );
  });
}
