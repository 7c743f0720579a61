/** The functions of queries, with their types and implementations. One row for each function. */
import { OraError } from "../ora-error.ts";
import {
  epochOf,
  formatMoment,
  isMoment,
  type Moment,
  parseMoment,
  zonedMoment,
  zoneMinutes,
  zoneText,
} from "./moment.ts";
import type { Shape, Surroundings } from "./scope.ts";
import { asInteger, asNumber, asText, compare, type SqlValue, whole } from "./values.ts";

export interface SqlFunction {
  /** Fewest and most parameters. */
  readonly parameters: readonly [least: number, most: number];
  shape(parameters: readonly Shape[]): Shape;
  apply(parameters: readonly SqlValue[], surroundings: Surroundings): SqlValue;
}

const NUMBER: Shape = { type: "NUMBER" };
const TEXT: Shape = { type: "VARCHAR2", size: 4000 };
const TIMESTAMP: Shape = { type: "TIMESTAMP" };
const TIMESTAMP_TZ: Shape = { type: "TIMESTAMP_TZ" };

const always = (shape: Shape) => () => shape;
const likeParameter =
  (at: number) =>
  (parameters: readonly Shape[]): Shape =>
    parameters[at] ?? TEXT;

function text(apply: (first: string, ...rest: (string | null)[]) => string | null): SqlFunction["apply"] {
  return (parameters) => {
    const [first = null, ...rest] = parameters.map(asText);
    return first === null ? null : apply(first, ...rest) || null;
  };
}

function numeric(apply: (value: bigint | number, ...rest: number[]) => bigint | number): SqlFunction["apply"] {
  return ([first = null, ...rest]) => {
    const value = asNumber(first);
    return value === null ? null : apply(value, ...rest.map((one) => Number(asNumber(one) ?? 0)));
  };
}

function moment(
  value: SqlValue | undefined,
  surroundings: Surroundings,
  model?: SqlValue,
  zoned = false,
): Moment | null {
  if (value === null || value === undefined) return null;
  if (isMoment(value)) return value;
  const is = zoned ? "TIMESTAMP_TZ" : "TIMESTAMP";
  return parseMoment(asText(value) ?? "", asText(model ?? null) ?? "DD-MON-RRRR HH.MI.SS.FF6", is, surroundings.zone);
}

function pick(direction: 1 | -1): SqlFunction {
  return {
    parameters: [1, 100],
    shape: likeParameter(0),
    apply: (parameters) => {
      let best: SqlValue = parameters[0] ?? null;
      for (const one of parameters) {
        const order = compare(one, best);
        if (order === undefined) return null;
        if (order * direction > 0) best = one;
      }
      return best;
    },
  };
}

