import { truncate } from "../../core/values/truncate.ts";
import type { ByteQueue } from "./byte-queue.ts";
import {
  decodeModifiedUtf8,
  FIRST_HANDLE,
  type GraphLimits,
  GraphProblem,
  type JavaClass,
  type JavaEnum,
  type JavaField,
  type JavaObject,
  type JavaValue,
  SC,
  SenderAborted,
  STREAM_HEADER,
  TC,
} from "./java-graph.ts";

/**
 * A computation that yields when it needs bytes that have not arrived, and then continues: an answer of JRMP does not
 * state its length.
 */
export type Pull<T> = Generator<undefined, T, undefined>;

/** A handle whose descriptor is still being read must not be referenced yet. */
const UNFINISHED = Symbol("unfinished");

/**
 * Reads one Java serialization stream from a queue. It throws only `GraphProblem` and `SenderAborted`. Classes are read
 * by their descriptors alone: no class is built in, none is rejected, and none is executed.
 */
export class GraphReader {
  private readonly queue: ByteQueue;
  private readonly limits: GraphLimits;
  private handles: (JavaValue | typeof UNFINISHED)[] = [];
  private readonly used = { bytes: 0, handles: 0, values: 0, classes: 0 };
  private depth = 0;
  private aborted = false;

  constructor(queue: ByteQueue, limits: GraphLimits) {
    this.queue = queue;
    this.limits = limits;
  }

  private spend(what: keyof typeof this.used, count = 1): void {
    if (count > this.limits[what] - this.used[what])
      throw new GraphProblem("too large", `it has more than ${this.limits[what]} ${what}`);
    this.used[what] += count;
  }

  private *take(count: number): Pull<Buffer> {
    this.spend("bytes", count);
    while (this.queue.length < count) yield;
    return this.queue.take(count);
  }

  private *byte(): Pull<number> {
    return (yield* this.take(1)).readUInt8();
  }

  private *int(): Pull<number> {
    return (yield* this.take(4)).readInt32BE();
  }

  /** A length or a count; negative ones exist in broken streams only. */
  private *count(): Pull<number> {
    const found = yield* this.int();
    if (found < 0) throw damaged(`a length of ${found}`);
    return found;
  }

  private *text(long = false): Pull<string> {
    const length = long ? (yield* this.take(8)).readBigInt64BE() : BigInt((yield* this.take(2)).readUInt16BE());
    if (length < 0n) throw damaged(`a text of ${length} bytes`);
    if (length > BigInt(this.limits.bytes))
      throw new GraphProblem("too large", `it announces a text of ${length} bytes`);
    return decodeModifiedUtf8(yield* this.take(Number(length))) ?? fail(damaged("a text that is not in Java's UTF-8"));
  }

  private keep(value: JavaValue | typeof UNFINISHED): number {
    this.spend("handles");
    return this.handles.push(value) - 1;
  }

  private *deeper<T>(work: Pull<T>): Pull<T> {
    this.depth += 1;
    if (this.depth > this.limits.depth)
      throw new GraphProblem("too large", `its objects are nested more than ${this.limits.depth} deep`);
    const done = yield* work;
    this.depth -= 1;
    return done;
  }

  private *reference(): Pull<JavaValue> {
    const at = (yield* this.int()) - FIRST_HANDLE;
    const found = this.handles[at];
    if (found === undefined) throw damaged(`a reference to object ${at}, of ${this.handles.length}`);
    if (found === UNFINISHED) throw damaged("a class that refers to itself");
    return found;
  }

  *value(): Pull<JavaValue> {
    for (;;) {
      const tag = yield* this.byte();
      if (tag !== TC.RESET || this.depth > 0) return yield* this.tagged(tag);
      this.handles = [];
    }
  }

  private *tagged(tag: number): Pull<JavaValue> {
    this.spend("values");
    switch (tag) {
      case TC.NULL:
        return null;
      case TC.REFERENCE:
        return yield* this.reference();
      case TC.STRING:
      case TC.LONGSTRING: {
        const found = yield* this.text(tag === TC.LONGSTRING);
        this.keep(found);
        return found;
      }
      case TC.CLASS: {
        const found = yield* this.someClass();
        this.keep(found);
        return found;
      }
      case TC.CLASSDESC:
      case TC.PROXYCLASSDESC:
        return (yield* this.describedClass(tag)) ?? null;
      case TC.ENUM:
        return yield* this.deeper(this.constant());
      case TC.ARRAY:
        return yield* this.deeper(this.array());
      case TC.OBJECT:
        return yield* this.deeper(this.object());
      case TC.EXCEPTION: {
        if (this.aborted) throw damaged("an exception within the exception that ends it");
        this.aborted = true;
        this.handles = [];
        this.depth = 0;
        throw new SenderAborted(yield* this.value());
      }
      default:
        throw damaged(`the tag 0x${tag.toString(16).padStart(2, "0")} where an object begins`);
    }
  }

