import type { VerificationFacts } from "../../../schemas/generated/facts.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { reroutings } from "../../facts/connector/plugins.ts";
import { type CapturedSet, capturedIn, type TableToVerify } from "../../facts/tables/tables.ts";
import { newTopics } from "../migration/topics.ts";
import { strayKeys, verifiedTables } from "../migration/verified-tables.ts";

export interface VerificationReading {
  readonly facts: VerificationFacts;
  readonly captured: CapturedSet;
  /** What `verify.tables` stands for; empty while the captured set is not known. */
  readonly tables: readonly TableToVerify[];
  /**
   * Tables that `verify.topics`, `verify.legacyTopics` or `verify.ignoreColumns` names, and `verify.tables` does not.
   */
  readonly strays: readonly string[];
  /** Whether a topic may be the legacy connector's: by no name or transformation can the new one write to it. */
  readonly mayBeLegacy: (topic: string) => boolean;
}

export function readVerification(intent: MigrationIntent, facts: VerificationFacts): VerificationReading {
  const { settings } = facts;
  const captured = capturedIn(settings.tables, facts.dictionary);
  const written = newTopics(intent, facts, captured.known ? captured.tables : []);
  const told = written.known && reroutings(settings.config).length === 0;
  return {
    facts,
    captured,
    tables: captured.known ? verifiedTables(intent, facts, captured.tables) : [],
    strays: strayKeys(intent),
    mayBeLegacy: (topic) => told && !written.has(topic),
  };
}
