import { anyOf } from "../values/regexp.ts";

/** Transformations and predicates whose settings were made for records with columns at the top. */

/** Of Kafka Connect: they look at topic, headers or schema name only, or wrap the whole value. */
const NO_COLUMN = anyOf([
  /(?:^|\.)(?:RegexRouter|TimestampRouter|InsertHeader|DropHeaders|Filter)$/,
  /(?:^|\.)(?:SetSchemaMetadata|HoistField|InsertField)\$(?:Key|Value)$/,
]);
/** They put the columns back on top. */
const UNWRAPS = /(?:^|\.)(?:ExtractNewRecordState|ExtractField\$Value)$/;
const NO_COLUMN_ASKED = /(?:^|\.)(?:HasHeaderKey|RecordIsTombstone)$/;
const FIELDS = [
  "fields",
  "field",
  "include",
  "exclude",
  "whitelist",
  "blacklist",
  "renames",
  "spec",
  "pattern",
  "filter.condition",
];

/**
 * What would read columns where they no longer are: unless the records are flat, the new ones have them below `before`
 * and `after`, and topics have other names. Classes that are not known count.
 *
 * @returns a phrase for each, with the fields that it names, in the order of `transforms`
 */
export function columnReaders(config: Readonly<Record<string, string>>): readonly string[] {
  const setting = (name: string) => config[name]?.trim() ?? "";
  const list = (name: string) =>
    setting(name)
      .split(",")
      .flatMap((one) => one.trim() || []);
  const named = (name: string) => {
    const fields = FIELDS.flatMap((field) =>
      setting(`${name}.${field}`) === "" ? [] : `${field}=${setting(`${name}.${field}`)}`,
    );
    return `${name} (${[setting(`${name}.type`).split(".").at(-1), ...fields].join(", ")})`;
  };
  const all = list("transforms").map((name) => `transforms.${name}`);
  const unwraps = all.findIndex(
    (name) => UNWRAPS.test(setting(`${name}.type`)) && ["", "after"].includes(setting(`${name}.field`)),
  );
  const wrapped = setting("cdc.output.format") === "flat" ? [] : unwraps < 0 ? all : all.slice(0, unwraps);
  return [
    ...wrapped.filter((name) => !NO_COLUMN.test(setting(`${name}.type`))).map(named),
    ...list("predicates")
      .map((name) => `predicates.${name}`)
      .filter((name) => !NO_COLUMN_ASKED.test(setting(`${name}.type`)))
      .map(named),
  ];
}
