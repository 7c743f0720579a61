import { processHost } from "../host.ts";
import { type Program, run } from "../main.ts";
import { exitAfterOutput } from "../output.ts";

const LEFT_BEHIND_MILLIS = 100;

/** Runs a program with what the process owns, and sets its exit code. */
export async function runInProcess(program: Program): Promise<void> {
  const host = processHost();
  process.exitCode = await exitAfterOutput(await run(program, host), host);
  // All output is written. A connection that a frozen system never closes must not keep the process alive.
  setTimeout(() => process.exit(), LEFT_BEHIND_MILLIS).unref();
}
