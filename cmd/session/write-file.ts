import { randomBytes } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { link, lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CallFailed, UsageError } from "../../core/errors.ts";
import { reasonOf } from "../output.ts";
import { refuseFolder } from "./files.ts";

/** What is wrong with the name that was given, by the system's code. Anything else is the disk's failure. */
const WRONG_NAME: Readonly<Record<string, string>> = {
  ENOENT: "no such folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is not a folder",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "too many symbolic links",
  EEXIST: "it exists already",
};

const ANOTHER_NAME = "Choose another name; an existing file is not replaced.";

/** Files that cdcctl writes are their owner's: what they hold of a connector is nobody else's business. */
const OWN_MODE = 0o600;

/**
 * A kind of document that cdcctl writes, known by its content: one takes the place of an earlier one of its kind, and
 * of no other file.
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
  report: {
    what: "report",
    is: (beginning) => /^<!doctype html>/i.test(beginning) && beginning.includes('content="cdcctl report '),
  },
} satisfies Readonly<Record<string, DocumentKind>>;

/** A document's kind is told by this much of it. Bytes. */
const BEGINNING = 4096;

/**
 * Writes a new file: whole or not at all, and never over an existing one.
 *
 * @param mode permission bits
 * @throws UsageError where it can't be written under this name; CallFailed where the disk fails
 */
export async function writeNewFile(path: string, text: string, mode = OWN_MODE): Promise<void> {
  await explained(path, ANOTHER_NAME, () => viaDraft(path, text, mode, (draft) => claim(draft, path)));
}

/**
 * Writes a document of a kind, over an earlier one of that kind too: whoever opens it meanwhile sees the old one or the
 * new one. Mode 0600.
 *
 * @throws UsageError where it can't be written under this name, or something else has the name; CallFailed where the
 * disk fails
 */
export async function writeDocument(path: string, text: string, kind: DocumentKind): Promise<void> {
  await refuseOther(path, kind);
  await replaceFile(path, text);
}

/**
 * That a document may be written under a name: nothing has it, or an earlier document of its kind, or an empty file.
 * Asked before anything else is done for the document's sake, and again when it is written.
 *
 * @throws UsageError
 */
export async function refuseOther(path: string, { what, is }: DocumentKind): Promise<void> {
  const there = await namedBy(path);
  if (there === undefined) return refuseFolder(path);
  const isFree = async () => there.size === 0n || is(await beginning(path));
  const refused = refusedOf(there) ?? ((await isFree()) ? undefined : `it exists already, and is no ${what} of cdcctl`);
  if (refused !== undefined)
    throw new UsageError({
      file: path,
      message: `the file can't be written: ${refused}`,
      remedy: ANOTHER_NAME_OR_PLACE,
    });
}

/**
 * Writes a file that is cdcctl's own, in place of an earlier one. No link is followed, and no device or pipe written
 * to: a name is what it looks like.
 *
 * @throws UsageError where it can't be written under this name; CallFailed where the disk fails
 */
export async function replaceFile(path: string, text: string, mode = OWN_MODE): Promise<void> {
  const there = await namedBy(path);
  const refused = there === undefined ? undefined : refusedOf(there);
  if (refused !== undefined)
    throw new UsageError({
      file: path,
      message: `the file can't be written: ${refused}`,
      remedy: ANOTHER_NAME_OR_PLACE,
    });
  await explained(path, undefined, () => viaDraft(path, text, mode, (draft) => rename(draft, path)));
}

const ANOTHER_NAME_OR_PLACE = "Choose another name, or move that one away.";

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

/** Beside the file, so that it takes its place in one step. */
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

/** Fails where the name is taken, however short ago. */
async function claim(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    // Not every file system has hard links.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw error;
    await (await open(path, "wx")).close();
    await rename(draft, path);
  }
}

async function explained(path: string, remedy: string | undefined, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const wrong = WRONG_NAME[code];
    if (wrong !== undefined)
      throw new UsageError({
        file: path,
        message: `the file can't be written: ${wrong}`,
        ...(remedy === undefined ? {} : { remedy }),
      });
    throw new CallFailed({
      system: "file",
      kind: "rejected",
      message: `cannot write ${path}: ${reasonOf(error as Error)}`,
      ...(code === "" ? {} : { code }),
      remedy: "Free some space, or write it to another folder. An earlier file of that name is unchanged.",
      cause: error,
    });
  }
}
