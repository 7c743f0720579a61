import type { OffsetChangeFacts } from "../../../schemas/generated/facts.ts";
import type { OffsetSubject } from "../../../schemas/generated/run-journal.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { OffsetChangeReading } from "../../checks/readings.ts";
import { digestOfIntent, type OffsetChangeIntent } from "../../document/intent.ts";
import { isRunning } from "../../facts/connector/connector.ts";
import { span } from "../../facts/database/database.ts";
import { decodeOffset, nothingLost, storedOffsetOf } from "../../facts/offset/stored-offset.ts";
import { logsBetween } from "../../facts/redo/redo.ts";
import { cutChange, deliveredAgain } from "../../plan/diff.ts";
import { NOT_KNOWN, type Note, note, type Plan, placeOf, type Resolved, type Said, zoneNote } from "../../plan/plan.ts";
import { onlyStarts, type PlannedStep, removalSteps } from "../../plan/steps.ts";
import { digestOf } from "../../values/digest.ts";
import { showMillis } from "../../values/duration.ts";
import { truncate } from "../../values/truncate.ts";
import { appliedBefore } from "../connector/applied.ts";
import {
  bodyPinned,
  connectorOutcome,
  connectorShown,
  offsetMove,
  offsetSubjectOf,
  ofOneConnector,
  plannedTimeline,
  startSteps,
  worldShown,
} from "../connector/plan.ts";
import { leadsAhead, removedFromJournal } from "../connector/reading.ts";
import {
  type ConnectorChange,
  type Cost,
  connectorFigures,
  connectorNotes,
  minedText,
  moveSaid,
  offsetDiff,
  redoNotes,
  tornNotes,
} from "../connector/shown.ts";
import type { Kind, ResolveOptions } from "../kind.ts";
import { offsetChangeChecks } from "./checks.ts";
import { observeOffsetChange } from "./observe.ts";
import { decideOffsetChange, offsetChangeByIntent, readOffsetChange } from "./reading.ts";

