import type { ArchivedLog } from "../../schemas/generated/facts.ts";
import { minesInRange } from "../facts/database/database.ts";
import type { PreflightFacts } from "../facts/preflight.ts";
import { historyOf, logSizeFor, MOST_SWITCHES, reachOf } from "../facts/redo/history.ts";
import { archivedLogsOf, destinationOf, isReadable } from "../facts/redo/logs.ts";
import { counted, showBytes, showCount } from "../values/amounts.ts";
import { DAY, HOUR, printDuration } from "../values/duration.ts";
import { epochMillis } from "../values/instant.ts";
import { largest, lowest } from "../values/lists.ts";
import { type CheckOf, fail, fine, unknown, unseen, type Verdict } from "./check.ts";

type Archive = Pick<PreflightFacts, "archived" | "destinations" | "database" | "settings">;
const DAYS = 7;
const MIB = 1024n * 1024n;

/**
 * Each switch adds a log that a mining step has to open.
 *
 * Rule: the connector's own preflight, DOC-9.
 */
export const frequentSwitches: CheckOf<PreflightFacts, keyof Archive | "online"> = {
  code: "RED206",
  title: "Online logs are switched too often",
  problem: "Every step of mining opens more logs, and archiving can fall behind at the busiest hours.",
  remedy: "Add larger online logs, and drop the small ones once they are INACTIVE.",
  grade: "advisory",

  run(_intent, { facts }) {
    return overArchive(facts, (logs, now) => {
      if (!facts.online.known) return unseen(facts.online);
      const { value: online } = facts.online;
      const history = historyOf(logs, now - DAYS * DAY);
      const often = history.filter(({ peak }) => peak.logs > MOST_SWITCHES);
      if (often.length === 0) {
        const most = largest(history.map(({ peak }) => peak.logs));
        return fine(`at most ${counted(most, "log switch", "log switches")} in an hour, over the last ${DAYS} days`);
      }
      return fail(
        `${counted(often.length, "thread")} with more than ${MOST_SWITCHES} log switches in an hour, over the last ` +
          `${DAYS} days`,
        {
          items: often.map((one) => {
            const size = lowest(online.flatMap(({ thread, bytes }) => (thread === one.thread ? [bytes] : []))) ?? 0n;
            return {
              name: `thread ${one.thread}`,
              seen:
                `${showCount(one.peak.logs)} switches in the hour from ${one.peak.since}; ` +
                `its online logs have ${showBytes(size)}`,
              sql: `ALTER DATABASE ADD LOGFILE THREAD ${one.thread} SIZE ${logSizeFor(one) / MIB}M;`,
            };
          }),
        },
      );
    });
  },
};

/**
 * A connector that is down for longer than logs are kept loses its redo. Until the first log is deleted, nothing shows
 * how long they are kept.
 *
 * Rule: the connector's own preflight, DOC-10.
 */
export const retentionTooShort: CheckOf<PreflightFacts, keyof Archive | "threads"> = {
  code: "RED207",
  title: "Archived logs are not kept for the longest downtime",
  problem: "After a longer downtime the connector stops with CDC-2002, and its tables have to be snapshotted again.",
  remedy:
    "Keep archived logs longer (RMAN's deletion policy, or the job that deletes them), or plan for a shorter " +
    "downtime.",
  grade: "advisory",

  run(_intent, { facts }) {
    return overArchive(facts, (logs, now) => {
      if (!facts.threads.known) return unseen(facts.threads);
      const enabled = new Set(facts.threads.value.flatMap((one) => (one.enabled === "DISABLED" ? [] : [one.thread])));
      const reaches = reachOf(logs).filter(({ thread }) => enabled.has(thread));
      const { text, millis } = neededRetention(facts);
      if (reaches.length === 0)
        return unknown(
          `no archived log exists to show how long they are kept; required: ${text}`,
          "Switch a log (ALTER SYSTEM ARCHIVE LOG CURRENT), and check again later.",
        );
      const short = reaches.filter(
        ({ since, purged }) => purged && (since === undefined || now - epochMillis(since) < millis),
      );
      if (short.length > 0)
        return fail(`archived logs do not reach back ${text}`, {
          items: short.map(({ thread, since }) => ({
            name: `thread ${thread}`,
            seen: since === undefined ? "no archived log can be read" : `back to ${since}`,
          })),
        });
      const deleted = reaches.filter(({ purged }) => purged);
      return fine(
        deleted.length > 0
          ? `archived logs reach back to ${timesOf(deleted).at(-1)}; required: ${text}`
          : `no archived log has been deleted yet (they reach back to ${timesOf(reaches)[0]}); keep them for ${text}`,
      );
    });
  },
};

