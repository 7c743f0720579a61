import { countsText, evidenceText } from "../../../core/kinds/migration/shown.ts";
import { type CallDoes, readCall } from "../../../core/plan/calls.ts";
import type { StepName } from "../../../core/plan/steps.ts";
import type { RunState, StepState } from "../../../core/run/state.ts";
import { counted } from "../../../core/values/amounts.ts";
import { shellWord } from "../../../core/values/shell-word.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import { trunc } from "../layout.ts";
import { type Field, field } from "../report/model.ts";
import { backedOut, did, type KindView } from "./kind.ts";

/** Shared by all phases. Sentences are not escaped. */
const ofTwoConnectors = {
  untouched: "it changes no connector, offset or topic",
  changes,
  records,
  reportedByCalls: true,
} as const;

/** What was changed according to the journal, in order. @param stops the connector that the phase stops */
function changes(
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
              `${countsText(verified.counts)}; evidence ${evidenceText(verified.evidence)}`,
          ),
        ]),
  ];
}

function tableList(tables: readonly string[]): string {
  const shown = tables.slice(0, MOST_TABLES).map((table) => trunc(table));
  const left = tables.length - shown.length;
  return [...shown, ...(left === 0 ? [] : [counted(left, "more table")])].join(", ");
}

/** From the legacy connector to the new one. */
export const cutover: KindView<MigrationSubject> = {
  ...ofTwoConnectors,
  changes: (subject, state, at) => changes(subject, state, at, subject.legacy),
  aim: ({ legacy: old }) => `cutover from ${trunc(old, 60)}`,
  next: (run, then) => [
    ...then("verify", "to prove that tables and topics agree"),
    `cdcctl rollback ${shellWord(run)}     # to roll back`,
  ],
};

/** Compares tables with topics. Changes nothing; its message names the evidence. */
export const verification: KindView<MigrationSubject> = {
  ...ofTwoConnectors,
  untouched: undefined,
  aim: ({ legacy }) => `verify after ${trunc(legacy, 60)}`,
  next: (_run, then) => then("retire", "once all consumers read the new topics"),
};

/** Returns from the new connector to the legacy one. */
export const cutoverRollback: KindView<MigrationSubject> = {
  ...ofTwoConnectors,
  aim: ({ legacy }) => `rollback to ${trunc(legacy, 60)}`,
  next: (_run, then) => then("cutover", "to take over again"),
};

/** Deletes the legacy connector and its topics. */
export const retirement: KindView<MigrationSubject> = {
  ...ofTwoConnectors,
  aim: ({ legacy }) => `retire ${trunc(legacy, 60)}`,
  next: () => [],
};
