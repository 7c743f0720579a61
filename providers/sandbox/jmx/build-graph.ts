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
  const loadFactor = Buffer.alloc(4);
  loadFactor.writeFloatBE(0.75);
  return objectOf("java.util.HashSet", {}, [Buffer.concat([count(16), loadFactor, count(items.length)]), ...items]);
}

export function treeMap(entries: readonly (readonly [JavaValue, JavaValue])[]): JavaObject {
  // Java expects the keys to be sorted.
  const sorted = [...entries].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return objectOf("java.util.TreeMap", { Lcomparator: null }, [count(entries.length), ...sorted.flat()]);
}

export function composite(row: Readonly<Record<string, JavaValue>>): JavaObject {
  const entries = Object.entries(row);
  const compositeType = openType("CompositeType", "javax.management.openmbean.CompositeData", "row", {
    LnameToDescription: treeMap(entries.map(([name]) => [name, name])),
    LnameToType: treeMap(entries.map(([name, value]) => [name, simpleType(value)])),
  });
  return objectOf("javax.management.openmbean.CompositeDataSupport", {
    LcompositeType: compositeType,
    Lcontents: treeMap(entries),
  });
}

/** The open type of a value that is neither composite nor a table. */
function simpleType(value: JavaValue): JavaObject {
  const name =
    typeof value === "object" && value !== null && value.kind === "object" ? value.class.name : "java.lang.String";
  return openType("SimpleType", name, name, {});
}

/** The common fields of open types are in their superclass. */
function openType(
  kind: "CompositeType" | "SimpleType",
  className: string,
  typeName: string,
  own: Readonly<Record<string, JavaValue>>,
): JavaObject {
  const parent = objectOf("javax.management.openmbean.OpenType", {
    LclassName: className,
    Ldescription: typeName,
    LtypeName: typeName,
  });
  const whole = objectOf(`javax.management.openmbean.${kind}`, own);
  return {
    ...whole,
    class: { ...whole.class, parent: parent.class },
    fields: new Map([...parent.fields, ...whole.fields]),
  };
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

/** @param cause undefined: the exception itself, as in Java */
export function exception(name: string, message: string, cause?: JavaValue, field = "cause"): JavaObject {
  const whole = objectOf(name, { LdetailMessage: message, [`L${field}`]: cause ?? null });
  const lineage = field === "cause" ? LINEAGES.find(([own]) => own === name) : undefined;
  // The message is in the base class, whose fields Java reads.
  const made =
    lineage === undefined
      ? whole
      : {
          ...whole,
          class: lineage.reduceRight<JavaClass | undefined>(
            (parent, one) => classOf(one, { parent, fields: parent === undefined ? whole.class.fields : [] }),
            undefined,
          ) as JavaClass,
        };
  if (cause === undefined) (made.fields as Map<string, JavaValue>).set(field, made);
  return made;
}

const RUNTIME = ["java.lang.RuntimeException", "java.lang.Exception", "java.lang.Throwable"];
const OPERATIONS = [
  "javax.management.OperationsException",
  "javax.management.JMException",
  "java.lang.Exception",
  "java.lang.Throwable",
];
/** Exceptions that a JVM throws at its clients, each with its superclasses. */
const LINEAGES: readonly (readonly string[])[] = [
  ["java.lang.SecurityException", ...RUNTIME],
  ["java.lang.UnsupportedOperationException", ...RUNTIME],
  ["javax.management.AttributeNotFoundException", ...OPERATIONS],
  ["javax.management.InstanceNotFoundException", ...OPERATIONS],
];

export interface StubOptions {
  /**
   * Whether it is the stub of the JMX server in the registry, or of the connection that it returns. Default: the
   * server's.
   */
  readonly of?: "RMIServer" | "RMIConnection";
  readonly host?: string;
  readonly port?: number;
  readonly factory?: JavaObject;
  readonly kind?: string;
}

/** A stub as JDKs create it: `UnicastRef2` with a socket factory, `UnicastRef` without. */
export function stub({
  of: remote = "RMIServer",
  host = "127.0.0.1",
  port = 1,
  factory,
  kind,
}: StubOptions = {}): JavaObject {
  const text = (value: string): Buffer => {
    const head = Buffer.alloc(2);
    head.writeUInt16BE(value.length);
    return Buffer.concat([head, Buffer.from(value, "latin1")]);
  };
  const named = kind ?? (factory === undefined ? "UnicastRef" : "UnicastRef2");
  const address = [text(named), ...(named === "UnicastRef2" ? [Buffer.from([1])] : []), text(host), count(port)];
  // The object's id, and a flag that no acknowledgement is awaited.
  const id = Buffer.concat([Buffer.alloc(22, 7), Buffer.from([0])]);
  const written = factory === undefined ? [Buffer.concat([...address, id])] : [Buffer.concat(address), factory, id];
  const parent = objectOf("java.rmi.server.RemoteObject", {}, written);
  const remoteStub = classOf("java.rmi.server.RemoteStub", { parent: parent.class });
  return { ...parent, class: classOf(`javax.management.remote.rmi.${remote}Impl_Stub`, { parent: remoteStub }) };
}
