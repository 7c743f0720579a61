import type { Kind } from "../document/intent.ts";
import type { OffsetChangeFacts } from "./connector-facts.ts";
import type { ResnapshotFacts } from "./resnapshot-facts.ts";

/** What an intent of any kind is decided by. */
export type Facts = OffsetChangeFacts | ResnapshotFacts;
export type FactsOf<K extends Kind> = Extract<Facts, { kind: K }>;
