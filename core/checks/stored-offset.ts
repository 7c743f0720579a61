import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { fromElsewhere } from "../facts/offset/origin.ts";
import { laterVersion, type StoredReading } from "../facts/offset/stored-offset.ts";
import { counted, showCount } from "../values/amounts.ts";
import { canonicalJson } from "../values/json.ts";
import { type Check, fail, pass, unknown } from "./check.ts";

/**
 * A later format may give the fields another meaning; it is not guessed.
 *
 * Rule: reference: wire formats, "Stored offset" (`v`, CDC-3002).
 */
export const laterOffsetVersion: Check<unknown, { readonly stored: StoredReading }> = {
  code: "OFF104",
  title: "The stored offset has a later format version",
  problem: "Its fields may mean something else than this cdcctl believes (the connector itself says CDC-3002).",
  remedy: "Use a cdcctl that knows the version of this connector.",
  grade: "refusal",

  run(_intent, { stored }) {
    if (stored.state !== "later version") return pass;
    return fail({ seen: laterVersion(stored.version) });
  },
};

/** Without a resume SCN and a ledger that can be read there is nothing to compare a target with. */
export const unreadableOffset: Check<unknown, { readonly stored: StoredReading }> = {
  code: "OFF105",
  title: "The stored offset can't be read",
  problem: "Neither the direction of the move nor what must be kept can be told.",
  remedy: "Look at it with `cdcctl admin offsets show --format json`; it may not be this connector's offset.",
  grade: "refusal",

  run(_intent, { stored }) {
    return stored.state === "unreadable" ? fail({ seen: `the stored offset can't be read: ${stored.problem}` }) : pass;
  },
};

/**
 * SCNs of another database, or of an earlier incarnation, mean nothing in this one. The connector refuses such an
 * offset too; it takes one that does not say where it is from.
 *
 * Rule: reference: wire formats, "Stored offset" (`dbid`, `resetlogs_scn`).
 */
export const otherDatabase: Check<
  unknown,
  { readonly stored: StoredReading; readonly facts: Pick<ConnectorFacts, "database" | "connector"> }
> = {
  code: "OFF106",
  title: "The stored offset belongs to another database or incarnation",
  problem:
    "Its SCNs were taken elsewhere: mining from them here would lose or repeat changes without anybody noticing.",
  remedy: "Check `cdc.database.*` of the connector.",
  grade: "refusal",
  unknown: "advisory",

  run(_intent, { stored, facts: { database, connector } }) {
    if (stored.state !== "stored") return pass;
    const found = fromElsewhere(stored.offset, database, connector.name);
    if (found !== undefined) return fail({ seen: found.seen, remedies: found.remedies });
    const { dbid, resetlogsScn } = stored.offset;
    return dbid === undefined || resetlogsScn === undefined
      ? unknown(
          `the stored offset does not say in which ${dbid === undefined ? "database" : "incarnation"} it was ` +
            "taken; whether it is this one can't be told",
        )
      : pass;
  },
};

/**
 * One connector keeps one offset, under `{"server": <cdc.topic.prefix>}`. With several, or with another server's, it
 * can't be told which one the task reads.
 *
 * Rule: reference: wire formats, "Stored offset" (partition).
 */
export const severalPartitions: Check<
  unknown,
  { readonly stored: StoredReading; readonly facts: Pick<ConnectorFacts, "connector"> }
> = {
  code: "OFF107",
  title: "The stored offset is not under this connector's one partition",
  problem: "A change could go to an offset that the task never reads, while the one that it reads stays.",
  remedy:
    "Find out where the others come from (a changed cdc.topic.prefix?) and remove them while the connector is " +
    'stopped: PATCH with `"offset": null`.',
  grade: "refusal",

  run(_intent, { stored, facts: { connector } }) {
    if (stored.state === "several") {
      return fail({
        seen:
          `${showCount(stored.partitions.length)} offsets are stored: ` +
          `${stored.partitions.map((one) => canonicalJson(one)).join(", ")}`,
      });
    }
    if (stored.state !== "foreign") return pass;
    return fail({
      seen:
        `the only offset is stored under ${canonicalJson(stored.partition)}; the connector reads the one under ` +
        `${canonicalJson({ server: connector.prefix })} (cdc.topic.prefix)`,
    });
  },
};

/**
 * Direction `initial`: the connector has stored nothing yet. With an offset it will not take its initial snapshot any
 * more.
 */
export const noStoredOffset: Check<
  unknown,
  { readonly stored: StoredReading; readonly facts: Pick<ConnectorFacts, "connector"> }
> = {
  code: "OFF110",
  title: "No offset is stored yet",
  problem:
    "With a stored offset the connector resumes instead of starting: cdc.start.scn and cdc.snapshot.mode are not " +
    "used any more.",
  remedy:
    "Go on if the tables' present content is known downstream already; otherwise let the connector start by itself.",
  grade: "advisory",

  run(_intent, { stored, facts: { connector } }) {
    if (stored.state !== "none") return pass;
    return fail({
      seen:
        `${connector.name} has no stored offset; the first one is written, and its initial snapshot will not be ` +
        "taken",
    });
  },
};

/** The snapshot's progress is carried along unchanged, but it was begun for another position. */
export const snapshotIncomplete: Check<unknown, { readonly stored: StoredReading }> = {
  code: "OFF112",
  title: "A snapshot is not complete",
  problem: "The connector goes on with the snapshot after the move; its tables are read as of then.",
  remedy: "Let the snapshot end first if you can.",
  grade: "advisory",

  run(_intent, { stored }) {
    const snapshot = stored.state === "stored" ? stored.offset.snapshot : undefined;
    if (snapshot === undefined || (snapshot.readable && snapshot.complete)) return pass;
    return fail({
      seen: snapshot.readable
        ? `a snapshot is under way: ${showCount(snapshot.tablesDone)} of ${counted(snapshot.tables, "table")} done`
        : "the snapshot progress is in a form that this cdcctl does not know; it is carried along unchanged",
    });
  },
};

/**
 * Whether redo is gone is asked from the stored resume SCN on. One that has no place in the database is refused by
 * OFF101 or OFF106.
 *
 * Rule: specification, `resnapshot`.
 */
export const noPosition: Check<
  unknown,
  { readonly stored: StoredReading; readonly facts: Pick<ConnectorFacts, "connector"> }
> = {
  code: "SNP909",
  title: "There is no stored position to go by",
  problem: "Without a stored offset the connector takes its first snapshot itself.",
  remedy: "Start the connector, or show the offset: `cdcctl admin offsets show`.",
  grade: "refusal",

  run(_intent, { stored, facts: { connector } }) {
    if (stored.state !== "none") return pass;
    return fail({
      seen: `${connector.name} has no stored offset: whether redo is gone can't be asked`,
      remedies: ["Start the connector: with cdc.snapshot.mode=initial it snapshots every captured table by itself."],
    });
  },
};
