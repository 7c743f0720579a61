import { randomBytes } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, constants, lstat, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CallFailed, UsageError } from "../../core/errors.ts";
import { showBytes } from "../../core/values/amounts.ts";
import { NotRegular, readBounded } from "../../providers/bounded-file.ts";
import { linkNew } from "../../providers/state/on-disk.ts";
import { reasonOf } from "../output.ts";

/** Problems with the given name, by system error code. Any other code is a disk failure. */
const WRONG_NAME: Readonly<Record<string, string>> = {
  ENOENT: "no such folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "too many symbolic links",
  EEXIST: "it already exists",
};

const ANOTHER_NAME = "Choose another name; an existing file is not replaced.";

/** Mode of files that cdcctl writes: readable only by their owner, because they describe a connector. */
const OWN_MODE = 0o600;

/**
 * A kind of document that cdcctl writes, recognised by its content: it replaces an earlier document of its kind, and no
 * other file.
 */
interface DocumentKind {
  /** `resolved plan` */
  readonly what: string;
  /** @param beginning the first characters of a file */
  is(beginning: string): boolean;
}

const json = (what: string, kind: string): DocumentKind => ({
  what,
  is: (beginning) =>
    new RegExp(`^\\s*\\{\\s*"apiVersion"\\s*:\\s*"cdcctl/v1"\\s*,\\s*"kind"\\s*:\\s*"${kind}"`).test(beginning),
});

export const DOCUMENTS = {
  plan: json("resolved plan", "Plan"),
  facts: json("facts file", "Facts"),
  approval: json("approval", "Approval"),
  report: {
    what: "report",
    is: (beginning) => /^<!doctype html>/i.test(beginning) && beginning.includes('content="cdcctl report '),
  },
  metrics: { what: "metrics file", is: (beginning) => beginning.startsWith("# HELP cdcctl_") },
} satisfies Readonly<Record<string, DocumentKind>>;

/** Number of bytes read to recognise a document's kind. */
const BEGINNING = 4096;

/**
 * Writes a new file atomically, and never overwrites an existing one.
 *
 * @param mode permission bits
 * @throws UsageError when it cannot be written under this name; CallFailed when the disk fails
 */
export async function writeNewFile(path: string, text: string, mode = OWN_MODE): Promise<void> {
  await explained(path, ANOTHER_NAME, () => viaDraft(path, text, mode, (draft) => claim(draft, path)));
}

/**
 * Writes a document of a kind, also over an earlier one of that kind; readers see either the old or the new one. Mode
 * 0600.
 *
 * @throws UsageError when it cannot be written under this name, or another file has the name; CallFailed when the disk
 * fails
 */
export async function writeDocument(path: string, text: string, kind: DocumentKind): Promise<void> {
  await refuseOther(path, kind);
  await replaceFile(path, text);
}

/**
 * Checks that a document may be written under a name: it is free, or has an earlier document of its kind or an empty
 * file. Called before any other work for the document, and again when it is written.
 *
 * @throws UsageError
 */
export async function refuseOther(path: string, { what, is }: DocumentKind): Promise<void> {
  const there = await namedBy(path);
  if (there === undefined) return refuseFolder(path);
  const isFree = async () => there.size === 0n || is(await beginning(path));
  const refused =
    refusedOf(there) ?? ((await isFree()) ? undefined : `it already exists and is not a ${what} written by cdcctl`);
  if (refused !== undefined) throw notWritable(path, refused, ANOTHER_NAME_OR_PLACE);
}

/**
 * Writes one of cdcctl's own files, replacing an earlier one. Follows no link, and writes to no device or pipe.
 *
 * @throws UsageError when it cannot be written under this name; CallFailed when the disk fails
 */
export async function replaceFile(path: string, text: string, mode = OWN_MODE): Promise<void> {
  const there = await namedBy(path);
  const refused = there === undefined ? undefined : refusedOf(there);
  if (refused !== undefined) throw notWritable(path, refused, ANOTHER_NAME_OR_PLACE);
  await explained(path, undefined, () => viaDraft(path, text, mode, (draft) => rename(draft, path)));
}

