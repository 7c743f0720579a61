/** How the legacy connector's settings say that the `scn` that it stores lies to the commits that it has not delivered. */
export type StoredStart =
  /** At or below each of them: it begins a mining session at the oldest open transaction. */
  | { readonly is: "oldest open transaction" }
  /** Perhaps above the begin of some. @property because the settings, as they are written */
  | { readonly is: "above open transactions"; readonly because: readonly string[] }
  /** The property is not set: the specification and the legacy connector's published documentation give different defaults. */
  | { readonly is: "not said" };

const FROM_OLDEST = "use.transaction.begin.for.mining.session";
const BUFFER = "record.buffer.mode";

/**
 * Rule: specification, "Takeover rules", 2, holds only while a mining session begins at the oldest open transaction and the connector itself keeps what is not committed yet.
 *
 * @param config of the legacy connector
 */
export function storedStart(config: Readonly<Record<string, string>>): StoredStart {
  const value = (name: string) => (config[name] ?? "").trim().toLowerCase();
  const because = [
    ...(value(FROM_OLDEST) === "false" ? [`${FROM_OLDEST}=false`] : []),
    ...(value(BUFFER) === "database" ? [`${BUFFER}=database`] : []),
  ];
  if (because.length > 0) return { is: "above open transactions", because };
  return value(FROM_OLDEST) === "" ? { is: "not said" } : { is: "oldest open transaction" };
}

/**
 * Whether the legacy connector ignores its stored offsets and starts at the current SCN, every time that it starts: what was committed while it was stopped is
 * skipped then.
 *
 * @param config of the legacy connector
 */
export function startsAtCurrent(config: Readonly<Record<string, string>>): boolean {
  return (config["start.from"] ?? "").trim().toLowerCase() === "force_current";
}
