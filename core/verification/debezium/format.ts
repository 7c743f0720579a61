import type { RecordFormat } from "../../../schemas/generated/verification-job.ts";
import { type Config, settingOf } from "../../values/config.ts";
import { type FormatResult, type LegacyFormat, notJson, unreadable } from "../settings/record-format.ts";

type DebeziumFormat = NonNullable<RecordFormat["debezium"]>;

const DECIMALS: readonly RecordFormat["decimals"][] = ["precise", "string", "double"];
const TIMES: Readonly<Record<string, DebeziumFormat["times"]>> = {
  adaptive: "adaptive",
  // The same for Oracle, which has no type of times alone.
  adaptive_time_microseconds: "adaptive",
  connect: "connect",
  microseconds: "microseconds",
  nanoseconds: "nanoseconds",
  isostring: "isostring",
};
const BINARIES: Readonly<Record<string, DebeziumFormat["binaries"]>> = {
  bytes: "base64",
  base64: "base64",
  "base64-url-safe": "base64",
  hex: "hex",
};

const SETTINGS =
  /^(?:decimal|binary)\.handling\.mode$|^time\.precision\.mode$|^lob\.enabled$|^unavailable\.value|^skipped\.op/;
const PLACEHOLDER = "__debezium_unavailable_value";
/** Leaves of an event the row after it, without operation, SCN and table. */
const UNWRAPS = /\.(?:ExtractNewRecordState|ExtractChangedRecordState|UnwrapFromEnvelope)$/;

/**
 * Determines the format of Debezium's records (reference: Debezium, "Records, for verification"). Its version is not
 * needed: where versions differ, a value says itself how it is written.
 */
export function debeziumFormat(config: Config): FormatResult<LegacyFormat> {
  const problem = notJson(config, SETTINGS) ?? unwrapped(config);
  if (problem !== undefined) return problem;
  const decimals = modeOf(config, "decimal.handling.mode", "precise");
  const times = modeOf(config, "time.precision.mode", "adaptive");
  const binaries = modeOf(config, "binary.handling.mode", "bytes");
  const unknown = (setting: string, mode: string) =>
    unreadable(`${setting} is ${mode}: what it writes is not known here`);
  const ofDecimals = DECIMALS.find((mode) => mode === decimals);
  if (ofDecimals === undefined) return unknown("decimal.handling.mode", decimals);
  const ofTimes = TIMES[times];
  if (ofTimes === undefined) return unknown("time.precision.mode", times);
  const ofBinaries = BINARIES[binaries];
  if (ofBinaries === undefined) return unknown("binary.handling.mode", binaries);
  return {
    readable: true,
    format: {
      format: {
        decimals: ofDecimals,
        temporals: "by-schema",
        placeholder: config["unavailable.value.placeholder"] ?? PLACEHOLDER,
        debezium: { times: ofTimes, binaries: ofBinaries, lobs: modeOf(config, "lob.enabled", "false") === "true" },
      },
      commitsKnown: true,
      skipsTruncates: skipsTruncates(config),
    },
    remarks: scaleRemark(config, ofDecimals),
  };
}

function modeOf(config: Config, setting: string, byDefault: string): string {
  return (settingOf(config, setting) ?? "").toLowerCase() || byDefault;
}

/** Reference: Debezium, "Property table": truncates are left out by default since 2.0, which needs `topic.prefix`. */
function skipsTruncates(config: Config): boolean {
  const skipped = settingOf(config, "skipped.operations");
  if (skipped === undefined) return settingOf(config, "topic.prefix") !== undefined;
  return skipped.split(",").some((operation) => operation.trim() === "t");
}

function unwrapped(config: Config): FormatResult<never> | undefined {
  const [name, type] = Object.entries(config).find(([, value]) => UNWRAPS.test(value.trim())) ?? [];
  return name === undefined
    ? undefined
    : unreadable(`${name} is ${type}: its topic holds flat rows, without the operation and the SCN of each change`);
}

/** A decimal does not say its scale if it has no schema. */
function scaleRemark(config: Config, decimals: RecordFormat["decimals"]): readonly string[] {
  if (decimals !== "precise" || settingOf(config, "value.converter.schemas.enable")?.toLowerCase() !== "false")
    return [];
  return ["the legacy records have no schema: their decimals are read with the scale that the columns have now"];
}
