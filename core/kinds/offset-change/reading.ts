import type { OffsetChangeFacts } from "../../../schemas/generated/facts.ts";
import type { DecidedOffsetChange } from "../../../schemas/generated/plan.ts";
import type { OffsetChangeReading, SchemasRemoved } from "../../checks/readings.ts";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import { minesInRange } from "../../facts/database/database.ts";
import { type LastRecorded, lastRecorded, type NotRecorded } from "../../facts/offset/last-recorded.ts";
import type { Move, TargetReading } from "../../facts/offset/move.ts";
import { forgottenIds, initialOffset, moveOffset } from "../../facts/offset/moved-offset.ts";
import {
  decodeOffset,
  resumeScnIn,
  type StoredReading,
  sameOffset,
  storedOffsetOf,
  undecoded,
} from "../../facts/offset/stored-offset.ts";
import { alteredBetween } from "../../facts/tables/ddl.ts";
import { repeated } from "../../plan/plan.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import { showCount } from "../../values/amounts.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import { zonesThatDiffer } from "../../values/zone-change.ts";
import {
  examine,
  leadsAhead,
  moveFrom,
  moveTo,
  readConnector,
  readStored,
  removalDecided,
  removedTransactions,
  schemasRemoved,
} from "../connector/reading.ts";

/** @param pinned the SCN a resolved plan has pinned; relative positions are then not resolved again */
export function readOffsetChange(
  intent: OffsetChangeIntent,
  facts: OffsetChangeFacts,
  pinned?: Scn,
): OffsetChangeReading {
  const stored = readStored(facts);
  const recorded = intent.position.to === "lastRecorded" ? lastRecorded(facts, stored) : undefined;
  const target: TargetReading =
    recorded !== undefined
      ? targetOf(recorded)
      : pinned === undefined
        ? pinTarget(intent, facts)
        : { pinned: true, scn: pinned };
  const replacement = recorded !== undefined && "offset" in recorded ? recorded : undefined;
  const move = !target.pinned ? undefined : (replacementMove(replacement, facts) ?? moveTo(target.scn, stored));
  const after = replacement?.offset.raw ?? (target.pinned ? offsetAfter(intent, facts, stored, target.scn) : undefined);
  const asWanted = stored.state === "stored" && after !== undefined && sameOffset(stored.offset.raw, after);
  // Only a move back delivers again; OFF116 refuses any other.
  const deliversAgain = intent.deliverAgain === true && move?.direction === "backward";
  return {
    facts,
    stored,
    target,
    after,
    replacement,
    asWanted,
    redo: target.pinned ? examine(facts, target.scn) : undefined,
    ...schemasRemoved(intent, facts, altered(intent, facts, move)),
    forget: stored.state === "stored" ? forgottenIds(stored.offset.released, intent.forgetReleased) : [],
    changesOffset: !(asWanted && intent.resume),
    ...readConnector(facts, {
      move,
      tears: (leadsAhead(move) && intent.position.to !== "restore") || deliversAgain,
      asked: intent.opsFormat,
    }),
  };
}

function targetOf(recorded: LastRecorded | NotRecorded): TargetReading {
  return "offset" in recorded
    ? { pinned: true, scn: recorded.offset.resumeScn }
    : { pinned: false, why: recorded.why, remedies: recorded.remedies };
}

/** The move from what is stored under the connector's partition, as far as its resume SCN can be read. */
function replacementMove(replacement: LastRecorded | undefined, { connector }: OffsetChangeFacts): Move | undefined {
  return replacement && moveFrom(resumeScnIn(storedOffsetOf(connector)), replacement.offset.resumeScn);
}

/**
 * The tables whose DDL a forward move skips, or a backward one mines again by range. A restored offset was stored
 * before: the task has not run since, so that the schema topic fits it.
 */
function altered(
  { position }: OffsetChangeIntent,
  facts: OffsetChangeFacts,
  move: Move | undefined,
): SchemasRemoved["altered"] {
  if (move?.from === undefined) return undefined;
  if (move.direction === "forward")
    return position.to === "restore" ? undefined : alteredBetween(facts, move.from, move.to);
  if (move.direction !== "backward" || !minesInRange(facts.database, facts.connector)) return undefined;
  return alteredBetween(facts, move.to, undefined);
}

