import type { DoubtReason, FailureReason } from "../../schemas/generated/shared.ts";
import type { DecidedBy, Truncates, Verdict } from "../../schemas/generated/verification-result.ts";
import { ByteSink } from "../values/byte-sink.ts";
import { sameWords } from "../values/bytes.ts";
import type { ByteWork } from "./byte-work.ts";
import { compareRows } from "./canonical-row.ts";
import { addKeyHash, entryOf, type KeyIndex, keyIndex, keyOfEntry } from "./key-index.ts";
import { Scratch } from "./scratch.ts";
import { foldKey, type KeyState } from "./topic-state.ts";
import {
  compareOffset,
  compareScn,
  eventOf,
  GONE,
  isBeforeTruncate,
  keyEnd,
  keyOf,
  keyStart,
  partitionOf,
  placeOf,
  ROW_IN_PART,
  rowOf,
  SIDES,
  type Sides,
  SNAPSHOT,
  scnBytes,
  TRUNCATE,
  tupleEnd,
  UNREADABLE,
} from "./tuple.ts";
import { type KeyFinding, Tally } from "./verdict.ts";

export interface JoinRules {
  readonly checkScn: bigint;
  readonly truncates: Truncates;
  /** Whether a topic's `cleanup.policy` removes older records of a key. */
  readonly newTopicCompacted: boolean;
  readonly legacyTopicCompacted: boolean;
  /**
   * Whether a deletion may no longer be in the new topic: compaction also removes tombstones, and retention removes old
   * records.
   */
  readonly newTopicForgetsDeletes: boolean;
  /**
   * Whether every counted legacy record is known to have been committed by the check SCN. Its SCN alone does not show
   * this: it may be the SCN of the change.
   */
  readonly legacyCommitsKnown: boolean;
  /** Whether the legacy records hold whole rows, so that a key that they alone hold is compared too. */
  readonly legacyRows?: boolean;
  /** Whether the legacy connector does not deliver truncates. */
  readonly legacySkipsTruncates?: boolean;
  readonly columns: number;
  /** Their defaults, as fields of a canonical row; undefined if unknown. */
  readonly defaults?: readonly (Uint8Array | undefined)[];
  /** Maximum number of keys that are named. */
  readonly first: number;
}

const ABOVE = 1;
const SNAPSHOT_ABOVE = 2;
const TRUNCATED = 4;
const SLOW = 8;
const TWICE = 16;
const LEGACY_ABOVE = 32;
const LEGACY_SLOW = 64;

/**
 * Compares the table with what the topics hold at the check SCN, key by key.
 *
 * A key that only the legacy connector delivered is present if the table has it; its values are compared only if its
 * records hold whole rows. Every key that the new connector delivered is compared value by value.
 *
 * Rule: specification, "Start, verification and rollback"; reference: connector settings, "What a cutover verification
 * compares".
 */
export function joinKeys(
  tuples: Sides<Uint8Array>,
  rules: JoinRules,
  work: ByteWork,
  scratch = new Scratch(),
): Verdict {
  scratch.clear();
  const seen = keysSeen(tuples, rules, scratch);
  const found = new Tally(rules.columns, rules.first);
  const judge = judgeOf(seen, rules, work, found);
  for (let entry = 0; entry < seen.index.count; entry++) judge(entry);
  return found.verdict();
}

/** What was read of each key, by its entry in the index. */
type KeysSeen = ReturnType<typeof keysSeen>;

