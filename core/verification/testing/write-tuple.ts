import type { ByteSink } from "../../values/byte-sink.ts";
import { beginTuple, type Event, endTuple, hashOfKey, type Place, type Source, TABLE } from "../tuple.ts";

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
  const start = beginTuple(into, source, hash, key);
  into.append(row);
  const inBatch = { ...place, baseOffset: place.offset, offsetDelta: 0 };
  endTuple(into, start, source, event, source === TABLE ? undefined : inBatch);
  return hash;
}
