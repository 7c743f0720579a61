import { isStopped } from "../../facts/connector/connector.ts";
import type { LegacyFacts } from "../../facts/connector-facts.ts";
import { isInsideAPdb } from "../../facts/database/database.ts";
import { counted, showCount } from "../../values/amounts.ts";
import { type Config, settingOf } from "../../values/config.ts";
import { connectorsLine } from "../../values/shell-word.ts";
import {
  type LegacyOffsets,
  openAtStop,
  type PositionRules,
  problem,
  showTransactions,
  type TakeoverProblem,
  unproven,
} from "../position.ts";
import { deliveredTables, lastCommitIn, readOffsets } from "./stored-offsets.ts";

/** Rule: specification, "Takeover rules"; legacy properties, "Stored offsets". */
export const CONFLUENT_POSITION: PositionRules = {
  read: readOffsets,
  deliveredTables,
  lastCommit: lastCommitIn,
  problems: (facts, offsets, pdbs) => [
    ...anotherDatabase(offsets, facts, pdbs),
    ...withoutDatabase(offsets),
    ...storedAbove(facts, offsets),
  ],
  warnings,
  recordsOpen: ({ config }) => startsAbove(config).length > 0,
  startsAtCurrent: ({ name, config }) =>
    (settingOf(config, "start.from") ?? "").toLowerCase() === "force_current"
      ? `start.from of ${name} is force_current`
      : undefined,
  untold:
    "the stored offsets do not tell whether a snapshot is running: a row that it has yet to deliver is called missing",
};

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
 * Why the stored `scn` may lie above the begin of a commit that the legacy connector has not delivered: its settings,
 * as written. Empty if it begins a mining session at the oldest open transaction.
 *
 * Rule: specification, "Takeover rules", 2, holds only then, and while the connector itself keeps what is not committed
 * yet. An unreadable value, such as a reference, decides neither.
 */
function startsAbove(config: Config): readonly string[] {
  return Object.entries(ABOVE).flatMap(([name, why]) => why((settingOf(config, name) ?? "").toLowerCase()) ?? []);
}

/**
 * What the stored partitions name that is not what settings, database or target do: SID and PDB are all that they hold
 * of their database's identity.
 *
 * Rule: legacy properties, "Stored offsets".
 */
function anotherDatabase(
  { partitions }: LegacyOffsets,
  { legacy: { config }, database }: LegacyFacts,
  pdbs: readonly string[],
): readonly TakeoverProblem[] {
  const counted = partitions.filter(({ leftOut }) => !leftOut);
  const sidPdbs = counted.filter(({ of }) => of === "database").map(({ name }) => name.split("."));
  const sids = sidPdbs.map(([sid = ""]) => sid);
  const own = [...sidPdbs.map(([, pdb = ""]) => pdb), ...counted.map(({ table }) => table?.container ?? "")];
  const named = [
    ...differing("SID", sids, { "oracle.sid": config["oracle.sid"], "V$DATABASE.NAME": database.name }).map(
      (one) => `${one} (an instance may have another name than its database)`,
    ),
    ...differing("PDB", database.container ? own : [], {
      "oracle.pdb.name": config["oracle.pdb.name"],
      "cdc.database.pdbs": pdbs.join(","),
      "the container of the login": isInsideAPdb(database) ? database.connectedTo : "",
    }),
  ];
  return named.length === 0 ? [] : [problem("LEG015", `the stored offsets name ${named.join("; ")}`)];
}

/** @param known what the same is called elsewhere: a name, or several with commas between them; blank: not known */
function differing(
  what: string,
  stored: readonly string[],
  known: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return [...new Set(stored)].flatMap((name) => {
    const isOther = (names: string) =>
      names.trim() !== "" && names.split(",").every((one) => one.trim().toUpperCase() !== name.trim().toUpperCase());
    const others = Object.entries(known).filter(([, names = ""]) => name !== "" && isOther(names));
    if (others.length === 0) return [];
    return [`the ${what} ${name}, where ${others.map(([from, names]) => `${from} is ${names}`).join(" and ")}`];
  });
}

/**
 * The legacy connector stores where its mining resumes in the database's partition; with tables alone the lowest `scn`
 * may be another one.
 */
