import type { Column, DictionaryColumn, ValueKind } from "../../schemas/generated/verification-job.ts";

/** Kind of values for each `DATA_TYPE` of the data dictionary, without its digits. */
const KIND_OF_TYPE: Readonly<Record<string, ValueKind>> = {
  NUMBER: "number",
  FLOAT: "number",
  BINARY_FLOAT: "binary-float",
  BINARY_DOUBLE: "binary-double",
  DATE: "datetime",
  TIMESTAMP: "datetime",
  "TIMESTAMP WITH TIME ZONE": "instant",
  "TIMESTAMP WITH LOCAL TIME ZONE": "instant",
  "INTERVAL DAY TO SECOND": "day-interval",
  "INTERVAL YEAR TO MONTH": "month-interval",
  RAW: "raw",
  "LONG RAW": "raw",
  BLOB: "blob",
  CHAR: "padded-text",
  NCHAR: "padded-text",
  VARCHAR: "text",
  VARCHAR2: "text",
  NVARCHAR2: "text",
  LONG: "text",
  ROWID: "text",
  UROWID: "text",
  CLOB: "clob",
  NCLOB: "clob",
};

/** @returns undefined for a type that the connector does not capture, whose values cannot be compared */
export function columnOf({ name, dataType, precision, scale }: DictionaryColumn): Column | undefined {
  const kind = KIND_OF_TYPE[dataType.replace(/\(\d+\)/g, "")];
  if (kind === undefined) return undefined;
  switch (kind) {
    case "datetime":
      return { name, kind, precision: dataType === "DATE" ? 0 : (scale ?? 6), scale: undefined };
    case "number":
      // The precision of FLOAT is in binary digits, and it has no fixed scale.
      return dataType === "NUMBER"
        ? { name, kind, precision: precision ?? (scale === undefined ? undefined : 38), scale }
        : { name, kind, precision: undefined, scale: undefined };
    default:
      return { name, kind, precision: undefined, scale: undefined };
  }
}
