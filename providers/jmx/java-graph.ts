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
