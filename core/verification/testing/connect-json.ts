import fc from "fast-check";
import type { Column, ValueKind } from "../../../schemas/generated/verification-job.ts";
import type { OracleValue } from "../../ports/oracle.ts";

/**
 * One value as Oracle prints it and as Connect's JSON converter writes it: generated from the wire formats by other
 * means (`BigInt`, `Date`, `btoa`) than the product's.
 */
export interface Sample {
  readonly column: Omit<Column, "name">;
  readonly oracle: OracleValue;
  /** JSON text of the value. */
  readonly plain: string;
  /** Schema of the field, without its name. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Whether the JSON alone, without its schema, can be decoded. */
  readonly alone: boolean;
}

const encoder = new TextEncoder();
const base64 = (bytes: Iterable<number>): string => btoa(String.fromCharCode(...bytes));

function unscaledBytes(value: bigint): readonly number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 8n) {
    bytes.unshift(Number(rest & 0xffn));
    const sign = (bytes[0] as number) >= 0x80;
    if ((rest >> 8n === 0n && !sign) || (rest >> 8n === -1n && sign)) return bytes;
  }
}

const column = (kind: ValueKind, precision?: number, scale?: number): Sample["column"] => ({ kind, precision, scale });

/** A number as Oracle prints it: no zero before the point. */
function oracleNumber(unscaled: bigint, scale: number): string {
  if (scale <= 0) return String(unscaled * 10n ** BigInt(-scale));
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const whole = digits.slice(0, -scale).replace(/^0$/, "");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  const text = `${whole}${fraction === "" ? "" : `.${fraction}`}`;
  return text === "" ? "0" : `${unscaled < 0n ? "-" : ""}${text}`;
}

const digits38 = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });

const integer = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }).map(
  (value): Sample => ({
    column: column("number", 18, 0),
    oracle: String(value),
    plain: String(value),
    schema: { type: "int64" },
    alone: true,
  }),
);

const decimal = fc.tuple(digits38, fc.integer({ min: -5, max: 20 }), fc.constantFrom("base64", "numeric")).map(
  ([unscaled, scale, format]): Sample => ({
    column: column("number", 38, scale),
    oracle: oracleNumber(unscaled, scale),
    plain: format === "base64" ? `"${base64(unscaledBytes(unscaled))}"` : `${unscaled}E${-scale}`,
    schema: {
      type: "bytes",
      name: "org.apache.kafka.connect.data.Decimal",
      version: 1,
      parameters: { scale: String(scale), "connect.decimal.precision": "38" },
    },
    alone: format === "numeric",
  }),
);

const floating = fc
  .tuple(digits38, fc.integer({ min: -80, max: 120 }), fc.boolean())
  .map(([unscaled, scale, scaleFirst]): Sample => {
    const value = `"value":"${base64(unscaledBytes(unscaled))}"`;
    return {
      column: column("number"),
      oracle: oracleNumber(unscaled, scale),
      plain: scaleFirst ? `{"scale":${scale},${value}}` : `{${value},"scale":${scale}}`,
      schema: {
        type: "struct",
        name: "io.debezium.data.VariableScaleDecimal",
        fields: [
          { type: "int32", optional: false, field: "scale" },
          { type: "bytes", optional: false, field: "value" },
        ],
      },
      alone: true,
    };
  });

const times = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T23:59:59.999Z"),
  noInvalidDate: true,
});

const UNITS = [
  { digits: 0, unit: 3, name: "io.debezium.time.Timestamp" },
  { digits: 3, unit: 3, name: "io.debezium.time.Timestamp" },
  { digits: 6, unit: 6, name: "io.debezium.time.MicroTimestamp" },
  { digits: 9, unit: 9, name: "io.debezium.time.NanoTimestamp" },
] as const;

const local = fc
  .tuple(times, fc.constantFrom(...UNITS), fc.nat({ max: 999_999 }))
  .map(([date, { digits, unit, name }, more]): Sample => {
    const millis = BigInt(date.getTime()) - (digits === 0 ? BigInt(date.getUTCMilliseconds()) : 0n);
    const finer = BigInt(
      String(more)
        .padStart(6, "0")
        .slice(0, unit - 3) || "0",
    );
    const iso = new Date(Number(millis)).toISOString().slice(0, -1);
    const fraction = unit === 3 ? "" : String(finer).padStart(unit - 3, "0");
    return {
      column: column("datetime", digits),
      oracle: `${iso.replace("T", " ")}${fraction}`.slice(0, digits === 0 ? 19 : undefined),
      plain: String(millis * 10n ** BigInt(unit - 3) + finer),
      schema: { type: "int64", name, version: 1 },
      alone: true,
    };
  });

