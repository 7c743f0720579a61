import type { LegacyOperation, RecordFormat, TopicJob } from "../../../schemas/generated/verification-job.ts";
import { isJsonConverter } from "../../facts/connector/plugins.ts";
import { type Config, settingOf, unresolved } from "../../values/config.ts";
import { LEGACY_FIELDS } from "../legacy-reader.ts";

/** The format of a connector's records, or why they cannot be read. */
export type FormatResult<Format> =
  | { readonly readable: true; readonly format: Format; readonly remarks: readonly string[] }
  | { readonly readable: false; readonly why: string; readonly remedy: string };

const DEFAULT_PLACEHOLDER = "__cdc_unavailable_value";

const JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter";
const DECIMALS: Readonly<Record<string, RecordFormat["decimals"]>> = {
  precise: "precise",
  string: "string",
  double: "double",
};

const TEMPORALS: Readonly<Record<string, RecordFormat["temporals"]>> = { adaptive: "adaptive", iso_string: "iso" };

/** Determines the format of a new connector's records (reference: connector settings, wire formats). */
export function changeFormat(config: Config): FormatResult<RecordFormat> {
  const problem = notJson(config);
  if (problem !== undefined) return problem;
  const mode = settingOf(config, "cdc.decimal.mode") ?? "precise";
  const decimals = DECIMALS[mode.toLowerCase()];
  if (decimals === undefined)
    return unreadable(`cdc.decimal.mode is ${mode}: how it writes a NUMBER is not known here`);
  return {
    readable: true,
    format: {
      decimals,
      temporals: TEMPORALS[(settingOf(config, "cdc.temporal.mode") ?? "adaptive").toLowerCase()] ?? "by-schema",
      placeholder: config["cdc.unavailable.placeholder"] ?? DEFAULT_PLACEHOLDER,
    },
    remarks: remarksOf(config),
  };
}

/** What the records of a legacy topic are like, as their reader wants it. */
export interface LegacyFormat extends Pick<TopicJob, "format" | "fields" | "skipsTruncates"> {
  readonly commitsKnown: boolean;
}

const OPERATIONS: readonly (readonly [setting: string, written: string, LegacyOperation])[] = [
  ["output.op.type.insert.value", "I", "insert"],
  ["output.op.type.update.value", "U", "update"],
  ["output.op.type.delete.value", "D", "delete"],
  ["output.op.type.read.value", "R", "read"],
  ["output.op.type.truncate.value", "T", "truncate"],
];

const MAPPED: Readonly<Record<string, RecordFormat["decimals"]>> = {
  none: "precise",
  best_fit: "precise",
  best_fit_or_decimal: "precise",
  precision_only: "precise",
  best_fit_or_double: "double",
  best_fit_or_string: "string",
};

/**
 * Determines the format of the records of Confluent's connector (reference: legacy properties, `output.*`,
 * `numeric.mapping`). It writes dates in units that only a schema contains.
 *
 * @param settled whether all that it delivered is at or below the check SCN. Commit SCNs are then not needed, so that
 * records without one, written before the setting was changed, count too
 */
export function legacyFormat(config: Config, settled: boolean): FormatResult<LegacyFormat> {
  const problem = notJson(config);
  if (problem !== undefined) return problem;
  const mapping = settingOf(config, "numeric.mapping") ?? "none";
  const decimals = MAPPED[mapping.toLowerCase()];
  if (decimals === undefined)
    return unreadable(`numeric.mapping is ${mapping}: how it writes a NUMBER is not known here`);
  const commitScn = settingOf(config, "output.commit.scn.field");
  const operations: Record<string, LegacyOperation> = {};
  for (const [setting, written, operation] of OPERATIONS) {
    const value = settingOf(config, setting) ?? written;
    if (operations[value] !== undefined) return unreadable(`${setting} is ${value}, which stands for two operations`);
    operations[value] = operation;
  }
  return {
    readable: true,
    format: {
      format: { decimals, temporals: "by-schema", placeholder: "" },
      commitsKnown: settled || commitScn !== undefined,
      fields: {
        scn: settingOf(config, "output.scn.field") ?? LEGACY_FIELDS.scn,
        ...(commitScn === undefined || settled ? {} : { commitScn }),
        opType: settingOf(config, "output.op.type.field") ?? LEGACY_FIELDS.opType,
        operations,
      },
    },
    remarks: [],
  };
}

const CONVERTERS = /^(?:key|value)\.converter(?:$|\.schemas)/;
const OWN_SETTINGS = /^cdc\.(?:decimal|temporal|unavailable)|^output\.|^numeric\.mapping$/;

/**
 * Why the records cannot be read as JSON. Only records of Connect's JSON converter can be read; if the worker's default
 * applies, the records themselves must show it.
 *
 * @param settings the others that decide on the format: a reference in one of them leaves it unknown
 */
export function notJson(config: Config, settings = OWN_SETTINGS): FormatResult<never> | undefined {
  const reference = unresolved(config).find((name) => CONVERTERS.test(name) || settings.test(name));
  if (reference !== undefined)
    return {
      readable: false,
      why: `${reference} holds a reference that only the worker resolves`,
      remedy: "Give the whole configuration by --config.",
    };
  for (const side of ["key", "value"]) {
    const converter = settingOf(config, `${side}.converter`);
    if (converter !== undefined && !isJsonConverter(converter))
      return unreadable(`${side}.converter is ${converter}: only what ${JSON_CONVERTER} wrote can be read`);
  }
  return undefined;
}

function remarksOf(config: Config): readonly string[] {
  const remarks: string[] = [];
  for (const side of ["key", "value"])
    if (settingOf(config, `${side}.converter`) === undefined)
      remarks.push(`${side}.converter is not set: the worker's is taken for ${JSON_CONVERTER}`);
  const transforms = settingOf(config, "transforms");
  if (transforms !== undefined)
    remarks.push(`transforms is ${transforms}: what a transformation changes is compared as it stands in the topic`);
  return remarks;
}

export function unreadable(why: string): FormatResult<never> {
  return { readable: false, why, remedy: "Such a table can't be verified; compare it by other means." };
}
