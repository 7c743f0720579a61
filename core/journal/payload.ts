import { ByteReader } from "../values/bytes.ts";
import { type ChunkHeader, isBefore, type ReadMembers, type RedoPlace, readPayload } from "./chunk-record.ts";
import { NotJson } from "./json-members.ts";

/** A payload that the task cannot read, which stops it (CDC-4002). */
export class UnreadablePayload extends Error {
  override readonly name = "UnreadablePayload";
}

class PayloadReader extends ByteReader {
  protected override ended(wanted: number): Error {
    return new UnreadablePayload(super.ended(wanted).message);
  }

  /** An int32 length, -1 for null, and UTF-8. */
  nullableText(): string | undefined {
    const length = this.int32();
    return length < 0 ? undefined : this.text(length);
  }

  /** A value with an int32 length before it, -1 for null. */
  passNullable(): void {
    this.pass(Math.max(0, this.int32()));
  }
}

/** One frame of a payload: a change, or the undoing of one (a partial rollback). */
export interface Frame {
  readonly kind: "change" | "undo";
  /**
   * Read on demand, since most chunks are kept whole. Undefined for a change of unknown form, whose place is unknown.
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
 * @throws UnreadablePayload, while it is read, if it ends too early, or counts or kinds are invalid
 */
export function* framesOf(payload: Uint8Array): Generator<Frame> {
  const reader = new PayloadReader(payload);
  const count = reader.int32();
  if (count < 0 || count > payload.length)
    throw new UnreadablePayload(`it declares ${count} frames in ${payload.length} bytes`);
  for (let number = 0; number < count; number++) {
    const kind = reader.int8();
    if (kind === CHANGE) {
      const length = reader.int32();
      if (length < 0) throw new UnreadablePayload(`frame ${number} has the length ${length}`);
      const change = reader.take(length);
      yield { kind: "change", place: () => changePlace(change) };
    } else if (kind === UNDO) {
      const place = { scn: reader.int64(), rsId: reader.nullableText(), ssn: reader.int64() };
      reader.passNullable();
      yield { kind: "undo", place: () => place };
    } else throw new UnreadablePayload(`frame ${number} is of the unknown kind ${kind}`);
  }
}

/**
 * The place of a frame's change. The reference defines a change as a number of bytes; this is how the connector's own
 * buffer writes them: the three parts of the table's name, the operation, the row before and after, a flag, the ROWID,
 * the place, container and transaction, the time.
 *
 * @returns undefined for bytes of another form: another version's, which its own task can still read
 */
function changePlace(bytes: Uint8Array): RedoPlace | undefined {
  const reader = new PayloadReader(bytes);
  try {
    for (let part = 0; part < 3; part++) reader.passNullable();
    reader.int8();
    passRow(reader);
    passRow(reader);
    reader.int8();
    reader.passNullable();
    const place =
      reader.int8() === 0 ? undefined : { scn: reader.int64(), rsId: reader.nullableText(), ssn: reader.int64() };
    reader.pass(4 + 3 * 8);
    if (reader.int8() !== 0) reader.pass(8 + 4);
    return reader.left === 0 ? place : undefined;
  } catch (error) {
    if (error instanceof UnreadablePayload) return undefined;
    throw error;
  }
}

/** Names and values of columns. */
function passRow(reader: PayloadReader): void {
  const columns = reader.int32();
  for (let column = 0; column < columns; column++) {
    reader.passNullable();
    const size = VALUE_SIZES[reader.int8()];
    if (size === undefined) throw new UnreadablePayload("a value of an unknown type");
    if (size === "prefixed") reader.passNullable();
    else reader.pass(size);
  }
}

/** Number of bytes of a column's value, by its type's number; `prefixed`: given by an int32 before it. */
const VALUE_SIZES: readonly (number | "prefixed")[] = [
  0, // null
  "prefixed", // text
  "prefixed", // decimal number, as text
  4, // float
  8, // double
  "prefixed", // bytes
  8 + 4, // local date and time
  8 + 4 + 4, // with an offset from UTC
  8 + 4, // instant
  8 + 4, // duration
  4 + 4 + 4, // years, months, days
  8, // long
  4, // int
  1, // boolean
  8, // date
  "prefixed", // big integer
  2, // short
  1, // byte
];

/** The evaluation of a payload whose chunk is not dropped by its header. */
export type PayloadFate =
  | { readonly fate: "restored"; readonly kept: Kept }
  | { readonly fate: "mined again" }
  | { readonly fate: "unreadable"; readonly why: string };

/** Every frame is read, even if all are kept, since a task that cannot read one stops. */
export function payloadFate(
  header: ChunkHeader,
  value: Uint8Array,
  members: ReadMembers,
  resume: RedoPlace,
): PayloadFate {
  try {
    const frames = framesOf(readPayload(value, members));
    if (isBefore(header.last, resume)) {
      for (const _ of frames);
      return { fate: "restored", kept: { changes: header.changes, undos: header.undos, unplaced: 0 } };
    }
    const kept = keptOf(frames, resume, header);
    return kept.changes + kept.undos + kept.unplaced === 0 ? { fate: "mined again" } : { fate: "restored", kept };
  } catch (error) {
    if (error instanceof UnreadablePayload || error instanceof NotJson)
      return { fate: "unreadable", why: error.message };
    throw error;
  }
}

export interface Kept {
  readonly changes: number;
  readonly undos: number;
  /** Changes between one that is kept and one that is not, for which that is unknown. */
  readonly unplaced: number;
}

/**
 * The frames before the resume point. Frames are in redo order, so a change without a readable place is between its
 * neighbours' places; the first and the last have the chunk's own places.
 *
 * Rule: reference: wire formats, "Transaction journal", 6.
 *
 * @param ends the chunk's `first` and `last`
 */
function keptOf(
  frames: Iterable<Frame>,
  resume: RedoPlace,
  ends: { readonly first: RedoPlace; readonly last: RedoPlace },
): Kept {
  const kept = { changes: 0, undos: 0, unplaced: 0 };
  let place: RedoPlace | undefined = ends.first;
  let waiting = 0;
  let passed = false;
  for (const frame of frames) {
    place = frame.place() ?? place;
    if (place === undefined) {
      // Once the redo is past the resume point, so is everything after it.
      if (!passed) waiting += 1;
      continue;
    }
    const before = isBefore(place, resume);
    if (before) {
      kept.changes += waiting;
      waiting = 0;
      if (frame.kind === "change") kept.changes += 1;
      else kept.undos += 1;
    } else passed = true;
    place = undefined;
  }
  // The last one has the chunk's last place.
  kept.unplaced = waiting > 0 && !passed && !isBefore(ends.last, resume) ? waiting - 1 : waiting;
  return kept;
}
