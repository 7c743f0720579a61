import type { ResnapshotIntent } from "../../document/intent.ts";
import type { ResnapshotFacts } from "../../facts/connector-facts.ts";
import { misplaced } from "../../facts/offset/origin.ts";
import { moveOffset } from "../../facts/offset/stored-offset.ts";
import type { Gap, Way } from "../../facts/redo/gap.ts";
import { capturedIn } from "../../facts/tables/captured-tables.ts";
import { type Evidence, evidenceOf } from "../../facts/tables/evidence.ts";
import type { CapturedSet, CapturedTable } from "../../facts/tables/tables.ts";
import type { JsonObject } from "../../values/json.ts";
import { type ConnectorReading, examine, leadsAhead, moveTo, readConnector, readStored } from "../connector/reading.ts";
import { gapOf } from "./gap.ts";
import { type NamedTable, namedTables, unlistedTables } from "./tables.ts";

/** What the facts of a resnapshot mean, for this intent. */
export interface ResnapshotReading extends ConnectorReading {
  readonly facts: ResnapshotFacts;
  readonly captured: CapturedSet;
  /** What the intent's tables stand for; empty while the captured set is not known. */
  readonly named: readonly NamedTable[];
  /** The tables as the signal names them, each once, in the operator's order. */
  readonly tables: readonly string[];
  /** Captured tables that the intent does not name. */
  readonly unlisted: readonly CapturedTable[];
  /** Of each unlisted table, what is known of its changes since the gap began; empty where there is none. */
  readonly evidence: ReadonlyMap<CapturedTable, Evidence>;
  readonly way: Way;
  readonly gap: Gap | undefined;
  /** The stored offset after the move. */
  readonly after: JsonObject | undefined;
}

export function readResnapshot(intent: ResnapshotIntent, facts: ResnapshotFacts): ResnapshotReading {
  const stored = readStored(facts);
  const captured = capturedIn(facts.connector.tables, facts.dictionary);
  const named = captured.known ? namedTables(intent.tables, captured.tables) : [];
  const unlisted = captured.known ? unlistedTables(intent, captured.tables) : [];
  const placed =
    stored.state === "stored" && misplaced(stored.offset, facts.database, facts.connector.name) === undefined;
  const redo = placed ? examine(facts, stored.offset.resumeScn) : undefined;
  const examined = redo?.known ? redo.value : undefined;
  const way = examined === undefined ? "unknown" : examined.complete ? "signal" : "past the gap";
  const gap = examined === undefined || examined.complete ? undefined : gapOf(examined, facts);
  const move = gap?.to === undefined ? undefined : moveTo(gap.to, stored);
  return {
    facts,
    stored,
    captured,
    named,
    tables: [...new Set(named.flatMap((one) => (one.found ? [one.table.fullName] : [])))],
    unlisted,
    evidence: gap === undefined ? new Map() : evidenceSince(gap, unlisted, facts),
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

/** Everything since the stored position is skipped, what lies before the first log that is gone included. */
function evidenceSince(
  { from, fromTime }: Gap,
  unlisted: readonly CapturedTable[],
  { activity, rowScns }: ResnapshotFacts,
): ReadonlyMap<CapturedTable, Evidence> {
  const evidence = evidenceOf(activity, rowScns, { scn: from, at: fromTime });
  return new Map(unlisted.map((table) => [table, evidence(table)]));
}
