import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { waitFor } from "../../../providers/real/wait.ts";
import { heardFrom } from "../heard.ts";

const CDCCTL = process.env["CDCCTL_BUNDLE"] ?? fileURLToPath(new URL("../../../dist/cdcctl.js", import.meta.url));

export interface Ended {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  /** Waits until it has written this to either stream. */
  said(text: string, millis?: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/**
 * An operator's machine: home, state, contexts and plan files of its own; the built command, started as a user does.
 */
export interface Machine {
  readonly home: string;
  start(...args: readonly string[]): Running;
  run(...args: readonly string[]): Promise<Ended>;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
}

export async function newMachine(
  folder: string,
  files: Readonly<Record<string, string>>,
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    /** Called with every finished command. */
    readonly hear?: (args: readonly string[], ended: Ended) => void;
  } = {},
): Promise<Machine> {
  const home = await mkdtemp(join(folder, "machine-"));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    CDCCTL_OPERATOR: "alice",
    NO_COLOR: "1",
    ...options.environment,
  };
  const write = async (name: string, text: string): Promise<void> => {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o600 });
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);

  const start = (...args: readonly string[]): Running => {
    const child = spawn(process.execPath, [CDCCTL, ...args], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
    const written = heardFrom(child);
    let over = false;
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        over = true;
        const all = { code: code ?? undefined, ...written };
        options.hear?.(args, all);
        resolve(all);
      });
    });
    return {
      ended,
      async said(text, millis) {
        await waitFor(
          `cdcctl ${args.join(" ")} to say ${text}`,
          () => {
            if (written.output.includes(text)) return true;
            throw new Error(`${over ? "it has ended:\n" : ""}${written.stdout}\n${written.stderr}`);
          },
          millis,
        );
      },
      signal: (name) => void child.kill(name),
    };
  };
  return {
    home,
    start,
    run: (...args) => start(...args).ended,
    write,
    read: (name) => readFile(join(home, name), "utf8"),
  };
}
