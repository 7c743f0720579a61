import type { OffsetChangeFacts } from "../../../schemas/generated/facts.ts";
import type { Cost } from "../../../schemas/generated/plan.ts";
import type { OffsetSubject } from "../../../schemas/generated/run-journal.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { OffsetChangeReading } from "../../checks/readings.ts";
import { digestOfIntent, type OffsetChangeIntent } from "../../document/intent.ts";
import { isRunning } from "../../facts/connector/connector.ts";
import { span } from "../../facts/database/database.ts";
import { forgottenIds } from "../../facts/offset/moved-offset.ts";
import { decodeOffset, nothingLost, recognitionBy, storedOffsetOf } from "../../facts/offset/stored-offset.ts";
import { logsBetween } from "../../facts/redo/redo.ts";
import { cutChange, deliveredAgain, diffRows } from "../../plan/diff.ts";
import {
  type ChangeShown,
  NOT_KNOWN,
  type Note,
  note,
  type OffsetChangePlan,
  placeOf,
  zoneNote,
} from "../../plan/plan.ts";
import { onlyStarts, type PlannedStep, removalSteps } from "../../plan/steps.ts";
import { counted, showBytes } from "../../values/amounts.ts";
import { digestOf } from "../../values/digest.ts";
import { showMillis } from "../../values/duration.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import { truncate } from "../../values/truncate.ts";
import { appliedBefore } from "../connector/applied.ts";
import {
  connectorOutcome,
  connectorShown,
  offsetSubjectOf,
  ofOneConnector,
  plannedTimeline,
  startSteps,
  worldShown,
} from "../connector/plan.ts";
import { leadsAhead, removedFromJournal } from "../connector/reading.ts";
import { connectorNotes, moveInShort, moveShown, offsetDiff, redoNotes, tornNotes } from "../connector/shown.ts";
import type { Kind, ResolveOptions } from "../kind.ts";
import { offsetChangeChecks } from "./checks.ts";
import { observeOffsetChange } from "./observe.ts";
import { decideOffsetChange, offsetChangeByIntent, readOffsetChange } from "./reading.ts";

/** Resolves an intent against facts. Pure: the same intent and facts give the same plan. */
export function planOffsetChange(
  intent: OffsetChangeIntent,
  facts: OffsetChangeFacts,
  options: ResolveOptions = {},
): OffsetChangePlan {
  const reading = readOffsetChange(intent, facts, options.pinned);
  const decided = decideOffsetChange(intent, reading);
  const decision = digestOf(decided);
  const findings = findingsOf(offsetChangeChecks, intent, reading);
  const times = facts.times.known ? facts.times.value : [];
  const isReplaced = reading.replacement !== undefined;
  const before =
    reading.stored.state === "stored"
      ? reading.stored.entry.offset
      : isReplaced
        ? storedOffsetOf(facts.connector)
        : null;
  const planned = steps(intent, reading);
  const starts = onlyStarts({ steps: planned });
  return {
    intent,
    plannedAt: facts.at,
    // Starting it once more repeats nothing.
    outcome: connectorOutcome(
      findings,
      reading,
      starts ? undefined : nothingToDo(intent, reading, decision, options.again ?? false),
    ),
    world: worldShown(facts, { ...facts.connector, opsFormat: reading.opsFormat }),
    connector: connectorShown(facts.connector),
    move: starts ? undefined : reading.move,
    offset:
      reading.after === undefined || starts
        ? undefined
        : {
            partition:
              reading.stored.state === "stored" ? reading.stored.entry.partition : { server: facts.connector.prefix },
            before,
            after: reading.after,
            rows: diffRows(before, reading.after, times),
          },
    cost: starts ? { kind: "none" } : costOf(intent, reading),
    redo: reading.redo?.known ? reading.redo.value : undefined,
    torn: reading.torn.known ? reading.torn.value : [],
    timeline: plannedTimeline(
      reading,
      reading.target.pinned ? reading.target.scn : undefined,
      leadsAhead(reading.move),
    ),
    findings,
    steps: planned,
    decided,
    decision,
  };
}

