import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { foldHere, type OpenFolding } from "../../core/journal/fold-records.ts";
import type { ReadingOptions } from "../../core/journal/read-journal.ts";
import { foldInThread } from "../../providers/threads/fold-in-thread.ts";
import { progressSentence } from "../views/journal.ts";
import type { Heartbeat } from "./heartbeat.ts";

/** Shorter journals are read before a thread has started. */
const LONG = 100_000n;

/** How a command reads a journal: it shows its progress, and folds a long one in another thread. */
export function readingOf(topic: string, beat: Heartbeat): ReadingOptions {
  return { onProgress: (progress) => beat.note(progressSentence(topic, progress)), openFolding };
}

/** In this thread if there is one processor, or no built thread to start. */
const openFolding: OpenFolding = (question, records) => {
  const module = new URL("./fold-thread.js", import.meta.url);
  if (records < LONG || availableParallelism() < 2 || !existsSync(module)) return foldHere(question, records);
  return foldInThread(module, question);
};
