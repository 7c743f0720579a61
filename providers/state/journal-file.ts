import { type FileHandle, open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CallFailed } from "../../core/errors.ts";
import type { JournalWriter } from "../../core/ports/state.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { digestOf } from "../../core/values/digest.ts";
import { isObject, type JsonObject, parseJson, printJson } from "../../core/values/json.ts";
import { translate } from "./state-failure.ts";

/** Creates the journal of a new run, its folder entry included, on disk. */
export async function createJournal(path: string): Promise<JournalWriter> {
  return translate(path, async () => {
    const file = await open(path, "ax", 0o600);
    await sync(dirname(path));
    return writer(path, file);
  });
}

/** Opens a journal to go on with it. A torn last line is cut off first: what was not on disk was not done. */
export async function appendTo(path: string): Promise<JournalWriter> {
  const { bytes } = await load(path);
  return translate(path, async () => {
    const file = await open(path, "r+");
    await file.truncate(bytes);
    await file.datasync();
    await file.close();
    return writer(path, await open(path, "a"));
  });
}

/**
 * The entries of a journal without a torn last line.
 *
 * @throws CallFailed where a line before the last is damaged, or entries are missing: such a journal proves nothing
 */
export async function readJournal(path: string): Promise<readonly JournalEntry[]> {
  return (await load(path)).entries;
}

function writer(path: string, file: FileHandle): JournalWriter {
  return {
    append: (entry) =>
      translate(path, async () => {
        const line = printJson({ checksum: digestOf(entry), entry }, 0);
        await file.appendFile(`${line}\n`);
        await file.datasync();
      }),
    close: () => translate(path, () => file.close()),
  };
}

async function load(path: string): Promise<{ readonly entries: readonly JournalEntry[]; readonly bytes: number }> {
  const text = await translate(path, () => readFile(path, "utf8"));
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  const entries: JournalEntry[] = [];
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    const entry = readLine(line);
    const sound = entry !== undefined && entry["seq"] === BigInt(index);
    if (!sound && index === lines.length - 1 && last === "") break;
    if (!sound) throw damaged(path, index + 1);
    entries.push(entry as unknown as JournalEntry);
    bytes += Buffer.byteLength(line) + 1;
  }
  return { entries, bytes };
}

function readLine(line: string): JsonObject | undefined {
  try {
    const parsed = parseJson(line);
    const entry = isObject(parsed) ? parsed["entry"] : undefined;
    return isObject(parsed) && isObject(entry) && parsed["checksum"] === digestOf(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

function damaged(path: string, line: number): CallFailed {
  return new CallFailed({
    system: "state",
    kind: "protocol",
    message: `${path}:${line} is damaged: its checksum or its place in the order is wrong`,
    remedy: "Restore the file from a backup, or settle the change from the ops topic: cdcctl recover --from-ops.",
  });
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
