import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import type { Socket } from "node:net";

/**
 * What a test leaves behind when it ends, fails, throws or is interrupted: no JVM, not even a frozen one, and no
 * folder. One that is killed outright closes the pipe that the launcher reads; its folder goes when the next stack
 * starts (`folder.ts`).
 */
const children = new Set<ChildProcess>();
const folders = new Set<string>();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let watching = false;

/** A test that forgets to stop its stack still ends: nothing here keeps the event loop going. */
export function endWithUs(child: ChildProcess): void {
  child.unref();
  (child.stdin as Socket).unref();
  child.stdin?.on("error", () => undefined);
  children.add(child);
  child.once("exit", () => {
    children.delete(child);
    watchIfNeeded();
  });
  watchIfNeeded();
}

/** @returns what to call when the folder is gone, or is to stay */
export function removeWithUs(folder: string): () => void {
  folders.add(folder);
  watchIfNeeded();
  return () => {
    folders.delete(folder);
    watchIfNeeded();
  };
}

function watchIfNeeded(): void {
  const needed = children.size + folders.size > 0;
  if (needed === watching) return;
  watching = needed;
  const change = needed ? "on" : "off";
  process[change]("exit", cleanUp);
  for (const signal of SIGNALS) process[change](signal, leave);
}

function cleanUp(): void {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) {
    try {
      // A JVM that is being killed may still write.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    } catch {
      // The next stack to start removes it.
    }
  }
}

function leave(signal: NodeJS.Signals): void {
  cleanUp();
  process.off(signal, leave);
  // Somebody else's handler decides what else happens; where there is none, the signal does what it always does.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