function notWritable(file: string, why: string, remedy: string | undefined): UsageError {
  return new UsageError({ file, message: `the file cannot be written: ${why}`, ...(remedy && { remedy }) });
}

const ANOTHER_NAME_OR_PLACE = "Choose another name, or move that file away.";

function namedBy(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch(() => undefined);
}

function refusedOf(there: BigIntStats): string | undefined {
  if (there.isSymbolicLink()) return "it is a symbolic link, which is not followed";
  if (there.isDirectory()) return "it is a folder";
  return there.isFile() ? undefined : "it is a device, a pipe or a socket";
}

async function beginning(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return "";
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Writes a draft beside the file, so that it can be renamed atomically. */
async function viaDraft(
  path: string,
  text: string,
  mode: number,
  intoPlace: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = join(dirname(path), `.cdcctl-${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
  try {
    const file = await open(draft, "wx", mode);
    try {
      await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await intoPlace(draft);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Fails when the name is taken, even a moment ago. */
async function claim(draft: string, path: string): Promise<void> {
  const linked = await linkNew(draft, path);
  if (linked === "linked") return;
  await (await open(path, "wx")).close();
  await rename(draft, path);
}

async function explained(path: string, remedy: string | undefined, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const wrong = WRONG_NAME[code];
    if (wrong !== undefined) throw notWritable(path, wrong, remedy);
    throw new CallFailed("file", "rejected", {
      message: `cannot write ${path}: ${reasonOf(error as Error)}`,
      ...(code === "" ? {} : { code }),
      remedy: "Free some space, or write it to another folder. An earlier file of that name is unchanged.",
      cause: error,
    });
  }
}

/**
 * Reads a text file whole, or standard input for `-`.
 *
 * @param from who named it, as for `readBounded`; standard input belongs to the operator
 * @throws UsageError naming the file; also above `limit` bytes
 */
export async function readText(
  path: string,
  limit: number,
  from: "operator" | "outside" = "operator",
): Promise<string> {
  const bytes = path === "-" && from === "operator" ? await readInput(limit) : await readBytes(path, limit, from);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError({ file: path, message: "the file is not UTF-8 text", remedy: "Is it the right file?" });
  }
}

/**
 * Checks, before any system is asked, that the output files do not exist and can be written.
 * @throws UsageError naming the first
 */
export async function refuseExisting(paths: readonly (string | undefined)[]): Promise<void> {
  const named = paths.filter((path) => path !== undefined);
  for (const [at, path] of named.entries()) {
    const there = await lstat(path).then(
      () => "it already exists",
      () => undefined,
    );
    const why = there ?? (named.indexOf(path) < at ? "it is given twice" : undefined);
    if (why !== undefined) throw notWritable(path, why, ANOTHER_NAME);
    await refuseFolder(path);
  }
}

/**
 * Checks that a file can be written into its folder, before hours of work.
 * @throws UsageError
 */
async function refuseFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const why = await stat(folder)
    .then(async (seen) => {
      if (!seen.isDirectory()) return `${folder} is not a folder`;
      await access(folder, constants.W_OK);
      return undefined;
    })
    .catch((error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? `no such folder: ${folder}` : `${folder}: ${reason(error)}`,
    );
  if (why !== undefined) throw notWritable(path, why, "Create the folder, or choose another one.");
}

async function readBytes(path: string, limit: number, from: "operator" | "outside"): Promise<Uint8Array> {
  try {
    const read = await readBounded(path, limit, from);
    if (!("large" in read)) return read.bytes;
  } catch (error) {
    throw new UsageError({
      file: path,
      message: `the file cannot be read: ${reason(error)}`,
      ...(error instanceof NotRegular ? { remedy: "Name a regular file." } : {}),
    });
  }
  throw tooLarge(path, limit);
}

async function readInput(limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > limit) throw tooLarge("-", limit);
  }
  return Buffer.concat(chunks);
}

function tooLarge(path: string, limit: number): UsageError {
  return new UsageError({
    file: path,
    message: `the file is larger than ${showBytes(limit)}`,
    remedy: "Is it the right file?",
  });
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof NotRegular) return message;
  if (code === "ENOENT") return "no such file";
  return (code === undefined ? undefined : WRONG_NAME[code]) ?? code ?? message;
}
