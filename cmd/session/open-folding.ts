import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { foldHere, type OpenFolding } from "../../core/journal/fold-records.ts";
import { foldInThread } from "../../providers/threads/fold-in-thread.ts";

/** Shorter journals are read before a thread has started. */
const LONG = 100_000n;

/** Folds a long journal in another thread, unless there is one processor, or no built thread to start. */
export const openFolding: OpenFolding = (question, records) => {
  const module = new URL("./fold-thread.js", import.meta.url);
  if (records < LONG || availableParallelism() < 2 || !existsSync(module)) return foldHere(question, records);
  return foldInThread(module, question);
};
