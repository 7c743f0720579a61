import { join } from "node:path";
import type { StatePort } from "../../core/ports.ts";
import { stateDirectory } from "../../providers/state/state-directory.ts";
import type { Host } from "../host.ts";

/** `--state`, `CDCCTL_STATE`, `$XDG_STATE_HOME/cdcctl`, `~/.local/state/cdcctl`: the first that is given. */
export function openState(flags: { readonly state?: string | undefined }, { env }: Host): StatePort {
  const home = env["HOME"] ?? env["USERPROFILE"] ?? ".";
  const standard = join(env["XDG_STATE_HOME"] ?? join(home, ".local", "state"), "cdcctl");
  return stateDirectory(flags.state ?? env["CDCCTL_STATE"] ?? standard);
}
