import type { Json, JsonObject } from "../values/json.ts";

/**
 * One element of `GET /connectors/{name}/offsets`, exactly as read: it is written back with the very same partition.
 */
export interface OffsetEntry {
  readonly partition: JsonObject;
  /** Null in a PATCH removes the partition's offset. */
  readonly offset: JsonObject | null;
}

export type { Json, JsonObject };
