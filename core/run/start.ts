import { digestOfIntent } from "../document/intent-digest.ts";
import { Refusal } from "../errors.ts";
import { decodeOffset, forgottenIds } from "../facts/offset/stored-offset.ts";
import type { MigrationPlan } from "../plan/migration-plan.ts";
import {
  asWritten,
  type ConnectorPlan,
  type ConnectorShown,
  isMigration,
  type Plan,
  type SnapshotShown,
} from "../plan/plan.ts";
import { onlyStarts } from "../plan/steps.ts";
import { digestOf } from "../values/digest.ts";
import type { RunStarted } from "./journal.ts";
import type { RunSubject, SnapshotSubject } from "./subject.ts";

/** The first entry of a run's journal: what is going to be done, and by whom. */
export function runStarted(
  plan: Plan,
  by: { readonly run: string; readonly ordinal?: bigint; readonly operator: string; readonly cdcctl: string },
): RunStarted {
  return { type: "run-started", ...by, subject: subjectOf(plan), plan: asWritten(plan) };
}

/** @throws Refusal for a plan that can't be carried out; plans that are blocked never come here. */
function subjectOf(plan: Plan): RunSubject {
  return isMigration(plan) ? migrationSubject(plan) : offsetSubjectOf(plan);
}

function offsetSubjectOf(plan: ConnectorPlan): RunSubject {
  const { intent, world, connector, move, offset, snapshot } = plan;
  const signalOnly = snapshot !== undefined && snapshot.gap === undefined;
  const stays = signalOnly || onlyStarts(plan);
  if (!stays && (move === undefined || offset === undefined || world.opsFormat === undefined)) {
    throw new Refusal(
      "APL801",
      "the plan is not complete: its target, its offset or the form of its record is not known",
    );
  }
  const decoded = offset === undefined || offset.before === null ? undefined : decodeOffset(offset.before);
  return {
    ...subjectBase(plan, connector),
    command: intent.kind === "Resnapshot" ? "resnapshot" : "offsets set",
    direction: move?.direction,
    scn: move?.to,
    forget:
      intent.kind === "OffsetChange" && decoded?.ok ? forgottenIds(decoded.offset.released, intent.forgetReleased) : [],
    intent: digestOfIntent(intent),
    ...(snapshot === undefined ? {} : { snapshot: snapshotSubject(snapshot) }),
    resume: intent.resume,
  };
}

function migrationSubject(plan: MigrationPlan): RunSubject {
  const { intent, legacy, next } = plan;
  return {
    ...subjectBase(plan, intent.phase === "cutover" ? legacy : next),
    command: "migrate",
    phase: intent.phase,
    legacy: intent.from.connector,
  };
}

/** @param stopped the connector that the run stops */
function subjectBase({ intent, world, decision }: Plan, stopped: ConnectorShown | undefined) {
  return {
    by: intent.origin.by,
    connectUrl: world.connectUrl,
    context: intent.target.context,
    clusterId: world.clusterId,
    connector: intent.target.connector,
    reason: intent.metadata.reason,
    decision,
    prefix: world.prefix,
    opsTopic: world.opsTopic,
    opsFormat: world.opsFormat ?? "json",
    ranBefore: stopped !== undefined && stopped.state !== "STOPPED" && stopped.state !== "PAUSED",
  } as const;
}

function snapshotSubject({ signalsTopic, tables, gap, unlisted }: SnapshotShown): SnapshotSubject {
  return {
    signalsTopic,
    tables,
    gap: gap === undefined ? undefined : `${gap.code} ${gap.message}`,
    unlisted: unlisted.map(({ table }) => table),
    evidence: unlisted.length === 0 ? undefined : digestOf(unlisted),
  };
}
