import { CallFailed, Refusal } from "../../core/errors.ts";

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: "Check the owner and mode of the directory, or choose another with --state.",
  EPERM: "Check the owner and mode of the directory, or choose another with --state.",
  EROFS: "Choose a directory that can be written to with --state.",
  ENOSPC: "Free some space; nothing is changed without a record.",
  ENOTDIR: "Choose another directory with --state.",
};

/** Runs one piece of file work; what the system refuses becomes a CallFailed that names the path. */
export async function translate<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== "string" || error instanceof CallFailed || error instanceof Refusal) throw error;
    const remedy = REMEDIES[code];
    throw new CallFailed({
      system: "state",
      kind: code === "ENOENT" ? "missing" : "rejected",
      message: code === "ENOENT" ? `there is no ${path}` : `the state at ${path} can't be used: ${code}`,
      code,
      ...(remedy === undefined ? {} : { remedy }),
      cause: error,
    });
  }
}
