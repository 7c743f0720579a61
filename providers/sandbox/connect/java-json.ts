import { type Decimal, isDecimal, isObject, type Json, type JsonObject } from "../../../core/values/json.ts";

/**
 * Prints JSON as a Connect worker returns what it stored: numbers pass through Java's long and double, objects through
 * a HashMap, and characters beyond the basic plane are escaped (seen on 3.9.2 and 4.3.1).
 */
export function printJavaJson(value: Json): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "string") return printText(value);
  if (isDecimal(value)) return value.toString();
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(printJavaJson).join(",")}]`;
  return `{${Object.entries(value as JsonObject)
    .map(([key, member]) => `${printText(key)}:${printJavaJson(member)}`)
    .join(",")}}`;
}

const printText = (text: string): string =>
  JSON.stringify(text).replace(
    /[\ud800-\udfff]/g,
    (half) => `\\u${half.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  );

const MAX_LONG = 2n ** 63n - 1n;
const MIN_LONG = -(2n ** 63n);

/** The Java type of a value that an offset may not contain; undefined for an allowed value. */
export function notPrimitive(value: Json): "MAP" | "ARRAY" | "class java.math.BigInteger" | undefined {
  if (isDecimal(value)) return undefined;
  if (Array.isArray(value)) return "ARRAY";
  if (isObject(value)) return "MAP";
  if (typeof value === "bigint" && (value > MAX_LONG || value < MIN_LONG)) return "class java.math.BigInteger";
  return undefined;
}

/** A primitive as it is returned: `1e3` as `1000.0`, `1e400` as the text `"Infinity"`. */
export function throughJava(value: Json, decimal: (text: string) => Decimal): Json {
  if (!isDecimal(value)) return value;
  const real = Number(value.toString());
  return Number.isFinite(real) ? decimal(printDouble(real)) : real > 0 ? "Infinity" : "-Infinity";
}

/** `Double.toString`: always a fraction, and an exponent outside 10^-3 to 10^7. */
export function printDouble(real: number): string {
  if (real === 0) return Object.is(real, -0) ? "-0.0" : "0.0";
  const size = Math.abs(real);
  if (size >= 1e-3 && size < 1e7) {
    const text = String(real);
    return text.includes(".") ? text : `${text}.0`;
  }
  const [digits = "", exponent = "0"] = real.toExponential().split("e");
  return `${digits.includes(".") ? digits : `${digits}.0`}E${Number(exponent)}`;
}

/** Members in the order of a java.util.HashMap of strings. */
export function inHashMapOrder(object: JsonObject): JsonObject {
  const entries = Object.entries(object);
  let buckets = 16;
  while (entries.length > buckets * 0.75) buckets *= 2;
  const bucketOf = (text: string): number => {
    let hash = 0;
    for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    return (hash ^ (hash >>> 16)) & (buckets - 1);
  };
  return Object.fromEntries(
    entries
      .map(([key, value]) => [bucketOf(key), key, value] as const)
      .sort((a, b) => a[0] - b[0])
      .map(([, key, value]) => [key, value]),
  );
}
