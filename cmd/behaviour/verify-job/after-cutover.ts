/** Verifications of a cutover in which the new connector has delivered everything, with some faults. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { isObject, type JsonObject, parseJson } from "../../../core/values/json.ts";
import type { DeliveryFault } from "../../../providers/sandbox/migration/faults.ts";
import { LEGACY_TOPIC } from "../../../providers/sandbox/migration/legacy-task.ts";
import { NEW_CONNECTOR } from "../../../providers/sandbox/migration/scenario.ts";
import type { Sandbox } from "../../../providers/sandbox/sandbox.ts";
import { CHECK_SCN, cutOverSandbox } from "../cut-over.ts";
import { type FinishedHere, runHere } from "../run-command.ts";

export interface Verifying {
  readonly sandbox: Sandbox;
  readonly dir: string;
  /** The contexts file, which `env` names too. */
  readonly contexts: string;
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  run(...words: readonly string[]): Promise<FinishedHere>;
  /** `migrate verify` of SALES.ORDERS by the context, with further words. */
  verify(...more: readonly string[]): Promise<FinishedHere>;
  local(): Promise<JsonObject>;
  /** A job in a new folder, and the line that submits it. */
  plan(...more: readonly string[]): Promise<{ readonly folder: string; readonly line: string }>;
  /** The evidence of a job that has been carried out. */
  finish(folder: string): Promise<JsonObject>;
}

export async function afterCutover(
  faults: readonly DeliveryFault[],
  body: (verifying: Verifying) => Promise<void>,
): Promise<void> {
  const sandbox = await cutOverSandbox(...faults);
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-job-"));
  const contexts = join(dir, "contexts.yaml");
  await writeFile(contexts, contextsFile(sandbox.connect.url), { mode: 0o600 });
  const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state"), CDCCTL_CONTEXTS: contexts };
  const run = (...words: readonly string[]) => runHere(words, { env });
  const words = [
    ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--context", "sandbox", "--table", "SALES.ORDERS"],
    ...["--legacy-topic", LEGACY_TOPIC, "--check-scn", String(CHECK_SCN)],
  ];
  const verify = (...more: readonly string[]) => run(...words, ...more);
  let files = 0;
  const evidence = async (work: (path: string) => Promise<FinishedHere>): Promise<JsonObject> => {
    const path = join(dir, `evidence-${++files}.json`);
    const { exit, output } = await work(path);
    const text = await readFile(path, "utf8").catch(() => assert.unreachable(`${exit} ${output}`) as never);
    const checked = await run("migrate", "verify", "--check-evidence", path);
    assert.is(checked.exit, exit, checked.output);
    return object(text);
  };
  try {
    await body({
      ...{ sandbox, dir, contexts, env, words, run, verify },
      local: () => evidence((path) => verify("--output", path)),
      async plan(...more) {
        const folder = join(dir, `job-${++files}`);
        const { exit, stdout, output } = await verify("--engine", "spark", "--job-dir", folder, ...more);
        assert.is(exit, 0, output);
        return { folder, line: stdout.trim() };
      },
      finish: (folder) => evidence((path) => run("migrate", "verify", "--finish", folder, "--output", path)),
    });
  } finally {
    await sandbox.close();
    await rm(dir, { recursive: true, force: true });
  }
}

export const contextsFile = (url: string, more = ""): string =>
  `apiVersion: cdcctl/v1\nkind: Contexts\ncontexts:\n  sandbox:\n    connect:\n      url: ${url}\n${more}`;

export function object(text: string): JsonObject {
  const json = parseJson(text);
  if (!isObject(json)) throw new Error("no object");
  return json;
}