  private *someClass(): Pull<JavaClass> {
    const found = yield* this.describedClass(yield* this.byte());
    return found ?? fail(damaged("an object without a class"));
  }

  /** @returns undefined for none: a class without a parent that is serializable */
  private *describedClass(tag: number): Pull<JavaClass | undefined> {
    switch (tag) {
      case TC.NULL:
        return undefined;
      case TC.REFERENCE: {
        const found = yield* this.reference();
        if (typeof found !== "object" || found?.kind !== "class") throw damaged("a class that is something else");
        return found;
      }
      case TC.CLASSDESC:
        return yield* this.deeper(this.newClass());
      case TC.PROXYCLASSDESC:
        return yield* this.deeper(this.newProxyClass());
      default:
        throw damaged(`the tag 0x${tag.toString(16).padStart(2, "0")} where a class is described`);
    }
  }

  private *newClass(): Pull<JavaClass> {
    this.spend("classes");
    const name = yield* this.text();
    yield* this.take(8); // serialVersionUID
    const handle = this.keep(UNFINISHED);
    const flags = yield* this.byte();
    if ((flags & SC.SERIALIZABLE) !== 0 && (flags & SC.EXTERNALIZABLE) !== 0)
      throw damaged(`flags of class ${excerpt(name)}`);
    const fields: JavaField[] = [];
    for (let left = (yield* this.take(2)).readUInt16BE(); left > 0; left--) fields.push(yield* this.field());
    return yield* this.finishedClass(handle, { name, flags, fields, interfaces: [] });
  }

  private *field(): Pull<JavaField> {
    const type = String.fromCharCode(yield* this.byte());
    const name = yield* this.text();
    if (type === "L" || type === "[") {
      if (typeof (yield* this.value()) !== "string") throw damaged(`the type of field ${excerpt(name)}`);
    } else if (!PRIMITIVES.has(type)) throw damaged(`a field of type ${excerpt(type)}`);
    return { type, name };
  }

  private *newProxyClass(): Pull<JavaClass> {
    this.spend("classes");
    const handle = this.keep(UNFINISHED);
    const interfaces: string[] = [];
    for (let left = yield* this.count(); left > 0; left--) interfaces.push(yield* this.text());
    const name = `proxy of ${interfaces.join(", ")}`;
    return yield* this.finishedClass(handle, { name, flags: SC.SERIALIZABLE, fields: [], interfaces });
  }

  private *finishedClass(handle: number, begun: Omit<JavaClass, "kind" | "parent">): Pull<JavaClass> {
    yield* this.annotation();
    const parent = yield* this.describedClass(yield* this.byte());
    const finished: JavaClass = { kind: "class", ...begun, parent };
    this.handles[handle] = finished;
    return finished;
  }

  private *constant(): Pull<JavaEnum> {
    const { name } = yield* this.someClass();
    const handle = this.keep(UNFINISHED);
    const found = yield* this.value();
    if (typeof found !== "string") throw damaged(`a constant of ${excerpt(name)} without a name`);
    const made: JavaEnum = { kind: "enum", type: name, constant: found };
    this.handles[handle] = made;
    return made;
  }

