import type { JournalEntry } from "../../core/run/journal.ts";

/** The PATCH among the calls that the journal names. */
export const PATCH = "PATCH";

/**
 * Checks each attempt of a call against the journal: the last entry announces exactly this call, and no attempt before
 * has used that entry. A client that repeats a call by itself is found by the second.
 *
 * @returns for a call by its name (`PUT stop orders-cdc`, or `PATCH`) and the journal when it arrives: what is wrong
 */
export function oneAttemptEach(): (call: string, entries: readonly JournalEntry[]) => string | undefined {
  const used = new Set<string>();
  return (call, entries) => {
    const [first, last] = [entries[0], entries.at(-1)];
    const announced = last?.type === "patch-sent" ? PATCH : last?.type === "call-sent" ? last.call : undefined;
    if (announced !== call) return `${call} came after the journal's ${last?.type ?? "nothing"}`;
    const entry = `${first?.type === "run-started" ? first.run : ""} ${last?.seq}`;
    if (used.has(entry)) return `${call} came twice for one entry of the journal`;
    used.add(entry);
    return undefined;
  };
}
