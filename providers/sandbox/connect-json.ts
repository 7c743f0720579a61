import { isJsonConverter } from "../../core/facts/connector/plugins.ts";
import { type Decimal, printJson } from "../../core/values/json.ts";

/** A field of a schema, as Connect's JSON converter writes it. */
export interface FieldSchema {
  readonly type: string;
  readonly optional: boolean;
  readonly name?: string;
  readonly version?: number;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly field?: string;
  readonly fields?: readonly FieldSchema[];
}

/** A value with its schema; its JSON may depend on the converter's settings. */
export interface Converted {
  readonly schema: FieldSchema;
  readonly json: JsonValue;
}

/** A value for `printJson`: a bigint is written as an integer. */
export type JsonValue =
  | null
  | string
  | number
  | bigint
  | boolean
  | Decimal
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export function struct(name: string, fields: Readonly<Record<string, Converted>>): Converted {
  return {
    schema: {
      type: "struct",
      fields: Object.entries(fields).map(([field, { schema }]) => ({ ...schema, field })),
      optional: false,
      name,
    },
    json: Object.fromEntries(Object.entries(fields).map(([field, { json }]) => [field, json])),
  };
}

export const text = (json: string | null): Converted => ({ schema: { type: "string", optional: true }, json });
export const int64 = (json: bigint | null): Converted => ({ schema: { type: "int64", optional: true }, json });

/** The same schema, with a null value. */
export const absent = ({ schema }: Converted): Converted => ({ schema: { ...schema, optional: true }, json: null });

/**
 * Returns the bytes of a record's key or value, in the envelope unless the configuration disables it: the converter's
 * default includes schemas.
 *
 * @throws Error for another converter: its task fails, as it would without its registry
 */
export function convert(
  { schema, json }: Converted,
  config: Readonly<Record<string, string>>,
  what: "key" | "value",
): Uint8Array {
  const converter = config[`${what}.converter`] ?? JSON_CONVERTER;
  if (!isJsonConverter(converter))
    throw new Error(`org.apache.kafka.connect.errors.DataException: the sandbox has no ${converter}`);
  const enveloped = config[`${what}.converter.schemas.enable`] !== "false";
  return Buffer.from(printJson(enveloped ? { schema, payload: json } : json, 0), "utf8");
}

const JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter";
