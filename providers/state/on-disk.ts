import { link, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { showBytes } from "../../core/values/amounts.ts";
import { fileWork, NotRegular, readBounded } from "../bounded-file.ts";

/** Writes a complete new file. It is on disk when this resolves. */
export async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A journal names keys of records, and holds a plan; it has a few megabytes at most. */
const MAX_BYTES = 64_000_000;

/** Reads a file of the state directory. @throws NotRegular for a link, an irregular file, and one over 64 MB */
export async function readOwn(path: string): Promise<string> {
  const read = await readBounded(path, MAX_BYTES, "own");
  if ("large" in read) throw new NotRegular(`it is larger than ${showBytes(MAX_BYTES)}`);
  return read.bytes.toString("utf8");
}

/**
 * Creates a folder, with those above it, with mode 0700. Node.js' own `recursive` reports a read-only file system as
 * ENOENT, and does not end in a folder that takes none, such as /proc.
 */
export function makeFolder(path: string): Promise<void> {
  return fileWork(path, "state", { ...remediesFor(path), ENOENT: CREATABLE }, () => make(path));
}

async function make(path: string): Promise<void> {
  const made = () => mkdir(path, { mode: 0o700 });
  try {
    await made();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(path) !== path) {
      await make(dirname(path));
      await made().catch(ifThere);
    } else ifThere(error);
  }
}

function ifThere(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}

/** Syncs a folder: its entries are on disk when this resolves. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Some file systems, and some mounts, have no hard links. */
const NO_LINKS: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** Gives a file a second name atomically. @returns `taken` if the name already exists */
export async function linkNew(from: string, to: string): Promise<"linked" | "taken" | "unsupported"> {
  try {
    await link(from, to);
    return "linked";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return "taken";
    if (NO_LINKS.includes(code)) return "unsupported";
    throw error;
  }
}

const CREATABLE = "Choose a directory that can be created with --state.";
const RIGHTS = "Check the owner and mode of the directory, or choose another with --state.";

const REMEDIES: { readonly [code: string]: (path: string) => string } = {
  EACCES: () => RIGHTS,
  EPERM: () => RIGHTS,
  EROFS: () => "Choose a directory that can be written to with --state.",
  ENOSPC: (path) => `Free space on the file system of ${path}. Nothing is changed without a record.`,
  EDQUOT: (path) => `Free space in the quota for ${path}. Nothing is changed without a record.`,
  ENOTDIR: () => "Choose another directory with --state.",
};

/** Runs file operations, with remedies for system errors. @throws CallFailed as `fileWork` */
export function translate<T>(path: string, work: () => Promise<T>): Promise<T> {
  return fileWork(path, "state", remediesFor(path), work);
}

function remediesFor(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(REMEDIES).map(([code, remedy]) => [code, remedy(path)]));
}
