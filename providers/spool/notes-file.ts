import { type FileHandle, open, readFile } from "node:fs/promises";
import { digestOf } from "../../core/values/digest.ts";
import { type Json, jsonObjectIn, printJson } from "../../core/values/json.ts";
import { translate } from "./spool-failure.ts";

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
export async function openNotes(path: string): Promise<NotesFile> {
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
