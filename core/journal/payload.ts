import type { Base64Bytes } from "./base64.ts";
import { binaryReader, UnreadablePayload } from "./binary-reader.ts";
import { changePlace } from "./change-frame.ts";
import type { RedoPlace } from "./redo-order.ts";

/** One frame of a payload: a change, or the undoing of one (a partial rollback). */
export interface Frame {
  readonly kind: "change" | "undo";
  /**
   * Read when it is asked for: most chunks are kept whole. Undefined for a change whose form is not known: where it
   * stands can't be told.
   */
  place(): RedoPlace | undefined;
}

const CHANGE = 1;
const UNDO = 2;

/**
 * The frames of a chunk's payload, one at a time: an int32 with their number, then each. Big-endian.
 *
 * Rule: reference: wire formats, "Transaction journal", "Payload".
 *
 * @throws UnreadablePayload, while it is read, where it ends too early, or counts or kinds make no sense
 */
export function* framesOf(payload: Base64Bytes): Generator<Frame> {
  const reader = binaryReader(payload);
  const count = reader.int32();
  if (count < 0 || count > payload.length)
    throw new UnreadablePayload(`it declares ${count} frames in ${payload.length} bytes`);
  for (let number = 0; number < count; number++) {
    const kind = reader.int8();
    if (kind === CHANGE) {
      const length = reader.int32();
      if (length < 0) throw new UnreadablePayload(`frame ${number} has the length ${length}`);
      const start = reader.pass(length);
      yield { kind: "change", place: () => changePlace(payload, start, start + length) };
    } else if (kind === UNDO) {
      const place = { scn: reader.int64(), rsId: reader.text(), ssn: reader.int64() };
      reader.passText();
      yield { kind: "undo", place: () => place };
    } else throw new UnreadablePayload(`frame ${number} is of the unknown kind ${kind}`);
  }
}
