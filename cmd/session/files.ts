import { access, constants, lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../../core/errors.ts";
import { showBytes } from "../../core/values/amounts.ts";
import { NotRegular, readBounded } from "../../providers/bounded-file.ts";

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
    if (why !== undefined)
      throw new UsageError({ file: path, message: `the file cannot be written: ${why}`, remedy: ANOTHER_NAME });
    await refuseFolder(path);
  }
}

/**
 * Checks that a file can be written into its folder, before hours of work.
 * @throws UsageError
 */
export async function refuseFolder(path: string): Promise<void> {
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
  if (why !== undefined)
    throw new UsageError({
      file: path,
      message: `the file cannot be written: ${why}`,
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
  const words: Readonly<Record<string, string>> = {
    ENOENT: "no such file",
    EACCES: "permission denied",
    EISDIR: "it is a folder",
    EEXIST: "it already exists",
  };
  return (code === undefined ? undefined : words[code]) ?? code ?? message;
}
