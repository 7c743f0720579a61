import { join } from "node:path";
import type { StatePort } from "../../core/ports.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";
import type { Host } from "../host.ts";

/** `--state`, `CDCCTL_STATE`, `$XDG_STATE_HOME/cdcctl`, `~/.local/state/cdcctl`: the first that is given; an empty variable gives nothing. */
export function openState(flags: { readonly state?: string | undefined }, { env }: Host): StatePort {
  const given = (name: string) => env[name] || undefined;
  const home = given("HOME") ?? given("USERPROFILE") ?? ".";
  const standard = join(given("XDG_STATE_HOME") ?? join(home, ".local", "state"), "cdcctl");
  return stateDirectory(flags.state ?? given("CDCCTL_STATE") ?? standard);
}
