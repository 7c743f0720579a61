import { stat } from "node:fs/promises";
import { redactSecrets } from "../../core/redaction/redact.ts";
import { shellFile } from "../../core/values/shell-word.ts";
import { permissions } from "../bounded-file.ts";

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
