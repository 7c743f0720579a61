import { type Config, settingOf } from "../values/config.ts";
import { anyOf } from "../values/regexp.ts";

/** Transformations of Kafka Connect that use the topic, headers or schema name only. */
const NO_COLUMN = anyOf([
  /(?:^|\.)(?:RegexRouter|TimestampRouter|InsertHeader|DropHeaders|Filter)$/,
  /(?:^|\.)(?:(?:SetSchemaMetadata|InsertField)\$(?:Key|Value)|HoistField\$Key)$/,
]);
/** They put the columns back on top. */
const UNWRAPS = /(?:^|\.)(?:ExtractNewRecordState|ExtractField\$Value)$/;
const WRAPS = /(?:^|\.)HoistField\$Value$/;
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
 * Transformations and predicates that would read columns where they no longer are: unless the records are flat, the new
 * ones have them below `before` and `after`, and topics have other names. Classes that are not known count.
 *
 * @returns a phrase for each, with the fields that it names, in the order of `transforms`
 */
export function columnReaders(config: Config): readonly string[] {
  const setting = (name: string) => settingOf(config, name) ?? "";
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
  let wrapped = setting("cdc.output.format") !== "flat";
  const readers: string[] = [];
  for (const name of list("transforms").map((one) => `transforms.${one}`)) {
    const type = setting(`${name}.type`);
    if (UNWRAPS.test(type) && ["", "after"].includes(setting(`${name}.field`)))
      // Some records stay as they are under a predicate.
      wrapped &&= setting(`${name}.predicate`) !== "";
    else if (WRAPS.test(type)) wrapped = true;
    else if (wrapped && !NO_COLUMN.test(type)) readers.push(named(name));
  }
  return [
    ...readers,
    ...list("predicates")
      .map((name) => `predicates.${name}`)
      .filter((name) => !NO_COLUMN_ASKED.test(setting(`${name}.type`)))
      .map(named),
  ];
}
