import { open } from "node:fs/promises";
import { UsageError } from "../../core/errors.ts";

/** Configuration files are small; a log or an archive named by mistake is not. */
const MAX_BYTES = 1024 * 1024;

export interface TextFile {
  readonly text: string;
  /** Permission bits, as `chmod` takes them. */
  readonly mode: number;
}

/**
 * Reads a UTF-8 text of at most 1 MiB. Never shows what is in it.
 *
 * @param what for the message: "the contexts file"
 * @throws UsageError naming the file when it can't be read, is too large or is no text
 */
export async function readTextFile(path: string, what: string): Promise<TextFile> {
  const { bytes, mode } = await readBytes(path, what);
  if (bytes.length > MAX_BYTES)
    throw new UsageError({
      message: `${what} is larger than ${MAX_BYTES} bytes`,
      remedy: "is it another file?",
      file: path,
    });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return { text, mode };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new UsageError({ message: `${what} is no UTF-8 text`, remedy: "is it another file?", file: path });
}

async function readBytes(path: string, what: string): Promise<{ readonly bytes: Uint8Array; readonly mode: number }> {
  try {
    const file = await open(path, "r");
    try {
      const { mode } = await file.stat();
      // One byte more than allowed is enough to know; a device or a pipe has no size to look at.
      const buffer = Buffer.alloc(MAX_BYTES + 1);
      let length = 0;
      while (length < buffer.length) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return { bytes: buffer.subarray(0, length), mode: mode & 0o777 };
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    const [fault, remedy] = FAULTS[code] ?? [`can't be read (${code})`, "check the path"];
    throw new UsageError({ message: `${what} ${fault}: ${path}`, remedy, file: path });
  }
}

const FAULTS: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ["is not there", "check the path"],
  ENOTDIR: ["is not there", "check the path: a part of it is a file, not a folder"],
  EACCES: ["may not be read", "give the user that runs cdcctl the right to read it"],
  EISDIR: ["is a folder", "name a file in it"],
};
