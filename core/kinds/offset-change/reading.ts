import type { OffsetChangeIntent, OpsFormat } from "../../document/intent.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import type { OffsetEntry } from "../../facts/offset.ts";
import type { OffsetChangeFacts } from "../../facts/offset-change-facts.ts";
import { opsFormat, type RecordedChange, recordedChanges } from "../../facts/ops-event.ts";
import { examineRedo, type RedoExamination } from "../../facts/redo-examination.ts";
import {
  decodeOffset,
  initialOffset,
  isEmptyOffset,
  moveOffset,
  type StoredOffset,
  sameOffset,
} from "../../facts/stored-offset.ts";
import type { Instant } from "../../values/instant.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import { parseXid, printXid, sameXid } from "../../values/xid.ts";

/** What the facts of an offset change mean, for this intent. Everything that the checks, the plan and the engine go by. */
export interface OffsetChangeReading {
  readonly facts: OffsetChangeFacts;
  readonly stored: StoredReading;
  readonly target: TargetReading;
  /** Undefined while the target or the stored offset can't be told. */
  readonly move: Move | undefined;
  /** The stored offset after the change. */
  readonly after: JsonObject | undefined;
  /** Redo from the target to now. */
  readonly redo: Observed<RedoExamination>;
  readonly torn: Observed<readonly TornTransaction[]>;
  readonly journaledKnown: Observed<true>;
  readonly changes: Observed<readonly RecordedChange[]>;
  readonly opsFormat: OpsFormat | undefined;
}

export type StoredReading =
  | { readonly state: "none" }
  | { readonly state: "stored"; readonly entry: OffsetEntry; readonly offset: StoredOffset }
  | { readonly state: "later version"; readonly version: bigint }
  | { readonly state: "unreadable"; readonly problem: string }
  | { readonly state: "several"; readonly partitions: readonly JsonObject[] }
  | { readonly state: "foreign"; readonly partition: JsonObject };

export type TargetReading =
  | { readonly pinned: true; readonly scn: Scn }
  | { readonly pinned: false; readonly why: string; readonly remedies: readonly string[] };

export type Direction = "backward" | "forward" | "same" | "initial";

export interface Move {
  readonly direction: Direction;
  /** The stored resume SCN; undefined when none is stored. */
  readonly from: Scn | undefined;
  readonly to: Scn;
  /** SCNs between the two. */
  readonly distance: bigint;
}

/** A transaction whose changes before the target would be lost while those after it are delivered. */
export interface TornTransaction {
  readonly xid: string;
  readonly startScn: Scn;
  readonly startedAt: Instant | undefined;
  readonly user: string | undefined;
  readonly clientId: string | undefined;
  readonly seenIn: "GV$TRANSACTION" | "journal" | "both";
}

/**
 * @param pinned the SCN a resolved plan has pinned; relative positions are then not resolved anew
 */
export function readOffsetChange(
  intent: OffsetChangeIntent,
  facts: OffsetChangeFacts,
  pinned?: Scn,
): OffsetChangeReading {
  const stored = readStored(facts);
  const target: TargetReading = pinned === undefined ? pinTarget(intent, facts) : { pinned: true, scn: pinned };
  const move = target.pinned ? moveTo(target.scn, stored) : undefined;
  return {
    facts,
    stored,
    target,
    move,
    after: target.pinned ? offsetAfter(intent, facts, stored, target.scn) : undefined,
    redo: target.pinned
      ? examine(facts, target.scn)
      : { known: false, why: `the target is not known: ${target.why}`, source: "spec" },
    torn: mapObserved(facts.transactions, () => (move === undefined ? [] : tornBy(move, facts))),
    journaledKnown: mapObserved(facts.journaled, () => true as const),
    changes: mapObserved(facts.opsHistory, ({ events }) => recordedChanges(events, facts.connector.name)),
    opsFormat: opsFormat(intent.opsFormat, facts.connector),
  };
}

function readStored(facts: OffsetChangeFacts): StoredReading {
  const entries = facts.connector.offsets.filter(({ offset }) => !isEmptyOffset(offset));
  const [entry] = entries;
  if (entry === undefined) return { state: "none" };
  if (entries.length > 1) return { state: "several", partitions: entries.map(({ partition }) => partition) };
  if (!sameOffset(entry.partition, { server: facts.connector.prefix }))
    return { state: "foreign", partition: entry.partition };
  const decoded = decodeOffset(entry.offset ?? {});
  if (decoded.ok) return { state: "stored", entry, offset: decoded.offset };
  return decoded.reason === "later version"
    ? { state: "later version", version: decoded.version }
    : { state: "unreadable", problem: decoded.problem };
}

