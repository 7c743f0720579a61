import { type DebeziumPast, debezium } from "../../../providers/sandbox/debezium/legacy-task.ts";
import { scenarioNamed } from "../../../providers/sandbox/scenarios.ts";
import type { TranscriptWorld } from "../steady.ts";

/** The scenario with another Debezium. */
function leaving(past: DebeziumPast): TranscriptWorld {
  return { ...scenarioNamed("migration-debezium"), options: { migration: debezium(past) } };
}

/** The worlds of transcripts in which Debezium is left, or audited. */
export const DEBEZIUM_WORLDS: Readonly<Record<string, TranscriptWorld>> = {
  "migration-debezium": leaving({}),
  /** Its offset has the form since 3.2: the last event that it sent is in it. */
  "migration-debezium-3-6": leaving({ version: "3.6.1.Final" }),
  /** Rows of a time before a truncate are left in its topic, and it does not deliver the truncate. */
  "migration-debezium-truncated": leaving({ version: "3.6.1.Final", skippedTruncate: true }),
  /** It has lost changes without a word. */
  "migration-debezium-lossy": leaving({ lossy: true }),
};
