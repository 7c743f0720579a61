import type { RecordedEvent } from "../../../schemas/generated/facts.ts";
import type { Instant } from "../../values/instant.ts";
import type { Advice } from "../../values/remedy.ts";
import type { ConnectorFacts } from "../connector-facts.ts";
import { beganAt, carriedOffset, recordedChanges } from "../ops/ops-event.ts";
import { fromElsewhere } from "./origin.ts";
import { decodeOffset, type StoredOffset, type StoredReading, sameOffset, undecoded } from "./stored-offset.ts";

/** The last offset that a run has stored, as the ops topic records it. */
export interface LastRecorded {
  readonly offset: StoredOffset;
  readonly run: string | undefined;
  readonly at: Instant;
}

/** Why there is none to write back. */
export interface NotRecorded {
  readonly why: string;
  readonly remedies: readonly Advice[];
}

/**
 * Finds the offset that the ops topic records last as applied for a connector, to replace one that the task does not
 * take. Anyone who can write to the topic can write any record: it counts only if the task takes what it carries, in
 * this database. An offset that the task takes is never replaced, since commits were acknowledged in it since.
 */
export function lastRecorded(
  { opsHistory, connector, database }: Pick<ConnectorFacts, "opsHistory" | "connector" | "database">,
  stored: StoredReading,
): LastRecorded | NotRecorded {
  if (!opsHistory.known)
    return { why: `the ops topic could not be read: ${opsHistory.why}`, remedies: opsHistory.remedies ?? [] };
  const last = lastApplied(opsHistory.value.events, connector);
  const remedies = ["Give the SCN itself: spec.scn, once a readable offset is stored."];
  if (last === undefined) return { why: `${connector.opsTopic} records no stored offset of this connector`, remedies };
  const { new_offset: text, run } = last.details;
  const raw = carriedOffset(text);
  if (raw == null) return { why: `the last applied change in ${connector.opsTopic} carries no offset`, remedies };
  const decoded = decodeOffset(raw);
  if (!decoded.ok)
    return { why: `what ${connector.opsTopic} records last is refused: ${undecoded(decoded).seen}`, remedies };
  const elsewhere = fromElsewhere(decoded.offset, database, connector.name);
  if (elsewhere !== undefined)
    return { why: `what ${connector.opsTopic} records last is refused: ${elsewhere.seen}`, remedies };
  if (stored.state === "stored" && isTaken(stored.offset) && !sameOffset(stored.offset.raw, raw))
    return {
      why: "the task takes the stored offset; the last recorded one would repeat what was delivered since",
      remedies: ["To move it, give spec.scn, spec.timestamp or spec.earliestAvailable."],
    };
  if (stored.state !== "stored" && stored.state !== "unreadable")
    return {
      why: "it replaces only an offset under this connector's partition that can't be read; none is stored",
      remedies,
    };
  return { offset: decoded.offset, run, at: beganAt(last) };
}

/** The change of a connector that its ops topic records last as applied. */
export function lastApplied(
  events: readonly RecordedEvent[],
  connector: Pick<ConnectorFacts["connector"], "name" | "prefix">,
): RecordedEvent | undefined {
  const own = events.filter(({ server }) => server === connector.prefix);
  return recordedChanges(own, connector.name).findLast(({ outcome }) => outcome === "applied")?.event;
}

/** Whether the task takes it, as far as its identity is concerned. */
export function isTaken({ dbid, resetlogsScn }: Pick<StoredOffset, "dbid" | "resetlogsScn">): boolean {
  return dbid !== undefined && resetlogsScn !== undefined;
}
