import type { MetricRow, MetricValue } from "../../core/facts/connector/task-metrics.ts";
import { truncate } from "../../core/values/truncate.ts";
import { GraphProblem, type JavaArray, type JavaObject, type JavaValue, objectsWritten } from "./java-graph.ts";

/**
 * How often objects may be visited: a small graph with many references to the same object can expand to an enormous
 * tree.
 */
const MOST_VALUES = 200_000;
const DEEPEST = 100;
/** Larger than any number a metric has. */
const LONGEST_INTEGER_BYTES = 64;

/** Reads the values inside the current one. */
type Inner = (value: JavaValue | undefined) => MetricValue;

/**
 * Decodes the value of an attribute: open types (composite and tabular data, arrays), Java's collections and boxed
 * primitives.
 *
 * @throws GraphProblem naming an unsupported class, and for values that are too large
 */
export function attributeValue(value: JavaValue): MetricValue {
  let visited = 0;
  let depth = 0;
  const inner: Inner = (one) => {
    visited += 1;
    if (visited > MOST_VALUES || depth >= DEEPEST)
      throw new GraphProblem(
        "too large",
        `it expands to more than ${MOST_VALUES} values, or is nested more than ${DEEPEST} deep`,
      );
    depth += 1;
    const found = metricValue(one, inner);
    depth -= 1;
    return found;
  };
  return inner(value);
}

function metricValue(value: JavaValue | undefined, inner: Inner): MetricValue {
  if (value === undefined) throw new GraphProblem("damaged", "it is damaged: a value without its field");
  if (value === null || typeof value !== "object") return value;
  switch (value.kind) {
    case "array":
      return Buffer.isBuffer(value.items) ? wholeNumbers(value.items) : value.items.map(inner);
    case "enum":
      return value.constant;
    case "class":
      throw unknownClass("java.lang.Class");
    case "object": {
      const read = CLASSES.get(value.class.name);
      if (read === undefined) throw unknownClass(value.class.name);
      return read(value, inner);
    }
  }
}

function wholeNumbers(bytes: Buffer): MetricValue {
  if (bytes.length > MOST_VALUES) throw new GraphProblem("too large", `it is an array of ${bytes.length} bytes`);
  return Array.from(new Int8Array(bytes), BigInt);
}

const listOf = (className: string) => (object: JavaObject, inner: Inner) =>
  objectsWritten(object, className).map(inner);
const mapOf = (className: string) => (object: JavaObject, inner: Inner) =>
  rowOf(objectsWritten(object, className), inner);
const BOXES = ["Boolean", "Byte", "Character", "Double", "Float", "Integer", "Long", "Short"];
const wrapped = (field: string) => (object: JavaObject, inner: Inner) => inner(object.fields.get(field));

/** Readers by class. A class that only adds behaviour keeps its data in its parent. */
const CLASSES: ReadonlyMap<string, (object: JavaObject, inner: Inner) => MetricValue> = new Map([
  ...BOXES.map((name) => [`java.lang.${name}`, wrapped("value")] as const),
  ["java.math.BigInteger", bigInteger],
  ["java.util.ArrayList", listOf("java.util.ArrayList")],
  ["java.util.Arrays$ArrayList", wrapped("a")],
  ["java.util.CollSer", immutableCollection],
  ["java.util.Collections$EmptyList", () => []],
  ["java.util.Collections$EmptyMap", () => new Map()],
  ["java.util.Collections$SingletonList", (object, inner) => [inner(object.fields.get("element"))]],
  ["java.util.Collections$UnmodifiableList", wrapped("list")],
  ["java.util.Collections$UnmodifiableMap", wrapped("m")],
  ["java.util.Collections$UnmodifiableRandomAccessList", wrapped("list")],
  ["java.util.HashMap", mapOf("java.util.HashMap")],
  ["java.util.HashSet", listOf("java.util.HashSet")],
  ["java.util.LinkedHashMap", mapOf("java.util.HashMap")],
  ["java.util.LinkedHashSet", listOf("java.util.HashSet")],
  ["java.util.LinkedList", listOf("java.util.LinkedList")],
  ["java.util.TreeMap", mapOf("java.util.TreeMap")],
  ["javax.management.openmbean.CompositeDataSupport", wrapped("contents")],
  ["javax.management.openmbean.TabularDataSupport", tableRows],
]);

/** The names of a composite, or the keys of a map, which must be strings. */
function rowOf(pairs: readonly JavaValue[], inner: Inner): MetricRow {
  const row = new Map<string, MetricValue>();
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const name = pairs[at];
    if (typeof name !== "string") throw new GraphProblem("unsupported", "it is a map whose keys are not strings");
    row.set(name, inner(pairs[at + 1]));
  }
  return row;
}

/** `dataMap`: from the index of a row, a list of values, to the row. */
function tableRows(table: JavaObject, inner: Inner): MetricValue {
  const rows = table.fields.get("dataMap");
  if (typeof rows !== "object" || rows?.kind !== "object" || !/^java\.util\.(Linked)?HashMap$/.test(rows.class.name))
    throw new GraphProblem("unsupported", "it is a table of an unknown kind");
  return objectsWritten(rows, "java.util.HashMap")
    .filter((_, at) => at % 2 === 1)
    .map(inner);
}

const COLLECTION_TAGS = { list: 1n, set: 2n, map: 3n, listWithNulls: 4n } as const;

/** Reads `List.of`, `Set.of` and `Map.of`; the lowest byte of `tag` identifies the kind. */
function immutableCollection(object: JavaObject, inner: Inner): MetricValue {
  const tag = object.fields.get("tag");
  const items = objectsWritten(object, "java.util.CollSer");
  switch (typeof tag === "bigint" ? tag & 0xffn : undefined) {
    case COLLECTION_TAGS.map:
      return rowOf(items, inner);
    case COLLECTION_TAGS.list:
    case COLLECTION_TAGS.set:
    case COLLECTION_TAGS.listWithNulls:
      return items.map(inner);
    default:
      throw new GraphProblem("unsupported", "it is a collection of an unknown kind");
  }
}

function bigInteger({ fields }: JavaObject): MetricValue {
  const magnitude = fields.get("magnitude") as JavaArray | undefined;
  const signum = fields.get("signum");
  const bytes = typeof magnitude === "object" && magnitude?.kind === "array" ? magnitude.items : undefined;
  if (!Buffer.isBuffer(bytes) || typeof signum !== "bigint")
    throw new GraphProblem("damaged", "it is damaged: a BigInteger without its digits");
  if (bytes.length > LONGEST_INTEGER_BYTES)
    throw new GraphProblem("too large", `it is a number of ${bytes.length} bytes`);
  const value = bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString("hex")}`);
  return signum < 0n ? -value : value;
}

function unknownClass(name: string): GraphProblem {
  return new GraphProblem("unsupported", `it holds a ${truncate(name, 200)}, a class that cdcctl does not read`);
}
