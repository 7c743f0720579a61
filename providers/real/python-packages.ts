import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { cached } from "./cached.ts";

/**
 * Python packages with their dependencies in a cached folder of their own. Needs Python 3 with pip, and PyPI for the
 * first time.
 *
 * @param packages as `name==version`
 * @returns the folder, for `PYTHONPATH`, or why they can't be installed
 */
export async function pythonPackages(...packages: readonly string[]): Promise<string | { readonly why: string }> {
  const name = packages.map((one) => one.replace("==", "-")).join("_");
  try {
    return await cached(name, async (draft) => {
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", draft];
      await promisify(execFile)("python3", [...pip, ...packages], { timeout: 600_000 });
    });
  } catch (error) {
    const last = (error as Error).message.trim().split("\n").at(-1);
    return { why: `${packages.join(", ")} can't be installed: ${last}` };
  }
}
