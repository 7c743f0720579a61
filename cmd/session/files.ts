import { access, constants, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { UsageError } from "../../core/errors.ts";

/** Reads a text file whole, or standard input for `-`. @throws UsageError naming the file; above `limit` bytes nothing is read */
export async function readText(path: string, limit: number): Promise<string> {
  const bytes = path === "-" ? await readInput(limit) : await readBytes(path, limit);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError({ file: path, message: "the file is not UTF-8 text", remedy: "Is it the right file?" });
  }
}

/** Before anybody is asked anything: that the files which are to be written in the end are not there yet, and can be. @throws UsageError naming the first */
export async function refuseExisting(paths: readonly (string | undefined)[]): Promise<void> {
  const named = paths.filter((path) => path !== undefined);
  for (const [at, path] of named.entries()) {
    const there = await stat(path).then(
      () => "it exists already",
      () => undefined,
    );
    const why = there ?? (named.indexOf(path) < at ? "it is named twice" : undefined);
    if (why !== undefined)
      throw new UsageError({ file: path, message: `the file can't be written: ${why}`, remedy: ANOTHER_NAME });
    await refuseFolder(path);
  }
}

/** That a file can be written into its folder: what was worked out for hours is lost where that shows only in the end. @throws UsageError */
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

async function readBytes(path: string, limit: number): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > limit) throw tooLarge(path, limit);
    const file = await open(path, "r");
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError({ file: path, message: `the file can't be read: ${reason(error)}` });
  }
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
    message: `the file is larger than ${limit / 1024 / 1024} MiB`,
    remedy: "Is it the right file?",
  });
}

function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOENT: "there is none",
    EACCES: "permission denied",
    EISDIR: "it is a folder",
    EEXIST: "it exists already",
  };
  return (code === undefined ? undefined : words[code]) ?? code ?? message;
}
