import type { Truncates } from "../../schemas/generated/verification-result.ts";
import { viewOf } from "./byte-work.ts";
import {
  eventOf,
  LEGACY_TOPIC,
  NEW_TOPIC,
  nextTuple,
  type Place,
  placeOf,
  sourceOf,
  TRUNCATE,
  UNREADABLE,
} from "./tuple.ts";

export const NO_TRUNCATES: Truncates = { newTopic: undefined, legacyTopic: undefined };

/**
 * Finds the last truncates among some tuples. A truncate has no key, so that the join of every hash partition needs
 * what one unit of work finds.
 */
export function truncatesIn(bytes: Uint8Array, checkScn: bigint): Truncates {
  const data = viewOf(bytes);
  let found = NO_TRUNCATES;
  for (let at = 0; at < bytes.length; at = nextTuple(data, at)) {
    if (eventOf(data, at) !== TRUNCATE) continue;
    const place = placeOf(data, at);
    if (place.scn > checkScn) continue;
    if (sourceOf(data, at) === NEW_TOPIC) found = laterTruncates(found, { ...NO_TRUNCATES, newTopic: place });
    if (sourceOf(data, at) === LEGACY_TOPIC) found = laterTruncates(found, { ...NO_TRUNCATES, legacyTopic: place });
  }
  return found;
}

export function laterTruncates(a: Truncates, b: Truncates): Truncates {
  return { newTopic: later(a.newTopic, b.newTopic), legacyTopic: later(a.legacyTopic, b.legacyTopic) };
}

function later(a: Place | undefined, b: Place | undefined): Place | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.scn !== b.scn) return a.scn > b.scn ? a : b;
  if (a.partition !== b.partition) return a.partition > b.partition ? a : b;
  return a.offset > b.offset ? a : b;
}

/**
 * Whether a record precedes a truncate of the same topic. Within a partition the order of the log decides, as for every
 * consumer: a redelivered record is after the one it repeats. Between partitions the SCN decides; no other change has
 * the SCN of a truncate. A record that cannot be read may be after one in another partition.
 */
export function isBeforeTruncate(data: DataView, at: number, truncate: Place): boolean {
  const { scn, partition, offset } = placeOf(data, at);
  if (partition === truncate.partition) return offset < truncate.offset;
  return scn <= truncate.scn && eventOf(data, at) !== UNREADABLE;
}
