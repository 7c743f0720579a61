import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseJson, printJson } from "../../core/values/json.ts";
import { OPEN_SCN } from "../../providers/sandbox/migration/orders-script.ts";
import { PREFIX, type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { heardFrom } from "../behaviour/heard.ts";
import { cdcctl } from "../commands/catalogue.ts";
import { BINARIES } from "../dev/bundle.ts";
import type { Host } from "../host.ts";
import { run } from "../main.ts";
import { stableNames } from "./stable-names.ts";
import type { StepResult, Transcript } from "./transcript.ts";
import { worldNamed } from "./worlds.ts";

const DIST = process.env["CDCCTL_DIST"] ?? fileURLToPath(new URL("../../dist/", import.meta.url));
const STEP_LIMIT_MILLIS = 180_000;
const DEFAULT_EPOCH = Date.UTC(2026, 10, 20, 18, 0, 0);

/** Runs the commands of a transcript on a Node.js, one after the other, in a world and a folder of its own. */
export async function play(
  { world: name, steps }: Transcript,
  version: string,
  node: string,
): Promise<readonly StepResult[]> {
  const world = worldNamed(name);
  const directory = await realpath(await mkdtemp(join(tmpdir(), "cdcctl-transcript-")));
  const sandbox = await startSandbox(world.options);
  try {
    await writeCommands(join(directory, "bin"), node);
    for (const [file, text] of Object.entries(world.files(sandbox))) {
      await mkdir(dirname(join(directory, file)), { recursive: true });
      await writeFile(join(directory, file), text, { mode: 0o600 });
    }
    const { timeOf } = sandbox.oracle.scnTimes;
    const stable = stableNames({
      // A migration's world advances from its start; its progress depends on the machine.
      began: timeOf(world.options.migration === undefined ? sandbox.oracle.currentScn() : OPEN_SCN),
      shift: timeOf(2_000_000n) - DEFAULT_EPOCH,
      ports: {
        connect: sandbox.connect.port,
        kafka: sandbox.broker.port,
        jmx: sandbox.jvm?.port,
        metrics: sandbox.exporter?.port,
        oracle: Number(sandbox.config["cdc.database.port"] ?? sandbox.config["oracle.port"]),
      },
      version,
      directory,
      host: hostname(),
    });
    const results: StepResult[] = [];
    const due = new Map(Object.entries(world.events ?? {}));
    for (const { command, note } of steps) {
      const { exit, stdout, stderr } = await playStep(stable.real(command), note, sandbox, directory, node);
      for (const [file, happen] of due) {
        if (existsSync(join(directory, file)) && due.delete(file)) happen(sandbox);
      }
      results.push({ exit, stdout: stable.of(stdout), stderr: stable.of(stderr) });
    }
    return results;
  } finally {
    await sandbox.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** The built commands under their names, as an installed package has them. */
async function writeCommands(folder: string, node: string): Promise<void> {
  await mkdir(folder);
  for (const name of BINARIES) {
    await writeFile(join(folder, name), `#!/bin/sh\nexec '${node}' '${join(DIST, `${name}.js`)}' "$@"\n`);
    await chmod(join(folder, name), 0o755);
  }
}

async function playStep(
  command: string,
  note: string | undefined,
  sandbox: Sandbox,
  directory: string,
  node: string,
): Promise<StepResult> {
  const [what, detail = ""] = note?.split(": ") ?? [];
  const env = {
    PATH: [join(directory, "bin"), dirname(node), process.env["PATH"] ?? ""].join(delimiter),
    HOME: directory,
    LC_ALL: "C.UTF-8",
    CONNECT: sandbox.connect.url,
    ...(sandbox.jvm === undefined ? {} : { JMX: sandbox.jvm.url, METRICS: sandbox.exporter?.url ?? "" }),
    CDCCTL_CONTEXTS: "contexts.yaml",
    CDCCTL_STATE: "state",
    CDCCTL_OPERATOR: "ana",
  };
  switch (what) {
    case "fault":
      if (detail === FULL_DISK) return inShell(command, { ...env, NODE_OPTIONS: await fullDisk(directory) }, directory);
      return killed(detail, sandbox, (signal) => inShell(command, env, directory, signal));
    case undefined:
    case "done":
      // A manual step that an earlier command requested.
      return inShell(command, env, directory);
    case "topic":
      return topic(detail, sandbox);
    case "terminal":
      return onTerminal(command, detail, env, directory);
    default:
      throw new Error(`a transcript can't do "${note}"`);
  }
}

const FULL_DISK = "full disk after step 4 began";

/** Node's option for a process whose disk gets full: half a line of a journal is written, as a file system does. */
async function fullDisk(directory: string): Promise<string> {
  const path = join(directory, "full-disk.mjs");
  await writeFile(
    path,
    `import { open } from "node:fs/promises";
const probe = await open(process.execPath);
const { prototype } = probe.constructor;
await probe.close();
const { appendFile } = prototype;
let full = false;
prototype.appendFile = async function (line) {
  if (full) {
    await this.write(line.slice(0, line.length / 2));
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
      code: "ENOSPC", errno: -28, syscall: "write",
    });
  }
  await appendFile.call(this, line);
  full = /"patch-offset"/.test(line);
};
`,
  );
  return `--import=${path}`;
}

function inShell(
  command: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
  kill?: AbortSignal,
): Promise<StepResult> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const written = heardFrom(child);
    const end = () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    const timer = setTimeout(end, STEP_LIMIT_MILLIS);
    kill?.addEventListener("abort", end, { once: true });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      kill?.removeEventListener("abort", end);
      resolve({ exit: signal === "SIGKILL" ? 137 : (code ?? signal ?? ""), ...written });
    });
  });
}

