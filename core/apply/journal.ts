/** An entry of a run's journal, as plain JSON. The engine's own entries refine this shape. */
export interface JournalEntry {
  /** 0, 1, 2 … without a hole. */
  readonly seq: bigint;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly type: string;
  readonly [member: string]: unknown;
}
