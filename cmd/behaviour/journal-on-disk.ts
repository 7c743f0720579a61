import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalEntry } from "../../core/apply/journal.ts";
import { type JsonObject, parseJson } from "../../core/values/json.ts";

const ENDING = ".journal.jsonl";

/** Names of the runs in the folder of a connector, oldest first. */
export function runsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .sort();
}

/** What of a run is on disk, read at once: what a kill would leave. */
export function journalOnDisk(folder: string, run: string): readonly JournalEntry[] {
  return readFileSync(join(folder, `${run}${ENDING}`), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => (parseJson(line) as JsonObject)["entry"] as unknown as JournalEntry);
}
