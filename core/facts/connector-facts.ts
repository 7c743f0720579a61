import type { CutoverFacts, OffsetChangeFacts, VerificationKnown } from "../../schemas/generated/facts.ts";

/**
 * The facts that any change of a connector is decided by; a plain value without secrets (`cdcctl observe` writes it to
 * a file). The connector, its offset and its database are required: if one of them can't be read there are no facts,
 * and the command fails with the reason. Everything else may be unknown.
 */
export interface ConnectorFacts extends Omit<OffsetChangeFacts, "kind" | "target"> {}

/** The verification that wrote an evidence file, by its digest; undefined if none of these did. */
export function verificationOf(
  digest: string,
  verifications: readonly VerificationKnown[],
): VerificationKnown | undefined {
  return verifications.findLast((verification) => verification.digest === digest);
}

/**
 * The facts that a takeover is decided by; a plain value without secrets. Database, redo and probes are those that the
 * new connector will mine, from the lowest SCN of the legacy connector's stored offsets on.
 */
export interface LegacyFacts
  extends Pick<
    CutoverFacts,
    "at" | "worker" | "database" | "redo" | "probes" | "transactions" | "times" | "legacy" | "openBefore"
  > {}

/** Facts with the settings of the connector that is changed; in a migration those of the new one. */
export type WithSettings<S> = { readonly connector: S } | { readonly settings: S };

/**
 * The settings of the connector that is changed, or checked before it is started; in a migration those of the new one,
 * as it has them or would be created with.
 */
export function settingsIn<S>(facts: WithSettings<S>): S {
  return "connector" in facts ? facts.connector : facts.settings;
}
