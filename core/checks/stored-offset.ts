import type { ConnectorFacts } from "../facts/connector-facts.ts";
import { fromElsewhere, LAST_RECORDED } from "../facts/offset/origin.ts";
import { laterVersion, unreadable } from "../facts/offset/stored-offset.ts";
import { counted, showCount } from "../values/amounts.ts";
import { canonicalJson } from "../values/json.ts";
import { type Check, type CheckIn, fail, pass } from "./check.ts";
import type { ConnectorReading } from "./readings.ts";

/** An offset change also has what a run had recorded before. */
type MayBeReplaced = Pick<ConnectorReading, "stored" | "facts"> & { readonly replacement?: unknown };

const INSPECT = { text: "Inspect it", command: "cdcctl admin offsets show --format json" };

/**
 * A newer format may change the meaning of fields, so it is refused.
 *
 * Rule: reference: wire formats, "Stored offset" (`v`, CDC-3002).
 */
export const laterOffsetVersion: Check<unknown, Pick<ConnectorReading, "stored">> = {
  code: "OFF104",
  title: "The stored offset has a newer format version",
  problem: "Its fields may have another meaning than this cdcctl assumes (the connector itself reports CDC-3002).",
  remedy: "Use a cdcctl that supports this version of the connector.",
  grade: "refusal",

  run(_intent, { stored }) {
    if (stored.state !== "later version") return pass;
    return fail(laterVersion(stored.version));
  },
};

/**
 * The task does not start from such an offset, and there is nothing to compare a target with.
 *
 * Rule: reference: connector rules, "What a stored offset must hold for the task to start".
 */
export const unreadableOffset: Check<unknown, Pick<MayBeReplaced, "stored" | "replacement">> = {
  code: "OFF105",
  title: "The stored offset can't be read",
  problem:
    "The task stops at it with CDC-3002, or with an exception without a code. Neither the direction of a move nor " +
    "what must be kept can be determined.",
  remedy:
    "Inspect it with `cdcctl admin offsets show --format json`. To write back the last offset that a run has stored, " +
    "plan an OffsetChange with `spec.lastRecorded: true`.",
  grade: "refusal",

  run(_intent, { stored, replacement }) {
    if (stored.state !== "unreadable" || replacement !== undefined) return pass;
    return fail(unreadable(stored.problem), { remedies: [INSPECT, LAST_RECORDED] });
  },
};

/**
 * SCNs of another database, or of an earlier incarnation, mean nothing in this one. The connector refuses such an
 * offset too, and one without an identity.
 *
 * Rule: reference: connector rules, "What a stored offset must hold for the task to start".
 */
export const otherDatabase: CheckIn<MayBeReplaced, "stored" | "replacement", "database" | "connector"> = {
  code: "OFF106",
  title: "The stored offset belongs to another database or incarnation",
  problem: "Its SCNs were taken elsewhere: mining from them here would silently lose or repeat changes.",
  remedy: "Check `cdc.database.*` of the connector.",
  grade: "refusal",

  run(_intent, { stored, replacement, facts: { database, connector } }) {
    if (stored.state !== "stored" || replacement !== undefined) return pass;
    const found = fromElsewhere(stored.offset, database, connector.name);
    return found === undefined ? pass : fail(found.seen, { remedies: found.remedies });
  },
};

/**
 * One connector keeps one offset, under `{"server": <cdc.topic.prefix>}`. With several, or with another server's, it is
 * unclear which one the task reads.
 *
 * Rule: reference: wire formats, "Stored offset" (partition).
 */
export const severalPartitions: CheckIn<ConnectorReading, "stored", "connector"> = {
  code: "OFF107",
  title: "The stored offset is not under this connector's partition",
  problem: "A change could go to an offset that the task never reads, while the one that it reads is unchanged.",
  remedy:
    "Find out where the others come from (a changed cdc.topic.prefix?) and remove them while the connector is " +
    'stopped: PATCH with `"offset": null`.',
  grade: "refusal",

  run(_intent, { stored, facts: { connector } }) {
    if (stored.state === "several") {
      return fail(
        `${showCount(stored.partitions.length)} offsets are stored: ` +
          `${stored.partitions.map((one) => canonicalJson(one)).join(", ")}`,
      );
    }
    if (stored.state !== "foreign") return pass;
    return fail(
      `the only offset is stored under ${canonicalJson(stored.partition)}; the connector reads the one under ` +
        `${canonicalJson({ server: connector.prefix })} (cdc.topic.prefix)`,
    );
  },
};

