import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cdcctl } from "../commands/catalogue.ts";
import type { Host, Patience } from "../host.ts";
import { type Program, run } from "../main.ts";
import { heardFrom } from "./heard.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The result of a command: its exit code (or the signal that ended it), its whole output, and its standard output,
 * which holds a document without warnings.
 */
export interface Finished {
  readonly exit: number | NodeJS.Signals;
  readonly output: string;
  readonly stdout: string;
}

/** A finished command that ran in this process. */
export interface FinishedHere extends Finished {
  readonly exit: number;
  readonly stderr: string;
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly patience?: Patience;
  readonly interrupt?: AbortSignal;
  /** The answer to every question, on a terminal. */
  readonly typed?: string | (() => Promise<string>);
  readonly threads?: Host["threads"];
  readonly bytes?: Host["bytes"];
  /** Default: `cdcctl`. */
  readonly program?: Program;
}

/** Runs one command line in this process. */
export async function runHere(
  argv: readonly string[],
  { env, patience, interrupt, typed, threads, bytes, program = cdcctl }: Surroundings,
): Promise<FinishedHere> {
  const written = { output: "", stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      written.output += text;
      written[name] += text;
    },
    colour: false,
    columns: undefined,
  });
  const answer = typed ?? (() => Promise.reject(new Error("nobody can be asked")));
  const host: Host = {
    argv,
    env,
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    interactive: typed !== undefined,
    ask: async () => (typeof answer === "string" ? answer : answer()),
    operator: env["CDCCTL_OPERATOR"] ?? "tester",
    interrupt: interrupt ?? new AbortController().signal,
    ...(patience === undefined ? {} : { patience }),
    ...(threads === undefined ? {} : { threads }),
    ...(bytes === undefined ? {} : { bytes }),
  };
  return { exit: await run(program, host), ...written };
}

export interface Started {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

/** Starts one command line of the built program (`npm run build`) as a process, which a test can kill. */
export function startProcess(argv: readonly string[], { env }: Pick<Surroundings, "env">): Started {
  const child = spawn(process.execPath, ["dist/cdcctl.js", ...argv], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = heardFrom(child);
  return {
    child,
    finished: new Promise((resolve) => {
      child.once("close", (code, signal) => resolve({ exit: code ?? signal ?? "SIGKILL", ...written }));
    }),
  };
}
