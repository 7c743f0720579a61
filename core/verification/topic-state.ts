import { ByteSink } from "../values/byte-sink.ts";
import { compareBytes } from "../values/bytes.ts";
import { overEarlier } from "./canonical-row.ts";
import { eventOf, GONE, type Place, partitionOf, placeOf, ROW_IN_PART, rowOf, UNREADABLE } from "./tuple.ts";

/** State of a key on a topic at the check SCN. */
export type KeyState =
  | { readonly is: "row"; readonly row: Uint8Array; readonly place: Place; readonly event: number }
  | { readonly is: "gone"; readonly place: Place }
  | { readonly is: "disagreed"; readonly place: Place }
  | { readonly is: "unreadable"; readonly place: Place };

/**
 * Folds the records of one key that count on one topic into the key's state. This slow path serves keys in several
 * partitions and partial rows.
 *
 * Within a partition the order of the log decides, as for every consumer. Between partitions (after partitions were
 * added to the topic) the SCN of each partition's last record decides, unless one of them cannot be read.
 *
 * @param tuples their positions in `data`; at least one
 */
export function foldKey(data: DataView, tuples: readonly number[]): KeyState {
  const partitions = new Map<number, number[]>();
  for (const at of tuples) {
    const partition = partitionOf(data, at);
    const known = partitions.get(partition);
    if (known === undefined) partitions.set(partition, [at]);
    else known.push(at);
  }
  const lists = [...partitions.values()].map((list) =>
    list
      .map((at) => ({ at, place: placeOf(data, at) }))
      .sort((a, b) => (a.place.offset < b.place.offset ? -1 : a.place.offset > b.place.offset ? 1 : 0)),
  );
  const inOrder = lists.sort((a, b) => {
    const one = lastOf(a).place;
    const other = lastOf(b).place;
    return one.scn < other.scn ? -1 : one.scn > other.scn ? 1 : one.partition - other.partition;
  });
  let state: KeyState | undefined;
  for (const list of inOrder) {
    const before: KeyState | undefined = state;
    for (const { at, place } of list) state = next(state, data, at, place);
    if (state?.is === "unreadable") return state;
    if (
      before !== undefined &&
      state !== undefined &&
      before.place.scn === state.place.scn &&
      !sameState(before, state)
    )
      return { is: "disagreed", place: state.place };
  }
  return state as KeyState;
}

function lastOf<T>(list: readonly T[]): T {
  return list[list.length - 1] as T;
}

function next(state: KeyState | undefined, data: DataView, at: number, place: Place): KeyState {
  if (eventOf(data, at) === GONE) return { is: "gone", place };
  if (eventOf(data, at) === UNREADABLE) return { is: "unreadable", place };
  const row = rowOf(data, at);
  const event = eventOf(data, at);
  if (event !== ROW_IN_PART || state?.is !== "row") return { is: "row", row, place, event };
  const whole = new ByteSink(row.length + state.row.length);
  overEarlier(row, state.row, whole);
  return { is: "row", row: whole.view(), place, event };
}

function sameState(a: KeyState, b: KeyState): boolean {
  if (a.is === "row" && b.is === "row") return compareBytes(a.row, b.row) === 0;
  return a.is === b.is;
}
