import { type Config, settingOf } from "../values/config.ts";

/**
 * How the legacy connector's stored `scn` relates to the commits that it has not delivered, according to its settings.
 */
type StoredStart =
  /** The start is at or below each of them: it begins a mining session at the oldest open transaction. */
  | { readonly is: "oldest open transaction" }
  /** The start may be above the begin of some. @property because the settings, as written */
  | { readonly is: "above open transactions"; readonly because: readonly string[] };

const FROM_OLDEST = "use.transaction.begin.for.mining.session";
const BUFFER = "record.buffer.mode";

/** Why the stored `scn` may lie above open transactions, by the value in lower case; undefined if it does not. */
const ABOVE: Readonly<Record<string, (value: string) => string | undefined>> = {
  [FROM_OLDEST]: (value) => {
    if (value === "true") return undefined;
    if (value === "") return `${FROM_OLDEST} is not set, and its published default is false`;
    return value === "false" ? `${FROM_OLDEST}=false` : `${FROM_OLDEST} is neither true nor false`;
  },
  [BUFFER]: (value) => {
    if (value === "" || value === "connector") return undefined;
    return value === "database" ? `${BUFFER}=database` : `${BUFFER} is neither connector nor database`;
  },
};

/**
 * Rule: specification, "Takeover rules", 2, holds only while a mining session begins at the oldest open transaction and
 * the connector itself keeps what is not committed yet. An unreadable value, such as a reference, decides neither.
 *
 * @param config of the legacy connector
 */
export function storedStart(config: Config): StoredStart {
  const because = Object.entries(ABOVE).flatMap(
    ([name, why]) => why((settingOf(config, name) ?? "").toLowerCase()) ?? [],
  );
  return because.length > 0 ? { is: "above open transactions", because } : { is: "oldest open transaction" };
}

/** Whether the legacy connector's configuration uses the default for where a mining session begins. */
export function leavesStartToDefault(config: Config): boolean {
  return settingOf(config, FROM_OLDEST) === undefined;
}

/**
 * Whether the legacy connector ignores its stored offsets and starts at the current SCN at every start, so that what
 * was committed while it was stopped is skipped.
 *
 * @param config of the legacy connector
 */
export function startsAtCurrent(config: Config): boolean {
  return (settingOf(config, "start.from") ?? "").toLowerCase() === "force_current";
}