export const FUNCTIONS: Readonly<Record<string, SqlFunction>> = {
  ABS: { parameters: [1, 1], shape: always(NUMBER), apply: numeric((value) => (value < 0 ? -value : value)) },
  CEIL: { parameters: [1, 1], shape: always(NUMBER), apply: numeric((value) => whole(Math.ceil(Number(value)))) },
  FLOOR: { parameters: [1, 1], shape: always(NUMBER), apply: numeric((value) => whole(Math.floor(Number(value)))) },
  MOD: { parameters: [2, 2], shape: always(NUMBER), apply: numeric((value, by = 1) => whole(Number(value) % by)) },
  ROUND: {
    parameters: [1, 2],
    shape: always(NUMBER),
    apply: numeric((value, digits = 0) => rounded(value, digits, Math.round)),
  },
  TRUNC: {
    parameters: [1, 2],
    shape: likeParameter(0),
    apply: ([value = null, ...rest]) => {
      if (isMoment(value))
        return { is: "DATE", wall: Math.floor(value.wall / 86_400_000) * 86_400_000, zone: undefined };
      const number = asNumber(value);
      return number === null ? null : rounded(number, Number(rest[0] ?? 0), Math.trunc);
    },
  },
  GREATEST: pick(1),
  LEAST: pick(-1),
  UPPER: { parameters: [1, 1], shape: always(TEXT), apply: text((value) => value.toUpperCase()) },
  LOWER: { parameters: [1, 1], shape: always(TEXT), apply: text((value) => value.toLowerCase()) },
  TRIM: { parameters: [1, 1], shape: always(TEXT), apply: text((value) => value.trim()) },
  LENGTH: {
    parameters: [1, 1],
    shape: always(NUMBER),
    apply: ([value = null]) => asInteger(String(asText(value) ?? "").length || null),
  },
  SUBSTR: {
    parameters: [2, 3],
    shape: always(TEXT),
    apply: text((value, from, count) => {
      const start = Number(from) > 0 ? Number(from) - 1 : Number(from);
      return count === undefined || count === null ? value.slice(start) : value.slice(start).slice(0, Number(count));
    }),
  },
  INSTR: {
    parameters: [2, 2],
    shape: always(NUMBER),
    apply: ([value = null, part = null]) => whole((asText(value) ?? "").indexOf(asText(part) ?? "") + 1),
  },
  /** Only POSIX patterns with the same meaning in JavaScript. */
  REGEXP_INSTR: {
    parameters: [2, 2],
    shape: always(NUMBER),
    apply: ([value = null, pattern = null]) =>
      whole((asText(value) ?? "").search(new RegExp(asText(pattern) ?? "", "u")) + 1),
  },
  REPLACE: {
    parameters: [2, 3],
    shape: always(TEXT),
    apply: text((value, from, to) => value.replaceAll(from ?? "", to ?? "")),
  },
  RTRIM: { parameters: [1, 1], shape: always(TEXT), apply: text((value) => value.trimEnd()) },
  LTRIM: { parameters: [1, 1], shape: always(TEXT), apply: text((value) => value.trimStart()) },
  NVL: { parameters: [2, 2], shape: likeParameter(0), apply: ([value = null, otherwise = null]) => value ?? otherwise },
  NVL2: {
    parameters: [3, 3],
    shape: likeParameter(1),
    apply: ([value = null, yes = null, no = null]) => (value === null ? no : yes),
  },
  COALESCE: {
    parameters: [2, 100],
    shape: likeParameter(0),
    apply: (parameters) => parameters.find((one) => one !== null) ?? null,
  },
  NULLIF: {
    parameters: [2, 2],
    shape: likeParameter(0),
    apply: ([left = null, right = null]) => (compare(left, right) === 0 ? null : left),
  },
  DECODE: {
    parameters: [3, 100],
    shape: likeParameter(2),
    apply: ([value = null, ...rest]) => {
      for (let i = 0; i + 1 < rest.length; i += 2) {
        const when = rest[i] ?? null;
        if ((value === null && when === null) || compare(value, when) === 0) return rest[i + 1] ?? null;
      }
      return rest.length % 2 === 1 ? (rest.at(-1) ?? null) : null;
    },
  },
  TO_CHAR: {
    parameters: [1, 3],
    shape: always({ type: "VARCHAR2", size: 128 }),
    apply: ([value = null, model = null]) =>
      isMoment(value) ? formatMoment(value, asText(model) ?? undefined) : asText(value),
  },
  TO_BINARY_FLOAT: { parameters: [1, 1], shape: always({ type: "BINARY_FLOAT" }), apply: binaryNumber },
  TO_BINARY_DOUBLE: { parameters: [1, 1], shape: always({ type: "BINARY_DOUBLE" }), apply: binaryNumber },
  TO_DSINTERVAL: { parameters: [1, 1], shape: always(TEXT), apply: ([value = null]) => asText(value) },
  TO_YMINTERVAL: { parameters: [1, 1], shape: always(TEXT), apply: ([value = null]) => asText(value) },
  HEXTORAW: {
    parameters: [1, 1],
    shape: always({ type: "RAW", size: 2000 }),
    apply: ([value = null]) => (Buffer.isBuffer(value) ? value : Buffer.from(asText(value) ?? "", "hex")),
  },
  ROWIDTOCHAR: { parameters: [1, 1], shape: always({ type: "VARCHAR2", size: 18 }), apply: ([value = null]) => value },
  CHARTOROWID: { parameters: [1, 1], shape: always({ type: "VARCHAR2", size: 18 }), apply: ([value = null]) => value },
  "DBMS_LOB.GETLENGTH": {
    parameters: [1, 1],
    shape: always(NUMBER),
    apply: ([value = null]) =>
      value === null ? null : BigInt(Buffer.isBuffer(value) || typeof value === "string" ? value.length : 0),
  },
  TO_NUMBER: { parameters: [1, 2], shape: always(NUMBER), apply: ([value = null]) => asNumber(value) },
  TO_DATE: {
    parameters: [1, 2],
    shape: always({ type: "DATE" }),
    apply: ([value, model], surroundings) => {
      const at = moment(value, surroundings, model);
      return at && { is: "DATE", wall: Math.floor(at.wall / 1000) * 1000, zone: undefined };
    },
  },
  TO_TIMESTAMP: {
    parameters: [1, 2],
    shape: always(TIMESTAMP),
    apply: ([value, model], around) => moment(value, around, model),
  },
  TO_TIMESTAMP_TZ: {
    parameters: [1, 2],
    shape: always(TIMESTAMP_TZ),
    apply: ([value, model], around) => moment(value, around, model, true),
  },
  FROM_TZ: {
    parameters: [2, 2],
    shape: always(TIMESTAMP_TZ),
    apply: ([value = null, zone = null]) =>
      isMoment(value) ? { ...value, is: "TIMESTAMP_TZ", zone: zoneMinutes(asText(zone) ?? "") } : null,
  },
  SYS_EXTRACT_UTC: {
    parameters: [1, 1],
    shape: always(TIMESTAMP),
    apply: ([value = null], { zone }) =>
      isMoment(value) ? { ...value, is: "TIMESTAMP", wall: epochOf(value, zone), zone: undefined } : null,
  },
  TZ_OFFSET: { parameters: [1, 1], shape: always(TEXT), apply: text((zone) => zoneText(zoneMinutes(zone))) },
  SCN_TO_TIMESTAMP: {
    parameters: [1, 1],
    shape: always(TIMESTAMP),
    apply: ([value = null], surroundings) => {
      const scn = asInteger(value);
      if (scn === null) return null;
      return { is: "TIMESTAMP", wall: surroundings.timeOfScn(scn) + surroundings.zone * 60_000, zone: undefined };
    },
  },
  TIMESTAMP_TO_SCN: {
    parameters: [1, 1],
    shape: always(NUMBER),
    // It takes a TIMESTAMP: the zone of a zoned one is dropped, not converted.
    apply: ([value = null], surroundings) =>
      isMoment(value) ? surroundings.scnAtTime(value.wall - surroundings.zone * 60_000) : null,
  },
  SYS_CONTEXT: {
    parameters: [2, 3],
    shape: always({ type: "VARCHAR2", size: 256 }),
    apply: ([namespace = null, parameter = null], surroundings) => {
      if (asText(namespace)?.toUpperCase() !== "USERENV") return null;
      return surroundings.sysContext((asText(parameter) ?? "").toUpperCase());
    },
  },
};

