import { truncate } from "../../core/values/truncate.ts";
import type { ByteQueue } from "./byte-queue.ts";
import type { GraphLimits } from "./graph-limits.ts";
import { GraphProblem, SenderAborted } from "./graph-problem.ts";
import {
  FIRST_HANDLE,
  type JavaClass,
  type JavaEnum,
  type JavaField,
  type JavaObject,
  type JavaValue,
  SC,
  STREAM_HEADER,
  TC,
} from "./java-graph.ts";
import { decodeModifiedUtf8 } from "./modified-utf8.ts";

/**
 * A computation that yields when it needs bytes that have not arrived, and then continues: an answer of JRMP does not
 * state its length.
 */
export type Pull<T> = Generator<undefined, T, undefined>;

/** Reads one Java serialization stream from a queue. It throws only `GraphProblem` and `SenderAborted`. */
interface GraphReader {
  header(): Pull<void>;
  /** The first `count` bytes of primitive data; the rest of its blocks is discarded. */
  primitiveData(count: number): Pull<Buffer>;
  value(): Pull<JavaValue>;
}

/** A handle whose descriptor is still being read must not be referenced yet. */
const UNFINISHED = Symbol("unfinished");

/** Reads classes by their descriptors alone: no class is built in, none is rejected, and none is executed. */
export function graphReader(queue: ByteQueue, limits: GraphLimits): GraphReader {
  let handles: (JavaValue | typeof UNFINISHED)[] = [];
  const used = { bytes: 0, handles: 0, values: 0, classes: 0 };
  let depth = 0;
  let aborted = false;

  function spend(what: keyof typeof used, count = 1): void {
    if (count > limits[what] - used[what])
      throw new GraphProblem("too large", `it has more than ${limits[what]} ${what}`);
    used[what] += count;
  }

  function* take(count: number): Pull<Buffer> {
    spend("bytes", count);
    while (queue.length < count) yield;
    return queue.take(count);
  }

  function* byte(): Pull<number> {
    return (yield* take(1)).readUInt8();
  }

  function* int(): Pull<number> {
    return (yield* take(4)).readInt32BE();
  }

  /** A length or a count; negative ones exist in broken streams only. */
  function* count(): Pull<number> {
    const found = yield* int();
    if (found < 0) throw damaged(`a length of ${found}`);
    return found;
  }

  function* text(long = false): Pull<string> {
    const length = long ? (yield* take(8)).readBigInt64BE() : BigInt((yield* take(2)).readUInt16BE());
    if (length < 0n) throw damaged(`a text of ${length} bytes`);
    if (length > BigInt(limits.bytes)) throw new GraphProblem("too large", `it announces a text of ${length} bytes`);
    return decodeModifiedUtf8(yield* take(Number(length))) ?? fail(damaged("a text that is not in Java's UTF-8"));
  }

  function keep(value: JavaValue | typeof UNFINISHED): number {
    spend("handles");
    return handles.push(value) - 1;
  }

  function* deeper<T>(work: Pull<T>): Pull<T> {
    depth += 1;
    if (depth > limits.depth)
      throw new GraphProblem("too large", `its objects are nested more than ${limits.depth} deep`);
    const done = yield* work;
    depth -= 1;
    return done;
  }

  function* reference(): Pull<JavaValue> {
    const at = (yield* int()) - FIRST_HANDLE;
    const found = handles[at];
    if (found === undefined) throw damaged(`a reference to object ${at}, of ${handles.length}`);
    if (found === UNFINISHED) throw damaged("a class that refers to itself");
    return found;
  }

  function* value(): Pull<JavaValue> {
    for (;;) {
      const tag = yield* byte();
      if (tag !== TC.RESET || depth > 0) return yield* tagged(tag);
      handles = [];
    }
  }

  function* tagged(tag: number): Pull<JavaValue> {
    spend("values");
    switch (tag) {
      case TC.NULL:
        return null;
      case TC.REFERENCE:
        return yield* reference();
      case TC.STRING:
      case TC.LONGSTRING: {
        const found = yield* text(tag === TC.LONGSTRING);
        keep(found);
        return found;
      }
      case TC.CLASS: {
        const found = yield* someClass();
        keep(found);
        return found;
      }
      case TC.CLASSDESC:
      case TC.PROXYCLASSDESC:
        return (yield* describedClass(tag)) ?? null;
      case TC.ENUM:
        return yield* deeper(constant());
      case TC.ARRAY:
        return yield* deeper(array());
      case TC.OBJECT:
        return yield* deeper(object());
      case TC.EXCEPTION: {
        if (aborted) throw damaged("an exception within the exception that ends it");
        aborted = true;
        handles = [];
        depth = 0;
        throw new SenderAborted(yield* value());
      }
      default:
        throw damaged(`the tag 0x${tag.toString(16).padStart(2, "0")} where an object begins`);
    }
  }

  function* someClass(): Pull<JavaClass> {
    const found = yield* describedClass(yield* byte());
    return found ?? fail(damaged("an object without a class"));
  }

  /** @returns undefined for none: a class without a parent that is serializable */
  function* describedClass(tag: number): Pull<JavaClass | undefined> {
    switch (tag) {
      case TC.NULL:
        return undefined;
      case TC.REFERENCE: {
        const found = yield* reference();
        if (typeof found !== "object" || found?.kind !== "class") throw damaged("a class that is something else");
        return found;
      }
      case TC.CLASSDESC:
        return yield* deeper(newClass());
      case TC.PROXYCLASSDESC:
        return yield* deeper(newProxyClass());
      default:
        throw damaged(`the tag 0x${tag.toString(16).padStart(2, "0")} where a class is described`);
    }
  }

  function* newClass(): Pull<JavaClass> {
    spend("classes");
    const name = yield* text();
    yield* take(8); // serialVersionUID
    const handle = keep(UNFINISHED);
    const flags = yield* byte();
    if ((flags & SC.SERIALIZABLE) !== 0 && (flags & SC.EXTERNALIZABLE) !== 0)
      throw damaged(`flags of class ${excerpt(name)}`);
    const fields: JavaField[] = [];
    for (let left = (yield* take(2)).readUInt16BE(); left > 0; left--) fields.push(yield* field());
    return yield* finishedClass(handle, { name, flags, fields, interfaces: [] });
  }

  function* field(): Pull<JavaField> {
    const type = String.fromCharCode(yield* byte());
    const name = yield* text();
    if (type === "L" || type === "[") {
      if (typeof (yield* value()) !== "string") throw damaged(`the type of field ${excerpt(name)}`);
    } else if (!PRIMITIVES.has(type)) throw damaged(`a field of type ${excerpt(type)}`);
    return { type, name };
  }

  function* newProxyClass(): Pull<JavaClass> {
    spend("classes");
    const handle = keep(UNFINISHED);
    const interfaces: string[] = [];
    for (let left = yield* count(); left > 0; left--) interfaces.push(yield* text());
    const name = `proxy of ${interfaces.join(", ")}`;
    return yield* finishedClass(handle, { name, flags: SC.SERIALIZABLE, fields: [], interfaces });
  }

  function* finishedClass(handle: number, begun: Omit<JavaClass, "kind" | "parent">): Pull<JavaClass> {
    yield* annotation();
    const parent = yield* describedClass(yield* byte());
    const finished: JavaClass = { kind: "class", ...begun, parent };
    handles[handle] = finished;
    return finished;
  }

  function* constant(): Pull<JavaEnum> {
    const { name } = yield* someClass();
    const handle = keep(UNFINISHED);
    const found = yield* value();
    if (typeof found !== "string") throw damaged(`a constant of ${excerpt(name)} without a name`);
    const made: JavaEnum = { kind: "enum", type: name, constant: found };
    handles[handle] = made;
    return made;
  }

  function* array(): Pull<JavaValue> {
    const { name: type } = yield* someClass();
    const primitive = PRIMITIVES.get(type.slice(1));
    if (!/^\[./.test(type)) throw damaged(`an array of class ${excerpt(type)}`);
    const handle = keep(UNFINISHED);
    const length = yield* count();
    if (primitive !== undefined) {
      if (type !== "[B") spend("values", length);
      const bytes = yield* take(length * primitive.bytes);
      const items =
        type === "[B" ? bytes : Array.from({ length }, (_, at) => primitive.read(bytes, at * primitive.bytes));
      const made = { kind: "array", type, items } as const;
      handles[handle] = made;
      return made;
    }
    if (length > limits.values) throw new GraphProblem("too large", `it announces an array of ${length} objects`);
    const items: JavaValue[] = [];
    const made = { kind: "array", type, items } as const;
    handles[handle] = made;
    while (items.length < length) items.push(yield* value());
    return made;
  }

  function* object(): Pull<JavaObject> {
    const ofClass = yield* someClass();
    const fields = new Map<string, JavaValue>();
    const written = new Map<string, readonly (Buffer | JavaValue)[]>();
    const made: JavaObject = { kind: "object", class: ofClass, fields, written };
    keep(made);
    for (const part of lineage(ofClass)) {
      if ((part.flags & SC.EXTERNALIZABLE) !== 0) {
        if ((part.flags & SC.BLOCK_DATA) === 0)
          throw new GraphProblem("unsupported", `only the class ${excerpt(part.name)} itself can read what it wrote`);
        written.set(part.name, yield* annotation());
      } else if ((part.flags & SC.SERIALIZABLE) !== 0) {
        for (const { type, name } of part.fields) fields.set(name, yield* fieldValue(type));
        if ((part.flags & SC.WRITE_METHOD) !== 0) written.set(part.name, yield* annotation());
      }
    }
    return made;
  }

  function* fieldValue(type: string): Pull<JavaValue> {
    const primitive = PRIMITIVES.get(type);
    if (primitive === undefined) return yield* value();
    spend("values");
    return primitive.read(yield* take(primitive.bytes), 0);
  }

  /** Objects and blocks of primitive data, up to their end mark. */
  function* annotation(): Pull<readonly (Buffer | JavaValue)[]> {
    const items: (Buffer | JavaValue)[] = [];
    for (;;) {
      const tag = yield* byte();
      if (tag === TC.ENDBLOCKDATA) return items;
      if (tag === TC.BLOCKDATA || tag === TC.BLOCKDATALONG) {
        spend("values");
        items.push(yield* block(tag));
      } else items.push(yield* tagged(tag));
    }
  }

  function* block(tag: number): Pull<Buffer> {
    return yield* take(tag === TC.BLOCKDATA ? yield* byte() : yield* count());
  }

  return {
    *header() {
      const found = yield* take(STREAM_HEADER.length);
      if (!found.equals(STREAM_HEADER)) throw damaged(`the header ${found.toString("hex")}`);
    },
    *primitiveData(needed) {
      let found = Buffer.alloc(0);
      while (found.length < needed) {
        const tag = yield* byte();
        if (tag !== TC.BLOCKDATA && tag !== TC.BLOCKDATALONG)
          throw damaged(`the tag 0x${tag.toString(16).padStart(2, "0")} where primitive data begins`);
        spend("values");
        found = Buffer.concat([found, yield* block(tag)]);
      }
      return found.subarray(0, needed);
    },
    value,
  };
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

/** By Java's letter for the type (Java Virtual Machine Specification, 4.3.2). */
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
