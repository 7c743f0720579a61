import { type JavaArray, type JavaClass, type JavaObject, type JavaValue, SC } from "../../jmx/java-graph.ts";

/** Java's objects as its serialization writes them. */

export function classOf(name: string, change: Partial<JavaClass> = {}): JavaClass {
  return { kind: "class", name, flags: SC.SERIALIZABLE, fields: [], interfaces: [], parent: undefined, ...change };
}

/** @param fields the type is Java's letter before the name: `Jvalue`, `Lcause` */
export function objectOf(
  name: string,
  fields: Readonly<Record<string, JavaValue>> = {},
  written?: readonly (Buffer | JavaValue)[],
): JavaObject {
  const flags = SC.SERIALIZABLE | (written === undefined ? 0 : SC.WRITE_METHOD);
  const described = Object.keys(fields).map((key) => ({ type: key.slice(0, 1), name: key.slice(1) }));
  return {
    kind: "object",
    class: classOf(name, { flags, fields: described }),
    fields: new Map(Object.entries(fields).map(([key, value]) => [key.slice(1), value])),
    written: new Map(written === undefined ? [] : [[name, written]]),
  };
}

export const boxedLong = (value: bigint): JavaObject => objectOf("java.lang.Long", { Jvalue: value });
export const boxedInteger = (value: bigint): JavaObject => objectOf("java.lang.Integer", { Ivalue: value });
export const boxedBoolean = (value: boolean): JavaObject => objectOf("java.lang.Boolean", { Zvalue: value });

export function arrayOf(type: string, items: readonly JavaValue[]): JavaArray {
  return { kind: "array", type, items };
}

const count = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

export function arrayList(items: readonly JavaValue[]): JavaObject {
  return objectOf("java.util.ArrayList", { Isize: BigInt(items.length) }, [count(items.length), ...items]);
}

export function hashSet(items: readonly JavaValue[]): JavaObject {
  return objectOf("java.util.HashSet", {}, [Buffer.alloc(12), ...items]);
}

export function treeMap(entries: readonly (readonly [JavaValue, JavaValue])[]): JavaObject {
  return objectOf("java.util.TreeMap", { Lcomparator: null }, [count(entries.length), ...entries.flat()]);
}

export function composite(row: Readonly<Record<string, JavaValue>>): JavaObject {
  return objectOf("javax.management.openmbean.CompositeDataSupport", {
    LcompositeType: objectOf("javax.management.openmbean.CompositeType", { LtypeName: "row" }),
    Lcontents: treeMap(Object.entries(row)),
  });
}

export function table(rows: readonly JavaObject[]): JavaObject {
  const entries = rows.flatMap((row, at) => [arrayList([`key ${at}`]), row]);
  return objectOf("javax.management.openmbean.TabularDataSupport", {
    LdataMap: objectOf("java.util.HashMap", { IsomeField: 1n }, [Buffer.alloc(8), ...entries]),
  });
}

export function objectName(name: string): JavaObject {
  return objectOf("javax.management.ObjectName", {}, [name]);
}

export function attributeList(attributes: Readonly<Record<string, JavaValue>>): JavaObject {
  const items = Object.entries(attributes).map(([name, value]) =>
    objectOf("javax.management.Attribute", { Lname: name, Lvalue: value }),
  );
  const list = arrayList(items);
  return { ...list, class: classOf("javax.management.AttributeList", { parent: list.class }) };
}

/** @param cause undefined: it names itself, as Java's do */
export function exception(name: string, message: string, cause?: JavaValue, field = "cause"): JavaObject {
  const made = objectOf(name, { LdetailMessage: message, [`L${field}`]: cause ?? null });
  if (cause === undefined) (made.fields as Map<string, JavaValue>).set(field, made);
  return made;
}

export interface StubOptions {
  readonly host?: string;
  readonly port?: number;
  readonly factory?: JavaObject;
  readonly kind?: string;
}

/** A stub as JDKs make it: `UnicastRef2` with a socket factory, `UnicastRef` without. */
export function stub({ host = "127.0.0.1", port = 1, factory, kind }: StubOptions = {}): JavaObject {
  const text = (value: string): Buffer => {
    const head = Buffer.alloc(2);
    head.writeUInt16BE(value.length);
    return Buffer.concat([head, Buffer.from(value, "latin1")]);
  };
  const named = kind ?? (factory === undefined ? "UnicastRef" : "UnicastRef2");
  const address = [text(named), ...(named === "UnicastRef2" ? [Buffer.from([1])] : []), text(host), count(port)];
  const id = Buffer.alloc(23, 7);
  const written = factory === undefined ? [Buffer.concat([...address, id])] : [Buffer.concat(address), factory, id];
  const parent = objectOf("java.rmi.server.RemoteObject", {}, written);
  return { ...parent, class: classOf("javax.management.remote.rmi.RMIServerImpl_Stub", { parent: parent.class }) };
}
