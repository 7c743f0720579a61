export interface FaultRequest {
  readonly method: string;
  /** Decoded, without the path prefix and the query. */
  readonly path: string;
  /** How many requests of this method and path came before it, plus one. */
  readonly n: number;
}

/**
 * A fault of a request. `before`, or without a suffix: not applied. `applied`, `after`: applied, then the fault.
 * - `timeout`, `timeout-applied`: no answer until the client times out. `half`: applied, and the answer breaks off.
 * - `html`: a gateway's page, not applied.
 * - `500-applied-later`: answered 500 at once, applied after the given ms or when the promise resolves.
 * - `says`: not applied, and answered by the worker with this error.
 * - `hold`: waits for the promise before it is applied, or after that and before it is answered.
 */
export type Fault =
  | "409"
  | "500"
  | "500-applied"
  | { readonly "500-applied-later": number | Promise<void> }
  | "timeout"
  | "timeout-applied"
  | "disconnect-before"
  | "disconnect-after"
  | "html"
  | "half"
  | { readonly says: string; readonly status: number }
  | { readonly hold: Promise<void>; readonly when: "before" | "after" };

export type FaultRule = (request: FaultRequest) => Fault | undefined;