function keysSeen(tuples: Sides<Uint8Array>, rules: JoinRules, scratch: Scratch) {
  const index = keyIndex(
    SIDES.map((side) => tuples[side]),
    scratch,
  );
  const [table, newTopic, legacyTopic] = index.sources as [DataView, DataView, DataView];
  const tableAt = scratch.ints(index.capacity, -1);
  const newAt = scratch.ints(index.capacity, -1);
  const legacyAt = scratch.ints(index.capacity, -1);
  const flags = scratch.bytes(index.capacity);
  const check = scnBytes(rules.checkScn);
  let flagged = 0;

  // The index has found all tuples to be whole. A view's length is a call, and is taken once.
  for (let tuple = 0, { byteLength } = table; tuple < byteLength; tuple = tupleEnd(table, tuple)) {
    const entry = entryOf(index, 0, tuple);
    if ((tableAt[entry] as number) >= 0) flag(entry, TWICE);
    else tableAt[entry] = tuple;
  }
  keepLast(newTopic, 1, newAt, rules.truncates.newTopic, ABOVE, SLOW);
  keepLast(legacyTopic, 2, legacyAt, rules.truncates.legacyTopic, LEGACY_ABOVE, LEGACY_SLOW);
  for (const [data, lastAt, slow] of [
    [newTopic, newAt, SLOW],
    [legacyTopic, legacyAt, LEGACY_SLOW],
  ] as const)
    for (let entry = 0; entry < index.count; entry++) {
      const last = lastAt[entry] as number;
      if (last >= 0 && eventOf(data, last) === ROW_IN_PART) flag(entry, slow);
    }
  const slowNew = foldSlow(newTopic, 1, SLOW, rules.truncates.newTopic);
  const slowLegacy = foldSlow(legacyTopic, 2, LEGACY_SLOW, rules.truncates.legacyTopic);
  return { index, table, newTopic, legacyTopic, tableAt, newAt, legacyAt, flags, slowNew, slowLegacy };

  function flag(entry: number, what: number): void {
    flags[entry] = (flags[entry] as number) | what;
    flagged |= what;
  }

  /** Keeps, for each key, the last record of a topic that counts at the check SCN. */
  function keepLast(
    data: DataView,
    source: 1 | 2,
    lastAt: Int32Array,
    truncate: Truncates["newTopic"],
    above: number,
    slow: number,
  ): void {
    for (let tuple = 0, { byteLength } = data; tuple < byteLength; tuple = tupleEnd(data, tuple)) {
      const event = eventOf(data, tuple);
      if (event === TRUNCATE) continue;
      const entry = entryOf(index, source, tuple);
      if (compareScn(data, tuple, check, 0) > 0) {
        flag(entry, event === SNAPSHOT && source === 1 ? above | SNAPSHOT_ABOVE : above);
        continue;
      }
      if (truncate !== undefined && isBeforeTruncate(data, tuple, truncate)) {
        if (source === 1) flag(entry, TRUNCATED);
        continue;
      }
      const last = lastAt[entry] as number;
      if (last < 0) lastAt[entry] = tuple;
      else if (partitionOf(data, last) !== partitionOf(data, tuple)) flag(entry, slow);
      else if (compareOffset(data, tuple, last) > 0) lastAt[entry] = tuple;
    }
  }

  /** Reads the records again of keys whose last record is not sufficient. */
  function foldSlow(
    data: DataView,
    source: 1 | 2,
    slow: number,
    truncate: Truncates["newTopic"],
  ): ReadonlyMap<number, KeyState> {
    if ((flagged & slow) === 0) return new Map();
    const lists = new Map<number, number[]>();
    for (let tuple = 0, { byteLength } = data; tuple < byteLength; tuple = tupleEnd(data, tuple)) {
      if (eventOf(data, tuple) === TRUNCATE) continue;
      const entry = entryOf(index, source, tuple);
      if (((flags[entry] as number) & slow) === 0 || compareScn(data, tuple, check, 0) > 0) continue;
      if (truncate !== undefined && isBeforeTruncate(data, tuple, truncate)) continue;
      const known = lists.get(entry);
      if (known === undefined) lists.set(entry, [tuple]);
      else known.push(tuple);
    }
    return new Map([...lists].map(([entry, list]) => [entry, foldKey(data, list)]));
  }
}

