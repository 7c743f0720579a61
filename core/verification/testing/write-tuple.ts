import type { ByteSink } from "../byte-sink.ts";
import { beginTuple, type Event, endTuple, hashOfKey, type Place, type Source } from "../tuple.ts";

/** Writes one tuple at the end of `into`. @returns its hash */
export function writeTuple(
  into: ByteSink,
  source: Source,
  event: Event,
  place: Place,
  key: ByteSink,
  row: ByteSink,
): number {
  const hash = hashOfKey(key);
  const start = beginTuple(into, hash, key);
  into.append(row);
  endTuple(into, start, source, event, { ...place, baseOffset: place.offset, offsetDelta: 0 });
  return hash;
}
