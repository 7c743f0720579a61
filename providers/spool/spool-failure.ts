import { CallFailed, Refusal } from "../../core/errors.ts";

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: "Check the owner and mode of the directory, or choose another with --work-dir.",
  EPERM: "Check the owner and mode of the directory, or choose another with --work-dir.",
  EROFS: "Choose a directory that can be written to with --work-dir.",
  ENOSPC: "Free some space and start again, which goes on from here; or choose another directory with --work-dir.",
  EDQUOT: "Free some space and start again, which goes on from here; or choose another directory with --work-dir.",
  ENOTDIR: "Choose another directory with --work-dir.",
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
      message: code === "ENOENT" ? `there is no ${path}` : `the working files at ${path} can't be used: ${code}`,
      code,
      ...(remedy === undefined ? {} : { remedy }),
      cause: error,
    });
  }
}

export function cutShort(path: string): CallFailed {
  return new CallFailed({
    system: "state",
    kind: "protocol",
    message: `${path} is shorter than what was written to it`,
    remedy: "Something else changed the work directory. Remove it, and start again.",
  });
}
