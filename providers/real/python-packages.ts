import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Python packages with their dependencies in a folder of their own, in `$CDCCTL_TEST_CACHE` or `~/.cache/cdcctl-tests`:
 * installed once. Needs Python 3 with pip, and PyPI for the first time.
 *
 * @param packages as `name==version`
 * @returns the folder, for `PYTHONPATH`, or why they can't be installed
 */
export async function pythonPackages(...packages: readonly string[]): Promise<string | { readonly why: string }> {
  const cache = process.env["CDCCTL_TEST_CACHE"] ?? join(homedir(), ".cache", "cdcctl-tests");
  const folder = join(cache, packages.map((one) => one.replace("==", "-")).join("_"));
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", draft];
    await promisify(execFile)("python3", [...pip, ...packages], { timeout: 600_000 });
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const last = (error as Error).message.trim().split("\n").at(-1);
    if (!existsSync(folder)) return { why: `${packages.join(", ")} can't be installed: ${last}` };
  }
  return folder;
}