/** Resolves an intent against facts. Pure: the same intent and facts give the same plan. */
export function planOffsetChange(
  intent: OffsetChangeIntent,
  facts: OffsetChangeFacts,
  options: ResolveOptions = {},
): Plan<"OffsetChange"> {
  const reading = readOffsetChange(intent, facts, options.pinned);
  const decided = decideOffsetChange(intent, reading);
  const decision = digestOf(decided);
  const findings = findingsOf(offsetChangeChecks, intent, reading);
  const planned = steps(intent, reading);
  const starts = onlyStarts({ steps: planned });
  const connector = connectorShown(facts.connector);
  const plan: Resolved<"OffsetChange"> = {
    intent,
    plannedAt: facts.at,
    // Starting it once more repeats nothing.
    outcome: connectorOutcome(
      findings,
      reading,
      starts ? undefined : nothingToDo(intent, reading, decision, options.again ?? false),
    ),
    world: worldShown(facts, { ...facts.connector, opsFormat: reading.opsFormat }),
    connectors: [connector],
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
  const said = offsetChangeSaid(
    {
      ...plan,
      connector,
      move: starts ? undefined : reading.move,
      offset: starts ? undefined : offsetMove(reading),
      cost: costOf(intent, reading),
      redo: reading.redo?.known ? reading.redo.value : undefined,
      torn: reading.torn.known ? reading.torn.value : [],
      times: facts.times.known ? facts.times.value : [],
    },
    starts,
    reading.forget,
  );
  return { ...plan, ...said };
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
  if (again || !changes.known) return undefined;
  const before = appliedBefore(changes.value, looked);
  if (!("change" in before)) return undefined;
  const { event, latest } = before.change;
  const what = event.details.decision === decision ? "decision" : "plan file";
  return `this ${what} was already applied at ${latest.at}; --again repeats it`;
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
    {
      step: "patch-offset",
      connector: connector.name,
      ...(reading.forget.length === 0 ? {} : { forgets: reading.forget }),
    },
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
  { move, facts, redo, replacement }: OffsetChangeReading,
): Cost | undefined {
  if (move === undefined || (replacement !== undefined && move.from === undefined)) return undefined;
  const { from, to } = move;
  // A forward move in a rollback returns to a position that was reached before; everything up to it was delivered.
  const deliveredBefore = position.to === "restore" || (origin.by === "rollback" && move.direction === "forward");
  if (from === undefined || from === to || deliveredBefore) return { kind: "none" };
  if (move.direction === "forward") return { kind: "skipped", millis: span(from, to, facts.times) };
  const logs =
    facts.redo.known && redo?.known
      ? logsBetween(facts.redo.value, redo.value.destination, facts.database.resetlogsScn, to, from)
      : undefined;
  const mined = logs && {
    archivedLogs: BigInt(logs.length),
    bytesToMine: logs.reduce((sum, { bytes }) => sum + bytes, 0n),
  };
  return { kind: "mined again", mined, millis: span(to, from, facts.times) };
}

type Change = ConnectorChange<"OffsetChange">;

/** What an offset change says of itself. @param starts whether it only starts the connector @param forgets ids */
function offsetChangeSaid(plan: Change, starts: boolean, forgets: readonly string[]): Said {
  const { move, decided, redo } = plan;
  const who = `${truncate(plan.connector.name, 300)} on ${placeOf(plan)}`;
  const inShort = { change: starts ? "start only" : NOT_KNOWN, cost: starts ? "none" : NOT_KNOWN };
  const still = starts
    ? {
        summary: `Start ${who}: the stored offset is at ${decided.scn} as requested, and stays`,
        asks: `Start ${who}`,
      }
    : { summary: `Move ${who}: the target or the stored offset is unknown`, asks: `Move ${who}` };
  const moved = moveSaid(plan);
  const cost = costs(plan);
  return {
    ...(moved ?? { ...still, inShort }),
    diff: offsetDiff(plan),
    notes: [
      ...restored(plan),
      ...cost.notes,
      ...cutChanged(plan),
      ...tornNotes(plan),
      ...(move === undefined ? [] : redoNotes(redo, move.to)),
      ...connectorNotes(plan),
      ...zoneNote(plan),
    ],
    figures: {
      ...moved?.figures,
      ...cost.figures,
      ...connectorFigures(plan),
      ...(forgets.length === 0 ? {} : { forgottenIds: forgets }),
    },
  };
}

/** Where the offset comes from, if not from the stored one. */
function restored({ move, intent: { position } }: Change): readonly Note[] {
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
function costs({ cost, move, offset }: Change): Pick<Said, "notes" | "figures"> {
  if (cost === undefined || move === undefined) return { notes: [], figures: {} };
  if (cost.kind === "none") return { notes: [], figures: { skipsCommits: false } };
  if (cost.kind === "mined again") {
    const much = cost.mined === undefined ? "how much is not known" : minedText(cost.mined, "archived log");
    return {
      notes: [note("mined again", `${much}; ${deliveredAgain(offset?.after)}`, undefined, "always")],
      figures: { skipsCommits: false, ...cost.mined },
    };
  }
  const span = cost.millis === undefined ? "" : ` (${showMillis(cost.millis)})`;
  const before = offset?.before == null ? undefined : decodeOffset(offset.before);
  const kept = before?.ok ? nothingLost(before.offset, move.to) : undefined;
  const between = `from ${move.from} to ${move.to}${span}`;
  if (kept !== undefined)
    return {
      notes: [note("skipped", `no commit ${between} is lost: ${kept.why}`, undefined, "always")],
      figures: { skipsCommits: false },
    };
  const text = `every commit in between, ${between}, is lost for all captured tables and not delivered later`;
  return { notes: [note("skipped", text, "bad", "always")], figures: { skipsCommits: true } };
}

/** What becomes of the first-start cut; nothing where it stays. */
function cutChanged({ offset }: Change): readonly Note[] {
  const text = offset === undefined ? undefined : cutChange(offset);
  return text === undefined ? [] : [note("first start", text, "caution", "always")];
}

/** An offset change: a move of the stored offset, or only a start if the offset is as requested. */
export const offsetChange: Kind<OffsetChangeIntent, OffsetChangeFacts, OffsetSubject> = {
  ...ofOneConnector,
  observe: observeOffsetChange,
  plan: planOffsetChange,
  byIntent: (intent) => ({ decided: offsetChangeByIntent(intent) }),
  pin: ({ intent, decided }, facts) => bodyPinned(offsetMove(readOffsetChange(intent, facts, decided.scn))),
  subject: (plan) =>
    offsetSubjectOf(plan, onlyStarts(plan), {
      command: "offsets set",
      deliverAgain: plan.intent.deliverAgain,
      forget: plan.steps.flatMap((one) => (one.step === "patch-offset" ? (one.forgets ?? []) : [])),
    }),
};
