import type { Base64Bytes } from "./base64.ts";
import { type BinaryReader, binaryReader, UnreadablePayload } from "./binary-reader.ts";
import type { RedoPlace } from "./redo-order.ts";

/**
 * Where the change of a frame stands. The reference gives a change as so many bytes; this is how the connector's own
 * buffer writes them: the three parts of the table's name, the operation, the row before and after, a flag, the ROWID,
 * the place, container and transaction, the time.
 *
 * @returns undefined for bytes of another form: another version's, which are none the less readable to their own task
 */
export function changePlace(bytes: Base64Bytes, start: number, end: number): RedoPlace | undefined {
  const reader = binaryReader(bytes, start, end);
  try {
    for (let part = 0; part < 3; part++) reader.passText();
    reader.int8();
    passRow(reader);
    passRow(reader);
    reader.int8();
    reader.passText();
    const place = reader.int8() === 0 ? undefined : { scn: reader.int64(), rsId: reader.text(), ssn: reader.int64() };
    reader.pass(4 + 3 * 8);
    if (reader.int8() !== 0) reader.pass(8 + 4);
    return reader.left === 0 ? place : undefined;
  } catch (error) {
    if (error instanceof UnreadablePayload) return undefined;
    throw error;
  }
}

/** Names and values of columns. */
function passRow(reader: BinaryReader): void {
  const columns = reader.int32();
  for (let column = 0; column < columns; column++) {
    reader.passText();
    const size = VALUE_SIZES[reader.int8()];
    if (size === undefined) throw new UnreadablePayload("a value of an unknown type");
    reader.pass(size === "as said" ? Math.max(0, reader.int32()) : size);
  }
}

/** How many bytes a column's value has, by its type's number; `as said`: an int32 before it tells. */
const VALUE_SIZES: readonly (number | "as said")[] = [
  0, // null
  "as said", // text
  "as said", // decimal number, as text
  4, // float
  8, // double
  "as said", // bytes
  8 + 4, // local date and time
  8 + 4 + 4, // with an offset from UTC
  8 + 4, // instant
  8 + 4, // duration
  4 + 4 + 4, // years, months, days
  8, // long
  4, // int
  1, // boolean
  8, // date
  "as said", // big integer
  2, // short
  1, // byte
];
