import { LosslessNumber } from "lossless-json";
import type { OffsetEntry } from "../../../core/facts/offset.ts";
import { canonicalJson, type Json, type JsonObject } from "../../../core/values/json.ts";
import { inHashMapOrder, throughJava } from "./java-json.ts";

/** The offsets topic: what is committed, per connector name and partition. It outlives the connectors. */
export interface OffsetStore {
  /** Committed offsets of a connector, as a worker reads them back. */
  of(connector: string): readonly OffsetEntry[];
  /** Merges by partition; partitions compare by their JSON, so the order of keys does not matter. Null removes. */
  write(connector: string, entries: readonly OffsetEntry[]): void;
  clear(connector: string): void;
}

export function offsetStore(): OffsetStore {
  const stored = new Map<string, Map<string, OffsetEntry>>();
  return {
    of: (connector) => [...(stored.get(connector)?.values() ?? [])],
    write(connector, entries) {
      const mine = stored.get(connector) ?? new Map<string, OffsetEntry>();
      stored.set(connector, mine);
      for (const { partition, offset } of entries) {
        const key = canonicalJson(asRead(partition));
        if (offset === null) mine.delete(key);
        else mine.set(key, { partition: mine.get(key)?.partition ?? asRead(partition), offset: asRead(offset) });
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
