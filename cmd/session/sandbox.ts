import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Problem, UsageError } from "../../core/errors.ts";
import { largest } from "../../core/values/lists.ts";
import { type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import type { Scenario } from "../../providers/sandbox/scenario.ts";
import { SCENARIOS, scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import { writeLine } from "../screen.ts";
import { textOf } from "../views/rendered.ts";
import { readText, replaceFile } from "./files.ts";
import { countOf } from "./typed-values.ts";

const POLL_MILLIS = 200;
const MOST_CONNECTORS = 1000;

/** Runs a loopback world until Ctrl-C; writes files that point to it, and prints commands to try. */
export async function runSandbox(
  flags: {
    readonly scenario: string;
    readonly connectors: string | undefined;
    readonly dir: string | undefined;
  },
  host: Host,
): Promise<number> {
  if (flags.scenario === "list") {
    const width = largest(SCENARIOS.map(({ name }) => name.length)) + 2;
    host.stdout.write(textOf(SCENARIOS.map(({ name, about }) => `${name.padEnd(width)}${about}`)));
    return EXIT.done;
  }
  const connectors =
    flags.connectors === undefined ? undefined : countOf("connectors", flags.connectors, MOST_CONNECTORS);
  const scenario = scenarioNamed(flags.scenario, connectors);
  const dir = flags.dir ?? (await mkdtemp(join(tmpdir(), "cdcctl-sandbox-")));
  await mkdir(dir, { recursive: true });
  const sandbox = await startSandbox(scenario.options);
  try {
    await writeFiles(dir, scenario.files(sandbox));
    const events = watchEvents(scenario, sandbox, dir, host);
    host.stdout.write(textOf(introduction(scenario, dir, sandbox).split("\n")));
    await new Promise<void>((resolve) => {
      if (host.interrupt.aborted) resolve();
      host.interrupt.addEventListener("abort", () => resolve());
    });
    clearInterval(events);
    return EXIT.done;
  } finally {
    await sandbox.close();
  }
}

/**
 * The digests of the files that a sandbox wrote into its folder, which it may overwrite when it is started there again.
 */
const WRITTEN = ".cdcctl-sandbox.json";
const MAX_BYTES = 1024 * 1024;

/**
 * @throws UsageError naming every existing file that no sandbox wrote or that was edited since; nothing is written then
 */
async function writeFiles(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  const written = await writtenBefore(dir);
  const problems: Problem[] = [];
  for (const name of Object.keys(files)) {
    const path = join(dir, name);
    const there = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new UsageError({ file: path, message: `the file cannot be read: ${error.code ?? error.message}` });
    });
    if (there !== undefined && digestOfBytes(there) !== written[name])
      problems.push({
        file: path,
        message: written[name] === undefined ? "it already exists" : "it was edited after the sandbox wrote it",
        remedy: "Choose another folder with --dir, or move the file away.",
      });
  }
  if (problems.length > 0) throw new UsageError(problems);
  const digests = Object.entries(files).map(([name, text]) => [name, digestOfBytes(Buffer.from(text, "utf8"))]);
  const note = { ...written, ...Object.fromEntries(digests) };
  await replaceFile(join(dir, WRITTEN), `${JSON.stringify(note, null, 2)}\n`, 0o600);
  for (const [name, text] of Object.entries(files)) await replaceFile(join(dir, name), text, 0o600);
}

async function writtenBefore(dir: string): Promise<Readonly<Record<string, string>>> {
  const path = join(dir, WRITTEN);
  if (!existsSync(path)) return {};
  try {
    const note: unknown = JSON.parse(await readText(path, MAX_BYTES));
    return typeof note === "object" && note !== null ? (note as Record<string, string>) : {};
  } catch (error) {
    // No file is then known to be a sandbox's.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function digestOfBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** An event happens once, when its file appears. */
function watchEvents({ events = {} }: Scenario, sandbox: Sandbox, dir: string, host: Host): NodeJS.Timeout {
  const due = new Map(Object.entries(events));
  return setInterval(() => {
    for (const [name, happen] of due) {
      if (!existsSync(join(dir, name))) continue;
      due.delete(name);
      happen(sandbox);
      writeLine(host.stdout, name);
    }
  }, POLL_MILLIS);
}

function introduction({ about, tries }: Scenario, dir: string, { connect: { url }, jvm, exporter }: Sandbox): string {
  const metrics = jvm === undefined ? "" : `  export JMX=${jvm.url} METRICS=${exporter?.url}\n`;
  return `${about}

Connect, Kafka and Oracle run on loopback, in this process; Connect's REST API is at ${url}
In another terminal:

  cd ${dir}
  export CDCCTL_CONTEXTS=$PWD/contexts.yaml CDCCTL_STATE=$PWD/state CONNECT=${url}
${metrics}${tries.map((line) => `  ${line}`).join("\n")}

Stop with Ctrl-C.`;
}