function pinTarget({ position }: OffsetChangeIntent, facts: OffsetChangeFacts): TargetReading {
  switch (position.to) {
    case "scn":
      return { pinned: true, scn: position.scn };
    case "timestamp": {
      const scn = facts.target.by === "timestamp" ? facts.target.scn : undefined;
      if (scn !== undefined) return { pinned: true, scn };
      return {
        pinned: false,
        why: `the database has no SCN for ${position.timestamp}: it remembers some days only, and nothing of the future`,
        remedies: ["Give the SCN itself: spec.scn (V$ARCHIVED_LOG.FIRST_TIME shows which log was written then)."],
      };
    }
    case "earliestAvailable": {
      const redo = examine(facts, 0n);
      if (!redo.known)
        return {
          pinned: false,
          why: `the redo can't be seen: ${redo.why}`,
          remedies: redo.remedy === undefined ? [] : [redo.remedy],
        };
      if (redo.value.earliest !== undefined) return { pinned: true, scn: redo.value.earliest };
      return {
        pinned: false,
        why: "there is no SCN from which all redo up to now is present",
        remedies: ["Restore archived logs, or wait for the next log switch."],
      };
    }
    case "restore": {
      const decoded = decodeOffset(position.offset);
      if (decoded.ok) return { pinned: true, scn: decoded.offset.resumeScn };
      return { pinned: false, why: "the offset to restore has no resume SCN that can be read", remedies: [] };
    }
  }
}

function moveTo(to: Scn, stored: StoredReading): Move | undefined {
  if (stored.state === "none") return { direction: "initial", from: undefined, to, distance: 0n };
  if (stored.state !== "stored") return undefined;
  const from = stored.offset.resumeScn;
  if (to === from) return { direction: "same", from, to, distance: 0n };
  return to < from
    ? { direction: "backward", from, to, distance: from - to }
    : { direction: "forward", from, to, distance: to - from };
}

function offsetAfter(
  intent: OffsetChangeIntent,
  { database }: OffsetChangeFacts,
  stored: StoredReading,
  scn: Scn,
): JsonObject | undefined {
  if (intent.position.to === "restore") return intent.position.offset;
  if (stored.state === "none") return initialOffset(scn, database);
  if (stored.state !== "stored") return undefined;
  return moveOffset(stored.offset, { scn, forget: intent.forgetReleased });
}

/** Whether the task itself adds log files to its LogMiner sessions: not from inside one PDB. */
export function probeApplies({
  connector,
  database,
}: {
  readonly connector: { readonly miningMode: string };
  readonly database: { readonly container: boolean; readonly connectedTo: string };
}): boolean {
  return connector.miningMode !== "range" && (!database.container || database.connectedTo === "CDB$ROOT");
}

function examine(facts: OffsetChangeFacts, from: Scn): Observed<RedoExamination> {
  const { redo, probes, database, connector } = facts;
  return mapObserved(redo, (catalogue) =>
    examineRedo(
      catalogue,
      {
        from,
        currentScn: database.currentScn,
        resetlogsScn: database.resetlogsScn,
        captureMode: connector.captureMode,
        destination: connector.archiveDestination,
      },
      probes.known && probes.value.applies ? probes.value.files : undefined,
    ),
  );
}

function tornBy(move: Move, { transactions, journaled }: OffsetChangeFacts): readonly TornTransaction[] {
  if (move.direction === "backward" || move.direction === "same") return [];
  const open = (transactions.known ? transactions.value : [])
    .filter(({ startScn }) => startScn < move.to)
    .map((transaction) => ({ ...transaction, key: transaction.xid, xid: printXid(transaction.xid) }));
  const chunks = (journaled.known ? journaled.value : []).filter(({ firstScn }) => firstScn < move.to);
  const inJournal = (xid: (typeof open)[number]["key"]) =>
    chunks.some((chunk) => {
      const other = parseXid(chunk.xid);
      return other !== undefined && sameXid(xid, { ...other, container: chunk.container ?? other.container });
    });
  const onlyJournaled = chunks.filter((chunk) => {
    const other = parseXid(chunk.xid);
    return (
      other === undefined ||
      !open.some(({ key }) => sameXid(key, { ...other, container: chunk.container ?? other.container }))
    );
  });
  return [
    ...open.map(
      ({ xid, key, startScn, startedAt, user, clientId }): TornTransaction => ({
        xid,
        startScn,
        startedAt,
        user,
        clientId,
        seenIn: inJournal(key) ? "both" : "GV$TRANSACTION",
      }),
    ),
    ...onlyJournaled.map(
      ({ xid, container, firstScn, user, clientId }): TornTransaction => ({
        xid: container === undefined || xid.includes(":") ? xid : `${container}:${xid}`,
        startScn: firstScn,
        startedAt: undefined,
        user,
        clientId,
        seenIn: "journal",
      }),
    ),
  ].sort((a, b) => (a.startScn < b.startScn ? -1 : a.startScn > b.startScn ? 1 : 0));
}
