import { UsageError } from "../../core/errors.ts";
import { showBytes } from "../../core/values/amounts.ts";
import { readBounded } from "../bounded-file.ts";

/** Configuration files are small; a log or an archive passed by mistake is not. */
const MAX_BYTES = 1024 * 1024;

export interface TextFile {
  readonly text: string;
  /** Permission bits, as for `chmod`. */
  readonly mode: number;
}

/**
 * Reads a UTF-8 text of at most 1 MiB. Messages never show its content.
 *
 * @param latin1 true: a text that is not UTF-8 is ISO-8859-1, as Java reads `.properties`
 * @param what for the message: "the contexts file"
 * @param from who named it, as for `readBounded`
 * @throws UsageError naming the file if it can't be read, is too large or is not text
 */
export async function readTextFile(
  path: string,
  what: string,
  { latin1 = false, from = "operator" }: { readonly latin1?: boolean; readonly from?: "operator" | "outside" } = {},
): Promise<TextFile> {
  const { bytes, mode } = await readBytes(path, what, from);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return { text, mode };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const text = bytes.includes(0) ? "" : Buffer.from(bytes).toString("latin1");
    if (latin1 && text !== "") return { text, mode };
  }
  throw new UsageError({
    message: `${what} is not UTF-8 text`,
    remedy: "Check that this is the right file.",
    file: path,
  });
}

async function readBytes(path: string, what: string, from: "operator" | "outside") {
  try {
    const read = await readBounded(path, MAX_BYTES, from);
    if (!("large" in read)) return read;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    const [fault, remedy] = FAULTS[code] ?? [`can't be read (${code})`, "Check the path."];
    throw new UsageError({ message: `${what} ${fault}: ${path}`, remedy, file: path });
  }
  throw new UsageError({
    message: `${what} is larger than ${showBytes(MAX_BYTES)}`,
    remedy: "Check that this is the right file.",
    file: path,
  });
}

const FAULTS: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ["is not there", "Check the path."],
  ENOTDIR: ["is not there", "Check the path: a part of it is a file, not a folder."],
  EACCES: ["may not be read", "Allow the user that runs cdcctl to read it."],
  EISDIR: ["is a folder", "Name a file in it."],
  NOT_REGULAR: ["is not a regular file", "Name one."],
};
