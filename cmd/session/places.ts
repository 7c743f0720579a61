import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { UsageError } from "../../core/errors.ts";
import type { StatePort } from "../../core/ports/state.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";
import type { Host } from "../host.ts";
import { warningsTo } from "../screen.ts";

/**
 * `--state`, `CDCCTL_STATE`, `$XDG_STATE_HOME/cdcctl`, `~/.local/state/cdcctl`: opens the first that is set. Empty
 * variables and a relative `XDG_STATE_HOME` are ignored (XDG Base Directory Specification).
 */
export function openState(flags: { readonly state?: string | undefined }, host: Host): StatePort {
  return stateDirectory(flags.state ?? stateFolder(host));
}

/**
 * Looks at what a run is continued or rolled back by, before anything is opened for it.
 *
 * @throws Refusal `STA702` if another user may write it
 */
export async function demandOwnState(
  store: StatePort,
  of: { readonly clusterId: string; readonly connector: string },
  host: Host,
): Promise<void> {
  (await store.demandOwn(of, host.env)).forEach(warningsTo(host));
}

/** Without `--state`. */
export function stateFolder(host: Host): string {
  return host.env["CDCCTL_STATE"] || join(standardFolder(host), "cdcctl");
}

function standardFolder(host: Host): string {
  const xdg = host.env["XDG_STATE_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) return xdg;
  const home = homeOf(host);
  if (home !== undefined) return join(home, ".local", "state");
  throw new UsageError("no home folder to keep the state in", "Pass --state, or set CDCCTL_STATE.");
}

/**
 * The operator's home folder, if any. Never the working folder: that may be a checkout of a pull request, and files in
 * the home folder decide who gets credentials.
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
