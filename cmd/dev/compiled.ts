import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startSandbox } from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { PROGRAMS } from "./bundle.ts";

const KEEPING = fileURLToPath(new URL("./compiled-run.mjs", import.meta.url));

/** Plans a change in the sandbox with the built command, and keeps what V8 compiled for it beside the programs. */
export async function keepCompiled(dist: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-build-"));
  const scenario = scenarioNamed("orders");
  const sandbox = await startSandbox(scenario.options);
  try {
    for (const [name, text] of Object.entries(scenario.files(sandbox))) await writeFile(join(folder, name), text);
    const { NODE_OPTIONS: _options, ...own } = process.env;
    await promisify(execFile)(
      process.execPath,
      ["--import", KEEPING, join(dist, "cdcctl.js"), "plan", join(folder, "orders-replay.yaml")],
      {
        env: {
          ...own,
          CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
          CDCCTL_STATE: join(folder, "state"),
          COMPILED: join(dist, `${PROGRAMS}.cache`),
        },
      },
    );
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}
