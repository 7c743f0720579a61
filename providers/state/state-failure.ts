import { fileWork } from "../file-failure.ts";

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: "Check the owner and mode of the directory, or choose another with --state.",
  EPERM: "Check the owner and mode of the directory, or choose another with --state.",
  EROFS: "Choose a directory that can be written to with --state.",
  ENOSPC: "Free some space; nothing is changed without a record.",
  ENOTDIR: "Choose another directory with --state.",
};

/** File work, with the ways out of what the system refuses. @throws CallFailed as `fileWork` */
export function translate<T>(path: string, work: () => Promise<T>): Promise<T> {
  return fileWork(path, "state", REMEDIES, work);
}
