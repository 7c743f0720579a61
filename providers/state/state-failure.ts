import { fileWork } from "../file-failure.ts";

const RIGHTS = "Check the owner and mode of the directory, or choose another with --state.";

/** By the system's own code. */
const REMEDIES: { readonly [code: string]: (path: string) => string } = {
  EACCES: () => RIGHTS,
  EPERM: () => RIGHTS,
  EROFS: () => "Choose a directory that can be written to with --state.",
  ENOSPC: (path) => `Free space on the file system of ${path}. Nothing is changed without a record.`,
  EDQUOT: (path) => `Free space in the quota for ${path}. Nothing is changed without a record.`,
  ENOTDIR: () => "Choose another directory with --state.",
};

/** File work, with the ways out of what the system refuses. @throws CallFailed as `fileWork` */
export function translate<T>(path: string, work: () => Promise<T>): Promise<T> {
  const remedies = Object.fromEntries(Object.entries(REMEDIES).map(([code, remedy]) => [code, remedy(path)]));
  return fileWork(path, "state", remedies, work);
}
