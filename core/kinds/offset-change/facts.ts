import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { Scn } from "../../values/scn.ts";

/** Everything an offset change is decided by, as observed; a plain value without secrets. */
export interface OffsetChangeFacts extends ConnectorFacts {
  readonly kind: "OffsetChange";
  /** The SCN that the position resolves to. */
  readonly target: TargetSeen;
}

/** For all but a timestamp the SCN is derived from intent, catalogue, run and ops topic: see `pinTarget`. */
type TargetSeen =
  | { readonly by: "scn" | "restore" | "earliestAvailable" | "lastRecorded" }
  | { readonly by: "timestamp"; readonly scn: Scn | undefined };
