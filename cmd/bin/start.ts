import { readFileSync } from "node:fs";
import { exitAfterOutput, processOutput } from "../output.ts";

/** Runs a program. Its version and its own help were prepared when it was built: they need nothing loaded. */
export async function start(name: string): Promise<void> {
  const [only, ...more] = process.argv.slice(2);
  const prepared = more.length > 0 ? undefined : preparedAnswer(name, only);
  if (prepared === undefined) return (await import("./programs.ts")).runProgram(name);
  const [stdout, stderr] = [processOutput(process.stdout, 1), processOutput(process.stderr, 2)];
  stdout.write(prepared);
  process.exitCode = await exitAfterOutput(0, { stdout, stderr });
}

function preparedAnswer(program: string, argument: string | undefined): string | undefined {
  if (argument === "--version") return `${process.env["CDCCTL_VERSION"] ?? "development"}\n`;
  if (argument !== "--help" || process.env["CDCCTL_HELP"] === "build") return undefined;
  try {
    return readFileSync(new URL(`${program}.help.txt`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}
