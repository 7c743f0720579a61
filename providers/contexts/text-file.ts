import { stat } from "node:fs/promises";
import { UsageError } from "../../core/errors.ts";
import { redactSecrets } from "../../core/redaction/redact.ts";
import { showBytes } from "../../core/values/amounts.ts";
import { shellFile } from "../../core/values/shell-word.ts";
import { permissions, readBounded } from "../bounded-file.ts";

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

/** Receives a warning for the operator: a file with a secret that others can read. */
export type Warn = (warning: string) => void;

/**
 * Returns a warning if others may read a file with a secret.
 *
 * @param mode permission bits, as for `chmod`
 * @param holds its content: "passwords", "a private key"
 * @returns undefined if only its owner can, and on Windows, which has no such bits
 */
export function exposure(path: string, mode: number, holds = "passwords"): string | undefined {
  if (process.platform === "win32" || (mode & 0o044) === 0) return undefined;
  const who = (mode & 0o004) === 0 ? "its group" : "every user of this host";
  const command = `chmod 600 ${shellFile(path)}`;
  return `${path} holds ${holds} and ${who} can read it (mode ${mode.toString(8).padStart(4, "0")}): ${command}`;
}

/** Warns about a key store or a key file that others can read. A missing file fails when it is read. */
export async function warnOfKeyFile(path: string, warn: Warn | undefined): Promise<void> {
  const mode = await stat(path).then(permissions, () => 0);
  const warning = exposure(path, mode, "a private key");
  if (warning !== undefined) warn?.(warning);
}

/** Warns about a file whose settings contain literal secrets; references and masks do not count. */
export function warnOfSettings(
  { path, mode }: { readonly path: string; readonly mode: number },
  written: Readonly<Record<string, string>>,
  warn: Warn | undefined,
): void {
  const masked = redactSecrets(written);
  if (Object.keys(written).every((name) => masked[name] === written[name])) return;
  const warning = exposure(path, mode);
  if (warning !== undefined) warn?.(warning);
}
