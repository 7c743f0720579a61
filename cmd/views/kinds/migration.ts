import { showCompared } from "../../../core/facts/tables/tables.ts";
import { type CallDoes, readCall } from "../../../core/plan/calls.ts";
import type { MigrationPlan, TakeoverShown } from "../../../core/plan/migration-plan.ts";
import type { StepName } from "../../../core/plan/steps.ts";
import type { RunState, StepState } from "../../../core/run/state.ts";
import { counted, showBytes } from "../../../core/values/amounts.ts";
import type { ComparedCounts } from "../../../schemas/generated/facts.ts";
import type { MigrationSubject, Verified } from "../../../schemas/generated/run-journal.ts";
import { trunc } from "../layout.ts";
import { showInstant, statusOf } from "../quantities.ts";
import { type Field, field, figure, RANK, type Section, section } from "../report/model.ts";
import { partitionTable } from "../takeover.ts";
import { backedOut, did, meaning, NOT_KNOWN, type PlanParts, zoneNote } from "./kind.ts";

/** Parts shared by the plans of all phases of a migration. */
export function phaseParts(
  plan: MigrationPlan,
  aim: string,
  fields: readonly Field[],
  { takeover, more = [] }: { readonly takeover?: TakeoverShown | undefined; readonly more?: readonly Section[] } = {},
): PlanParts {
  const { intent, timeline } = plan;
  const partitions = takeover === undefined ? [] : [partitionTable(takeover), ...zoneNote(plan)];
  return {
    connectors: `${intent.from.connector} to ${intent.to.name}`,
    before: [],
    covered: [],
    inShort: { direction: intent.phase, cost: costOf(plan) },
    change: [
      meaning(aim, asked(plan)),
      ...section(RANK.subject, partitions, { title: "Stored partitions", terminal: "no title" }),
      { ...meaning(undefined, fields), title: "In detail" },
      ...section(RANK.figure, figure(timeline), { title: "The position", terminal: "no title" }),
      ...more,
    ],
  };
}

/** The cost of a phase: what it reads again, compares or deletes. */
function costOf({ migration }: MigrationPlan): string {
  if (migration.phase === "verify") return `compares ${counted(migration.tables.length, "table")}`;
  if (migration.phase === "retire")
    return migration.topics === undefined ? NOT_KNOWN : `deletes ${counted(migration.topics.length, "topic")}`;
  if (migration.redo === undefined) return NOT_KNOWN;
  const { used } = migration.redo;
  const logs = used.reduce((sum, { archivedLogs }) => sum + archivedLogs, 0n);
  return `${counted(logs, "archived log")}, ${showBytes(used.reduce((sum, { bytes }) => sum + bytes, 0n))}`;
}

/** The phase, when `--phase` overrides the plan file. */
function asked({ intent: { phase, origin } }: MigrationPlan): readonly Field[] {
  const { phaseOfFile, file = "the plan file" } = origin;
  if (phaseOfFile === undefined) return [];
  return [field("phase", `${phase}, by --phase; ${trunc(file)} has ${phaseOfFile}`)];
}

/** The new connector, which a phase requires and leaves unchanged. */
export function newConnector({ intent, next }: MigrationPlan): Field {
  const name = trunc(intent.to.name);
  if (next === undefined) return field("new", `${name} does not exist`, "bad");
  return field("new", `${name} ${statusOf(next)}`, next.state === "RUNNING" ? undefined : "caution");
}

/** Parts of a run shared by all phases. Sentences are not escaped. */
export const ofTwoConnectors = {
  untouched: "it changes no connector, offset or topic",
  changes,
  records,
  reportedByCalls: true,
} as const;

/** What was changed according to the journal, in order. @param stops the connector that the phase stops */
export function changes(
  { legacy, connector, ranBefore }: MigrationSubject,
  state: RunState,
  at: (step: StepName) => StepState,
  stops: string = connector,
): readonly string[] {
  const stopped = trunc(stops);
  return [
    ...(ranBefore ? did("stop-connector", stopped, at) : []),
    ...calls(state),
    ...did("start-new", trunc(connector), at),
    ...did("resume-legacy", trunc(legacy), at),
    ...backedOut(stopped, state),
  ];
}

/** Sentences for applied calls. Topics are counted; the start of a connector is described by its step. */
const APPLIED: { readonly [does in CallDoes]?: (name: string) => string } = {
  create: (name) => `${name} was created`,
  "delete offsets": (name) => `the stored offsets of ${name} were deleted`,
  "delete connector": (name) => `${name} was deleted`,
};

function calls({ calls: all }: RunState): readonly string[] {
  const applied = [...all].flatMap(([call, at]) => (at === "applied" ? (readCall(call) ?? []) : []));
  const topics = applied.filter(({ does }) => does === "delete topic").map(({ of }) => of);
  return [
    ...applied.flatMap(({ does, of }) => APPLIED[does]?.(trunc(of)) ?? []),
    ...(topics.length === 0
      ? []
      : [
          topics.length === 1
            ? `the topic ${trunc(topics[0] ?? "")} was deleted`
            : `${counted(topics.length, "topic")} were deleted`,
        ]),
    ...[...all].flatMap(([call, at]) => (at === "sent" ? [`whether ${trunc(call)} took effect is unknown`] : [])),
  ];
}

const MOST_TABLES = 10;

/** What a run has determined, besides its steps. */
function records(subject: MigrationSubject, { takeover, returning, verified }: RunState): readonly Field[] {
  const [old, name] = [trunc(subject.legacy), trunc(subject.connector)];
  const fixed = takeover && [
    `cdc.start.scn ${takeover.startScn}`,
    takeover.lastDelivered === undefined
      ? "no table had a last commit"
      : `${old} had delivered up to ${takeover.lastDelivered}`,
    `it stopped with ${counted(takeover.offsets.length, "stored offset")}, kept in the journal`,
  ];
  const back = returning && [
    `${old} resumes from its ${counted(returning.offsets.length, "stored offset")}`,
    returning.removed.length === 0
      ? `nothing was stored for ${name}`
      : `${counted(returning.removed.length, "stored offset")} of ${name} to be deleted, kept in the journal`,
  ];
  return [
    ...(fixed === undefined ? [] : [field("takeover", fixed.join("; "))]),
    ...(back === undefined ? [] : [field("rollback", back.join("; "))]),
    ...(verified === undefined
      ? []
      : [
          field(
            "verified",
            `${tableList(verified.tables)}: ${verified.passed ? "passed" : "not all passed"}` +
              `${ofCounts(verified.counts)}; evidence ${evidenceText(verified.evidence)}`,
          ),
        ]),
  ];
}

/** Evidence of an earlier version has no counts. */
export function ofCounts(counts: ComparedCounts | undefined): string {
  return counts === undefined ? "" : `; ${showCompared(counts)}`;
}

export function evidenceText({ file, digest, writtenAt }: Verified["evidence"]): string {
  return `${trunc(file)}, ${trunc(digest)}${writtenAt === undefined ? "" : `, of ${showInstant(writtenAt)}`}`;
}

function tableList(tables: readonly string[]): string {
  const shown = tables.slice(0, MOST_TABLES).map((table) => trunc(table));
  const left = tables.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [counted(left, "more table")])].join(", ");
}