/**
 * The connector's latest change shows, by its decision or this intent, whether it was already applied. If the connector
 * has run since, the same plan file would decide another direction, and mine again what was delivered meanwhile.
 *
 * @returns why there is nothing to do
 */
function nothingToDo(
  intent: OffsetChangeIntent,
  { asWanted, changes, facts, target }: OffsetChangeReading,
  decision: string,
  again: boolean,
): string | undefined {
  if (asWanted) return "the stored offset already has the requested content, field by field";
  const stored = storedOffsetOf(facts.connector);
  const looked = { decision, scn: target.pinned ? target.scn : undefined, intent: digestOfIntent(intent), stored };
  if (again || !changes.known || appliedBefore(changes.value, looked).is !== "latest") return undefined;
  const change = changes.value.findLast(({ outcome: ended }) => ended === "applied");
  const what = change?.event.details.decision === decision ? "decision" : "plan file";
  const when = change?.endedAt === undefined ? "" : ` at ${change.endedAt}`;
  return `this ${what} was already applied${when}; --again repeats it`;
}

/**
 * The steps when the stored offset is as requested, but the connector is not running: "no longer stopped"
 * (specification, "States and transitions") applies to it too.
 */
function steps(intent: OffsetChangeIntent, reading: OffsetChangeReading): readonly PlannedStep[] {
  const { resume } = intent;
  const { target, asWanted } = reading;
  const { connector } = reading.facts;
  if (!target.pinned) return [];
  if (asWanted && resume && !isRunning(connector.status)) return startSteps(connector);
  return [
    { step: "stop-connector", connector: connector.name },
    { step: "recheck" },
    { step: "record-applying", topic: connector.opsTopic },
    ...removalSteps([...removedFromJournal(intent, reading), ...reading.removed]),
    { step: "patch-offset", connector: connector.name },
    { step: "record-outcome", topic: connector.opsTopic },
    ...(resume ? [{ step: "resume-connector", connector: connector.name, scn: target.scn } as const] : []),
  ];
}

/**
 * The cost of a move: redo that is mined again, or commits that are never delivered. A restored offset costs neither:
 * the connector has not run since it was replaced.
 */
export function costOf(
  { position, origin }: OffsetChangeIntent,
  { move, stored, facts, redo, after, replacement }: OffsetChangeReading,
): Cost | undefined {
  if (move === undefined || (replacement !== undefined && move.from === undefined)) return undefined;
  const { from, to } = move;
  // A forward move in a rollback returns to a position that was reached before; everything up to it was delivered.
  const deliveredBefore = position.to === "restore" || (origin.by === "rollback" && move.direction === "forward");
  if (from === undefined || from === to || deliveredBefore) return { kind: "none" };
  if (move.direction === "forward") {
    const kept = stored.state === "stored" ? nothingLost(stored.offset, to) : undefined;
    const millis = span(from, to, facts.times);
    return { kind: "skipped", millis, ...(kept === undefined ? {} : { deliveredUpTo: kept.upTo }) };
  }
  const logs =
    facts.redo.known && redo?.known
      ? logsBetween(facts.redo.value, redo.value.destination, facts.database.resetlogsScn, to, from)
      : [];
  return {
    kind: "mined again",
    archivedLogs: BigInt(logs.length),
    bytes: logs.reduce((sum, { bytes }) => sum + bytes, 0n),
    millis: span(to, from, facts.times),
    recognisedUpTo: recognisedBy(after),
  };
}

function recognisedBy(after: JsonObject | undefined): Scn | undefined {
  const decoded = after === undefined ? undefined : decodeOffset(after);
  const recognition = decoded?.ok ? recognitionBy(decoded.offset) : undefined;
  return recognition?.is === "all" ? recognition.upTo : undefined;
}

