import { type CallDoes, readCall } from "../../../core/plan/calls.ts";
import type { MigrationPlan, TakeoverShown } from "../../../core/plan/migration-plan.ts";
import type { StepName } from "../../../core/plan/steps.ts";
import type { RunState, StepState } from "../../../core/run/state.ts";
import type { MigrationSubject } from "../../../core/run/subject.ts";
import { counted, showBytes } from "../../../core/values/amounts.ts";
import { clip } from "../layout.ts";
import { standingOf } from "../quantities.ts";
import { type Field, field, figure, RANK, type Section, section } from "../report/model.ts";
import { partitionTable } from "../takeover.ts";
import { meaning, NOT_KNOWN, type PlanParts, zoneNote } from "./kind.ts";

/** What the phases of a migration show alike. */
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
    said: [],
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

/** What a phase reads again, compares or deletes. */
function costOf({ migration }: MigrationPlan): string {
  if (migration.phase === "verify") return `compares ${counted(migration.tables.length, "table")}`;
  if (migration.phase === "retire")
    return migration.topics === undefined ? NOT_KNOWN : `deletes ${counted(migration.topics.length, "topic")}`;
  if (migration.redo === undefined) return NOT_KNOWN;
  const { used } = migration.redo;
  const logs = used.reduce((sum, { archivedLogs }) => sum + archivedLogs, 0n);
  return `${counted(logs, "archived log")}, ${showBytes(used.reduce((sum, { bytes }) => sum + bytes, 0n))}`;
}

/** Where another phase was asked for than the plan file has. */
function asked({ intent: { phase, origin } }: MigrationPlan): readonly Field[] {
  const { phaseOfFile, file = "the plan file" } = origin;
  if (phaseOfFile === undefined) return [];
  return [field("phase", `${phase}, by --phase; ${clip(file)} has ${phaseOfFile}`)];
}

/** The new connector, which a phase needs and leaves as it is. */
export function newConnector({ intent, next }: MigrationPlan): Field {
  const name = clip(intent.to.name);
  if (next === undefined) return field("new", `${name} is not there`, "bad");
  return field("new", `${name} ${standingOf(next)}`, next.state === "RUNNING" ? undefined : "caution");
}

/** What they show of a run alike. Sentences are not escaped. */
export const ofTwoConnectors = {
  untouched: "no connector, offset or topic is changed by it",
  changes,
  records,
  toldByCalls: true,
} as const;

/** What was changed, as far as the journal knows, in its order. @param stops the connector that the phase stops */
export function changes(
  { legacy, connector, ranBefore }: MigrationSubject,
  state: RunState,
  at: (step: StepName) => StepState,
  stops: string = connector,
): readonly string[] {
  const begun = (step: StepName) => at(step) !== "pending" && at(step) !== "failed";
  const stopped = clip(stops);
  return [
    ...(at("stop-connector") === "pending" || !ranBefore
      ? []
      : [at("stop-connector") === "done" ? `${stopped} was stopped` : `${stopped} was asked to stop`]),
    ...calls(state),
    ...(begun("start-new")
      ? [at("start-new") === "done" ? `${clip(connector)} runs` : `${clip(connector)} was asked to start`]
      : []),
    ...(begun("resume-legacy")
      ? [at("resume-legacy") === "done" ? `${clip(legacy)} runs again` : `${clip(legacy)} was asked to resume`]
      : []),
    ...(state.backedOut === undefined
      ? []
      : [state.backedOut.resumed ? `${stopped} was resumed again` : `${stopped} stays stopped`]),
  ];
}

/** What a call that was applied has done; topics are counted, and that a connector was started its step tells. */
const APPLIED: { readonly [does in CallDoes]?: (name: string) => string } = {
  create: (name) => `${name} was created`,
  "delete offsets": (name) => `the stored offsets of ${name} were deleted`,
  "delete connector": (name) => `${name} was deleted`,
};

function calls({ calls: all }: RunState): readonly string[] {
  const applied = [...all].flatMap(([call, at]) => (at === "applied" ? (readCall(call) ?? []) : []));
  const topics = applied.filter(({ does }) => does === "delete topic").map(({ of }) => of);
  return [
    ...applied.flatMap(({ does, of }) => APPLIED[does]?.(clip(of)) ?? []),
    ...(topics.length === 0
      ? []
      : [
          topics.length === 1
            ? `the topic ${clip(topics[0] ?? "")} was deleted`
            : `${counted(topics.length, "topic")} were deleted`,
        ]),
    ...[...all].flatMap(([call, at]) => (at === "sent" ? [`whether ${clip(call)} took effect is not known`] : [])),
  ];
}

const MOST_TABLES = 10;

/** What a run has fixed or found, beside its steps: a label and a sentence each. */
function records(
  subject: MigrationSubject,
  { takeover, returning, verified }: RunState,
): readonly (readonly [label: string, sentence: string])[] {
  const [old, name] = [clip(subject.legacy), clip(subject.connector)];
  return [
    ...(takeover === undefined
      ? []
      : [
          [
            "takeover",
            `cdc.start.scn ${takeover.startScn}; ${
              takeover.lastDelivered === undefined
                ? "no table had a last commit"
                : `${old} had delivered up to ${takeover.lastDelivered}`
            }; it stopped with ${counted(takeover.offsets.length, "stored offset")}, kept in the journal`,
          ] as const,
        ]),
    ...(returning === undefined
      ? []
      : [
          [
            "way back",
            `${old} goes on from its ${counted(returning.offsets.length, "stored offset")}; ${
              returning.removed.length === 0
                ? `nothing was stored for ${name}`
                : `${counted(returning.removed.length, "stored offset")} of ${name} to be deleted, kept in the journal`
            }`,
          ] as const,
        ]),
    ...(verified === undefined
      ? []
      : [
          [
            "verified",
            `${tableList(verified.tables)}: ${verified.passed ? "passed" : "not all passed"}; evidence ` +
              `${clip(verified.evidence.file)}, ${clip(verified.evidence.digest)}`,
          ] as const,
        ]),
  ];
}

function tableList(tables: readonly string[]): string {
  const shown = tables.slice(0, MOST_TABLES).map((table) => clip(table));
  const left = tables.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [counted(left, "more table")])].join(", ");
}