function pinTarget({ position }: OffsetChangeIntent, facts: OffsetChangeFacts): TargetReading {
  switch (position.to) {
    case "lastRecorded":
      throw new Error("its target is in the ops topic");
    case "scn":
      return { pinned: true, scn: position.scn };
    case "timestamp": {
      const differing = zonesThatDiffer(facts.database.zone, position.timestamp, facts.at);
      if (differing.length > 0)
        return {
          pinned: false,
          why:
            `the database server's zone is ${facts.database.zone} now and may have been another at ` +
            `${position.timestamp}: ${showCount(differing.length)} zones with that offset changed to or from ` +
            `daylight saving ` +
            `time in between or just before (${among(differing)}). TIMESTAMP_TO_SCN takes the server's own time, ` +
            "so the SCN could be an hour off",
          remedies: [
            "Give the SCN itself: spec.scn (V$ARCHIVED_LOG.FIRST_TIME, in the server's own time, shows which log " +
              "was written then).",
            "Or give a timestamp after the change.",
          ],
        };
      const scn = facts.target.by === "timestamp" ? facts.target.scn : undefined;
      if (scn !== undefined) return { pinned: true, scn };
      return {
        pinned: false,
        why: `the database has no SCN for ${position.timestamp}: it keeps only some days, and nothing in the future`,
        remedies: ["Give the SCN itself: spec.scn (V$ARCHIVED_LOG.FIRST_TIME shows which log was written then)."],
      };
    }
    case "earliestAvailable": {
      const redo = examine(facts, 0n);
      if (!redo.known)
        return {
          pinned: false,
          why: `the redo could not be inspected: ${redo.why}`,
          remedies: redo.remedies ?? [],
        };
      if (redo.value.earliest !== undefined) return { pinned: true, scn: redo.value.earliest };
      return {
        pinned: false,
        why: "no SCN has all redo up to now",
        remedies: ["Restore the archived logs, or wait for the next log switch."],
      };
    }
    case "restore": {
      const decoded = decodeOffset(position.offset);
      if (decoded.ok) return { pinned: true, scn: decoded.offset.resumeScn };
      return { pinned: false, why: `the offset to restore is refused: ${undecoded(decoded).seen}`, remedies: [] };
    }
  }
}

/** Some of the zones, well-known ones first. */
function among(zones: readonly string[]): string {
  const known = ["Europe/Berlin", "Europe/London", "America/New_York", "America/Chicago", "America/Los_Angeles"];
  const first = [...known.filter((zone) => zones.includes(zone)), ...zones.filter((zone) => !known.includes(zone))];
  return `${first.slice(0, 2).join(", ")}${first.length > 2 ? ", …" : ""}`;
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
  return moveOffset(stored.offset, { scn, forget: intent.forgetReleased, deliverAgain: intent.deliverAgain });
}

export function decideOffsetChange(intent: OffsetChangeIntent, reading: OffsetChangeReading): DecidedOffsetChange {
  const { facts, target, move, replacement } = reading;
  return {
    ...offsetChangeByIntent(intent),
    connector: facts.connector.name,
    cluster: facts.worker.clusterId,
    database: { dbid: facts.database.dbid, resetlogsScn: facts.database.resetlogsScn },
    scn: target.pinned ? target.scn : undefined,
    direction: move?.direction,
    restore: intent.position.to === "restore" ? intent.position.offset : replacement?.offset.raw,
    ...removalDecided(intent, reading),
    ...removedTransactions(intent, reading),
    configuration: redactConfiguration(facts.connector.config),
  };
}

/** The part of the decision that follows from the intent alone. */
export function offsetChangeByIntent(intent: OffsetChangeIntent) {
  const { kind, position, target, allowSkip, deliverAgain, forgetReleased, resume, opsFormat } = intent;
  const restore = position.to === "restore" ? position.offset : undefined;
  const decoded = restore === undefined ? undefined : decodeOffset(restore);
  const scn = position.to === "scn" ? position.scn : decoded?.ok ? decoded.offset.resumeScn : undefined;
  return {
    kind,
    connector: target.connector,
    ...(scn === undefined ? {} : { scn }),
    ...(position.to === "lastRecorded" ? {} : { restore }),
    ...repeated(intent),
    allowSkip,
    deliverAgain,
    ...removalDecided(intent),
    forgetReleased,
    resume,
    opsFormat,
  } satisfies Partial<DecidedOffsetChange>;
}
