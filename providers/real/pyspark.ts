import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Spark of one line, as PyPI has it. */
export interface PySpark {
  readonly submit: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * PySpark with its dependencies in a folder of its own, in `$CDCCTL_TEST_CACHE` or `~/.cache/cdcctl-tests`: installed
 * once, about 300 MB. Needs Java 17, Python 3 with pip, and PyPI for the first time.
 *
 * @returns why it can't be run here
 */
export async function pyspark(version: string): Promise<PySpark | { readonly why: string }> {
  const cache = process.env["CDCCTL_TEST_CACHE"] ?? join(homedir(), ".cache", "cdcctl-tests");
  const folder = join(cache, `pyspark-${version}`);
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true });
    const draft = await mkdtemp(join(cache, "draft-"));
    try {
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", draft];
      await promisify(execFile)("python3", [...pip, `pyspark==${version}`], { timeout: 600_000 });
      await rename(draft, folder);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (!existsSync(folder)) return { why: `PySpark ${version} can't be installed: ${(error as Error).message}` };
    }
  }
  const java = await promisify(execFile)("java", ["-version"]).catch((error: Error) => error);
  if (java instanceof Error) return { why: `there is no Java: ${java.message}` };
  const home = join(folder, "pyspark");
  return {
    submit: join(home, "bin", "spark-submit"),
    env: { SPARK_HOME: home, PYTHONPATH: folder, PYSPARK_PYTHON: "python3", SPARK_LOCAL_IP: "127.0.0.1" },
  };
}