/**
 * Amazon RDS deletes archived logs after a set number of hours, immediately by default.
 *
 * Rule: Amazon RDS User Guide, "Retaining archived redo logs"; the connector's own preflight, DOC-23.
 */
export const rdsRetentionZero: CheckOf<PreflightFacts, "rds" | "settings"> = {
  code: "RED208",
  title: "Amazon RDS deletes archived logs immediately",
  problem: "After a downtime longer than the online logs cover, the connector's redo is gone (CDC-2002).",
  remedy: "Set `archivelog retention hours`, as the master user.",
  grade: "refusal",

  run(_intent, { facts }) {
    return onRds(facts, (hours, needed) =>
      hours > 0n
        ? fine(`archivelog retention hours is ${hours}`)
        : fail("archivelog retention hours is 0", { remedies: [keepOnRds(needed)] }),
    );
  },
};

/** Retention is set, but too short. */
export const rdsRetentionTooShort: CheckOf<PreflightFacts, "rds" | "settings"> = {
  code: "RED209",
  title: "Amazon RDS keeps archived logs for less than the longest downtime",
  problem: "After a longer downtime the connector stops with CDC-2002, and its tables have to be snapshotted again.",
  remedy: "Raise `archivelog retention hours`, as the master user, or plan for a shorter downtime.",
  grade: "advisory",

  run(_intent, { facts }) {
    return onRds(facts, (hours, needed) =>
      hours === 0n || hours >= needed
        ? fine(hours === 0n ? "no archived logs are kept (see RED208)" : `archivelog retention hours is ${hours}`)
        : fail(`archivelog retention hours is ${hours}; required: ${neededRetention(facts).text}`, {
            remedies: [keepOnRds(needed)],
          }),
    );
  },
};

/** The longest read of one snapshot chunk, in seconds (the connector's own preflight, DOC-11). */
const CHUNK_READ = 120n;

/** A snapshot is read as of an SCN, and a reselected LOB as of its commit: both need undo that far back. */
export const undoTooShort: CheckOf<PreflightFacts, "undoRetention" | "settings"> = {
  code: "DBA411",
  title: "UNDO_RETENTION is too short",
  problem: "Reads as of an SCN fail with ORA-01555: in snapshots, and for LOBs with cdc.lob.mode=reselect.",
  remedy: "Raise UNDO_RETENTION, and make sure that the undo tablespace is large enough.",
  grade: "advisory",

  run(_intent, { facts: { undoRetention, settings } }) {
    if (!undoRetention.known) return unseen(undoRetention);
    const seconds = undoRetention.value;
    const seen = `UNDO_RETENTION is ${seconds} s`;
    const raise = (to: bigint) => ({ text: "Raise it", sql: `ALTER SYSTEM SET UNDO_RETENTION = ${to};` });
    if (seconds < CHUNK_READ)
      return fail(`${seen}; reading a chunk of a snapshot may take ${CHUNK_READ} s`, { remedies: [raise(900n)] });
    const downtime = BigInt(Math.ceil(settings.maxDowntime / 1000));
    if (settings.lobMode === "reselect" && seconds < downtime)
      return fail(
        `${seen}; after a downtime of ${printDuration(settings.maxDowntime)} LOBs are read as of before it ` +
          "(cdc.lob.mode=reselect)",
        { remedies: [raise(downtime)] },
      );
    return fine(seen);
  },
};

/**
 * Rows written before a DDL that the connector has not mined yet are decoded with a dictionary in the redo. The
 * connector writes dictionaries itself where it can; a standby is read-only.
 *
 * Rule: the connector's own preflight, DOC-20.
 */
export const noDictionary: CheckOf<PreflightFacts, keyof Archive | "dictionaryBuilds" | "usable"> = {
  code: "RED210",
  title: "The redo has no dictionary to decode older rows",
  problem: "Rows that are mined after a later DDL on their table can't be decoded: the task stops with CDC-6001.",
  remedy: "Write a dictionary regularly (DBMS_LOGMNR_D.BUILD), and keep the logs from there on.",
  grade: "advisory",

  run(_intent, { facts }) {
    return overArchive(facts, (logs) => {
      const { dictionaryBuilds, usable, database, settings } = facts;
      if (database.known && minesInRange(database.value, settings)) return fine(NO_DICTIONARIES);
      if (!dictionaryBuilds.known) return unseen(dictionaryBuilds);
      if (!usable.known) return unseen(usable);
      const newest = dictionaryBuilds.value.findLast(({ begins }) => begins);
      const ended =
        newest !== undefined &&
        dictionaryBuilds.value.some(({ ends, firstScn }) => ends && firstScn >= newest.firstScn);
      const whole =
        ended && [...logs.values()].flat().every((log) => log.firstScn < newest.firstScn || isReadable(log));
      const seen =
        newest === undefined
          ? "the archived logs have no dictionary"
          : `the newest dictionary begins in sequence ${newest.sequence} of thread ${newest.thread}`;
      const writes =
        settings.dictionary.builds && usable.value.some(({ name, usable: may }) => name === "DBMS_LOGMNR_D" && may);
      if (writes && (settings.dictionary.elsewhere || (database.known && database.value.role === "PRIMARY")))
        return fine(`${seen}; the connector writes dictionaries`);
      if (whole) return fine(`${seen}, and every log from there on exists`);
      return fail(
        seen +
          (newest === undefined ? "" : `, and ${ended ? "logs after it are gone" : "does not end in one"}`) +
          "; " +
          "the connector writes no dictionaries",
        {
          remedies: [
            {
              text: "Write one, on the primary",
              sql: "EXEC DBMS_LOGMNR_D.BUILD(OPTIONS => DBMS_LOGMNR_D.STORE_IN_REDO_LOGS);",
            },
          ],
        },
      );
    });
  },
};