const instant = fc
  .tuple(
    fc.date({ min: new Date("0002-01-01T00:00:00Z"), max: new Date("9998-12-31T00:00:00Z"), noInvalidDate: true }),
    fc.integer({ min: -720, max: 840 }),
  )
  .map(([date, minutes]): Sample => {
    const shifted = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
    const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    const offset = `${minutes < 0 ? "-" : "+"}${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
    return {
      column: column("instant"),
      oracle: `${date.toISOString().slice(0, -1).replace("T", " ")}000Z`,
      plain: `"${shifted}${offset}"`,
      schema: { type: "string", name: "io.debezium.time.ZonedTimestamp", version: 1 },
      alone: true,
    };
  });

const interval = fc.integer({ min: -(10 ** 12), max: 10 ** 12 }).map((micros): Sample => {
  const [sign, rest] = [micros < 0 ? "-" : "+", Math.abs(micros)];
  const seconds = Math.floor(rest / 1e6);
  const two = (value: number) => String(value % 60).padStart(2, "0");
  const hours = String(Math.floor(seconds / 3600) % 24).padStart(2, "0");
  const time = `${hours}:${two(Math.floor(seconds / 60))}:${two(seconds)}`;
  return {
    column: column("day-interval"),
    oracle:
      `${sign}${String(Math.floor(seconds / 86_400)).padStart(9, "0")} ` +
      `${time}.${String(rest % 1e6).padStart(6, "0")}`,
    plain: micros.toExponential(),
    schema: { type: "double", name: "io.debezium.time.MicroDuration", version: 1 },
    alone: true,
  };
});

const double = fc.double({ noNaN: true }).map(
  (value): Sample => ({
    column: column("binary-double"),
    oracle: Number.isFinite(value) ? value.toExponential() : value > 0 ? "Inf" : "-Inf",
    plain: Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`,
    schema: { type: "double" },
    alone: true,
  }),
);

const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map(
  (value): Sample => ({
    column: column("binary-float"),
    oracle: String(value),
    plain: value === 0 ? "0.0" : String(Number(value.toPrecision(9))),
    schema: { type: "float" },
    alone: true,
  }),
);

const bytes = fc.uint8Array({ maxLength: 300 });
const raw = bytes.map(
  (value): Sample => ({
    column: column("raw"),
    oracle: [...value].map((byte) => byte.toString(16).padStart(2, "0")).join("") || null,
    plain: JSON.stringify(base64(value)),
    schema: { type: "bytes" },
    alone: true,
  }),
);
const blob = fc.tuple(bytes, fc.constantFrom(1, 1, 60)).map(([value, times]): Sample => {
  const long = new Uint8Array(value.length * times);
  for (let at = 0; at < times; at++) long.set(value, at * value.length);
  return {
    column: column("blob"),
    oracle: long,
    plain: JSON.stringify(base64(long)),
    schema: { type: "bytes" },
    alone: true,
  };
});

const characters = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme-ascii", maxLength: 200 }));
const text = characters.map(
  (value): Sample => ({
    column: column("text"),
    oracle: value === "" ? null : value,
    plain: JSON.stringify(value),
    schema: { type: "string" },
    alone: true,
  }),
);
const padded = characters
  .filter((value) => !value.endsWith(" ") && value !== "")
  .map(
    (value): Sample => ({
      column: column("padded-text"),
      oracle: value.padEnd(40, " "),
      plain: JSON.stringify(`${value}  `),
      schema: { type: "string" },
      alone: true,
    }),
  );
const clob = fc.tuple(characters, fc.constantFrom(1, 1, 90)).map(
  ([value, times]): Sample => ({
    column: column("clob"),
    oracle: value.repeat(times),
    plain: JSON.stringify(value.repeat(times)),
    schema: { type: "string" },
    alone: true,
  }),
);

const notNull = fc.oneof(
  integer,
  decimal,
  floating,
  local,
  instant,
  interval,
  double,
  float,
  raw,
  blob,
  text,
  padded,
  clob,
);

/** A value that cannot be NULL, for a key. */
export const keySamples: fc.Arbitrary<Sample> = notNull.filter(({ oracle }) => oracle !== null && oracle.length !== 0);

export const samples: fc.Arbitrary<Sample> = fc
  .tuple(notNull, fc.nat({ max: 9 }))
  .map(([sample, dice]) => (dice === 0 ? { ...sample, oracle: null, plain: "null", alone: true } : sample));

/** JSON of an object, with its members in the given order. */
export const object = (members: readonly (readonly [name: string, json: string])[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;

export const jsonBytes = (text: string): Uint8Array => encoder.encode(text);
