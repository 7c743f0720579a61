import { byteQueue } from "../byte-queue.ts";
import { ANSWER_LIMITS, type GraphLimits } from "../graph-limits.ts";
import type { JavaValue } from "../java-graph.ts";
import { graphReader } from "../read-graph.ts";

/** Reads one value that arrives in pieces. @returns undefined where bytes are missing at the end */
export function readBytes(
  bytes: Buffer,
  { limits = ANSWER_LIMITS, piece = bytes.length }: { readonly limits?: GraphLimits; readonly piece?: number } = {},
): { readonly value: JavaValue; readonly left: number } | undefined {
  const queue = byteQueue();
  const reader = graphReader(queue, limits);
  const pull = (function* () {
    yield* reader.header();
    return yield* reader.value();
  })();
  for (let at = 0; ; at += piece) {
    const { done, value } = pull.next();
    if (done) return { value, left: Math.max(0, bytes.length - at) + queue.length };
    if (at >= bytes.length) return undefined;
    queue.push(bytes.subarray(at, at + piece));
  }
}
