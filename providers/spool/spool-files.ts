import { readSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { CallFailed } from "../../core/errors.ts";
import type { Slices, SpoolFile, SpoolWritten } from "../../core/ports/spool.ts";
import { fileWork } from "../bounded-file.ts";

const CHUNK = 2 ** 20;

/** A file that is appended to, with a running checksum. */
export function spoolFile(path: string, file: FileHandle, begun: SpoolWritten): SpoolFile {
  let { bytes, checksum } = begun;
  return {
    write: (parts) =>
      translate(path, async () => {
        const length = parts.reduce((sum, part) => sum + part.length, 0);
        const writing = file.writev([...parts], bytes);
        let next = checksum;
        // The function returns 0 for no bytes, whatever came before.
        for (const part of parts) if (part.length > 0) next = crc32(part, next);
        const { bytesWritten } = await writing;
        await writeRest(file, parts, bytesWritten, bytes);
        bytes += length;
        checksum = next;
      }),
    written: () => ({ bytes, checksum }),
    close: () => translate(path, () => file.close()),
  };
}

/** Writes all bytes: the system may write fewer than it was given. */
async function writeRest(
  file: FileHandle,
  parts: readonly Uint8Array[],
  written: number,
  position: number,
): Promise<void> {
  let skip = written;
  let next = position + written;
  for (const part of parts) {
    if (skip >= part.length) {
      skip -= part.length;
      continue;
    }
    let from = skip;
    skip = 0;
    while (from < part.length) {
      const { bytesWritten } = await file.write(part, from, part.length - from, next);
      from += bytesWritten;
      next += bytesWritten;
    }
  }
}

/** Whether a file begins with the given number of bytes with the given checksum. */
export async function beginsWith(path: string, { bytes, checksum }: SpoolWritten): Promise<boolean> {
  return translate(path, async () => {
    const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (file === undefined) return false;
    try {
      const chunk = new Uint8Array(CHUNK);
      let sum = 0;
      for (let at = 0; at < bytes; ) {
        const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK, bytes - at), at);
        if (bytesRead === 0) return false;
        sum = crc32(chunk.subarray(0, bytesRead), sum);
        at += bytesRead;
      }
      return sum === checksum;
    } finally {
      await file.close();
    }
  });
}

/**
 * Reads synchronously: recently written data is in the page cache, most reads are a few kilobytes, and a join has
 * nothing else to do. Passing each read to another thread takes ten times as long.
 *
 * @throws CallFailed for a file that ends before a slice does
 */
export async function readWhole(
  path: string,
  { fd }: FileHandle,
  { starts, lengths }: Slices,
  into: Uint8Array,
): Promise<void> {
  return translate(path, async () => {
    let done = 0;
    for (let nth = 0; nth < starts.length; nth++) {
      const end = done + (lengths[nth] as number);
      for (let at = starts[nth] as number; done < end; ) {
        const bytesRead = readSync(fd, into, done, end - done, at);
        if (bytesRead === 0) throw truncated(path);
        done += bytesRead;
        at += bytesRead;
      }
    }
  });
}

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: "Check the owner and mode of the directory, or choose another with --work-dir.",
  EPERM: "Check the owner and mode of the directory, or choose another with --work-dir.",
  EROFS: "Choose a directory that can be written to with --work-dir.",
  ENOSPC: "Free some space and start again to resume from here, or choose another directory with --work-dir.",
  EDQUOT: "Free some space and start again to resume from here, or choose another directory with --work-dir.",
  ENOTDIR: "Choose another directory with --work-dir.",
};

/** Runs file operations, with remedies for system errors. @throws CallFailed as `fileWork` */
export function translate<T>(path: string, work: () => Promise<T>): Promise<T> {
  return fileWork(path, "working files", REMEDIES, work);
}

function truncated(path: string): CallFailed {
  return new CallFailed("state", "protocol", {
    message: `${path} is shorter than the data that was written to it`,
    remedy: "Another process changed the work directory. Remove it and start again.",
  });
}
