import type { Unknown } from "../../schemas/generated/facts.ts";
import type { Instant } from "../values/instant.ts";

/** Where a fact comes from, in words for the operator: `GET /connectors/orders-cdc/offsets`, `V$ARCHIVED_LOG`. */
export type Source = string;

/** An observed value, or why it could not be observed. No check passes on an unknown fact. */
export type Observed<T> =
  | { readonly known: true; readonly value: T; readonly source: Source; readonly at: Instant }
  | Unknown;

/** Applies a pure function to an observed value; an unknown one stays unknown, for the same reason. */
export function mapObserved<T, U>(observed: Observed<T>, read: (value: T) => U): Observed<U> {
  return observed.known ? { ...observed, value: read(observed.value) } : observed;
}
