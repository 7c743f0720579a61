import type { Instant } from "../values/instant.ts";
import type { Advice } from "../values/remedy.ts";

/** Where a fact comes from, in words for the operator: `GET /connectors/orders-cdc/offsets`, `V$ARCHIVED_LOG`. */
export type Source = string;

/** What was seen, or why it could not be seen. No check passes on an unknown fact. */
export type Observed<T> =
  | { readonly known: true; readonly value: T; readonly source: Source; readonly at: Instant }
  | Unknown;

export interface Unknown {
  readonly known: false;
  readonly why: string;
  /** How it could be seen. */
  readonly remedies?: readonly Advice[];
  readonly source: Source;
}

/** Applies a pure reading to what was seen; what is unknown stays unknown, for the same reason. */
export function mapObserved<T, U>(observed: Observed<T>, read: (value: T) => U): Observed<U> {
  return observed.known ? { ...observed, value: read(observed.value) } : observed;
}
