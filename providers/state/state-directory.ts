import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunKey, StatePort } from "../../core/ports/state.ts";
import { appendTo, createJournal, readJournal } from "./journal-file.ts";
import { takeLock } from "./lock-file.ts";
import { translate } from "./state-failure.ts";

const JOURNAL_ENDING = ".journal.jsonl";
const LONGEST_NAME = 200;
/** No encoded name begins so. */
const HASHED = "%sha256-";
const NAME_FILE = "connector-name";

/**
 * Local state below one directory: `<kafka cluster id>/<connector>/<run>.journal.jsonl` and `lock`. Directories are 0700, files 0600.
 *
 * @param place the directory; made when first written to
 */
export function stateDirectory(place: string): StatePort {
  const folder = (of: { readonly clusterId: string; readonly connector: string }) =>
    join(place, fileName(of.clusterId), fileName(of.connector));
  const journal = (key: RunKey) => join(folder(key), `${fileName(key.run)}${JOURNAL_ENDING}`);
  const ready = async (of: { readonly clusterId: string; readonly connector: string }) => {
    await translate(folder(of), async () => {
      await mkdir(folder(of), { recursive: true, mode: 0o700 });
      if (isHashed(fileName(of.connector))) await writeFile(join(folder(of), NAME_FILE), of.connector, { mode: 0o600 });
    });
    return folder(of);
  };
  return {
    place,
    lock: async (connector, command) => takeLock(join(await ready(connector), "lock"), connector.connector, command),
    create: async (key) => {
      await ready(key);
      return createJournal(journal(key));
    },
    open: (key) => appendTo(journal(key)),
    read: (key) => readJournal(journal(key)),
    list: async (of = {}) => {
      const keys: RunKey[] = [];
      for (const clusterId of await names(place)) {
        if (of.clusterId !== undefined && of.clusterId !== clusterId) continue;
        for (const connector of await names(join(place, fileName(clusterId)))) {
          if (of.connector !== undefined && of.connector !== connector) continue;
          const files = await listed(folder({ clusterId, connector }));
          for (const file of files.filter((name) => name.endsWith(JOURNAL_ENDING))) {
            keys.push({ clusterId, connector, run: decodeName(file.slice(0, -JOURNAL_ENDING.length)) });
          }
        }
      }
      return keys.sort((a, b) => (a.run < b.run ? -1 : a.run > b.run ? 1 : 0));
    },
  };
}

async function names(folder: string): Promise<readonly string[]> {
  const entries = await listed(folder);
  return Promise.all(
    entries.map((entry) =>
      isHashed(entry) ? translate(folder, () => readFile(join(folder, entry, NAME_FILE), "utf8")) : decodeName(entry),
    ),
  );
}

async function listed(folder: string): Promise<readonly string[]> {
  return translate(folder, async () => {
    try {
      return (await readdir(folder)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  });
}

/**
 * Any name as one path component that can be read back: other characters percent-encoded, never `.` or `..`. One that gets too long for a file
 * system is a hash, with the name in a file beside the journals.
 */
function fileName(name: string): string {
  const encoded = encodeURIComponent(name).replace(
    /[!'()*~]|^\./g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
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