/** A connector that answers a signal does so within this time. */
const ANSWERED_MILLIS = 1000;

/** What a topic holds once nothing more has come for a while: a record's key in a line, and its value below. */
async function topic(name: string, { broker }: Sandbox): Promise<StepResult> {
  let records = await broker.records(name);
  for (let before = -1; before < records.length; ) {
    before = records.length;
    await new Promise((resolve) => setTimeout(resolve, ANSWERED_MILLIS));
    records = await broker.records(name);
  }
  const shown = records.map(({ key, value }) => {
    const text = Buffer.from(value ?? []).toString("utf8");
    return `${Buffer.from(key ?? []).toString("utf8")}\n${printJson(parseJson(text), 2)}\n`;
  });
  return { exit: 0, stdout: shown.join("\n"), stderr: "" };
}

/**
 * `kill after signal`: the record is in its topic, its acknowledgement is never sent, and the process is killed
 * meanwhile.
 */
async function killedAfterSignal(
  sandbox: Sandbox,
  start: (kill: AbortSignal) => Promise<StepResult>,
): Promise<StepResult> {
  const kill = new AbortController();
  const topic = `${PREFIX}.cdc.signals`;
  const end = () => sandbox.broker.state.topics.get(topic)?.partitions[0]?.end ?? 0n;
  const before = end();
  const check = () => {
    if (end() === before) setImmediate(check);
    else kill.abort();
  };
  sandbox.failBroker((request) => {
    if (request.api !== "Produce" || request.topic !== topic) return undefined;
    check();
    return "timeout";
  });
  const result = await start(kill.signal);
  sandbox.failBroker(undefined);
  return result;
}

/**
 * `kill after PATCH`: the world stores what it was sent, holds back its answer, and the process is killed meanwhile.
 */
async function killed(
  fault: string,
  sandbox: Sandbox,
  start: (kill: AbortSignal) => Promise<StepResult>,
): Promise<StepResult> {
  if (fault === "kill after signal") return killedAfterSignal(sandbox, start);
  const [, when, method] = /^kill (before|after) (\w+)$/.exec(fault) ?? [];
  if (when !== "before" && when !== "after") throw new Error(`a transcript has no fault "${fault}"`);
  const kill = new AbortController();
  const held: { release: () => void }[] = [];
  sandbox.connect.fail((request) => {
    if (request.method !== method) return undefined;
    if (when === "before") {
      kill.abort();
      return "disconnect-before";
    }
    const before = sandbox.stored();
    const check = () => {
      if (sandbox.stored() === before) setImmediate(check);
      else kill.abort();
    };
    check();
    return { hold: new Promise<void>((release) => held.push({ release })), when };
  });
  const result = await start(kill.signal);
  sandbox.connect.fail(undefined);
  for (const { release } of held) release();
  return result;
}

/** One at a time: the current folder is the process's. */
let terminal: Promise<unknown> = Promise.resolve();

/**
 * Plays a step on a terminal, where the operator answers the question. In this process: a terminal is not to be had
 * everywhere.
 */
function onTerminal(...step: Parameters<typeof answered>): Promise<StepResult> {
  const result = terminal.then(() => answered(...step));
  terminal = result.catch(() => undefined);
  return result;
}

async function answered(
  command: string,
  answer: string,
  env: Readonly<Record<string, string>>,
  directory: string,
): Promise<StepResult> {
  const [program, ...argv] = command.split(" ");
  if (program !== "cdcctl") throw new Error("only cdcctl asks");
  const home = process.cwd();
  const stdout: string[] = [];
  const stderr: string[] = [];
  const host: Host = {
    argv,
    env,
    stdout: { write: (text) => void stdout.push(text), colour: false, columns: 120 },
    stderr: { write: (text) => void stderr.push(text), colour: false, columns: 120 },
    interactive: true,
    async ask(question) {
      stdout.push(`${question}${answer}\n`);
      return answer;
    },
    operator: "ana",
    interrupt: new AbortController().signal,
  };
  process.chdir(directory);
  try {
    const exit = await run(cdcctl, host);
    return { exit, stdout: stdout.join(""), stderr: stderr.join("").replace(WRITTEN_OVER, "") };
  } finally {
    process.chdir(home);
  }
}

/** An overwritten line of progress: whether it was printed depends on the machine. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what wipes a line
const WRITTEN_OVER = /[^\n]*\r\u001b\[K/g;
