/** A job that is planned after a cutover with faults, to be carried out by a driver that is no part of cdcctl. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { isObject, parseJson } from "../../../core/values/json.ts";
import { LEGACY_TOPIC } from "../../../providers/sandbox/migration/legacy-task.ts";
import { NEW_CONNECTOR } from "../../../providers/sandbox/migration/scenario.ts";
import type { Sandbox } from "../../../providers/sandbox/sandbox.ts";
import { CHECK_SCN, cutOverSandbox } from "../cut-over.ts";
import { runHere } from "../run-command.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const EXAMPLE = join(ROOT, "examples/verify-on-kubernetes");
const WORKER = `${process.execPath} ${join(ROOT, "dist/cdcctl.js")} migrate verify-worker`;

export interface PlannedJob {
  readonly sandbox: Sandbox;
  /** Temporary folder of the test. */
  readonly dir: string;
  /** The job's folder. */
  readonly folder: string;
  /** How a worker is started. */
  readonly worker: string;
  /** What a driver needs in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Finishes the job, whose findings must be those of a local run. */
  finishedAsHere(): Promise<void>;
}

export async function withPlannedJob(body: (job: PlannedJob) => Promise<void>): Promise<void> {
  const sandbox = await cutOverSandbox("lost-row", "stale-value", "legacy-only-row");
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-drive-"));
  try {
    const contexts = join(dir, "contexts.yaml");
    const context = `contexts:\n  sandbox:\n    connect:\n      url: ${sandbox.connect.url}\n`;
    await writeFile(contexts, `apiVersion: cdcctl/v1\nkind: Contexts\n${context}`, { mode: 0o600 });
    const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state"), CDCCTL_CONTEXTS: contexts };
    const verify = (...more: readonly string[]) => runHere(["migrate", "verify", ...more], { env });
    const asked = [
      ...["--connector", NEW_CONNECTOR, "--context", "sandbox", "--table", "SALES.ORDERS"],
      ...["--legacy-topic", LEGACY_TOPIC, "--check-scn", String(CHECK_SCN)],
    ];
    const folder = join(dir, "job");
    const planned = await verify(...asked, "--engine", "spark", "--job-dir", folder);
    assert.is(planned.exit, 0, planned.output);
    const evidence = async (...words: readonly string[]) => {
      const path = join(dir, "evidence.json");
      const { output } = await verify(...words, "--output", path);
      const json = parseJson(await readFile(path, "utf8").catch(() => assert.unreachable(output) as never));
      await rm(path);
      return isObject(json) ? json : {};
    };
    await body({
      ...{ sandbox, dir, folder, worker: WORKER, env },
      async finishedAsHere() {
        const [here, there] = [await evidence(...asked), await evidence("--finish", folder)];
        assert.is(there["outcome"], "fail");
        assert.is(there["findings"], here["findings"]);
      },
    });
  } finally {
    await sandbox.close();
    await rm(dir, { recursive: true, force: true });
  }
}