/** Judges one key, by its entry in the index, and adds what it finds. */
function judgeOf(seen: KeysSeen, rules: JoinRules, work: ByteWork, found: Tally): (entry: number) => void {
  const { index, table, newTopic, legacyTopic, tableAt, newAt, legacyAt, flags, slowNew, slowLegacy } = seen;
  return judge;

  function judge(entry: number): void {
    const bits = flags[entry] as number;
    const inTable = (tableAt[entry] as number) >= 0;
    if (inTable) addKey(found.table, index, entry);
    if ((bits & TWICE) !== 0) {
      report(entry, "key-not-unique");
      return;
    }
    const delivered = (newAt[entry] as number) >= 0 || (bits & TRUNCATED) !== 0;
    if (delivered) judgeDelivered(entry, inTable);
    else judgeLegacy(entry, bits, inTable);
  }

  /** The table's key was added just before, so its hash is available. */
  function addTopicsKey(entry: number, inTable: boolean): void {
    if (!inTable) {
      addKey(found.topics, index, entry);
      return;
    }
    found.topics.keys += 1;
    found.topics.keyHash.addSame(found.table.keyHash);
  }

  function judgeDelivered(entry: number, inTable: boolean): void {
    const slow = slowNew.get(entry);
    if (slow?.is === "disagreed") {
      report(entry, "partitions-disagree");
      return;
    }
    const at = newAt[entry] as number;
    const held = slow === undefined ? at >= 0 && eventOf(newTopic, at) !== GONE : slow.is === "row";
    // Compaction removes the older records of a key, never the newest. If a record that counts is left, it is the last
    // one that counts.
    if (held) {
      addTopicsKey(entry, inTable);
      if (inTable) compare(entry, "new", newTopic, at, slow);
      else report(entry, "still-in-topic");
    } else if (inTable) report(entry, "deleted-in-topic");
  }

  function judgeLegacy(entry: number, bits: number, inTable: boolean): void {
    const held = legacyHeld(seen, rules, entry);
    if (typeof held === "string") {
      report(entry, held);
      return;
    }
    if (held) addTopicsKey(entry, inTable);
    const hidden = rules.newTopicCompacted && (bits & ABOVE) !== 0;
    const hiddenLegacy = rules.legacyTopicCompacted && (bits & LEGACY_ABOVE) !== 0 && (legacyAt[entry] as number) < 0;
    if (!inTable && !held) return;
    if (hidden) report(entry, "only-above-check-scn");
    else if (!inTable) report(entry, whyOnlyLegacy(seen, rules, entry));
    else if ((bits & SNAPSHOT_ABOVE) !== 0) report(entry, "snapshot-after-check-scn");
    else if (held && rules.legacyRows === true)
      compare(entry, "legacy", legacyTopic, legacyAt[entry] as number, slowLegacy.get(entry));
    else if (held) found.byLegacy += 1;
    else if (hiddenLegacy) report(entry, "only-above-check-scn");
    else if (mayBeGoneLater(seen, rules, entry)) report(entry, "commit-unknown");
    else report(entry, "in-neither-topic");
  }

  function compare(
    entry: number,
    side: "new" | "legacy",
    topic: DataView,
    right: number,
    slow: KeyState | undefined,
  ): void {
    const folded = slow?.is === "row" ? slow : undefined;
    found.compared += 1;
    const left = tableAt[entry] as number;
    const start = keyStart(table, left);
    const end = tupleEnd(table, left);
    found.table.rowHash.add(table, start, end);
    const same = folded === undefined ? sameRow(table, left, topic, right) : work.same(rowOf(table, left), folded.row);
    if (same) {
      found.topics.rowHash.addSame(found.table.rowHash);
      return;
    }
    const tableRow = rowOf(table, left);
    const topicRow = folded?.row ?? rowOf(topic, right);
    const { different, unavailable, added, byDefault } = compareRows(tableRow, topicRow, rules.defaults);
    for (const column of unavailable) found.unavailable[column] = (found.unavailable[column] ?? 0) + 1;
    for (const column of byDefault) found.byDefault[column] = (found.byDefault[column] ?? 0) + 1;
    if (different.length === 0 && added.length === 0) {
      found.topics.rowHash.addSame(found.table.rowHash);
      return;
    }
    const sink = new ByteSink();
    const key = keyOf(table, left);
    sink.copy(key, 0, key.length);
    sink.copy(topicRow, 0, topicRow.length);
    found.topics.rowHash.add(sink.data, 0, sink.length);
    found.add({
      key: keyOfEntry(index, entry),
      reason: different.length > 0 ? whyDifferent(seen, rules, entry, side) : "column-added",
      columns: different.length > 0 ? different : added,
      place: { topic: side, ...(folded?.place ?? placeOf(topic, right)) },
      tableRow,
      topicRow,
    } as KeyFinding);
  }

  function report(entry: number, reason: FailureReason | DoubtReason): void {
    const left = tableAt[entry] as number;
    const folded = slowNew.get(entry);
    found.add({
      key: keyOfEntry(index, entry),
      reason,
      columns: [],
      place: placeThatDecided(seen, rules, entry),
      tableRow: left >= 0 ? rowOf(table, left) : undefined,
      topicRow: folded === undefined ? lastRow(seen, entry) : folded.is === "row" ? folded.row : undefined,
    } as KeyFinding);
  }
}

