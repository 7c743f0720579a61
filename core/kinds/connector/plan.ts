import type { ConnectorSeen, ConnectorStatus } from "../../../schemas/generated/facts.ts";
import type { PlanOutcome, PlanWorld } from "../../../schemas/generated/plan.ts";
import type { OffsetSubject } from "../../../schemas/generated/run-journal.ts";
import type { Finding } from "../../checks/finding.ts";
import type { ConnectorReading, OffsetChangeReading, ResnapshotReading } from "../../checks/readings.ts";
import { type ConnectorKind, digestOfIntent } from "../../document/intent.ts";
import { Refusal } from "../../errors.ts";
import { hasFailed, isRunning } from "../../facts/connector/connector.ts";
import { stopIn } from "../../facts/connector/traces.ts";
import type { ConnectorFacts } from "../../facts/connector-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import { storedOffsetOf } from "../../facts/offset/stored-offset.ts";
import { availableFrom, redoSeenFrom } from "../../facts/redo/from.ts";
import type { OffsetMove } from "../../plan/diff.ts";
import { type ConnectorShown, type Resolved, stoppedBy } from "../../plan/plan.ts";
import { type PlannedStep, recordsRemoved } from "../../plan/steps.ts";
import type { World } from "../../ports/world.ts";
import type { JournalEvent } from "../../run/journal.ts";
import type { RunState } from "../../run/state.ts";
import { type Timeline, timelineOf } from "../../timeline/timeline.ts";
import { lowest } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";
import { shellWord } from "../../values/shell-word.ts";
import type { Sources } from "../kind.ts";
import { latestDecision } from "./applied.ts";
import { offsetBack } from "./rollback.ts";

/** The systems around the connectors, as a plan shows them, and where the ops topic's connector has its records. */
export function worldShown(
  { worker, database }: Pick<ConnectorFacts, "worker" | "database">,
  { opsTopic, opsFormat, prefix }: Pick<PlanWorld, "opsTopic" | "opsFormat" | "prefix">,
): PlanWorld {
  const { name, version, address, dbid, resetlogsScn, currentScn, zone } = database;
  return {
    connectUrl: worker.url,
    ...(worker.otherUrls === undefined ? {} : { otherConnectUrls: worker.otherUrls }),
    connectVersion: worker.version,
    clusterId: worker.clusterId,
    database: { name, version, address, dbid, resetlogsScn, currentScn, zone },
    opsTopic,
    opsFormat,
    prefix,
  };
}

export function connectorShown({
  name,
  connectorClass,
  status,
}: Pick<ConnectorSeen, "name" | "connectorClass" | "status">): ConnectorShown {
  const tasks = status.tasks.map(({ id, state, worker }) => ({ id, state, worker }));
  return { name, connectorClass, state: status.state, worker: status.worker, tasks, ...failedWith(status) };
}

/** The outcome of a plan for one connector. @param nothing why there is nothing to do */
export function connectorOutcome(
  findings: readonly Pick<Finding, "code" | "effect">[],
  reading: Pick<ConnectorReading, "changes" | "facts">,
  nothing: string | undefined,
): PlanOutcome {
  // While a change is in flight, the offset stored now is not the one that will be stored.
  const inFlight = findings.some(({ code, effect }) => code === "OPS603" && effect === "blocks");
  if (inFlight || nothing === undefined) return readiness(findings);
  return { state: "no-op", why: nothing, applied: latestDecision(reading) };
}

/** Whether a plan can be applied, according to its findings. */
export function readiness(findings: readonly Pick<Finding, "effect">[]): PlanOutcome {
  return { state: findings.some(({ effect }) => effect === "blocks") ? "blocked" : "ready" };
}

/** Only the code of a trace; CON303 shows the rest. */
function failedWith({ state, trace, tasks }: ConnectorStatus): Pick<ConnectorShown, "failedWith"> {
  const [stop] = [{ state, trace }, ...tasks].flatMap((one) =>
    one.state === "FAILED" ? (stopIn(one.trace) ?? []) : [],
  );
  return stop === undefined ? {} : { failedWith: stop.code };
}

/**
 * The steps that start a connector whose offset does not change. A running one is left alone; a failed one restarts
 * only after a stop.
 */
export function startSteps({ name: connector, status }: ConnectorSeen): readonly PlannedStep[] {
  if (isRunning(status)) return [];
  return [
    ...(hasFailed(status) ? [{ step: "stop-connector", connector } as const] : []),
    { step: "start-connector", connector },
  ];
}

