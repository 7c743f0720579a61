import { access, constants, lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../../core/errors.ts";
import { showBytes } from "../../core/values/amounts.ts";
import { NotRegular, readBounded } from "../../providers/bounded-file.ts";

/**
 * Reads a text file whole, or standard input for `-`.
 *
 * @param from who names it, as `readBounded` takes it; standard input is the operator's
 * @throws UsageError naming the file; above `limit` bytes nothing is given
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
 * Before anybody is asked anything: that the files which are to be written in the end are not there yet, and can be.
 * @throws UsageError naming the first
 */
export async function refuseExisting(paths: readonly (string | undefined)[]): Promise<void> {
  const named = paths.filter((path) => path !== undefined);
  for (const [at, path] of named.entries()) {
    const there = await lstat(path).then(
      () => "it exists already",
      () => undefined,
    );
    const why = there ?? (named.indexOf(path) < at ? "it is named twice" : undefined);
    if (why !== undefined)
      throw new UsageError({ file: path, message: `the file can't be written: ${why}`, remedy: ANOTHER_NAME });
    await refuseFolder(path);
  }
}

/**
 * That a file can be written into its folder: what was worked out for hours is lost where that shows only in the end.
 * @throws UsageError
 */
export async function refuseFolder(path: string): Promise<void> {
  const folder = dirname(path);
  const why = await stat(folder)
    .then(async (seen) => {
      if (!seen.isDirectory()) return `${folder} is no folder`;
      await access(folder, constants.W_OK);
      return undefined;
    })
    .catch((error: NodeJS.ErrnoException) =>
      error.code === "ENOENT" ? `there is no folder ${folder}` : `${folder}: ${reason(error)}`,
    );
  if (why !== undefined)
    throw new UsageError({
      file: path,
      message: `the file can't be written: ${why}`,
      remedy: "Create the folder, or choose another one.",
    });
}

const ANOTHER_NAME = "Choose another name; an existing file is not replaced.";

async function readBytes(path: string, limit: number, from: "operator" | "outside"): Promise<Uint8Array> {
  try {
    const read = await readBounded(path, limit, from);
    if (!("large" in read)) return read.bytes;
  } catch (error) {
    throw new UsageError({
      file: path,
      message: `the file can't be read: ${reason(error)}`,
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
  const words: Readonly<Record<string, string>> = {
    ENOENT: "there is none",
    EACCES: "permission denied",
    EISDIR: "it is a folder",
    EEXIST: "it exists already",
  };
  return (code === undefined ? undefined : words[code]) ?? code ?? message;
}
