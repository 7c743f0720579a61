import type { VerificationFacts } from "../../../schemas/generated/facts.ts";
import type { VerificationReading } from "../../checks/readings.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { reroutings } from "../../facts/connector/plugins.ts";
import { capturedIn } from "../../facts/tables/tables.ts";
import { newTopics } from "../migration/topics.ts";
import { strayKeys, verifiedTables } from "../migration/verified-tables.ts";

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
