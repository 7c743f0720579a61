import type { Kind } from "../document/intent.ts";
import type { OffsetChangeFacts } from "./connector-facts.ts";
import type { MigrationFacts } from "./migration-facts.ts";
import type { ResnapshotFacts } from "./resnapshot-facts.ts";

/** What an intent of any kind is decided by. */
export type Facts = OffsetChangeFacts | ResnapshotFacts | MigrationFacts;
export type FactsOf<K extends Kind> = Extract<Facts, { kind: K }>;
