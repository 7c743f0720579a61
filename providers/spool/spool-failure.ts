import { CallFailed } from "../../core/errors.ts";
import { fileWork } from "../file-failure.ts";

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: "Check the owner and mode of the directory, or choose another with --work-dir.",
  EPERM: "Check the owner and mode of the directory, or choose another with --work-dir.",
  EROFS: "Choose a directory that can be written to with --work-dir.",
  ENOSPC: "Free some space and start again to resume from here, or choose another directory with --work-dir.",
  EDQUOT: "Free some space and start again to resume from here, or choose another directory with --work-dir.",
  ENOTDIR: "Choose another directory with --work-dir.",
};

/** Runs file operations, with remedies for system errors. @throws CallFailed as `fileWork` */
export function translate<T>(path: string, work: () => Promise<T>): Promise<T> {
  return fileWork(path, "working files", REMEDIES, work);
}

export function truncated(path: string): CallFailed {
  return new CallFailed("state", "protocol", {
    message: `${path} is shorter than the data that was written to it`,
    remedy: "Another process changed the work directory. Remove it and start again.",
  });
}