  private *array(): Pull<JavaValue> {
    const { name: type } = yield* this.someClass();
    const primitive = PRIMITIVES.get(type.slice(1));
    if (!/^\[./.test(type)) throw damaged(`an array of class ${excerpt(type)}`);
    const handle = this.keep(UNFINISHED);
    const length = yield* this.count();
    if (primitive !== undefined) {
      if (type !== "[B") this.spend("values", length);
      const bytes = yield* this.take(length * primitive.bytes);
      const items =
        type === "[B" ? bytes : Array.from({ length }, (_, at) => primitive.read(bytes, at * primitive.bytes));
      const made = { kind: "array", type, items } as const;
      this.handles[handle] = made;
      return made;
    }
    if (length > this.limits.values) throw new GraphProblem("too large", `it announces an array of ${length} objects`);
    const items: JavaValue[] = [];
    const made = { kind: "array", type, items } as const;
    this.handles[handle] = made;
    while (items.length < length) items.push(yield* this.value());
    return made;
  }

  private *object(): Pull<JavaObject> {
    const ofClass = yield* this.someClass();
    const fields = new Map<string, JavaValue>();
    const written = new Map<string, readonly (Buffer | JavaValue)[]>();
    const made: JavaObject = { kind: "object", class: ofClass, fields, written };
    this.keep(made);
    for (const part of lineage(ofClass)) {
      if ((part.flags & SC.EXTERNALIZABLE) !== 0) {
        if ((part.flags & SC.BLOCK_DATA) === 0)
          throw new GraphProblem("unsupported", `only the class ${excerpt(part.name)} itself can read what it wrote`);
        written.set(part.name, yield* this.annotation());
      } else if ((part.flags & SC.SERIALIZABLE) !== 0) {
        for (const { type, name } of part.fields) fields.set(name, yield* this.fieldValue(type));
        if ((part.flags & SC.WRITE_METHOD) !== 0) written.set(part.name, yield* this.annotation());
      }
    }
    return made;
  }

  private *fieldValue(type: string): Pull<JavaValue> {
    const primitive = PRIMITIVES.get(type);
    if (primitive === undefined) return yield* this.value();
    this.spend("values");
    return primitive.read(yield* this.take(primitive.bytes), 0);
  }

  /** Objects and blocks of primitive data, up to their end mark. */
  private *annotation(): Pull<readonly (Buffer | JavaValue)[]> {
    const items: (Buffer | JavaValue)[] = [];
    for (;;) {
      const tag = yield* this.byte();
      if (tag === TC.ENDBLOCKDATA) return items;
      if (tag === TC.BLOCKDATA || tag === TC.BLOCKDATALONG) {
        this.spend("values");
        items.push(yield* this.block(tag));
      } else items.push(yield* this.tagged(tag));
    }
  }

  private *block(tag: number): Pull<Buffer> {
    return yield* this.take(tag === TC.BLOCKDATA ? yield* this.byte() : yield* this.count());
  }

  *header(): Pull<void> {
    const found = yield* this.take(STREAM_HEADER.length);
    if (!found.equals(STREAM_HEADER)) throw damaged(`the header ${found.toString("hex")}`);
  }

  /** The first `needed` bytes of primitive data; the rest of its blocks is discarded. */
  *primitiveData(needed: number): Pull<Buffer> {
    let found = Buffer.alloc(0);
    while (found.length < needed) {
      const tag = yield* this.byte();
      if (tag !== TC.BLOCKDATA && tag !== TC.BLOCKDATALONG)
        throw damaged(`the tag 0x${tag.toString(16).padStart(2, "0")} where primitive data begins`);
      this.spend("values");
      found = Buffer.concat([found, yield* this.block(tag)]);
    }
    return found.subarray(0, needed);
  }
}

/** The oldest parent first, as they are written. */
function lineage(of: JavaClass): readonly JavaClass[] {
  const classes: JavaClass[] = [];
  for (let one: JavaClass | undefined = of; one !== undefined; one = one.parent) classes.push(one);
  return classes.reverse();
}

function damaged(found: string): GraphProblem {
  return new GraphProblem("damaged", `it is damaged: ${found}`);
}

/** A name from the stream, in a message. */
function excerpt(name: string): string {
  return truncate(name, 100);
}

function fail(problem: GraphProblem): never {
  throw problem;
}

/** How a primitive type is written. Whole numbers of every size are `bigint`, `char` is a text of one. */
interface Primitive {
  readonly bytes: number;
  read(from: Buffer, at: number): bigint | number | boolean | string;
}

/** Types by Java's letter (Java Virtual Machine Specification, 4.3.2). */
export const PRIMITIVES: ReadonlyMap<string, Primitive> = new Map<string, Primitive>([
  ["B", { bytes: 1, read: (from, at) => BigInt(from.readInt8(at)) }],
  ["C", { bytes: 2, read: (from, at) => String.fromCharCode(from.readUInt16BE(at)) }],
  ["D", { bytes: 8, read: (from, at) => from.readDoubleBE(at) }],
  ["F", { bytes: 4, read: (from, at) => from.readFloatBE(at) }],
  ["I", { bytes: 4, read: (from, at) => BigInt(from.readInt32BE(at)) }],
  ["J", { bytes: 8, read: (from, at) => from.readBigInt64BE(at) }],
  ["S", { bytes: 2, read: (from, at) => BigInt(from.readInt16BE(at)) }],
  ["Z", { bytes: 1, read: (from, at) => from.readUInt8(at) !== 0 }],
]);
