import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { type Finished, runHere } from "../behaviour/run-command.ts";

/** A bad input, and the expected message. */
export interface Row {
  readonly wrong: string;
  readonly exit: 0 | 1 | 64;
  readonly says: RegExp;
  /** How many refusals: checks that can't be done for one reason, and are accepted one by one. Default: 1. */
  readonly messages?: number;
}

const PATIENCE = {
  connect: { callMillis: 8000, patchMillis: 8000, retryMillis: 1000, firstContactMillis: 2000 },
  kafka: { connectMillis: 6000, requestMillis: 6000 },
};
/** Where a message begins: `refused: …`, `failed: …`, `cdcctl: …`, `plan.yaml:3:1: …`. */
const MESSAGE = /^(?:(?:refused|failed|cdcctl): |.*\.(?:yaml|json|properties|bin)(?::\d+)*: )(.*)$/gm;

/** Runs a command in this process, with little patience. */
export function attempt(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Finished> {
  return runHere(argv, { env: { CDCCTL_OPERATOR: "ana", ...env }, patience: PATIENCE });
}

/** Runs with a temporary folder. */
export async function inFolder<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-bad-input-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const lines: string[] = [];

/** The right exit code, the message, no stack trace, and none of the secrets. */
export function expect(row: Row, { exit, output }: Finished, secrets: readonly string[] = []): void {
  assert.is(exit, row.exit, `${row.wrong}: exit ${exit}\n${output.slice(0, 3000)}`);
  assert.match(output.replaceAll(/\s+/g, " "), row.says, `${row.wrong}\n${output.slice(0, 3000)}`);
  assert.not.match(output, /^\s+at .*[:(]\d+|This is a bug/m);
  for (const secret of secrets) assert.not.ok(output.includes(secret), `a secret in: ${output}`);
  assert.ok(output.length < 40_000, `${row.wrong}: ${output.length} characters`);
  const [message] = [...output.matchAll(MESSAGE)].map(([whole]) => whole);
  const shown = row.exit === 0 ? "handled" : (message ?? output.split("\n")[0] ?? "");
  lines.push(`${row.wrong.padEnd(58)} ${String(row.exit).padStart(2)}  ${shown.slice(0, 150)}`);
}

/** One message: not two, not none. */
export function expectOneMessage({ wrong, messages: expected = 1 }: Row, { output }: Finished): void {
  const messages = output.match(/^(?:refused|failed|cdcctl): /gm) ?? [];
  assert.is(messages.length, expected, `${wrong}: ${messages.length} messages\n${output}`);
}

export function printTable(title: string): void {
  process.stdout.write(`\n${title}\n${lines.map((line) => `  ${line.trimEnd()}\n`).join("")}`);
}
