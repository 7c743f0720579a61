import { stat } from "node:fs/promises";
import { redactSecrets } from "../../core/redaction/redact.ts";

/** Takes a warning for the operator: a file with a secret that others can read. */
export type Warn = (warning: string) => void;

/**
 * Who else may read a file with a secret, as a warning.
 *
 * @param mode permission bits, as `chmod` takes them
 * @param holds what is in it: "passwords", "a private key"
 * @returns undefined where only its owner can, and on Windows, which has no such bits
 */
export function exposure(path: string, mode: number, holds = "passwords"): string | undefined {
  if (process.platform === "win32" || (mode & 0o044) === 0) return undefined;
  const who = (mode & 0o004) === 0 ? "its group" : "everybody on this host";
  return `${path} holds ${holds} and ${who} can read it (mode ${mode.toString(8).padStart(4, "0")}): chmod 600 ${path}`;
}

/** Warns of a key store or a key file that others can read. One that is not there fails where it is read. */
export async function warnOfKeyFile(path: string, warn: Warn | undefined): Promise<void> {
  const mode = await stat(path).then(
    (seen) => seen.mode & 0o777,
    () => 0,
  );
  const warning = exposure(path, mode, "a private key");
  if (warning !== undefined) warn?.(warning);
}

/** Warns of a file whose settings, as they are written, hold secrets; a reference is none, nor is a mask. */
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
