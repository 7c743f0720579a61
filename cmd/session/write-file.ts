import { randomBytes } from "node:crypto";
import { link, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CallFailed, UsageError } from "../../core/errors.ts";
import { reasonOf } from "../output.ts";

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

/**
 * Writes a new file: whole or not at all, and never over an existing one.
 *
 * @param mode permission bits; 0600 for what holds a secret
 * @throws UsageError where it can't be written under this name; CallFailed where the disk fails
 */
export async function writeNewFile(path: string, text: string, mode = 0o644): Promise<void> {
  await explained(path, ANOTHER_NAME, () => viaDraft(path, text, { mode }, (draft) => claim(draft, path)));
}

/**
 * Writes a file, over an existing one too: whoever opens it meanwhile sees the old one or the new one. A device or a pipe is written to.
 *
 * @param mode permission bits; without it an existing file keeps its own
 * @throws UsageError where it can't be written under this name; CallFailed where the disk fails
 */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  await explained(path, undefined, async () => {
    const there = await stat(path).catch(() => undefined);
    if (there !== undefined && !there.isFile()) return writeFile(path, text);
    const target = there === undefined ? path : await realpath(path);
    const kept = mode ?? (there === undefined ? undefined : there.mode & 0o777);
    await viaDraft(target, text, { mode: kept ?? 0o644, exactly: kept !== undefined }, (draft) =>
      rename(draft, target),
    );
  });
}

/** Beside the file, so that it takes its place in one step. */
async function viaDraft(
  path: string,
  text: string,
  { mode, exactly = false }: { readonly mode: number; readonly exactly?: boolean },
  intoPlace: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = join(dirname(path), `.cdcctl-${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
  try {
    const file = await open(draft, "wx", mode);
    try {
      if (exactly) await file.chmod(mode);
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
