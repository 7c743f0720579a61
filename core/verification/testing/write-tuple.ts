import type { ByteSink } from "../byte-sink.ts";
import {
  beginTuple,
  type Event,
  endTableTuple,
  endTuple,
  hashOfKey,
  ONE_MORE,
  type Place,
  ROW,
  type Source,
  TABLE,
} from "../tuple.ts";

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
  if (source === TABLE) endTableTuple(into, start, event === ONE_MORE ? ONE_MORE : ROW);
  else endTuple(into, start, source, event, { ...place, baseOffset: place.offset, offsetDelta: 0 });
  return hash;
}
