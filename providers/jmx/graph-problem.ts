import type { JavaValue } from "./java-graph.ts";

/**
 * Why a stream can't be read.
 * - `damaged`: it is no Java serialization stream, or not a whole one.
 * - `too large`: it goes beyond the limits.
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

/** The sender could not go on (`TC_EXCEPTION`): a class that is not serializable, say. */
export class SenderGaveUp extends Error {
  override readonly name = "SenderGaveUp";
  readonly exception: JavaValue;

  constructor(exception: JavaValue) {
    super("the sender broke off its answer with an exception");
    this.exception = exception;
  }
}
