import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const INSTALL_MILLIS = 10 * 60_000;

/** A program that tests need, and its Debian package. */
export interface DebianProgram {
  /** The first of these in `PATH`. */
  readonly names: readonly string[];
  readonly package: string;
}

export function inPath(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether it is installed, or can be installed: by root on Debian. */
export function canBeHad({ names }: DebianProgram): boolean {
  return inPath(names) !== undefined || (process.getuid?.() === 0 && inPath(["apt-get"]) !== undefined);
}

/** Returns the path of the program, which is installed if missing. @throws Error naming what to install */
export async function programOf(wanted: DebianProgram): Promise<string> {
  const found = inPath(wanted.names);
  if (found !== undefined) return found;
  const { names, package: name } = wanted;
  if (!canBeHad(wanted)) throw new Error(`no ${names.join(" or ")} was found; install it (Debian: ${name})`);
  const run = promisify(execFile);
  const options = { timeout: INSTALL_MILLIS, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  await run("apt-get", ["update", "-q"], options);
  await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", name], options);
  const now = inPath(names);
  if (now === undefined) throw new Error(`apt-get installed ${name}, and there is no ${names.join(" or ")} in PATH`);
  return now;
}