/**
 * A physical standby is read-only: a dictionary can only be written on its primary.
 *
 * Rule: the connector's own preflight, DOC-24.
 */
export const dictionaryOfStandby: CheckOf<PreflightFacts, "database" | "settings"> = {
  code: "RED211",
  title: "Dictionaries can't be written on a standby",
  problem:
    "The connector is configured to write dictionaries into the redo, but a standby is read-only: rows before a " +
    "later DDL can't be decoded (CDC-6001).",
  remedy: "Set cdc.dictionary.database.url to the primary, or cdc.dictionary.build.interval.ms=0.",
  grade: "refusal",

  run(_intent, { facts: { database, settings } }) {
    if (!database.known) return unseen(database);
    const { name, role } = database.value;
    const { builds, elsewhere } = settings.dictionary;
    if (minesInRange(database.value, settings)) return fine(NO_DICTIONARIES);
    if (role !== "PHYSICAL STANDBY") return fine(`${name} is a ${role}`);
    if (!builds) return fine("cdc.dictionary.build.interval.ms=0: the connector writes no dictionaries");
    if (elsewhere) return fine("cdc.dictionary.database.url names the database where they are written");
    return fail(`${name} is a ${role}, and cdc.dictionary.database.url is not set`);
  },
};

// ---- What they share ------------------------------------------------------------------------------------------------

/** Rule: reference: connector rules, "Where the database may be mined". */
const NO_DICTIONARIES = "mined by SCN range: the connector neither writes dictionaries into the redo nor uses them";

/**
 * How far archived logs have to reach back: the downtime, plus the time from which open transactions are mined again.
 */
function neededRetention({ settings }: Pick<PreflightFacts, "settings">): {
  readonly millis: number;
  readonly text: string;
} {
  const { maxDowntime, journalThreshold } = settings;
  const millis = maxDowntime + journalThreshold;
  return {
    millis,
    text:
      `${printDuration(millis)} (--max-downtime ${printDuration(maxDowntime)}, cdc.txjournal.threshold.ms ` +
      `${printDuration(journalThreshold)})`,
  };
}

/**
 * Runs a rule over the archived logs that the connector would mine. @param rule also gets the time of the observation
 */
function overArchive(
  { archived, destinations, database, settings }: Archive,
  rule: (logs: ReadonlyMap<bigint, readonly ArchivedLog[]>, now: number) => Verdict,
): Verdict {
  if (!archived.known) return unseen(archived);
  if (!destinations.known) return unseen(destinations);
  if (!database.known) return unseen(database);
  const destination = destinationOf(destinations.value, settings.archiveDestination);
  if (destination === undefined) return fine("no archive destination is usable (see RED205)");
  const logs = archivedLogsOf(archived.value, destination.id, database.value.resetlogsScn);
  return rule(logs, epochMillis(archived.at));
}

/** When the readable logs of each thread begin, the earliest first. */
function timesOf(reaches: ReturnType<typeof reachOf>): readonly string[] {
  return reaches.flatMap(({ since }) => since ?? []).sort();
}

function onRds(
  facts: Pick<PreflightFacts, "rds" | "settings">,
  rule: (hours: bigint, needed: bigint) => Verdict,
): Verdict {
  const { rds } = facts;
  if (!rds.known) return unseen(rds);
  const { isRds, hours } = rds.value;
  if (!isRds || hours === undefined) return fine("the database is not on Amazon RDS");
  return rule(hours, BigInt(Math.ceil(neededRetention(facts).millis / HOUR)));
}

function keepOnRds(hours: bigint) {
  return {
    text: "Set the retention, as the master user",
    sql: `EXEC rdsadmin.rdsadmin_util.set_configuration('archivelog retention hours', ${hours});`,
  };
}