/**
 * Whether the delete or truncate that removed the key from the legacy topic may have been committed after the check
 * SCN.
 */
function mayBeGoneLater({ legacyAt }: KeysSeen, rules: JoinRules, entry: number): boolean {
  if (rules.legacyCommitsKnown) return false;
  return (legacyAt[entry] as number) >= 0 || rules.truncates.legacyTopic !== undefined;
}

function legacyHeld(
  { legacyTopic, legacyAt, slowLegacy }: KeysSeen,
  rules: JoinRules,
  entry: number,
): boolean | DoubtReason {
  const slow = slowLegacy.get(entry);
  const at = legacyAt[entry] as number;
  if (at < 0) return false;
  const event = eventOf(legacyTopic, at);
  const is = slow?.is ?? (event === GONE ? "gone" : event === UNREADABLE ? "unreadable" : "row");
  if (is === "disagreed") return "partitions-disagree";
  if (is === "unreadable") return "legacy-unreadable";
  if (is === "gone") return false;
  // The new topic has a later truncate, and no record of this key.
  const truncate = rules.truncates.newTopic;
  return truncate === undefined || (slow?.place ?? placeOf(legacyTopic, at)).scn > truncate.scn;
}

function whyOnlyLegacy(seen: KeysSeen, rules: JoinRules, entry: number): FailureReason | DoubtReason {
  if (!rules.legacyCommitsKnown || ofUnknownCommit(seen, rules, entry)) return "commit-unknown";
  if (rules.newTopicForgetsDeletes) return "delete-not-kept";
  return rules.legacySkipsTruncates === true ? "truncate-skipped" : "only-in-legacy-topic";
}

function whyDifferent(seen: KeysSeen, rules: JoinRules, entry: number, side: "new" | "legacy") {
  if (side === "new") return "values-differ";
  return ofUnknownCommit(seen, rules, entry) ? "commit-unknown" : "stale-in-legacy-topic";
}

/** Whether the last legacy record of a key is a row that a snapshot read while the connector went on delivering. */
function ofUnknownCommit(
  { legacyTopic, legacyAt, slowLegacy }: KeysSeen,
  { legacyRows }: JoinRules,
  entry: number,
): boolean {
  const slow = slowLegacy.get(entry);
  // The record that was read last need not be the one that decides, where there are several partitions.
  const event = slow?.is === "row" ? slow.event : eventOf(legacyTopic, legacyAt[entry] as number);
  return legacyRows === true && event === SNAPSHOT;
}

function sameRow(table: DataView, inTable: number, topic: DataView, inTopic: number): boolean {
  const start = keyEnd(table, inTable);
  const end = tupleEnd(table, inTable);
  const other = keyEnd(topic, inTopic);
  if (end - start !== tupleEnd(topic, inTopic) - other) return false;
  return sameWords(table, start, end, topic, other);
}

function placeThatDecided(seen: KeysSeen, rules: JoinRules, entry: number): DecidedBy | undefined {
  const { newTopic, legacyTopic, newAt, legacyAt, slowNew, slowLegacy } = seen;
  const right = newAt[entry] as number;
  if (right >= 0) return { topic: "new", ...(slowNew.get(entry)?.place ?? placeOf(newTopic, right)) };
  const legacy = legacyAt[entry] as number;
  if (legacy < 0) return undefined;
  const { scn, ...place } = slowLegacy.get(entry)?.place ?? placeOf(legacyTopic, legacy);
  return { topic: "legacy", ...place, ...(legacyHeld(seen, rules, entry) === "legacy-unreadable" ? {} : { scn }) };
}

function lastRow({ newTopic, newAt }: KeysSeen, entry: number): Uint8Array | undefined {
  const right = newAt[entry] as number;
  return right >= 0 && eventOf(newTopic, right) !== GONE ? rowOf(newTopic, right) : undefined;
}

function addKey(side: Tally["table"], index: KeyIndex, entry: number): void {
  side.keys += 1;
  addKeyHash(index, entry, side.keyHash);
}