function binaryNumber([value = null]: readonly SqlValue[]): SqlValue {
  return typeof value === "string" && !/^[+-]?[.\d]/.test(value) ? Number(value) : asNumber(value);
}

function rounded(value: bigint | number, digits: number, round: (value: number) => number): bigint | number {
  if (typeof value === "bigint") return value;
  const scale = 10 ** digits;
  return whole(round(value * scale) / scale);
}

/** Names that need no parentheses. */
export const PSEUDO_COLUMNS: Readonly<
  Record<string, { readonly shape: Shape; value(around: Surroundings): SqlValue }>
> = {
  SYSDATE: {
    shape: { type: "DATE" },
    value: ({ now, zone }) => ({ is: "DATE", wall: Math.floor(now() / 1000) * 1000 + zone * 60_000, zone: undefined }),
  },
  SYSTIMESTAMP: { shape: TIMESTAMP_TZ, value: ({ now, zone }) => zonedMoment(now(), zone) },
  CURRENT_TIMESTAMP: { shape: TIMESTAMP_TZ, value: ({ now }) => zonedMoment(now(), 0) },
  LOCALTIMESTAMP: { shape: TIMESTAMP, value: ({ now }) => ({ is: "TIMESTAMP", wall: now(), zone: undefined }) },
  DBTIMEZONE: { shape: TEXT, value: () => "+00:00" },
  SESSIONTIMEZONE: { shape: TEXT, value: () => "+00:00" },
  USER: { shape: { type: "VARCHAR2", size: 128 }, value: ({ user }) => user },
};

/** Aggregates over the values of a group, without nulls. */
export const AGGREGATES: Readonly<
  Record<string, { shape(parameter: Shape): Shape; apply(values: readonly SqlValue[]): SqlValue }>
> = {
  COUNT: { shape: always(NUMBER), apply: (values) => BigInt(values.length) },
  MIN: { shape: (parameter) => parameter, apply: (values) => extreme(values, -1) },
  MAX: { shape: (parameter) => parameter, apply: (values) => extreme(values, 1) },
  SUM: { shape: always(NUMBER), apply: (values) => (values.length === 0 ? null : values.reduce(plus, 0n)) },
  AVG: {
    shape: always(NUMBER),
    apply: (values) => (values.length === 0 ? null : whole(Number(asNumber(values.reduce(plus, 0n))) / values.length)),
  },
};

function extreme(values: readonly SqlValue[], direction: 1 | -1): SqlValue {
  return values.reduce<SqlValue>(
    (best, one) => (best === null || (compare(one, best) ?? 0) * direction > 0 ? one : best),
    null,
  );
}

function plus(sum: SqlValue, one: SqlValue): SqlValue {
  const [a, b] = [asNumber(sum) ?? 0n, asNumber(one) ?? 0n];
  return typeof a === "bigint" && typeof b === "bigint" ? a + b : whole(Number(a) + Number(b));
}

/** @throws OraError 00904 for a function that the database does not have; 00909 for too few or too many parameters */
export function functionNamed(name: string, parameters: number, offset: number): SqlFunction {
  const found = FUNCTIONS[name.replace(/^SYS\./, "")];
  if (found === undefined) throw new OraError(904, `"${name.replaceAll(".", '"."')}": invalid identifier`, offset);
  const [least, most] = found.parameters;
  if (parameters < least || parameters > most) throw new OraError(909, "invalid number of arguments", offset);
  return found;
}
