import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { CallFailed } from "../../core/errors.ts";
import type { JournalWriter, RunKey } from "../../core/ports/state.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import {
  type JournalRead,
  journalLine,
  readJournal,
  type SoundJournal,
  type UnreadableJournal,
  unreadableFailure,
} from "../../core/run/read-journal.ts";
import { instantOf } from "../../core/values/instant.ts";
import { NotRegular } from "../bounded-file.ts";
import { linkNew, readOwn, syncFolder, translate, writeNew } from "./on-disk.ts";

/**
 * Creates the journal of a new run. It is created together with its first entry, so that a journal without a complete
 * entry is damaged, not that of a run that had not begun.
 */
export function createJournal(path: string): JournalWriter {
  let writer: JournalWriter | undefined;
  return {
    async append(entry) {
      if (writer === undefined) writer = await translate(path, () => begin(path, entry));
      else await writer.append(entry);
    },
    demandOwn: async () => writer?.demandOwn(),
    close: async () => writer?.close(),
  };
}

/** Creates the file. It is on disk when this resolves, including its folder's entry. */
async function begin(path: string, first: JournalEntry): Promise<JournalWriter> {
  const line = journalLine(first);
  const draft = `${path}.${process.pid}.new`;
  try {
    await rm(draft, { force: true });
    await writeNew(draft, line);
    const linked = await linkNew(draft, path);
    if (linked === "taken" || (linked === "unsupported" && (await exists(path))))
      throw Object.assign(new Error(`EEXIST: file already exists, '${path}'`), { code: "EEXIST" });
    if (linked === "unsupported") await rename(draft, path);
    await syncFolder(dirname(path));
  } finally {
    await rm(draft, { force: true });
  }
  return journalWriter(path, await open(path, "a"), Buffer.byteLength(line));
}

/**
 * Opens a journal for appending. An incomplete last line is truncated first: what was not on disk was not done.
 *
 * @throws CallFailed for a journal that cannot be read
 */
export async function appendTo(path: string, key: RunKey): Promise<JournalWriter> {
  const { text, whole } = await soundJournal(path, key);
  return translate(path, async () => {
    const bytes = Buffer.byteLength(text.slice(0, whole));
    const file = await open(path, "r+");
    try {
      await file.truncate(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    return journalWriter(path, await open(path, "a"), bytes);
  });
}

/**
 * Reads the entries of a journal, without an incomplete last line.
 *
 * @throws CallFailed for a journal that cannot be read
 */
export async function entriesOf(path: string, key: RunKey): Promise<readonly JournalEntry[]> {
  return (await soundJournal(path, key)).entries;
}

/** Reads the entries of a journal, or why they cannot be read. @returns undefined if the file no longer exists */
export async function inspectJournal(
  path: string,
  key: RunKey,
): Promise<{ readonly entries: readonly JournalEntry[] } | { readonly unreadable: UnreadableJournal } | undefined> {
  try {
    const read = readJournal(await translate(path, () => readOwn(path)), key);
    return "unreadable" in read ? { unreadable: { path, ...read.unreadable } } : { entries: read.entries };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (error.kind === "missing") return undefined;
    const why = error.cause instanceof NotRegular ? error.cause.message : error.code;
    return { unreadable: { path, line: undefined, why: `cannot be read: ${why}`, known: [] } };
  }
}

/** @param size number of valid bytes */
export function journalWriter(
  path: string,
  file: Pick<FileHandle, "appendFile" | "datasync" | "truncate" | "close">,
  size: number,
): JournalWriter {
  let bytes = size;
  /** The line whose write failed: the journal may hold a part of it. */
  let torn = "";
  const demandOwn = async () => {
    if ((await stat(path)).size === bytes) return;
    const rest = Buffer.from(await readOwn(path)).subarray(bytes);
    const isOwn = rest.length > 0 && Buffer.from(torn).subarray(0, rest.length).equals(rest);
    if (!isOwn) throw await continued(path);
  };
  return {
    demandOwn: () => translate(path, demandOwn),
    append: (entry) =>
      translate(path, async () => {
        await demandOwn();
        // A full disk may take part of a line; appending after it would damage the journal.
        if (torn !== "") await file.truncate(bytes);
        torn = journalLine(entry);
        await file.appendFile(torn);
        await file.datasync();
        bytes += Buffer.byteLength(torn);
        torn = "";
      }),
    close: () => translate(path, () => file.close()),
  };
}

/** The failure of a process whose run another one has taken on. */
async function continued(path: string): Promise<CallFailed> {
  const read = readJournal(await readOwn(path));
  const by = "entries" in read ? read.entries.findLast((entry) => entry.type === "recovery-started") : undefined;
  const who = by === undefined ? "" : `: ${by.operator} has recovered or abandoned the run at ${by.at}`;
  return new CallFailed("state", "rejected", {
    message: `another process has continued the journal ${path}${who}; nothing more was written or sent from here`,
  });
}

/** Renames a journal and puts these entries in its place. @returns the path of the kept journal */
export async function setAside(path: string, instead: readonly JournalEntry[]): Promise<string> {
  return translate(path, async () => {
    const fresh = `${path}.${process.pid}.new`;
    try {
      if (instead.length > 0) {
        await rm(fresh, { force: true });
        await writeNew(fresh, instead.map(journalLine).join(""));
      }
      const aside = await keep(path);
      if (instead.length > 0) await rename(fresh, path);
      else await rm(path, { force: true });
      await syncFolder(dirname(path));
      return aside;
    } finally {
      await rm(fresh, { force: true });
    }
  });
}

/** Gives a file a second, unused name. */
async function keep(path: string): Promise<string> {
  const base = `${path}.set-aside-${instantOf(Date.now()).slice(0, 19).replaceAll(":", "-")}Z`;
  for (let tried = 1; ; tried++) {
    const aside = tried === 1 ? base : `${base}-${tried}`;
    const linked = await linkNew(path, aside);
    if (linked === "taken") continue;
    if (linked === "unsupported") {
      if (await exists(aside)) continue;
      await rename(path, aside);
    }
    await syncFolder(dirname(path));
    return aside;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function soundJournal(path: string, key: RunKey): Promise<SoundJournal & { readonly text: string }> {
  const text = await translate(path, () => readOwn(path));
  const read: JournalRead = readJournal(text, key);
  if ("unreadable" in read) throw unreadableFailure({ path, ...read.unreadable }, key.connector);
  return { text, ...read };
}
