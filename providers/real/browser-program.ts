import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const INSTALL_MILLIS = 10 * 60_000;

/** A Chromium of this machine: the one that `CDCCTL_TEST_BROWSER` names, or the first in `PATH`. */
function installed(): string | undefined {
  const named = process.env["CDCCTL_TEST_BROWSER"];
  if (named !== undefined && named !== "") return named;
  return inPath(NAMES);
}

function inPath(names: readonly string[]): string | undefined {
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

/** Whether one can be had: where it is Debian, root may install it. */
function installable(): boolean {
  return process.getuid?.() === 0 && inPath(["apt-get"]) !== undefined;
}

/** Why no browser can be driven here; undefined when one can. */
export function missingForBrowser(): string | undefined {
  if (installed() !== undefined || installable()) return undefined;
  return "no Chromium was found; install it (Debian: apt-get install chromium), or name one in CDCCTL_TEST_BROWSER";
}

/** The browser's program; installed first where there is none. */
export async function browserProgram(): Promise<string> {
  const found = installed();
  if (found !== undefined) return found;
  const missing = missingForBrowser();
  if (missing !== undefined) throw new Error(missing);
  const run = promisify(execFile);
  const options = { timeout: INSTALL_MILLIS, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  await run("apt-get", ["update", "-q"], options);
  await run("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"], options);
  const now = installed();
  if (now === undefined) throw new Error("apt-get installed chromium, and there is none in PATH");
  return now;
}
