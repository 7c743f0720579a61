import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Test } from "uvu";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../providers/sandbox/sandbox.ts";
import { contexts } from "../../../providers/sandbox/scenario.ts";
import { type Apart, runApart } from "./run-apart.ts";

export type Cdcctl = (...words: readonly string[]) => Promise<Apart>;

/** Adds tests that each have a sandbox, and a folder with a contexts file and a state of their own. */
export function inSandboxOf(
  tests: Test,
): (
  name: string,
  options: SandboxOptions,
  act: (sandbox: Sandbox, cdcctl: Cdcctl, folder: string) => Promise<void>,
) => void {
  return (name, options, act) =>
    tests(name, async () => {
      const folder = await mkdtemp(join(tmpdir(), "cdcctl-session-"));
      const sandbox = await startSandbox(options);
      try {
        const path = join(folder, "contexts.yaml");
        await writeFile(path, contexts(sandbox), { mode: 0o600 });
        const env = { CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: path, HOME: folder };
        await act(sandbox, (...words) => runApart(words, env), folder);
      } finally {
        await sandbox.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
}
