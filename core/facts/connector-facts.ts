import type { OffsetChangeFacts } from "../../schemas/generated/facts.ts";

/**
 * The facts that any change of a connector is decided by; a plain value without secrets (`cdcctl observe` writes it to
 * a file). The connector, its offset and its database are required: if one of them can't be read there are no facts,
 * and the command fails with the reason. Everything else may be unknown.
 */
export interface ConnectorFacts extends Omit<OffsetChangeFacts, "kind" | "target"> {}
