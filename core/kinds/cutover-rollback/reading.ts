import type { MigrationIntent, OpsFormat } from "../../document/intent.ts";
import { reroutings } from "../../facts/connector/plugins.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { isEmptyOffset } from "../../facts/offset/stored-offset.ts";
import { opsFormat, type RecordedChange, type RecordedEvent, recordedChanges } from "../../facts/ops/ops-event.ts";
import { capturedIn } from "../../facts/tables/captured-tables.ts";
import type { TakeoverReading } from "../../legacy/takeover.ts";
import { type PhaseDecided, takeoverOf, unknownNames, unknownSet } from "../migration/reading.ts";
import { legacyTopics, newTopics } from "../migration/topics.ts";
import type { ReturnFacts } from "./facts.ts";

export interface ReturnReading {
  readonly facts: ReturnFacts;
  readonly takeover: TakeoverReading;
  /**
   * Topics of the new connector that are deleted with it: none unless that is asked for, and never the ops topic, which
   * holds the record.
   */
  readonly newTopics: Observed<readonly string[]>;
  /**
   * Whether there is a stored offset to delete, and that to be recorded: a connector that never committed has none, nor
   * has it made its ops topic. What it stores before it is stopped, the recheck sees.
   */
  readonly changesOffset: boolean;
  readonly changes: Observed<readonly RecordedChange<RecordedEvent>[]>;
  readonly opsFormat: OpsFormat | undefined;
}

export function readReturn(intent: MigrationIntent, facts: ReturnFacts): ReturnReading {
  return {
    facts,
    takeover: takeoverOf(intent, facts),
    newTopics: newTopicsOf(intent, facts),
    changesOffset: facts.next?.offsets.some(({ offset }) => !isEmptyOffset(offset)) ?? false,
    changes: mapObserved(facts.opsHistory, ({ events }) => recordedChanges(events, intent.to.name)),
    opsFormat: opsFormat(intent.opsFormat, facts.settings),
  };
}

/** What both connectors could have written to stays: the legacy one goes on with it. */
function newTopicsOf(intent: MigrationIntent, facts: ReturnFacts): ReturnReading["newTopics"] {
  const { legacy, settings, topics } = facts;
  if (!intent.deleteTopics) return { known: true, value: [], source: "spec.deleteTopics", at: facts.at };
  const captured = capturedIn(settings.tables, facts.dictionary);
  if (!captured.known) return unknownSet(captured, facts);
  // That the plan file names a topic does not make it this connector's alone.
  const written = newTopics({ verify: undefined }, facts, captured.tables);
  if (!written.known) return unknownNames(written.why, facts);
  const [rerouting] = reroutings(legacy.config);
  if (rerouting !== undefined)
    return unknownNames(`records of ${legacy.name} go through ${rerouting.name}, which may write them there`, facts);
  return mapObserved(topics, (there) => {
    const old = new Set(legacyTopics(intent, legacy, captured.tables, there).map(({ topic }) => topic));
    return there.filter((topic) => written.has(topic) && !old.has(topic) && topic !== settings.opsTopic).sort();
  });
}

export interface ReturnDecided extends PhaseDecided<"rollback"> {
  readonly leaveOut: readonly string[];
  /** The topics to delete; left out where none is asked for. */
  readonly topics?: readonly string[];
}