/** What an offset change says of itself. */
export function offsetChangeShown(plan: OffsetChangePlan): ChangeShown {
  const { move, steps, decided, redo } = plan;
  const starts = onlyStarts({ steps });
  const of = `${truncate(plan.connector.name, 300)} on ${placeOf(plan)}`;
  const still = starts
    ? {
        summary: `Start ${of}: the stored offset is at ${decided.scn} as requested, and stays`,
        asks: `Start ${of}`,
      }
    : { summary: `Move ${of}: the target or the stored offset is unknown`, asks: `Move ${of}` };
  return {
    connectors: plan.connector.name,
    ...(move === undefined ? still : moveShown(plan, move)),
    inShort: moveInShort(plan) ?? { change: starts ? "start only" : NOT_KNOWN, cost: starts ? "none" : NOT_KNOWN },
    diff: offsetDiff(plan),
    notes: [
      ...restored(plan),
      ...costs(plan),
      ...cutChanged(plan),
      ...tornNotes(plan),
      ...(move === undefined ? [] : redoNotes(redo, move.to)),
      ...connectorNotes(plan),
      ...zoneNote(plan),
    ],
  };
}

/** Where the offset comes from, if not from the stored one. */
function restored({ move, intent: { position } }: OffsetChangePlan): readonly Note[] {
  if (move === undefined) return [];
  if (position.to === "restore")
    return [note("restores", `the offset from before run ${position.run}, field by field`)];
  if (position.to !== "lastRecorded") return [];
  return [
    note(
      "restores",
      move.from === undefined
        ? "every field as recorded last: no resume SCN can be read in the stored offset"
        : "every field as recorded last; the distance is by what the unreadable offset says",
    ),
  ];
}

/** What is delivered twice or never: never folded. */
function costs({ cost, move, offset }: OffsetChangePlan): readonly Note[] {
  if (cost === undefined || move === undefined || cost.kind === "none") return [];
  if (cost.kind === "mined again") {
    const logs = `${counted(cost.archivedLogs, "archived log")}, ${showBytes(cost.bytes)}`;
    return [note("mined again", `${logs}; ${deliveredAgain(offset?.after)}`, undefined, "always")];
  }
  const span = cost.millis === undefined ? "" : ` (${showMillis(cost.millis)})`;
  const before = offset?.before == null ? undefined : decodeOffset(offset.before);
  const kept = before?.ok ? nothingLost(before.offset, move.to) : undefined;
  const between = `from ${move.from} to ${move.to}${span}`;
  if (kept !== undefined) return [note("skipped", `no commit ${between} is lost: ${kept.why}`, undefined, "always")];
  return [
    note(
      "skipped",
      `every commit in between, ${between}, is lost for all captured tables and not delivered later`,
      "bad",
      "always",
    ),
  ];
}

/** What becomes of the first-start cut; nothing where it stays. */
function cutChanged({ offset }: OffsetChangePlan): readonly Note[] {
  const text = offset === undefined ? undefined : cutChange(offset);
  return text === undefined ? [] : [note("first start", text, "caution", "always")];
}

/** An offset change: a move of the stored offset, or only a start if the offset is as requested. */
export const offsetChange: Kind<OffsetChangeIntent, OffsetChangeFacts, OffsetChangePlan, OffsetSubject> = {
  ...ofOneConnector,
  observe: observeOffsetChange,
  plan: planOffsetChange,
  decidedByIntent: offsetChangeByIntent,
  knownBy: ({ intent }) => intent,
  asShown: (now) => now,
  subject(plan) {
    const { intent, offset } = plan;
    const decoded = offset === undefined || offset.before === null ? undefined : decodeOffset(offset.before);
    return offsetSubjectOf(plan, onlyStarts(plan), {
      command: "offsets set",
      ...(intent.deliverAgain === true ? { deliverAgain: true } : {}),
      forget: decoded?.ok ? forgottenIds(decoded.offset.released, intent.forgetReleased) : [],
    });
  },
};
