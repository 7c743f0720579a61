import { LosslessNumber } from "lossless-json";
import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import { canonicalJson, type Json, type JsonObject } from "../../../core/values/json.ts";
import { inHashMapOrder, throughJava } from "./java-json.ts";

/** The offsets topic: what is committed, per connector name and partition. It outlives the connectors. */
export interface OffsetStore {
  /**
   * Committed offsets of a connector as a worker reads them: null for a partition whose keys a task wrote in a
   * different order.
   */
  of(connector: string): readonly OffsetEntry[];
  /** The same as a task reads them, which requests a partition with its keys in the order in which it wrote them. */
  toTask(connector: string): readonly OffsetEntry[];
  /**
   * Merges by partition; partitions compare by their JSON, so the order of keys does not matter. Null removes.
   *
   * @param keys `as given`: a task passes its partitions in maps that keep their order. The worker stores an offset
   * under the serialized partition, and requests it with a HashMap (seen on 3.9.2 and 4.3.1): if that has another
   * order, it finds nothing.
   */
  write(connector: string, entries: readonly OffsetEntry[], keys?: "as given"): void;
  clear(connector: string): void;
}

export function offsetStore(): OffsetStore {
  const stored = new Map<string, Map<string, OffsetEntry & { readonly misplaced: boolean }>>();
  const entriesOf = (connector: string) => [...(stored.get(connector)?.values() ?? [])];
  return {
    of: (connector) =>
      entriesOf(connector).map(({ partition, offset, misplaced }) => ({
        partition,
        offset: misplaced ? null : offset,
      })),
    toTask: (connector) => entriesOf(connector).map(({ partition, offset }) => ({ partition, offset })),
    write(connector, entries, keys) {
      const mine = stored.get(connector) ?? new Map<string, OffsetEntry & { readonly misplaced: boolean }>();
      stored.set(connector, mine);
      for (const { partition, offset } of entries) {
        const read = asRead(partition);
        const misplaced = keys === "as given" && Object.keys(read).join() !== Object.keys(partition).join();
        const key = `${misplaced ? "misplaced " : ""}${canonicalJson(read)}`;
        if (offset === null) mine.delete(key);
        else mine.set(key, { partition: mine.get(key)?.partition ?? read, offset: asRead(offset), misplaced });
      }
    },
    clear: (connector) => void stored.delete(connector),
  };
}

function asRead(object: JsonObject): JsonObject {
  return inHashMapOrder(
    Object.fromEntries(
      Object.entries(object).map(([key, value]): [string, Json] => [
        key,
        throughJava(value, (text) => new LosslessNumber(text)),
      ]),
    ),
  );
}
