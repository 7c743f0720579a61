import { UsageError } from "../../errors.ts";
import type { Config } from "../../values/config.ts";
import { truncate } from "../../values/truncate.ts";

/** Debezium's versions, its newest settings, and what they were called before. */

/** The newest version whose properties and defaults are known here. */
export const NEWEST = "3.6";

const VERSION = /^(\d{1,3})\.(\d{1,3})(?:\.\d{1,3})?(?:[.-]\w{1,20})?$/;

interface Ran {
  readonly version?: string | undefined;
  readonly installed?: string | undefined;
}

/** The version that ran, as the operator says it, or else as the workers do; undefined if it is not known. */
export function ranBy({ version, installed }: Ran): string | undefined {
  return version ?? (installed !== undefined && VERSION.test(installed) ? installed : undefined);
}

/**
 * Whether a version is earlier than another; an unknown one is the newest.
 *
 * @throws UsageError for a text that is not a version
 */
export function isBefore(ran: Ran, than: string): boolean {
  const [major, minor] = numbersOf(ranBy(ran) ?? NEWEST);
  const [thanMajor, thanMinor] = numbersOf(than);
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}

function numbersOf(version: string): readonly [number, number] {
  const [, major, minor] = VERSION.exec(version.trim()) ?? [];
  if (major === undefined || minor === undefined)
    throw new UsageError(
      `${JSON.stringify(truncate(version, 40))} is not a version of Debezium`,
      "Write it as its releases and source.version of its records do, such as 2.7.3.Final.",
    );
  return [Number(major), Number(minor)];
}

/** A property that was renamed: the new name is read from `since` on, the old one before `until`, if not still. */
interface Rename {
  readonly from: string;
  readonly to: string;
  readonly since: string;
  readonly until?: string;
}

/** Rule: reference: Debezium, "Property table", renames by version. A name that ends with a dot is a beginning. */
const RENAMES: readonly Rename[] = [
  { from: "database.server.name", to: "topic.prefix", since: "2.0", until: "2.0" },
  { from: "database.history.", to: "schema.history.internal.", since: "2.0", until: "2.0" },
  { from: "database.history", to: "schema.history.internal", since: "2.0", until: "2.0" },
  { from: "heartbeat.topics.prefix", to: "topic.heartbeat.prefix", since: "2.0", until: "2.0" },
  { from: "transaction.topic", to: "topic.transaction", since: "2.0", until: "2.0" },
  { from: "log.mining.archive.destination.name", to: "archive.destination.name", since: "2.6", until: "3.0" },
  { from: "log.mining.archive.log.hours", to: "archive.log.hours", since: "2.6", until: "3.0" },
  { from: "database.out.server.name", to: "xstream.out.server.name", since: "3.5" },
  { from: "internal.log.mining.read.only", to: "log.mining.read.only", since: "3.6" },
  { from: "log.mining.readonly.hostname", to: "secondary.hostname", since: "3.6" },
];

const fits = (spelt: string, name: string) => (spelt.endsWith(".") ? name.startsWith(spelt) : name === spelt);

/** The canonical name of a property that does not count, because another spelling of it does. */
export const SPELT_TWICE = "another spelling";

/** The newest spelling of a property, by which the rules know it. */
export function canonical(name: string, beside: Config, version: string | undefined): string {
  const has = (one: string) => (beside[one] ?? "").trim() !== "";
  for (const { from, to, since } of RENAMES) {
    const isOld = fits(from, name);
    if (!isOld && !fits(to, name)) continue;
    const newest = isOld ? to + name.slice(from.length) : name;
    const other = isOld ? newest : from + name.slice(to.length);
    // A version reads its own spelling of the two.
    return has(name) && has(other) && isOld !== isBefore({ version }, since) ? SPELT_TWICE : newest;
  }
  return name;
}

/** What to say of properties in a spelling that the version does not read, or that no version reads together. */
export function misspelt(names: readonly string[], version: string | undefined): readonly string[] {
  const spelt = (which: "from" | "to") =>
    RENAMES.flatMap((rename) => names.filter((name) => fits(rename[which], name)).map((name) => ({ ...rename, name })));
  const [old, recent] = [spelt("from"), spelt("to")];
  if (version !== undefined)
    return [
      ...old.flatMap(({ name, until }) =>
        until === undefined || isBefore({ version }, until) ? [] : `${name} is not read since ${until}`,
      ),
      ...recent.flatMap(({ name, since }) => (isBefore({ version }, since) ? `${name} is read since ${since}` : [])),
    ].map((one) => `${one}, and this is Debezium ${version}: it did nothing there, and is translated all the same.`);
  const [early] = old.filter(({ until }) => until === "2.0");
  const [late] = recent.filter(({ since }) => since === "2.0");
  if (early === undefined || late === undefined) return [];
  return [
    `${late.name} is read since 2.0, and ${early.name} only before: no version of Debezium reads both, so this ` +
      "configuration has never run as it is.",
  ];
}
