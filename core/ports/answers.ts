/**
 * What one changing call came to. It is one attempt: only the caller knows whether it may be repeated, and what it
 * undoes.
 *
 * - `applied`: Connect's own success.
 * - `rejected`: this request changed nothing: 401, 403, Connect's own JSON 400, 404 or 405, "already exists" (409), or
 *   its 500 whose message does not leave open what became of the request (reference: Kafka Connect, "Errors"; for a
 *   stop or a resume every 500 does). Status 0: the request never reached a worker that takes calls (no connection, a
 *   proxy's refusal, a worker that is starting or shutting down), so another attempt may help.
 * - `unanswered`: neither success nor failure: anything else. It may still take effect later.
 */
export type ChangeAnswer =
  | { readonly answer: "applied"; readonly message: string }
  | Rejected
  | { readonly answer: "unanswered"; readonly why: string };

export interface Rejected {
  readonly answer: "rejected";
  readonly status: number;
  readonly message: string;
  /** `not stopped`: Connect changes offsets of STOPPED connectors only, and this one is not, or still has tasks. */
  readonly reason?: "not stopped";
}

/**
 * The answer to a PATCH, with the cases of `ChangeAnswer`. `checked` when the connector class looked at the offsets,
 * not the framework alone.
 */
export type PatchAnswer =
  | { readonly answer: "applied"; readonly message: string; readonly checked: boolean }
  | Rejected
  | { readonly answer: "unanswered"; readonly why: string };
