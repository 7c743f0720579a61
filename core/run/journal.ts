import type { RunEnded, RunJournal } from "../../schemas/generated/run-journal.ts";

/**
 * A run's journal: append-only, one entry before every call that changes something and one after it with its result.
 * The state of a run is a fold over its entries (`runState`), never a field that code has to remember to update.
 * Entries read back are checked by `schemas/run-journal.schema.json`, which says what each of them means.
 */
export type JournalEntry = RunJournal;

/** An entry before it has its number and time. */
export type JournalEvent = Unnumbered<JournalEntry>;
type Unnumbered<Entry> = Entry extends JournalEntry ? Omit<Entry, "seq" | "at"> : never;

export type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;
export type RunStarted = EventOf<"run-started">;
export type RunOutcome = RunEnded["outcome"];
