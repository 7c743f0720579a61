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
