/** Limits for reading an answer. No memory is reserved for sizes that an answer only announces. */
export interface GraphLimits {
  readonly bytes: number;
  /** Objects within objects. */
  readonly depth: number;
  /** Objects, texts, arrays and classes in one stream. */
  readonly handles: number;
  /** Fields and items of arrays, primitive ones included. */
  readonly values: number;
  readonly classes: number;
}

/** The 20 largest transactions take about 4 kB, an exception with its stack trace 20 kB. */
export const ANSWER_LIMITS: GraphLimits = {
  bytes: 4 * 1024 * 1024,
  depth: 100,
  handles: 50_000,
  values: 200_000,
  classes: 500,
};
