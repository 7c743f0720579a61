import { cdcctl } from "../../commands/catalogue.ts";
import type { Host } from "../../host.ts";
import { type Program, run } from "../../main.ts";

/** How a command came out, with what it wrote to each of the two. */
export interface Apart {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

const PATIENCE = {
  patch: 1000,
  connect: { callMillis: 2000, patchMillis: 2000, retryMillis: 2000, firstContactMillis: 2000 },
};

/** Runs one command line in this process. */
export async function runApart(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program: Program = cdcctl,
): Promise<Apart> {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      written[name] += text;
    },
    colour: false,
    columns: undefined,
  });
  const host: Host = {
    argv,
    env: { HOME: "/nonexistent", ...env },
    stdout: output("stdout"),
    stderr: output("stderr"),
    interactive: false,
    ask: () => Promise.reject(new Error("nobody can be asked")),
    operator: "ana",
    interrupt: new AbortController().signal,
    patience: PATIENCE,
  };
  const exit = await run(program, host);
  return { exit, ...written };
}
