import { readFileSync } from "node:fs";
import type { Program } from "../main.ts";
import { exitAfterOutput, processOutput } from "../output.ts";

/** Runs a program. Its version and its own help were prepared when it was built: they need nothing loaded. */
export async function start(program: Program): Promise<void> {
  const [only, ...more] = process.argv.slice(2);
  const prepared = more.length > 0 ? undefined : preparedAnswer(program.name, only);
  if (prepared !== undefined) {
    const [stdout, stderr] = [processOutput(process.stdout, 1), processOutput(process.stderr, 2)];
    stdout.write(prepared);
    process.exitCode = await exitAfterOutput(0, { stdout, stderr });
    return;
  }
  const [{ run }, { processHost }] = await Promise.all([import("../main.ts"), import("../host.ts")]);
  const host = processHost();
  process.exitCode = await exitAfterOutput(await run(program, host), host);
  // All output is written. A connection that a frozen system never closes must not keep the process alive.
  setTimeout(() => process.exit(), LEFT_BEHIND_MILLIS).unref();
}

const LEFT_BEHIND_MILLIS = 100;

function preparedAnswer(program: string, argument: string | undefined): string | undefined {
  if (argument === "--version") return `${process.env["CDCCTL_VERSION"] ?? "development"}\n`;
  if (argument !== "--help" || process.env["CDCCTL_HELP"] === "build") return undefined;
  try {
    return readFileSync(new URL(`${program}.help.txt`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}
