/** What one changing call came to: as `PatchAnswer`, of calls that have nothing to be checked. */
export type ChangeAnswer =
  | { readonly answer: "applied"; readonly message: string }
  | { readonly answer: "rejected"; readonly status: number; readonly message: string }
  | { readonly answer: "unanswered"; readonly why: string };

/**
 * - `applied`: 200. `checked` when the connector class looked at the offsets, not the framework alone.
 * - `rejected`: this request changed nothing: 401, 403, Connect's own JSON 400, 404 or 405, or its 500 whose message begins neither
 *   with `IO Error` nor with `Request timed out` (reference: Kafka Connect, "Errors"), nor says that the worker gave up what it had begun.
 * - `unanswered`: neither success nor failure: anything else. It may still be applied later.
 */
export type PatchAnswer =
  | { readonly answer: "applied"; readonly message: string; readonly checked: boolean }
  | { readonly answer: "rejected"; readonly status: number; readonly message: string }
  | { readonly answer: "unanswered"; readonly why: string };
