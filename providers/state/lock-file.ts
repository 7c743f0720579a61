import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { hostname, userInfo } from "node:os";
import { Refusal } from "../../core/errors.ts";
import type { Lock, LockHolder } from "../../core/ports/state.ts";
import { instantOf, parseInstant } from "../../core/values/instant.ts";
import { shellLine } from "../../core/values/shell-word.ts";
import { linkNew, readOwn, translate, writeNew } from "./on-disk.ts";

interface Holder extends LockHolder {
  /** Start of the process as its system reports it, because pids are reused. */
  readonly started: string;
  /** Distinguishes two locks of one process; locks of earlier versions have none. */
  readonly id?: string;
}

const TRIES = 5;

/** How long an incomplete lock file is assumed to be still being written, by the file system's clock. */
const INCOMPLETE_MILLIS = 10_000;

/**
 * Takes the lock of one connector. Its text is written to another file and linked into place, so that a lock is never
 * incomplete. A lock of a process of this host that no longer runs is taken over, and so is an incomplete file of an
 * earlier version that was killed while writing it.
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
      id: randomUUID(),
    } satisfies Holder);
    const beside = `${path}.${randomUUID()}.new`;
    try {
      await writeNew(beside, mine);
      const now = (await stat(beside)).mtimeMs;
      for (let attempt = 0; attempt < TRIES; attempt++) {
        if (await placed(beside, path, mine)) return lockOf(path, mine);
        const found = await readLock(path);
        if (found === undefined) continue;
        await refuseLiving(found, now, path, connector);
        if (await takenOver(found, beside, path, connector, command)) return lockOf(path, mine);
      }
      throw held(path, connector, undefined);
    } finally {
      await rm(beside, { force: true });
    }
  });
}

/**
 * Returns the holder of a lock as its file shows it; undefined if a process of this host that no longer runs left it.
 */
export async function holderOf(path: string): Promise<LockHolder | undefined> {
  const found = await readLock(path).catch(() => undefined);
  const holder = found === undefined ? undefined : parse(found.text);
  if (holder === undefined || (await isStale(holder))) return undefined;
  const { host, user, pid, command } = holder;
  const at = typeof holder.at === "string" ? parseInstant(holder.at) : undefined;
  const isWhole = typeof user === "string" && typeof command === "string" && Number.isSafeInteger(pid);
  return isWhole && at !== undefined ? { host, user, pid, command, at } : undefined;
}

/** Releases a lock only if it is still the same: an operator may have removed it, and another command taken it. */
function lockOf(path: string, mine: string): Lock {
  return {
    release: () =>
      translate(path, async () => {
        if ((await readLock(path))?.text === mine) await rm(path, { force: true });
      }),
  };
}

async function placed(beside: string, path: string, text: string): Promise<boolean> {
  const linked = await linkNew(beside, path);
  if (linked !== "unsupported") return linked === "linked";
  try {
    await writeNew(path, text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

interface Found {
  readonly text: string;
  readonly writtenAt: number;
}

async function readLock(path: string): Promise<Found | undefined> {
  try {
    const { mtimeMs } = await stat(path);
    return { text: await readOwn(path), writtenAt: mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** @param now by the clock of the file system that `found` is on. @throws Refusal `STA701` */
async function refuseLiving(found: Found, now: number, path: string, connector: string): Promise<void> {
  const holder = parse(found.text);
  if (holder !== undefined) {
    if (!(await isStale(holder))) throw held(path, connector, holder);
    return;
  }
  // Complete but unreadable: its holder may still run.
  if (found.text.replaceAll("\0", "").trimEnd().endsWith("}")) throw held(path, connector, undefined);
  // A time in the future means that the clock was set back, so there is no reason to wait for it.
  if (Math.abs(now - found.writtenAt) <= INCOMPLETE_MILLIS)
    throw new Refusal(
      "STA701",
      `${connector} is locked: the lock file is incomplete, and another command may be writing it`,
      [`Try again in ${INCOMPLETE_MILLIS / 1000} s. If nothing has been written by then, the lock is taken over.`],
    );
}

/**
 * Replaces a stale lock. Two processes may find the same one; a lock on the takeover lets only one of them replace it,
 * and only while it is unchanged.
 *
 * @returns false if it was replaced meanwhile
 */
async function takenOver(
  stale: Found,
  beside: string,
  path: string,
  connector: string,
  command: string,
): Promise<boolean> {
  const takeover = await takeLock(`${path}.takeover`, connector, command);
  try {
    if ((await readLock(path))?.text !== stale.text) return false;
    await rename(beside, path);
    return true;
  } finally {
    await takeover.release();
  }
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
 * Start of a process in clock ticks since boot, if the system shows it; otherwise empty. A killed process whose parent
 * never reaps it (like the first process of many containers) can still be signalled; its start is `dead`.
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
      ? "an unknown process (the lock file cannot be read)"
      : `${holder.user} on ${holder.host} (pid ${holder.pid}, ${holder.command}) since ${holder.at}`;
  return new Refusal("STA701", `${connector} is locked by ${who}`, [
    "Wait until that command ends.",
    { text: "If you are sure that it has ended", command: shellLine("rm", path) },
  ]);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
