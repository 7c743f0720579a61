/** Values inside a query, and Oracle's implicit conversions and comparisons. */
import { DAY } from "../../../../core/values/duration.ts";
import { OraError } from "../ora-error.ts";
import type { ColumnType, Value } from "../values.ts";
import { formatMoment, isMoment, type Moment } from "./moment.ts";

/** Whole numbers are bigints: an SCN must not pass through a double. An empty text is null. RAW and BLOB are bytes. */
export type SqlValue = string | bigint | number | Decimal | Moment | Buffer | null;

/** A NUMBER of a table, sent to a client with all digits. Calculations use a double. */
export interface Decimal {
  readonly digits: string;
}

function isDecimal(value: SqlValue): value is Decimal {
  return typeof value === "object" && value !== null && "digits" in value;
}

export function asText(value: SqlValue): string | null {
  if (value === null || value === "") return null;
  if (isDecimal(value)) return value.digits;
  if (Buffer.isBuffer(value)) return value.toString("hex").toUpperCase();
  return isMoment(value) ? formatMoment(value) : String(value);
}

/** @throws OraError 01722 for a text that is not a number */
export function asNumber(value: SqlValue): bigint | number | null {
  if (value === null || typeof value === "bigint" || typeof value === "number") return value;
  if (isDecimal(value)) return Number(value.digits);
  if (typeof value !== "string")
    throw new OraError(932, `inconsistent datatypes: expected NUMBER got ${isMoment(value) ? "DATE" : "BINARY"}`);
  const text = value.trim();
  if (/^[+-]?\d+$/.test(text)) return BigInt(text);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) throw new OraError(1722, "invalid number");
  return Number(text);
}

/** A whole number. */
export function asInteger(value: SqlValue): bigint | null {
  const number = asNumber(value);
  return typeof number === "number" ? BigInt(Math.trunc(number)) : number;
}

/** @returns below 0, 0, above 0; undefined when either is null, which makes every comparison unknown */
export function compare(left: SqlValue, right: SqlValue): number | undefined {
  if (left === null || right === null) return undefined;
  if (isMoment(left) && isMoment(right)) {
    const both = left.zone !== undefined && right.zone !== undefined;
    const of = (moment: Moment) => moment.wall - (both ? (moment.zone ?? 0) * 60_000 : 0);
    return of(left) - of(right) || (left.nanos ?? 0) - (right.nanos ?? 0);
  }
  if (Buffer.isBuffer(left) && Buffer.isBuffer(right)) return left.compare(right);
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  const [a, b] = [asNumber(left), asNumber(right)];
  if (a === null || b === null) return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

export function arithmetic(operator: string, left: SqlValue, right: SqlValue): SqlValue {
  if (operator === "||") return (asText(left) ?? "") + (asText(right) ?? "") || null;
  if (left === null || right === null) return null;
  if (isMoment(left)) return momentArithmetic(operator, left, right);
  if (isMoment(right)) return momentArithmetic(operator, right, left);
  const [a, b] = [asNumber(left), asNumber(right)];
  if (a === null || b === null) return null;
  if (operator === "/" && Number(b) === 0) throw new OraError(1476, "divisor is equal to zero");
  if (typeof a === "bigint" && typeof b === "bigint") {
    if (operator === "+") return a + b;
    if (operator === "-") return a - b;
    if (operator === "*") return a * b;
    if (a % b === 0n) return a / b;
  }
  const [x, y] = [Number(a), Number(b)];
  return whole(operator === "+" ? x + y : operator === "-" ? x - y : operator === "*" ? x * y : x / y);
}

/** Whole numbers become bigints again. */
export function whole(value: number): bigint | number {
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** A number combined with a moment is a number of days. */
function momentArithmetic(operator: string, moment: Moment, other: SqlValue): SqlValue {
  if (isMoment(other)) return whole((moment.wall - other.wall) / DAY);
  const days = Number(asNumber(other) ?? 0);
  return { ...moment, wall: Math.round(moment.wall + (operator === "-" ? -days : days) * DAY) };
}

/** Converts a value for a client, in a column of that type. */
export function forClient(value: SqlValue, type: ColumnType): Value {
  if (value === null || Buffer.isBuffer(value)) return value;
  if (isDecimal(value)) return value.digits;
  if (!isMoment(value)) return type === "NUMBER" ? asNumber(value) : String(value);
  if (type === "TIMESTAMP_TZ") return formatMoment(value, "YYYY-MM-DD HH24:MI:SS.FF9TZR");
  // A Date holds milliseconds.
  return value.nanos === undefined ? new Date(value.wall) : formatMoment(value, "YYYY-MM-DD HH24:MI:SS.FF9");
}

/** Converts the value of a client's bind for a query. */
export function fromClient(value: Value): SqlValue {
  if (value instanceof Date) return { is: "TIMESTAMP", wall: value.getTime(), zone: undefined };
  if (Buffer.isBuffer(value)) return value.toString("hex").toUpperCase();
  return value === "" ? null : value;
}
