import {
  encodeModifiedUtf8,
  FIRST_HANDLE,
  type JavaClass,
  type JavaValue,
  SC,
  STREAM_HEADER,
  TC,
} from "../../jmx/java-graph.ts";
import { SERIAL_VERSIONS } from "./serial-versions.ts";

export interface EncodeOptions {
  /** Whether each class is followed by its code base, which is null, as in remote calls (RMI specification, 10.2). */
  readonly remote?: boolean;
}

/**
 * One Java serialization stream: the header, primitive data if any, then the values. Repeated objects become
 * references, as in Java.
 */
export function encodeGraph(
  values: readonly JavaValue[],
  data?: Buffer,
  { remote = false }: EncodeOptions = {},
): Buffer {
  const handles = new Map<unknown, number>();
  let next = 0;
  const parts: Buffer[] = [STREAM_HEADER];
  const put = (...bytes: readonly number[]) => void parts.push(Buffer.from(bytes));
  const number = (bytes: number, write: (buffer: Buffer) => void): void => {
    const buffer = Buffer.alloc(bytes);
    write(buffer);
    parts.push(buffer);
  };
  const text = (value: string): void => {
    const bytes = encodeModifiedUtf8(value);
    number(2, (buffer) => buffer.writeUInt16BE(bytes.length));
    parts.push(bytes);
  };
  const known = (value: unknown): boolean => {
    const handle = handles.get(value);
    if (handle === undefined) return false;
    put(TC.REFERENCE);
    number(4, (buffer) => buffer.writeInt32BE(FIRST_HANDLE + handle));
    return true;
  };
  const keep = (value: unknown) => void handles.set(value, next++);

  // A JVM has a class once, and describes it once in a stream.
  const classes = new Map<string, JavaClass>();
  const only = (of: JavaClass): JavaClass => {
    const whole = JSON.stringify(of);
    const first = classes.get(whole) ?? of;
    classes.set(whole, first);
    return first;
  };
  const classDescriptor = (described: JavaClass | undefined): void => {
    const descriptor = described && only(described);
    if (descriptor === undefined) put(TC.NULL);
    if (descriptor === undefined || known(descriptor)) return;
    if (descriptor.interfaces.length > 0) {
      put(TC.PROXYCLASSDESC);
      keep(descriptor);
      number(4, (buffer) => buffer.writeInt32BE(descriptor.interfaces.length));
      for (const name of descriptor.interfaces) text(name);
    } else {
      put(TC.CLASSDESC);
      text(descriptor.name);
      number(8, (buffer) => buffer.writeBigInt64BE(SERIAL_VERSIONS.get(descriptor.name) ?? 1n));
      keep(descriptor);
      put(descriptor.flags);
      number(2, (buffer) => buffer.writeUInt16BE(descriptor.fields.length));
      for (const { type, name } of descriptor.fields) {
        parts.push(Buffer.from(type, "latin1"));
        text(name);
        if (type === "L" || type === "[") write("Ljava/lang/Object;");
      }
    }
    if (remote) put(TC.NULL);
    put(TC.ENDBLOCKDATA);
    classDescriptor(descriptor.parent);
  };
  const named = (name: string, flags: number = SC.SERIALIZABLE): JavaClass =>
    ({ kind: "class", name, flags, fields: [], interfaces: [], parent: undefined }) as const;
  const namedClasses = new Map<string, JavaClass>();
  const namedDescriptor = (name: string, flags?: number): void => {
    const found = namedClasses.get(name) ?? named(name, flags);
    namedClasses.set(name, found);
    classDescriptor(found);
  };

  const typed = (type: string, value: JavaValue): void => {
    const whole = () => value as bigint;
    if (type === "B") number(1, (buffer) => buffer.writeInt8(Number(whole())));
    else if (type === "S") number(2, (buffer) => buffer.writeInt16BE(Number(whole())));
    else if (type === "I") number(4, (buffer) => buffer.writeInt32BE(Number(whole())));
    else if (type === "J") number(8, (buffer) => buffer.writeBigInt64BE(whole()));
    else if (type === "F") number(4, (buffer) => buffer.writeFloatBE(value as number));
    else if (type === "D") number(8, (buffer) => buffer.writeDoubleBE(value as number));
    else if (type === "Z") put(value === true ? 1 : 0);
    else if (type === "C") number(2, (buffer) => buffer.writeUInt16BE((value as string).charCodeAt(0)));
    else write(value);
  };

  const annotation = (items: readonly (Buffer | JavaValue)[]): void => {
    for (const item of items)
      if (Buffer.isBuffer(item)) block(item);
      else write(item);
    put(TC.ENDBLOCKDATA);
  };
  const block = (bytes: Buffer): void => {
    if (bytes.length <= 255) put(TC.BLOCKDATA, bytes.length);
    else {
      put(TC.BLOCKDATALONG);
      number(4, (buffer) => buffer.writeInt32BE(bytes.length));
    }
    parts.push(bytes);
  };

  const write = (value: JavaValue): void => {
    if (value === null) {
      put(TC.NULL);
      return;
    }
    if (typeof value === "string") {
      put(TC.STRING);
      text(value);
      next++;
      return;
    }
    if (typeof value !== "object") throw new Error(`a primitive (${typeof value}) is not an object`);
    if (known(value)) return;
    switch (value.kind) {
      case "class":
        classDescriptor(value);
        return;
      case "enum":
        put(TC.ENUM);
        namedDescriptor(value.type, SC.SERIALIZABLE | SC.ENUM);
        keep(value);
        write(value.constant);
        return;
      case "array":
        put(TC.ARRAY);
        namedDescriptor(value.type);
        keep(value);
        number(4, (buffer) => buffer.writeInt32BE(value.items.length));
        if (Buffer.isBuffer(value.items)) parts.push(value.items);
        else for (const item of value.items) typed(value.type.slice(1), item);
        return;
      case "object": {
        put(TC.OBJECT);
        classDescriptor(value.class);
        keep(value);
        for (const one of lineage(value.class)) {
          if ((one.flags & SC.EXTERNALIZABLE) !== 0) annotation(value.written.get(one.name) ?? []);
          else if ((one.flags & SC.SERIALIZABLE) !== 0) {
            for (const { type, name } of one.fields) typed(type, value.fields.get(name) ?? null);
            if ((one.flags & SC.WRITE_METHOD) !== 0) annotation(value.written.get(one.name) ?? []);
          }
        }
      }
    }
  };

  if (data !== undefined) block(data);
  for (const value of values) write(value);
  return Buffer.concat(parts);
}

function lineage(of: JavaClass): readonly JavaClass[] {
  return of.parent === undefined ? [of] : [...lineage(of.parent), of];
}
