import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JournalEntry } from "../../core/run/journal.ts";
import { type JsonObject, parseJson } from "../../core/values/json.ts";

const ENDING = ".journal.jsonl";

/** Names of the runs in the folder of a connector, oldest first: a name holds only the second. */
export function runsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .map((run) => ({ run, begun: journalOnDisk(folder, run)[0]?.at ?? "" }))
    .sort((a, b) => (a.begun < b.begun ? -1 : a.begun > b.begun ? 1 : a.run < b.run ? -1 : 1))
    .map(({ run }) => run);
}

/** A journal is append-only, and its first entry holds a whole plan, so parsed entries are cached. */
const parsed = new Map<string, { entries: readonly JournalEntry[]; bytes: number }>();

/** The state of a run on disk, read synchronously: what a kill would leave. */
export function journalOnDisk(folder: string, run: string): readonly JournalEntry[] {
  const path = join(folder, `${run}${ENDING}`);
  const { entries, bytes } = parsed.get(path) ?? { entries: [], bytes: 0 };
  const size = statSync(path).size;
  if (size === bytes) return entries;
  const lines = readFileSync(path, "utf8").split("\n").slice(entries.length, -1);
  const more = lines.map((line) => (parseJson(line) as JsonObject)["entry"] as unknown as JournalEntry);
  const all = [...entries, ...more];
  parsed.set(path, { entries: all, bytes: size });
  return all;
}