/**
 * The SCN timeline that a plan shows. @param journalRead whether the journal was read: it takes a while, and few
 * changes need it
 */
export function plannedTimeline(
  { facts, stored, redo }: Pick<ConnectorReading, "facts" | "stored" | "redo">,
  target: Scn | undefined,
  journalRead: boolean,
): Timeline {
  const offset = stored.state === "stored" ? stored.offset : undefined;
  const { transactions, journaled, times, database } = facts;
  return timelineOf({
    stored: offset,
    target,
    firstAvailable: availableFrom(redo),
    currentScn: database.currentScn,
    redo: redoSeenFrom(lowest([offset?.resumeScn, target]) ?? 0n, facts, facts.connector),
    transactions,
    journaled: journalRead ? journaled : notRead(journaled),
    times,
    clock: { zone: database.zone, now: facts.at },
  });
}

function notRead({ source }: ConnectorFacts["journaled"]): Observed<never> {
  return { known: false, why: "this change does not depend on them, so the journal was not read", source };
}

/** The stored offset before and after; undefined while the target or the stored offset is unknown. */
export function offsetMove(reading: OffsetChangeReading | ResnapshotReading): OffsetMove | undefined {
  const { after, facts } = reading;
  if (after === undefined) return undefined;
  return { partition: { server: facts.connector.prefix }, before: storedOffsetOf(facts.connector), after };
}

/** What of a change is recorded before it begins. */
export function bodyPinned(move: OffsetMove | undefined): JournalEvent | string {
  if (move === undefined) return "the offset to store could not be determined";
  const { before, partition, after } = move;
  return { type: "body-pinned", previous: before, body: { partition, offset: after } };
}

/** The members that the first entry of any run has. */
export function subjectBase(plan: Resolved) {
  const { intent, world, decision } = plan;
  const stopped = stoppedBy(plan);
  return {
    by: intent.origin.by,
    connectUrl: world.connectUrl,
    context: intent.target.context,
    clusterId: world.clusterId,
    connector: intent.target.connector,
    reason: intent.metadata.reason,
    ticket: intent.metadata.ticket,
    decision,
    prefix: world.prefix,
    opsTopic: world.opsTopic,
    opsFormat: world.opsFormat ?? "json",
    ranBefore: stopped !== undefined && stopped.state !== "STOPPED" && stopped.state !== "PAUSED",
  } as const;
}

/**
 * The first entry of a run that changes one connector.
 *
 * @param stays whether the offset stays as it is, so that its target and format need not be known
 * @throws Refusal for a plan that can't be applied; blocked plans never get here
 */
export function offsetSubjectOf(
  plan: Resolved<ConnectorKind>,
  stays: boolean,
  own: Pick<OffsetSubject, "command" | "forget" | "snapshot" | "deliverAgain">,
): OffsetSubject {
  const { intent, world, decided } = plan;
  const { scn, direction } = stays ? {} : decided;
  if (!stays && (scn === undefined || direction === undefined || world.opsFormat === undefined)) {
    throw new Refusal(
      "APL801",
      "the plan is incomplete: its target, its offset or the format of its record is unknown",
    );
  }
  const { command, forget, snapshot, deliverAgain } = own;
  const removes = recordsRemoved(plan);
  return {
    ...subjectBase(plan),
    command,
    direction,
    scn,
    forget,
    deliverAgain,
    intent: digestOfIntent(intent),
    ...(removes.length === 0 ? {} : { removes }),
    snapshot,
    resume: intent.resume,
  };
}

/** What an offset change and a resnapshot have in common: each concerns one connector and its stored offset. */
export const ofOneConnector = {
  asOfRun: <F>(facts: F) => facts,
  async settingsOfRun({ started: { run, subject } }: RunState, { connect }: World, { settingsOf }: Sources) {
    const description = await connect.connector(subject.connector);
    if (description !== undefined) return { settings: await settingsOf(description) };
    return {
      gone: new Refusal("APL804", `the workers at ${connect.url} no longer have a connector ${subject.connector}`, [
        "If it was renamed or moved, point the context at the workers that have it.",
        { text: "If its offset can no longer be changed", command: `cdcctl recover ${shellWord(run)} --abandon` },
      ]),
    };
  },
  rollback: offsetBack,
} as const;
