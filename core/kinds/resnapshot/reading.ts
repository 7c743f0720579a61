import type { ResnapshotIntent } from "../../document/intent.ts";
import { type CapturedSet, type CapturedTable, capturedTables } from "../../facts/captured-tables.ts";
import type { RedoExamination } from "../../facts/redo-examination.ts";
import { restoreCommands } from "../../facts/redo-restore.ts";
import type { ResnapshotFacts } from "../../facts/resnapshot-facts.ts";
import { moveOffset } from "../../facts/stored-offset.ts";
import type { Gap } from "../../plan/plan.ts";
import type { Instant } from "../../values/instant.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import { type ConnectorReading, examine, leadsAhead, moveTo, readConnector, readStored } from "../connector/reading.ts";
import { type NamedTable, namedTables, unlistedTables } from "./tables.ts";

/** What the facts of a resnapshot mean, for this intent. */
export interface ResnapshotReading extends ConnectorReading {
  readonly facts: ResnapshotFacts;
  readonly captured: CapturedSet;
  /** What the intent's tables stand for; empty while the captured set is not known. */
  readonly named: readonly NamedTable[];
  /** Captured tables that the intent does not name. */
  readonly unlisted: readonly CapturedTable[];
  /**
   * - `signal`: redo is all there from the stored position on; the offset stays. `past the gap`: it moves. `unknown`: whether redo is gone can't be
   *   told, or nothing is stored.
   */
  readonly way: "signal" | "past the gap" | "unknown";
  readonly gap: Gap | undefined;
  /** The stored offset after the move. */
  readonly after: JsonObject | undefined;
}

export function readResnapshot(intent: ResnapshotIntent, facts: ResnapshotFacts): ResnapshotReading {
  const stored = readStored(facts);
  const captured: CapturedSet = facts.dictionary.known
    ? capturedTables(facts.connector.tables, facts.dictionary.value)
    : {
        known: false,
        why: facts.dictionary.why,
        remedies: facts.dictionary.remedy === undefined ? [] : [facts.dictionary.remedy],
      };
  const from = stored.state === "stored" ? stored.offset.resumeScn : undefined;
  const redo = from === undefined ? undefined : examine(facts, from);
  const examined = redo?.known ? redo.value : undefined;
  const way = examined === undefined ? "unknown" : examined.complete ? "signal" : "past the gap";
  const gap = examined === undefined || examined.complete ? undefined : gapOf(examined, facts);
  const move = gap?.to === undefined ? undefined : moveTo(gap.to, stored);
  return {
    facts,
    stored,
    captured,
    named: captured.known ? namedTables(intent.tables, captured.tables) : [],
    unlisted: captured.known ? unlistedTables(intent, captured.tables) : [],
    way,
    gap,
    after:
      stored.state === "stored" && gap?.to !== undefined
        ? moveOffset(stored.offset, { scn: gap.to, forget: "none" })
        : undefined,
    redo,
    changesOffset: way !== "signal",
    ...readConnector(facts, { move, tears: leadsAhead(move), asked: intent.opsFormat }),
  };
}

function gapOf(
  { faults, from, firstAvailable: to }: RedoExamination,
  { times, database }: Pick<ResnapshotFacts, "times" | "database">,
): Gap {
  const at = (scn: Scn | undefined): Instant | undefined =>
    times.known ? times.value.find((time) => time.scn === scn)?.at : undefined;
  const [first] = faults;
  return {
    code: first?.code ?? "CDC-2001",
    message: faults.map(({ message }) => message).join("; "),
    from,
    to: to !== undefined && to <= database.currentScn ? to : undefined,
    fromTime: at(from) ?? first?.firstTime,
    toTime: at(to) ?? faults.at(-1)?.nextTime,
    restore: restoreCommands(faults),
  };
}
