import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import type { Host } from "../host.ts";

/**
 * The operator's home folder; undefined where there is none. Never the working folder: that may be a checkout of
 * somebody's pull request, and what is read from the home folder decides who gets credentials.
 */
export function homeOf({ env }: Host): string | undefined {
  const named = env["HOME"] || env["USERPROFILE"];
  if (named !== undefined && named !== "") return isAbsolute(named) ? named : undefined;
  try {
    const own = homedir();
    return isAbsolute(own) ? own : undefined;
  } catch {
    return undefined;
  }
}
