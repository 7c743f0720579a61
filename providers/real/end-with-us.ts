import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import type { Socket } from "node:net";

/**
 * Cleans up after a test that ends, fails, throws or is interrupted: kills its JVMs, even frozen ones, and removes its
 * folder. A killed test closes the pipe that the launcher reads; its folder is removed when the next stack starts
 * (`folder.ts`).
 */
const children = new Set<ChildProcess>();
const folders = new Set<string>();
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let watching = false;

/** A test that does not stop its stack still ends: nothing here keeps the event loop alive. */
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

/** @returns a function to call when the folder is removed, or is to be kept */
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
  // Another handler decides what else happens; without one, the signal has its default effect.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