function withoutDatabase({ partitions }: LegacyOffsets): readonly TakeoverProblem[] {
  if (partitions.some(({ of }) => of === "database")) return [];
  return [
    problem(
      "LEG009",
      "the stored offsets have no partition of the database itself, only of tables: where the legacy connector's " +
        "mining resumes is unknown",
    ),
  ];
}

/**
 * A transaction that began below the start and commits after the legacy connector has stopped would be delivered only
 * in part by the new one, and not at all by the legacy one. No view of the database shows those that have ended since
 * the stop (reference: Oracle, "Torn transactions"). While the connector runs, only those that are open now can be
 * judged.
 */
function storedAbove(facts: LegacyFacts, offsets: LegacyOffsets): readonly TakeoverProblem[] {
  const { legacy, worker, transactions, openBefore } = facts;
  const { startScn } = offsets;
  const because = startsAbove(legacy.config);
  if (because.length === 0) return [];
  const found = openAtStop(offsets, openBefore, transactions);
  if (found.is === "none") return [];
  const runs = !isStopped(legacy.status);
  if (runs && found.is === "unknown" && transactions.known) return [];
  const { open, ended } = found.is === "some" ? found : { open: [], ended: [] };
  const lowest = [...open, ...ended].reduce((low, { startScn: scn }) => (scn < low ? scn : low), startScn);
  const settings = [
    !transactions.known
      ? []
      : open.length === 0
        ? "no transaction that began before it is open now"
        : `${counted(open.length, "that began before it is", "that began before it are")} open: ` +
          showTransactions(open),
    ended.length === 0
      ? []
      : `${showCount(ended.length)} that began before it ${ended.length === 1 ? "was" : "were"} open before the stop ` +
        `and ${ended.length === 1 ? "has" : "have"} ended since: ${showTransactions(ended)}`,
    found.is === "unknown" ? found.why : [],
    ended.length === 0 && !runs ? "a transaction that was open at the stop and has ended since is not visible" : [],
  ].flat();
  return [
    (found.is === "unknown" ? unproven : problem)(
      "LEG010",
      `the start ${startScn} may lie above the begin of a transaction that ${legacy.name} has not delivered ` +
        `(${because.join(" and ")}): ${settings.join("; ")}`,
      {
        text:
          `Set use.transaction.begin.for.mining.session=true and record.buffer.mode=connector for ${legacy.name}, ` +
          "resume it, and stop it again once it has stored a new scn",
        command: connectorsLine("resume", legacy.name, { connectUrl: worker.url }),
      },
      ...(lowest < startScn
        ? [
            "Or start where the oldest of these began: accept LEG010 in migrate takeover, and set " +
              `cdc.start.scn=${lowest} in the configuration that it writes. The redo from there on has to be ` +
              "available.",
          ]
        : []),
      "Or make sure that no transaction of a captured table that began before the start was open at the stop, " +
        "then accept it by its code.",
    ),
  ];
}

function warnings({ database, legacy }: LegacyFacts, { partitions, unread }: LegacyOffsets): readonly string[] {
  const leftOut = partitions.filter(({ leftOut: out }) => out);
  const databases = partitions.filter(({ of }) => of === "database");
  return [
    ...leftOut.map(
      ({ name, scn }) =>
        `${name} is left out: changes to it that were committed from ${scn} up to the start, and not delivered, ` +
        "will be missing",
    ),
    ...unread.map((name) => `${name} is left out and has no scn: changes to it that were not delivered may be missing`),
    startsAbove(legacy.config).length > 0 && !isStopped(legacy.status)
      ? `according to the settings of ${legacy.name}, the start can be above the begin of a transaction that is open ` +
        "at the stop: the cutover records the open transactions before the stop, and backs out unless that proves " +
        "that there was none"
      : settingOf(legacy.config, FROM_OLDEST) === undefined
        ? "use.transaction.begin.for.mining.session is not set for the legacy connector: if it is false, the default " +
          "in its published documentation, the start can be above the begin of a transaction that was open at the stop"
        : [],
    ...databases.flatMap(({ name }) =>
      name.includes(".") === database.container
        ? []
        : `the legacy connector stores its position as ${name}, which belongs to ` +
          `${database.container ? "a database without containers" : "a PDB"}; ${database.name} is ` +
          `${database.container ? "a container database" : "not a container database"}: is it the same database?`,
    ),
  ].flat();
}
