import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endWithUs } from "./end-with-us.ts";
import { GaveUp, waitFor } from "./wait.ts";

/** A JVM under test. It never outlives this process: see `launch/Launch.java` and `endWithUs`. */
export interface JavaProcess {
  readonly name: string;
  readonly pid: number;
  /** Its log so far. */
  log(): string;
  alive(): boolean;
  /** Resident memory in MiB; undefined if the system does not report it. */
  residentMiB(): number | undefined;
  /** SIGSTOP: it keeps its connections and does not answer. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, SIGKILL after `millis`; waits until it is gone. */
  stop(millis?: number): Promise<void>;
  /** Waits until `healthy` returns true. @throws at once when the process has ended, with the end of its log. */
  untilHealthy(healthy: () => Promise<boolean> | boolean, millis: number): Promise<void>;
}

// Short-lived processes: the first compiler tier and the serial collector start faster and stay smaller.
const SMALL = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xms64m", "-Xmx384m", "-Djava.awt.headless=true"];

export const JVM_FLAGS: readonly string[] = SMALL;

/**
 * Starts `java -cp CLASSPATH FLAGS cdcctl.launch.Launch MAIN ARGS` in `folder`; its output goes to `folder/NAME.log`.
 */
export function startJava(jvm: {
  readonly name: string;
  readonly folder: string;
  readonly classPath: string;
  readonly flags: readonly string[];
  readonly main: string;
  readonly args: readonly string[];
}): JavaProcess {
  const logFile = join(jvm.folder, `${jvm.name}.log`);
  const out = openSync(logFile, "a");
  const args = [...SMALL, ...jvm.flags, "-cp", jvm.classPath, "cdcctl.launch.Launch", jvm.main, ...jvm.args];
  const child = spawn("java", args, { cwd: jvm.folder, stdio: ["pipe", out, out] });
  closeSync(out);
  endWithUs(child);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()).once("error", () => resolve()));
  const alive = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const log = () => readFileSync(logFile, "utf8");
  const signal = (name: NodeJS.Signals) => alive() && child.kill(name);
  return {
    name: jvm.name,
    pid: child.pid ?? 0,
    log,
    alive,
    residentMiB() {
      try {
        const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
        return kib === undefined ? undefined : Math.round(Number(kib) / 1024);
      } catch {
        return undefined;
      }
    },
    freeze: () => void signal("SIGSTOP"),
    thaw: () => void signal("SIGCONT"),
    async kill() {
      signal("SIGKILL");
      await endOf(gone, 10_000);
    },
    async stop(millis = 20_000) {
      signal("SIGCONT");
      signal("SIGTERM");
      if (await endOf(gone, millis)) return;
      signal("SIGKILL");
      await endOf(gone, 10_000);
    },
    async untilHealthy(healthy, millis) {
      const check = () => {
        if (!alive())
          throw new GaveUp(`${jvm.name} has ended (${child.exitCode ?? child.signalCode}): ${log().slice(-3000)}`);
        return healthy();
      };
      await waitFor(`${jvm.name} to be healthy`, check, millis).catch((error: unknown) => {
        throw error instanceof GaveUp ? error : new Error(`${(error as Error).message}\n${log().slice(-3000)}`);
      });
    },
  };
}

/**
 * Waits for the end of a process. The timer keeps this process alive, which the child does not. @returns whether it
 * ended in time.
 */
async function endOf(gone: Promise<void>, millis: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), millis);
  });
  const ended = await Promise.race([gone.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}
