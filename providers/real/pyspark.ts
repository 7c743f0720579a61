import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { pythonPackages } from "./python-packages.ts";

/** Spark of one line, as PyPI has it. */
export interface PySpark {
  readonly submit: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * PySpark as `pythonPackages` installs it, about 300 MB. Also needs Java 17.
 *
 * @returns why it can't be run here
 */
export async function pyspark(version: string): Promise<PySpark | { readonly why: string }> {
  const folder = await pythonPackages(`pyspark==${version}`);
  if (typeof folder !== "string") return folder;
  const java = await promisify(execFile)("java", ["-version"]).catch((error: Error) => error);
  if (java instanceof Error) return { why: `there is no Java: ${java.message}` };
  const home = join(folder, "pyspark");
  return {
    submit: join(home, "bin", "spark-submit"),
    env: { SPARK_HOME: home, PYTHONPATH: folder, PYSPARK_PYTHON: "python3", SPARK_LOCAL_IP: "127.0.0.1" },
  };
}
