import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, readFile, rm, rmdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Spool, SpoolFiles, SpoolPort } from "../../core/ports/spool.ts";
import { digestOf } from "../../core/values/digest.ts";
import { pathPart } from "../../core/values/escape.ts";
import { type Json, jsonObjectIn, printJson } from "../../core/values/json.ts";
import { takeLock } from "../state/lock-file.ts";
import { beginsWith, readWhole, spoolFile, translate } from "./spool-files.ts";

const NOTES = "notes.jsonl";
const LOCK = "lock";
const FILE = /^[a-z0-9-]+\.\d+$/;
/** Longest encoded name that is used as a folder's name unchanged. */
const LONGEST_NAME = 120;

/**
 * Opens spools below one directory, each in its own folder. Directories are 0700, files 0600: they contain the table's
 * values.
 *
 * @param place the directory; created on the first write
 */
export function spoolDirectory(place: string): SpoolPort {
  return {
    place,
    free: () =>
      translate(place, async () => {
        await mkdir(place, { recursive: true, mode: 0o700 });
        const { bavail, bsize } = await statfs(place, { bigint: true });
        return bavail * bsize;
      }),
    open: (name) => openSpool(join(place, folderName(name)), name),
  };
}

/** Opens the files of a spool that another thread of this process has opened. */
export function filesOfSpool(place: string, name: string): SpoolFiles & { close(): Promise<void> } {
  return filesIn(join(place, folderName(name)));
}

async function openSpool(folder: string, name: string): Promise<Spool> {
  await translate(folder, () => mkdir(folder, { recursive: true, mode: 0o700 }));
  const lock = await takeLock(join(folder, LOCK), `the verification of ${name}`, "migrate verify");
  const notes = await openNotes(join(folder, NOTES)).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  const files = filesIn(folder);
  return {
    ...files,
    notes: async () => [...notes.notes],
    note: (entry) => notes.append(entry),
    async clear() {
      await files.close();
      await notes.clear();
      await translate(folder, async () => {
        for (const file of await readdir(folder)) if (FILE.test(file)) await rm(join(folder, file), { force: true });
      });
    },
    async close() {
      await files.close();
      const empty = notes.notes.length === 0;
      await notes.close();
      if (empty) await translate(folder, () => rm(join(folder, NOTES), { force: true }));
      await lock.release();
      // Only an empty folder is removed; one with other files is kept.
      if (empty) await rmdir(folder).catch(() => undefined);
    },
  };
}

function filesIn(folder: string): SpoolFiles & { close(): Promise<void> } {
  const reading = new Map<string, Promise<FileHandle>>();
  const pathOf = (file: string): string => {
    if (!FILE.test(file)) throw new TypeError(`${file} is not a valid name of a spool's file`);
    return join(folder, file);
  };
  return {
    create: (file) => {
      const path = pathOf(file);
      return translate(path, async () => spoolFile(path, await open(path, "w", 0o600), { bytes: 0, checksum: 0 }));
    },
    async goOn(file, written) {
      const path = pathOf(file);
      if (!(await beginsWith(path, written))) return undefined;
      return translate(path, async () => {
        const handle = await open(path, "r+");
        await handle.truncate(written.bytes);
        return spoolFile(path, handle, written);
      });
    },
    holds: (file, written) => beginsWith(pathOf(file), written),
    async read(file, slices, into) {
      const path = pathOf(file);
      let handle = reading.get(file);
      if (handle === undefined) {
        handle = translate(path, () => open(path, "r"));
        reading.set(file, handle);
      }
      await readWhole(path, await handle, slices, into);
    },
    async close() {
      const handles = [...reading.values()];
      reading.clear();
      for (const handle of handles) await (await handle).close();
    },
  };
}

/** One component of a path. A name that gets too long is truncated, with a hash at its end. */
function folderName(name: string): string {
  const encoded = pathPart(name);
  if (encoded.length <= LONGEST_NAME) return encoded;
  return `${encoded.slice(0, LONGEST_NAME)}%sha256-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}

/** File of notes, one per line, each with a checksum. */
interface NotesFile {
  readonly notes: readonly Json[];
  append(note: Json): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the notes, creating the file if it does not exist. A damaged line and everything after it are truncated,
 * because they are not reliable.
 */
async function openNotes(path: string): Promise<NotesFile> {
  return translate(path, async () => {
    const file = await open(path, "a+", 0o600);
    const { notes, bytes } = whole(await readFile(path, "utf8"));
    await file.truncate(bytes);
    return notesFile(path, file, notes);
  });
}

function notesFile(path: string, file: FileHandle, notes: Json[]): NotesFile {
  return {
    notes,
    append: (note) =>
      translate(path, async () => {
        await file.appendFile(`${printJson({ checksum: digestOf(note), note }, 0)}\n`);
        notes.push(note);
      }),
    clear: () =>
      translate(path, async () => {
        await file.truncate(0);
        notes.length = 0;
      }),
    close: () => translate(path, () => file.close()),
  };
}

function whole(text: string): { readonly notes: Json[]; readonly bytes: number } {
  const lines = text.split("\n");
  // What follows the last line feed is incomplete.
  lines.pop();
  const notes: Json[] = [];
  let bytes = 0;
  for (const line of lines) {
    const note = noteIn(line);
    if (note === undefined) break;
    notes.push(note);
    bytes += Buffer.byteLength(line) + 1;
  }
  return { notes, bytes };
}

function noteIn(line: string): Json | undefined {
  const { checksum, note } = jsonObjectIn(line) ?? {};
  return note !== undefined && checksum === digestOf(note) ? note : undefined;
}
