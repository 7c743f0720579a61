import type { JavaValue } from "./java-graph.ts";

/**
 * Why a stream can't be read.
 * - `damaged`: it is not a complete Java serialization stream.
 * - `too large`: it exceeds the limits.
 * - `unsupported`: a form that only the class itself can read.
 */
export class GraphProblem extends Error {
  override readonly name = "GraphProblem";
  readonly kind: "damaged" | "too large" | "unsupported";

  constructor(kind: GraphProblem["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The sender aborted (`TC_EXCEPTION`), for example at a class that is not serializable. */
export class SenderAborted extends Error {
  override readonly name = "SenderAborted";
  readonly exception: JavaValue;

  constructor(exception: JavaValue) {
    super("the sender aborted its answer with an exception");
    this.exception = exception;
  }
}

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
