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

/**
 * The contents of a Java serialization stream, class by class and field by field, without Java's classes. References
 * within one stream are shared, so a graph may have cycles.
 *
 * Rule: Java Object Serialization Specification, version 6, section 6.
 */
export type JavaValue = null | boolean | bigint | number | string | JavaObject | JavaArray | JavaEnum | JavaClass;

/** The descriptor of a class as the sender had it; of a dynamic proxy when it has interfaces. */
export interface JavaClass {
  readonly kind: "class";
  readonly name: string;
  readonly flags: number;
  readonly fields: readonly JavaField[];
  readonly interfaces: readonly string[];
  readonly parent: JavaClass | undefined;
}

export interface JavaField {
  /** `B C D F I J S Z`, or `L` and `[` for references. */
  readonly type: string;
  readonly name: string;
}

export interface JavaObject {
  readonly kind: "object";
  readonly class: JavaClass;
  /** Fields of the class and its parents; if two have the same name, the class's own. */
  readonly fields: ReadonlyMap<string, JavaValue>;
  /** What a class's own `writeObject` wrote besides its fields, by the name of that class. */
  readonly written: ReadonlyMap<string, readonly (Buffer | JavaValue)[]>;
}

export interface JavaArray {
  readonly kind: "array";
  /** The type's name in Java: `[J`, `[Ljava.lang.String;`. */
  readonly type: string;
  /** Byte arrays are a `Buffer`. */
  readonly items: readonly JavaValue[] | Buffer;
}

export interface JavaEnum {
  readonly kind: "enum";
  readonly type: string;
  readonly constant: string;
}

export const TC = {
  NULL: 0x70,
  REFERENCE: 0x71,
  CLASSDESC: 0x72,
  OBJECT: 0x73,
  STRING: 0x74,
  ARRAY: 0x75,
  CLASS: 0x76,
  BLOCKDATA: 0x77,
  ENDBLOCKDATA: 0x78,
  RESET: 0x79,
  BLOCKDATALONG: 0x7a,
  EXCEPTION: 0x7b,
  LONGSTRING: 0x7c,
  PROXYCLASSDESC: 0x7d,
  ENUM: 0x7e,
} as const;

export const SC = { WRITE_METHOD: 1, SERIALIZABLE: 2, EXTERNALIZABLE: 4, BLOCK_DATA: 8, ENUM: 16 } as const;

export const STREAM_HEADER = Buffer.from([0xac, 0xed, 0x00, 0x05]);

/** Handles are counted from here. */
export const FIRST_HANDLE = 0x7e0000;

export function isObject(value: JavaValue | undefined): value is JavaObject {
  return typeof value === "object" && value !== null && value.kind === "object";
}

/** What `writeObject` of that class wrote: its objects, in order. */
export function objectsWritten(object: JavaObject, className: string): readonly JavaValue[] {
  return (object.written.get(className) ?? []).flatMap((item) => (Buffer.isBuffer(item) ? [] : [item]));
}

/** What `writeObject` of that class wrote: its primitive data, in one piece. */
export function bytesWritten(object: JavaObject, className: string): Buffer {
  return Buffer.concat((object.written.get(className) ?? []).filter((item) => Buffer.isBuffer(item)));
}

/**
 * Java's own form of UTF-8: U+0000 takes two bytes, and characters above U+FFFF are two surrogates of three bytes each.
 *
 * Rule: `java.io.DataInput`, "Modified UTF-8".
 */

/** Covers nearly every text: names of classes and fields, numbers, users. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of them but U+0000, which Java writes otherwise
const ASCII = /^[\x01-\x7f]*$/;

/** @returns undefined for bytes that are not such a text */
export function decodeModifiedUtf8(bytes: Buffer): string | undefined {
  const plain = bytes.toString("latin1");
  if (ASCII.test(plain)) return plain;
  const units = new Uint16Array(bytes.length);
  let length = 0;
  for (let position = 0; position < bytes.length; ) {
    const a = bytes[position] ?? 0;
    const b = bytes[position + 1] ?? 0;
    const c = bytes[position + 2] ?? 0;
    const size = a < 0x80 ? 1 : a >> 5 === 0b110 ? 2 : a >> 4 === 0b1110 ? 3 : 0;
    const follows = (byte: number) => byte >> 6 === 0b10;
    if (size === 0 || position + size > bytes.length) return undefined;
    if ((size > 1 && !follows(b)) || (size > 2 && !follows(c))) return undefined;
    units[length++] =
      size === 1 ? a : size === 2 ? ((a & 31) << 6) | (b & 63) : ((a & 15) << 12) | ((b & 63) << 6) | (c & 63);
    position += size;
  }
  // UTF-16, little end first, as typed arrays are on every machine that Node.js runs on.
  return Buffer.from(units.buffer, 0, length * 2).toString("utf16le");
}

export function encodeModifiedUtf8(text: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0 && unit < 0x80) bytes.push(unit);
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 63));
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63));
  }
  return Buffer.from(bytes);
}
