import { CallFailed } from "../../errors.ts";
import { viewOf } from "../../values/bytes.ts";

/**
 * Frames between a worker and its driver, on the worker's standard input and output:
 *
 *   u32 length of the payload · u32 slot · u32 kind · payload
 *
 * least significant byte first. A slot is a hash partition of one table; the slot after the last one takes the results
 * of units of reading. A JSON payload is one canonical document.
 *
 * - The worker begins with `hello`.
 * - A driver sends a `request`: `{"is":"check"}`, `{"is":"read","unit":…,"attempt":…}`, `{"is":"gather","table":…}`,
 *   `{"is":"join","slot":…,"attempt":…}`. Frames that belong to a request end with `end`.
 * - `check` is answered by `ready`; `read` by tuples, then its `result`; `gather`, which sends the `result` of every
 *   unit of a table, by `rules`; `join`, which sends `rules` and the slot's tuples, by the slot's `result`.
 * - Each may be answered by `error` instead; nothing that was sent for the request then counts.
 */
export const FRAME = {
  hello: 1,
  request: 2,
  end: 3,
  table: 4,
  new: 5,
  legacy: 6,
  result: 7,
  rules: 8,
  ready: 9,
  error: 10,
} as const;

/** Version of this protocol. A driver and a worker of different versions do not work together. */
export const PROTOCOL = 1;

export interface Frame {
  readonly kind: number;
  readonly slot: number;
  readonly payload: Uint8Array;
}

const HEAD = 12;
/** Limit above any frame that is sent: a segment of one slot, or the results of ten thousand units. */
const LONGEST = 2 ** 28;

export function frameHead({ kind, slot, payload }: Frame): Uint8Array {
  const head = new Uint8Array(HEAD);
  const view = viewOf(head);
  view.setUint32(0, payload.length, true);
  view.setUint32(4, slot, true);
  view.setUint32(8, kind, true);
  return head;
}

/**
 * Parses frames from bytes, each as soon as it is complete.
 *
 * @throws CallFailed for bytes that end within a frame, or are not frames
 */
export async function* framesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const head = new Uint8Array(HEAD);
  const view = viewOf(head);
  let into = head;
  let filled = 0;
  for await (const chunk of chunks) {
    for (let position = 0; position < chunk.length; ) {
      const more = chunk.subarray(position, position + into.length - filled);
      into.set(more, filled);
      filled += more.length;
      position += more.length;
      if (filled < into.length) continue;
      if (into === head) {
        const length = view.getUint32(0, true);
        if (length > LONGEST) throw endedBadly(`sent a frame of ${length} bytes`);
        into = new Uint8Array(length);
        filled = 0;
        if (length > 0) continue;
      }
      yield { slot: view.getUint32(4, true), kind: view.getUint32(8, true), payload: into };
      into = head;
      filled = 0;
    }
  }
  if (into !== head || filled > 0) throw endedBadly("ended within a frame");
}

/** Failure of the driver at the other end. */
export function endedBadly(how: string): CallFailed {
  return new CallFailed("state", "lost", {
    message: `the driver of this worker ${how}`,
    remedy: "Start workers through their driver: see docs/verification-at-scale.md.",
  });
}

const encoder = new TextEncoder();

export function textFrame(kind: number, slot: number, text: string): Frame {
  return { kind, slot, payload: encoder.encode(text) };
}
