import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { Scn } from "../../values/scn.ts";

/** Everything an offset change is decided by, as observed; a plain value without secrets. */
export interface OffsetChangeFacts extends ConnectorFacts {
  readonly kind: "OffsetChange";
  /** The SCN that the position resolves to. */
  readonly target: TargetSeen;
}

/** For `earliestAvailable` and `restore` the SCN is derived from the catalogue and the run: see `pinTarget`. */
type TargetSeen =
  | { readonly by: "scn" | "restore" | "earliestAvailable" }
  | { readonly by: "timestamp"; readonly scn: Scn | undefined };
