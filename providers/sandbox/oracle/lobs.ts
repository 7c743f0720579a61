/** Large objects for which a client holds locators, and reads of them (function 96). Text is UTF-16, big-endian. */
import { OraError } from "./ora-error.ts";
import { type Reader, Writer } from "./wire.ts";

interface Lob {
  readonly bytes: Buffer;
  readonly text: boolean;
}

export interface Lobs {
  readonly byId: Map<number, Lob>;
  next: number;
}

const LOCATOR_LENGTH = 40;
const LOCATOR_ID = 16;
export const LOB_CHUNK = 8060;

const OPERATION = { length: 1, read: 2, chunkSize: 0x4000, freeTemporary: 0x111 } as const;
/** Open, close, is-open: nothing to do. */
const HARMLESS: readonly number[] = [0x8000, 0x10000, 0x11000, OPERATION.freeTemporary];

export function noLobs(): Lobs {
  return { byId: new Map(), next: 1 };
}

/** @returns the new object's id */
export function addLob(lobs: Lobs, value: string | Buffer): number {
  const id = lobs.next++;
  const text = typeof value === "string";
  lobs.byId.set(id, { bytes: text ? Buffer.from(value, "utf16le").swap16() : value, text });
  return id;
}

/** The value behind a locator that a client sends as a bind. */
export function lobValue(lobs: Lobs, locator: Buffer | null): string | Buffer | null {
  const lob = lobs.byId.get(idOf(locator));
  if (lob === undefined) return null;
  return lob.text ? Buffer.from(lob.bytes).swap16().toString("utf16le") : lob.bytes;
}

/**
 * Writes one column's value.
 *
 * @param define the form that the client requested: lengths (and a first part) before the locator, or the locator alone
 */
export function writeLob(
  writer: Writer,
  lobs: Lobs,
  id: number,
  define: { readonly lengths: boolean; readonly prefetch: number },
): void {
  const lob = lobs.byId.get(id);
  if (lob === undefined) throw new Error(`no LOB ${id}`);
  const unit = lob.text ? 2 : 1;
  writer.ub(LOCATOR_LENGTH);
  if (define.lengths) {
    writer.ub(lob.bytes.length / unit, LOB_CHUNK);
    if (define.prefetch > 0) {
      if (lob.text) writer.u8(1).ub(2000).u8(1);
      writer.lenBytes(lob.bytes.subarray(0, define.prefetch * unit));
    }
  }
  writer.lenBytes(locatorOf(id, lob.text));
}

function locatorOf(id: number, text: boolean): Buffer {
  const locator = Buffer.alloc(LOCATOR_LENGTH);
  locator.set([0, 38, 0, 2, text ? 2 : 1, 8, text ? 0x80 : 0, 0]); // 0x80: the text is UTF-16, big-endian
  locator.writeUInt32BE(id, LOCATOR_ID);
  return locator;
}

function idOf(locator: Buffer | null): number {
  return locator !== null && locator.length >= LOCATOR_ID + 4 ? locator.readUInt32BE(LOCATOR_ID) : 0;
}

/**
 * Reads a LOB request.
 *
 * @returns a function that returns the answer, without the status at its end. @throws OraError from that function, for
 * a locator that is no longer valid
 */
export function readLobCall(reader: Reader, lobs: Lobs): () => Buffer {
  reader.uint8();
  const locatorLength = reader.count(10_000);
  reader.uint8();
  for (let i = 0; i < 3; i++) reader.ub();
  const hasCharset = reader.uint8() !== 0;
  reader.uint8();
  const wantsNull = reader.uint8() !== 0;
  const operation = reader.ub();
  reader.uint8();
  const scnLength = reader.count(1000);
  const offset = Math.max(1, reader.ub());
  reader.ub();
  const hasAmount = reader.uint8() !== 0;
  reader.pass(6);
  const locator = Buffer.from(reader.take(locatorLength));
  const charset = hasCharset ? reader.ub() : 0;
  for (let i = 0; i < scnLength; i++) reader.ub();
  const amount = hasAmount ? reader.ub() : 0;

  return () => {
    const writer = new Writer();
    const answered = perform(writer, lobs.byId.get(idOf(locator)), operation, offset, amount);
    writer.u8(8).raw(locator);
    if (hasCharset) writer.ub(charset);
    if (hasAmount) writer.ub(answered);
    if (wantsNull) writer.ub(0);
    return writer.done();
  };
}

/** @returns the amount to be answered, in characters or bytes */
function perform(writer: Writer, lob: Lob | undefined, operation: number, offset: number, amount: number): number {
  if (HARMLESS.includes(operation)) return 0;
  if (lob === undefined) throw new OraError(22922, "nonexistent LOB value");
  const unit = lob.text ? 2 : 1;
  switch (operation) {
    case OPERATION.length:
      return lob.bytes.length / unit;
    case OPERATION.chunkSize:
      return LOB_CHUNK;
    case OPERATION.read: {
      const from = (offset - 1) * unit;
      const part = lob.bytes.subarray(from, amount > 0 ? from + amount * unit : undefined);
      if (part.length > 0) writer.u8(14).lenBytes(part);
      return part.length / unit;
    }
    default:
      throw new OraError(3115, `unsupported network datatype or representation (LOB operation ${operation})`);
  }
}
