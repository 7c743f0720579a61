import type { ResnapshotFacts } from "../../../schemas/generated/facts.ts";
import type { DecidedResnapshot } from "../../../schemas/generated/plan.ts";
import type { ResnapshotReading } from "../../checks/readings.ts";
import type { ResnapshotIntent } from "../../document/intent.ts";
import { mapObserved } from "../../facts/observed.ts";
import { moveOffset } from "../../facts/offset/moved-offset.ts";
import { misplaced } from "../../facts/offset/origin.ts";
import { snapshotsAhead } from "../../facts/offset/snapshots-ahead.ts";
import type { StoredReading } from "../../facts/offset/stored-offset.ts";
import { faultText, type Gap, type RedoExamination, restoreCommands, timeAtOrBefore } from "../../facts/redo/redo.ts";
import { alteredBetween } from "../../facts/tables/ddl.ts";
import { type Evidence, evidenceOf } from "../../facts/tables/evidence.ts";
import { namedTables, unlistedTables } from "../../facts/tables/named-tables.ts";
import { type CapturedSet, type CapturedTable, capturedIn } from "../../facts/tables/tables.ts";
import { repeated } from "../../plan/plan.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import { showCount } from "../../values/amounts.ts";
import {
  examine,
  leadsAhead,
  moveTo,
  readConnector,
  readStored,
  removalDecided,
  removedTransactions,
  schemasRemoved,
} from "../connector/reading.ts";

export function readResnapshot(intent: ResnapshotIntent, facts: ResnapshotFacts): ResnapshotReading {
  const stored = readStored(facts);
  const captured = capturedIn({ ...facts.connector.tables, stated: intent.capturedTables }, facts.dictionary);
  const named = captured.known ? namedTables(intent.tables, captured.tables) : [];
  const unlisted = captured.known ? unlistedTables(intent, captured.tables) : [];
  const elsewhere =
    stored.state === "stored" ? misplaced(stored.offset, facts.database, facts.connector.name) : undefined;
  const redo =
    stored.state === "stored" && elsewhere === undefined ? examine(facts, stored.offset.resumeScn) : undefined;
  const examined = redo?.known ? redo.value : undefined;
  // No redo is missing between an SCN that the database has not reached and its current one.
  const whole = elsewhere?.code === "OFF101" || examined?.complete === true;
  const way = whole ? "signal" : examined === undefined ? "unknown" : "past the gap";
  const gap = examined === undefined || examined.complete ? undefined : gapOf(examined, facts);
  const move = gap?.to === undefined ? undefined : moveTo(gap.to, stored);
  return {
    facts,
    stored,
    captured,
    named,
    tables: [...new Set(named.flatMap((one) => (one.found ? [one.table.fullName] : [])))],
    unlisted,
    ahead: aheadOf(facts, stored, captured),
    evidence: gap === undefined ? new Map() : evidenceSince(gap, unlisted, facts),
    way,
    gap,
    after:
      stored.state === "stored" && gap?.to !== undefined
        ? moveOffset(stored.offset, { scn: gap.to, forget: "none" })
        : undefined,
    redo,
    forget: [],
    ...schemasRemoved(intent, facts, move?.from === undefined ? undefined : alteredBetween(facts, move.from, move.to)),
    waits: intent.waitForTransactions !== undefined,
    changesOffset: way !== "signal",
    ...readConnector(facts, { move, tears: leadsAhead(move), asked: intent.opsFormat }),
  };
}

function aheadOf(
  { signals, opsHistory, connector }: ResnapshotFacts,
  stored: StoredReading,
  captured: CapturedSet,
): ResnapshotReading["ahead"] {
  const unseen = { known: false, why: "the signals topic was not read", source: connector.signalsTopic } as const;
  return mapObserved(signals ?? unseen, ({ unread }) => {
    if (stored.state !== "stored") return undefined;
    const answers = opsHistory.known ? opsHistory.value.answers : [];
    const tables = captured.known ? captured.tables.map(({ fullName }) => fullName) : [];
    return snapshotsAhead(stored.offset, unread, answers, tables);
  });
}

/**
 * Evidence counts from the stored position: everything since is skipped, including what lies before the first missing
 * log.
 */
function evidenceSince(
  { from, fromTime }: Gap,
  unlisted: readonly CapturedTable[],
  { activity, rowScns }: ResnapshotFacts,
): ReadonlyMap<CapturedTable, Evidence> {
  const evidence = evidenceOf(activity, rowScns, { scn: from, at: fromTime });
  return new Map(unlisted.map((table) => [table, evidence(table)]));
}

export function decideResnapshot(intent: ResnapshotIntent, reading: ResnapshotReading): DecidedResnapshot {
  const { facts, move, gap, redo, unlisted } = reading;
  return {
    ...resnapshotByIntent(intent),
    connector: facts.connector.name,
    cluster: facts.worker.clusterId,
    database: { dbid: facts.database.dbid, resetlogsScn: facts.database.resetlogsScn },
    scn: gap?.to,
    direction: move?.direction,
    tables: reading.tables,
    ...(gap === undefined || !redo?.known ? {} : { gap: redo.value.faults.map(faultText) }),
    ...(gap === undefined ? {} : { unlisted: unlisted.map(({ fullName }) => fullName) }),
    ...removalDecided(intent, reading),
    ...removedTransactions(intent, reading),
    configuration: redactConfiguration(facts.connector.config),
  };
}

/** The part of the decision that follows from the intent alone. */
export function resnapshotByIntent(intent: ResnapshotIntent) {
  const { kind, target, skipGapForUnlistedTables, waitForTransactions, waitForAck, resume, opsFormat } = intent;
  const { waitForSnapshot, stopRunningSnapshot, waitForCompletion } = intent;
  return {
    kind,
    connector: target.connector,
    ...repeated(intent),
    ...removalDecided(intent),
    skipGapForUnlistedTables,
    waitForTransactions,
    waitForAck,
    waitForSnapshot,
    stopRunningSnapshot,
    waitForCompletion,
    resume,
    opsFormat,
  } satisfies Partial<DecidedResnapshot>;
}

/** The most faults in the message, which goes into a record of the ops topic; the plan's redo shows every log. */
const MOST_FAULTS = 10;

/**
 * The redo that is missing from the stored position on, and where it begins again. @param examined with at least one
 * fault
 */
export function gapOf(
  { faults, from, firstAvailable: to }: RedoExamination,
  facts: Pick<ResnapshotFacts, "times" | "database" | "redo">,
): Gap {
  const code = faults[0]?.code ?? "CDC-2001";
  return {
    code,
    message: gapText(faults.map(faultText)).slice(code.length + 1),
    from,
    to,
    fromTime: timeAtOrBefore(from, facts),
    toTime: to === undefined ? undefined : timeAtOrBefore(to, facts),
    restore: restoreCommands(faults),
  };
}

/** What is missing, in a sentence: the code of the first fault is not repeated. @param faults as they are decided */
export function gapText(faults: readonly string[]): string {
  const [first = ""] = faults;
  const code = first.slice(0, first.indexOf(" ") + 1);
  const shown = faults
    .slice(0, MOST_FAULTS)
    .map((fault) => (fault.startsWith(code) ? fault.slice(code.length) : fault));
  const more = faults.length > MOST_FAULTS ? `; and ${showCount(faults.length - MOST_FAULTS)} more` : "";
  return `${code}${shown.join("; ")}${more}`;
}