/**
 * Direction `initial`: the connector has stored nothing yet. With an offset it no longer takes its initial snapshot.
 */
export const noStoredOffset: CheckIn<ConnectorReading, "stored", "connector" | "signals"> = {
  code: "OFF110",
  title: "No offset is stored yet",
  problem:
    "With a stored offset the connector resumes instead of starting: cdc.start.scn and cdc.snapshot.mode are then " +
    "ignored. What an earlier life of the prefix left in the journal (TRX505) and schema topics is read either way.",
  remedy:
    "Continue only if consumers already have the tables' current content; otherwise let the connector start by " +
    "itself. For a fresh start, remove the prefix's records from the journal and schema topics too: otherwise " +
    "CDC-4002, CDC-6003, or a transaction of the earlier life is restored.",
  grade: "advisory",

  run(_intent, { stored, facts: { connector, signals } }) {
    if (stored.state !== "none") return pass;
    const again = oldSignals(connector.signalsTopic, signals);
    return fail(
      `${connector.name} has no stored offset; the plan writes the first one, and the initial snapshot will not ` +
        `be taken${again === "" ? "" : `; ${again}`}`,
    );
  },
};

/**
 * A first offset has no `signal_offset`, so the task reads the topic from its beginning.
 *
 * Rule: reference: connector rules, "Offset fields on a move" (`signal_offset`).
 */
export function oldSignals(topic: string, signals: ConnectorFacts["signals"]): string {
  if (signals?.known !== true) return `which signals in ${topic} the task handles again is unknown`;
  const { unread } = signals.value;
  if (unread.length === 0) return "";
  const snapshots = unread.filter(({ type }) => type === "snapshot").length;
  return (
    `the task also handles again ${counted(unread.length, "signal")} that ${topic} holds for it` +
    (snapshots === 0
      ? ""
      : `, ${showCount(snapshots)} of which ${snapshots === 1 ? "starts a snapshot" : "start snapshots"}`)
  );
}

/** The snapshot's progress is kept unchanged, but it belongs to another position. */
export const snapshotIncomplete: Check<unknown, Pick<ConnectorReading, "stored">> = {
  code: "OFF112",
  title: "A snapshot is not complete",
  problem: "The connector continues the snapshot after the move, and reads the remaining tables as of then.",
  remedy: "If possible, let the snapshot finish first.",
  grade: "advisory",

  run(_intent, { stored }) {
    const snapshot = stored.state === "stored" ? stored.offset.snapshot : undefined;
    if (snapshot === undefined || (snapshot.readable && snapshot.complete)) return pass;
    return fail(
      snapshot.readable
        ? `a snapshot is under way: ${showCount(snapshot.tablesDone)} of ${counted(snapshot.tables, "table")} done`
        : "the snapshot progress has a format unknown to this cdcctl; it is kept unchanged",
    );
  },
};

/**
 * Redo is checked from the stored resume SCN on. OFF118 or OFF106 names an SCN that the database does not have.
 *
 * Rule: specification, `resnapshot`.
 */
export const noPosition: CheckIn<ConnectorReading, "stored", "connector"> = {
  code: "SNP909",
  title: "The connector has no stored position",
  problem: "Without a stored offset the connector takes its first snapshot itself.",
  remedy: "Start the connector, or show the offset: `cdcctl admin offsets show`.",
  grade: "refusal",

  run(_intent, { stored, facts: { connector } }) {
    if (stored.state !== "none") return pass;
    return fail(`${connector.name} has no stored offset: whether redo is missing cannot be determined`, {
      remedies: ["Start the connector: with cdc.snapshot.mode=initial it snapshots every captured table by itself."],
    });
  },
};
