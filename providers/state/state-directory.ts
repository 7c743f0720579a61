import { createHash } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CallFailed } from "../../core/errors.ts";
import type { JournalFound, RunFilter, RunKey, StatePort, UnreadableFolder } from "../../core/ports/state.ts";
import { pathPart } from "../../core/values/escape.ts";
import { demandOwn } from "../who-may-write.ts";
import { appendTo, createJournal, entriesOf, inspectJournal, setAside } from "./journal-file.ts";
import { holderOf, takeLock } from "./lock-file.ts";
import { makeFolder, readOwn, translate, writeNew } from "./on-disk.ts";

const JOURNAL_ENDING = ".journal.jsonl";
const LONGEST_NAME = 200;
/** Prefix that no encoded name begins with. */
const HASHED = "%sha256-";
const NAME_FILE = "connector-name";

/**
 * Local state below one directory: `<kafka cluster id>/<connector>/<run>.journal.jsonl` and `lock`. Directories are
 * 0700, files 0600. Anything else in it is ignored: only folders and journals with a name that cdcctl would give them
 * belong to cdcctl.
 *
 * @param place the directory; created on the first write
 */
export function stateDirectory(place: string): StatePort {
  const folder = (of: { readonly clusterId: string; readonly connector: string }) =>
    join(place, fileName(of.clusterId), fileName(of.connector));
  const journal = (key: RunKey) => join(folder(key), `${fileName(key.run)}${JOURNAL_ENDING}`);
  const ready = async (of: { readonly clusterId: string; readonly connector: string }) => {
    await translate(folder(of), async () => {
      await makeFolder(folder(of));
      if (isHashed(fileName(of.connector))) await writeName(folder(of), of.connector);
    });
    return folder(of);
  };
  const find = async (filter: RunFilter) => {
    const clusters = filter.clusterId === undefined ? await namesIn(place) : { names: [filter.clusterId], folders: [] };
    const keys: RunKey[] = [];
    const folders: UnreadableFolder[] = [...clusters.folders];
    for (const clusterId of clusters.names) {
      try {
        const connectors =
          filter.connector === undefined
            ? await namesIn(join(place, fileName(clusterId)))
            : { names: [filter.connector], folders: [] };
        for (const one of connectors.folders) folders.push(one);
        for (const connector of connectors.names) {
          const path = folder({ clusterId, connector });
          const files = await attempt(path, () => journalsIn(path));
          if (files instanceof CallFailed) {
            // A caller that needs this connector cannot do without it.
            if (filter.clusterId !== undefined && filter.connector !== undefined) throw files;
            if (files.code !== "ENOTDIR") folders.push(unreadableFolder(path, files));
          } else for (const run of files) keys.push({ clusterId, connector, run });
        }
      } catch (failure) {
        if (!(failure instanceof CallFailed) || filter.clusterId !== undefined) throw failure;
        folders.push(unreadableFolder(join(place, fileName(clusterId)), failure));
      }
    }
    return { keys: keys.sort((a, b) => (a.run < b.run ? -1 : a.run > b.run ? 1 : 0)), folders };
  };
  return {
    place,
    lock: async (connector, command) => takeLock(join(await ready(connector), "lock"), connector.connector, command),
    holder: (connector) => holderOf(join(folder(connector), "lock")),
    create: async (key) => {
      await ready(key);
      return createJournal(journal(key));
    },
    open: (key) => appendTo(journal(key), key),
    read: (key) => entriesOf(journal(key), key),
    list: async (of = {}) => (await find(of)).keys,
    inspect: async (of = {}) => {
      const { keys, folders } = await find(of);
      const journals: JournalFound[] = [];
      for (const key of keys) {
        const found = await inspectJournal(journal(key), key);
        if (found !== undefined) journals.push({ key, ...found });
      }
      return { journals, folders };
    },
    setAside: (key, instead) => setAside(journal(key), instead),
    async demandOwn(of, env) {
      const own = (await journalsIn(folder(of))).map((run) => journal({ ...of, run }));
      const others = ["lock", NAME_FILE].map((name) => join(folder(of), name));
      return demandOwn([place, join(place, fileName(of.clusterId)), folder(of), ...own, ...others], env);
    },
  };
}

/** Returns the names of the runs whose journals are in a folder. */
async function journalsIn(folder: string): Promise<readonly string[]> {
  const entries = await listed(folder);
  return entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(JOURNAL_ENDING))
    .map((entry) => entry.name.slice(0, -JOURNAL_ENDING.length))
    .filter((encoded) => fileName(decodeName(encoded)) === encoded)
    .map(decodeName);
}

/** Returns the names that the folders in a folder stand for, and the folders whose name cannot be read. */
async function namesIn(
  folder: string,
): Promise<{ readonly names: readonly string[]; readonly folders: readonly UnreadableFolder[] }> {
  const names: string[] = [];
  const folders: UnreadableFolder[] = [];
  for (const entry of await listed(folder)) {
    const path = join(folder, entry.name);
    if (!isHashed(entry.name)) {
      const name = decodeName(entry.name);
      if (fileName(name) === entry.name && (entry.isDirectory() || (await isFolder(path)))) names.push(name);
      continue;
    }
    const name = await attempt(path, () => readOwn(join(path, NAME_FILE)));
    if (typeof name === "string" && fileName(name) === entry.name) names.push(name);
    else if (await mayHoldJournals(path))
      folders.push({ path, why: `cannot be read: its file ${NAME_FILE} is missing or damaged` });
  }
  return { names, folders };
}

/** Whether a folder may contain journals: one created just before its process was killed has none yet. */
async function mayHoldJournals(path: string): Promise<boolean> {
  const files = await attempt(path, () => journalsIn(path));
  return files instanceof CallFailed ? isFolder(path) : files.length > 0;
}

async function listed(folder: string) {
  return translate(folder, async () => {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  });
}

async function attempt<T>(path: string, work: () => Promise<T>): Promise<T | CallFailed> {
  try {
    return await translate(path, work);
  } catch (failure) {
    if (failure instanceof CallFailed) return failure;
    throw failure;
  }
}

function unreadableFolder(path: string, { code }: CallFailed): UnreadableFolder {
  return { path, why: `cannot be read: ${code}` };
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (seen) => seen.isDirectory(),
    () => false,
  );
}

/** Writes the name's file atomically if it does not exist: another command may be reading it. */
async function writeName(folder: string, name: string): Promise<void> {
  const path = join(folder, NAME_FILE);
  if ((await readOwn(path).catch(() => undefined)) === name) return;
  const fresh = `${path}.${process.pid}.new`;
  await rm(fresh, { force: true });
  await writeNew(fresh, name);
  await rename(fresh, path);
}

/** One component of a path. A name too long for a file system becomes a hash, and a file beside the journals has it. */
function fileName(name: string): string {
  const encoded = pathPart(name);
  return encoded.length <= LONGEST_NAME ? encoded : `${HASHED}${createHash("sha256").update(name).digest("hex")}`;
}

function isHashed(entry: string): boolean {
  return entry.startsWith(HASHED);
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
