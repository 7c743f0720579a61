import type { DeployedConnector } from "../../../schemas/generated/facts.ts";
import type { DecidedMigration } from "../../../schemas/generated/plan.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import type { Finding } from "../../checks/finding.ts";
import type { ReadsTakeover } from "../../checks/readings.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { CallFailed, Refusal } from "../../errors.ts";
import type { Observed } from "../../facts/observed.ts";
import type { ownOffset } from "../../facts/offset/stored-offset.ts";
import { opsFormat } from "../../facts/ops/ops-event.ts";
import { availableFrom, redoSeenFrom } from "../../facts/redo/from.ts";
import type { Resolved } from "../../plan/plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import type { World } from "../../ports/world.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import type { RunState } from "../../run/state.ts";
import { phasePlanOf } from "../../run/subject.ts";
import { endOf } from "../../run/ways-to-settle.ts";
import { type Mark, partitionMarks, timelineOf } from "../../timeline/timeline.ts";
import { digestOf } from "../../values/digest.ts";
import { connectorShown, readiness, subjectBase, worldShown } from "../connector/plan.ts";
import type { MigrationFacts } from "../facts.ts";
import type { Sources } from "../kind.ts";
import { settingsOfNew } from "./new-connector.ts";
import { phaseByIntent } from "./reading.ts";
import { timeIn } from "./shown.ts";

/** A phase that is decided: what its plan says is said of it. */
export type Phase = Resolved<"Migration">;

/**
 * The parts that the plans of all phases share.
 *
 * @param more what else the phase decides
 * @param nothing why there is nothing to do
 */
export function resolvedPhase(
  intent: MigrationIntent,
  { facts }: { readonly facts: MigrationFacts },
  legacy: DeployedConnector | undefined,
  findings: readonly Finding[],
  steps: readonly PlannedStep[],
  more: Pick<DecidedMigration, "leaveOut" | "startScn" | "topicChoice" | "verify" | "evidence" | "topics">,
  nothing?: string,
): Phase {
  const decided = {
    ...phaseByIntent(intent.phase, intent, more),
    cluster: facts.worker.clusterId,
    database: { dbid: facts.database.dbid, resetlogsScn: facts.database.resetlogsScn },
    legacyConfiguration: legacy && redactConfiguration(legacy.config),
    configuration: redactConfiguration(facts.settings.config),
  } as const;
  return {
    intent,
    plannedAt: facts.at,
    outcome: nothing === undefined ? readiness(findings) : { state: "no-op", why: nothing },
    world: worldShown(facts, { ...facts.settings, opsFormat: opsFormat(intent.opsFormat, facts.settings) }),
    connectors: [
      ...(legacy === undefined ? [] : [{ role: "legacy", ...connectorShown(legacy) } as const]),
      ...(facts.next === undefined ? [] : [{ role: "new", ...connectorShown(facts.next) } as const]),
    ],
    findings,
    steps,
    decided,
    decision: digestOf(decided),
  };
}

/**
 * The SCN timeline of a takeover, or of its rollback. The target is the lowest `scn` of the legacy connector's stored
 * offsets that count: there the new connector would start, or the legacy one would resume.
 *
 * @returns undefined if the stored offsets are not a position: the findings show why
 */
export function migrationTimeline(
  { facts, takeover }: ReadsTakeover,
  {
    name,
    target,
    own,
    journaled,
  }: {
    readonly name: string;
    /** The connector that continues from the target. */
    readonly target: string;
    /** The new connector's own offset, if it is drawn. */
    readonly own: ReturnType<typeof ownOffset>;
    readonly journaled: Observed<readonly never[]>;
  },
): Pick<Phase, "timeline"> {
  const { offsets, redo } = takeover;
  if (offsets === undefined) return {};
  const { legacy, settings, database, times, transactions } = facts;
  const { startScn, lastDelivered } = offsets;
  const partitions = partitionMarks(offsets.partitions, times);
  const delivered: readonly Mark[] =
    lastDelivered === undefined
      ? []
      : [{ mark: "last commit", scn: lastDelivered, at: timeIn(facts)(lastDelivered), of: legacy.name }];
  const timeline = timelineOf({
    stored: own.is === "stored" ? own.offset : undefined,
    target: startScn,
    firstAvailable: availableFrom(redo),
    currentScn: database.currentScn,
    redo: redoSeenFrom(startScn, facts, settings),
    transactions,
    journaled,
    times,
    clock: { zone: database.zone, now: facts.at },
    of: { target, "resume SCN": name, "last commit": name },
    more: [...partitions.marks, ...delivered],
  });
  return {
    timeline: {
      ...timeline,
      ...(partitions.left === 0n ? {} : { moreStored: partitions.left }),
      unseen: [
        ...timeline.unseen,
        ...(own.is === "unreadable" ? [{ what: "stored offset" as const, why: own.why }] : []),
      ],
    },
  };
}

/** What the phases of a migration have in common: each concerns two connectors, and sets no offset. */
export const ofTwoConnectors = {
  subject: migrationSubject,
  asOfRun: <F>(facts: F) => facts,
  pin: () => "this phase pins nothing before it begins",
  /** Its connector may not exist yet, or no longer. */
  async settingsOfRun(state: RunState, world: World, sources: Sources) {
    try {
      return { settings: (await settingsOfNew(phasePlanOf(state).intent, world, sources)).settings };
    } catch (failure) {
      if (failure instanceof CallFailed && failure.kind === "missing") return { gone: failure };
      throw failure;
    }
  },
} as const;

/** The first entry of a run that carries out a phase. */
function migrationSubject(plan: Phase): MigrationSubject {
  const { intent } = plan;
  return { ...subjectBase(plan), command: "migrate", phase: intent.phase, legacy: intent.from.connector };
}

/** The run of a migration that is to be rolled back. @throws Refusal for one that is not finished */
export function endedPhase(state: RunState): { readonly run: string; readonly outcome: string } {
  return { run: state.started.run, outcome: endOf(state).outcome };
}

/** Refuses to roll back a run. @param what the run was, and why nothing of it is rolled back @throws Refusal */
export function nothingToRollBack(what: string): (state: RunState) => never {
  return (state) => {
    const { run } = endedPhase(state);
    throw new Refusal("APL808", `run ${run} was ${what}: there is nothing to roll back`);
  };
}
