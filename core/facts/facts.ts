import type { OffsetChangeFacts, ResnapshotFacts } from "./connector-facts.ts";
import type { MigrationFacts } from "./migration-facts.ts";

/** What an intent of any kind is decided by. */
export type Facts = OffsetChangeFacts | ResnapshotFacts | MigrationFacts;
