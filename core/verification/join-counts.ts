import type { Verdict } from "../../schemas/generated/verification-result.ts";
import { viewOf } from "../values/bytes.ts";
import type { JoinRules } from "./join-keys.ts";
import { entryOf, keyIndex, keyOfEntry } from "./key-index.ts";
import { Scratch } from "./scratch.ts";
import {
  compareScn,
  eventOf,
  isBeforeTruncate,
  nextTuple,
  ONE_LESS,
  SIDES,
  type Sides,
  scnBytes,
  TRUNCATE,
} from "./tuple.ts";
import { type KeyFinding, Tally } from "./verdict.ts";

export interface CountRules
  extends Pick<
    JoinRules,
    "checkScn" | "truncates" | "legacyCommitsKnown" | "legacySkipsTruncates" | "columns" | "first"
  > {
  /**
   * SCN at which the new connector started to mine; undefined if unknown. A legacy record at or above it may have been
   * delivered by both connectors.
   */
  readonly startScn: bigint | undefined;
}

/**
 * Compares a table without a key with its topics. Rows are distinguished by their values only, and counted: the inserts
 * and deletes of both topics must add up to what the table has.
 *
 * In the overlap both connectors deliver the same commits, and a row without a key does not show it. Legacy records at
 * or above the start SCN are therefore assumed to be delivered twice, as the takeover intends. If the count then
 * differs, but would match if only some of them were delivered twice, the row is in doubt.
 *
 * Rule: reference: connector settings, "What a cutover verification compares".
 */
export function joinCounts(tuples: Sides<Uint8Array>, rules: CountRules, scratch = new Scratch()): Verdict {
  scratch.clear();
  const index = keyIndex(
    SIDES.map((side) => tuples[side]),
    scratch,
  );
  const inTable = scratch.doubles(index.capacity);
  const inTopics = scratch.doubles(index.capacity);
  const moreInOverlap = scratch.doubles(index.capacity);
  const lessInOverlap = scratch.doubles(index.capacity);
  const moreByLegacy = scratch.doubles(index.capacity);
  const lessByLegacy = scratch.doubles(index.capacity);
  const check = scnBytes(rules.checkScn);
  const start = scnBytes(rules.startScn ?? 0n);
  const { newTopic, legacyTopic } = rules.truncates;
  const [table, ofNew, ofLegacy] = index.sources as [DataView, DataView, DataView];

  for (let row = 0; row < table.byteLength; row = nextTuple(table, row)) add(inTable, entryOf(index, 0, row), 1);
  for (let tuple = 0; tuple < ofNew.byteLength; tuple = nextTuple(ofNew, tuple)) {
    const change = changeAt(ofNew, tuple);
    if (change === 0 || (newTopic !== undefined && isBeforeTruncate(ofNew, tuple, newTopic))) continue;
    add(inTopics, entryOf(index, 1, tuple), change);
  }
  for (let tuple = 0; tuple < ofLegacy.byteLength; tuple = nextTuple(ofLegacy, tuple)) {
    const change = changeAt(ofLegacy, tuple);
    if (change === 0 || (legacyTopic !== undefined && isBeforeTruncate(ofLegacy, tuple, legacyTopic))) continue;
    if (newTopic !== undefined && compareScn(ofLegacy, tuple, scnBytes(newTopic.scn), 0) <= 0) continue;
    const entry = entryOf(index, 2, tuple);
    if (compareScn(ofLegacy, tuple, start, 0) < 0) {
      add(inTopics, entry, change);
      add(change > 0 ? moreByLegacy : lessByLegacy, entry, 1);
    } else add(change > 0 ? moreInOverlap : lessInOverlap, entry, 1);
  }

  const found = new Tally(rules.columns, rules.first);
  for (let entry = 0; entry < index.count; entry++) judge(entry);
  return found.verdict();

  /** The change that one record makes to the count of its row; 0 for a record that does not count. */
  function changeAt(data: DataView, tuple: number): -1 | 0 | 1 {
    const event = eventOf(data, tuple);
    if (event === TRUNCATE || compareScn(data, tuple, check, 0) > 0) return 0;
    return event === ONE_LESS ? -1 : 1;
  }

  function judge(entry: number): void {
    const table = inTable[entry] as number;
    const topics = inTopics[entry] as number;
    const key = keyOfEntry(index, entry);
    found.table.keys += table;
    found.topics.keys += Math.max(0, topics);
    const data = viewOf(key);
    found.table.rowHash.add(data, 0, key.length, table);
    found.topics.rowHash.add(data, 0, key.length, Math.max(0, topics));
    found.compared += Math.min(table, Math.max(0, topics));
    if (table === topics) return;
    const explained =
      table >= topics - (lessInOverlap[entry] as number) && table <= topics + (moreInOverlap[entry] as number);
    const reason = explained
      ? "overlap"
      : !rules.legacyCommitsKnown && mayBeLater(entry, table - topics)
        ? "commit-unknown"
        : rules.legacySkipsTruncates === true && topics > table
          ? "truncate-skipped"
          : "count-differs";
    found.add({ key, reason, columns: [], place: undefined, tableRow: undefined, topicRow: undefined } as KeyFinding);
  }

  /** Whether legacy records committed after the check SCN would explain the difference of a count. */
  function mayBeLater(entry: number, by: number): boolean {
    if (legacyTopic !== undefined) return true;
    const less = (lessInOverlap[entry] as number) + (moreByLegacy[entry] as number);
    const more = (moreInOverlap[entry] as number) + (lessByLegacy[entry] as number);
    return by >= -less && by <= more;
  }
}

function add(counts: Float64Array, entry: number, change: number): void {
  counts[entry] = (counts[entry] as number) + change;
}
