import { open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { Refusal } from "../../core/errors.ts";
import type { Lock } from "../../core/ports/state.ts";
import { instantOf } from "../../core/values/instant.ts";
import { translate } from "./state-failure.ts";

interface Holder {
  readonly host: string;
  readonly user: string;
  readonly pid: number;
  /** When the process started, as its system tells it: a pid is used again. */
  readonly started: string;
  readonly command: string;
  readonly at: string;
}

const TRIES = 5;

/**
 * Takes the lock of one connector. What a process of this host left behind that no longer lives is taken over.
 *
 * @throws Refusal `STA701` naming the holder
 */
export async function takeLock(path: string, connector: string, command: string): Promise<Lock> {
  return translate(path, async () => {
    const mine = JSON.stringify({
      host: hostname(),
      user: userName(),
      pid: process.pid,
      started: await startOf(process.pid),
      command,
      at: instantOf(Date.now()),
    } satisfies Holder);
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if (await created(path, mine)) return { release: () => translate(path, () => rm(path, { force: true })) };
      const text = await readFile(path, "utf8").catch(() => undefined);
      if (text === undefined) continue;
      const holder = parse(text);
      if (holder === undefined || !(await isStale(holder))) throw held(path, connector, holder);
      await moveAside(path, text);
    }
    throw held(path, connector, undefined);
  });
}

async function created(path: string, text: string): Promise<boolean> {
  try {
    const file = await open(path, "ax", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Two processes may find the same stale lock: only the one whose rename catches that very text has removed it. */
async function moveAside(path: string, text: string): Promise<void> {
  const aside = `${path}.${process.pid}.stale`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const caught = await readFile(aside, "utf8");
  if (caught !== text) await writeFile(path, caught, { mode: 0o600, flag: "wx" }).catch(() => undefined);
  await rm(aside, { force: true });
}

async function isStale({ host, pid, started }: Holder): Promise<boolean> {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  const now = await startOf(pid);
  return started !== "" && now !== "" && now !== started;
}

/**
 * Start of a process in clock ticks since boot, where the system shows it; empty elsewhere. A killed process whose parent never asks for
 * its end (as the first process of many containers) can still be signalled: its start is `dead`.
 */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "dead" : (fields[19] ?? "");
}

function parse(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Partial<Holder>;
    return typeof holder.host === "string" && typeof holder.pid === "number" ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

function held(path: string, connector: string, holder: Holder | undefined): Refusal {
  const who =
    holder === undefined
      ? "somebody (the lock file can't be read)"
      : `${holder.user} on ${holder.host} (pid ${holder.pid}, ${holder.command}) since ${holder.at}`;
  return new Refusal("STA701", `${connector} is locked by ${who}`, [
    "Wait until that command has ended.",
    `When you know that it has, on another host:  rm '${path}'`,
  ]);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
