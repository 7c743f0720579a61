import type { MigrationPhase } from "../../core/document/intent.ts";
import { type CallDoes, readCall } from "../../core/plan/calls.ts";
import type { PlannedStep } from "../../core/plan/steps.ts";
import type { RunState } from "../../core/run/state.ts";
import type { MigrationSubject } from "../../core/run/subject.ts";
import { shellFile, shellWord } from "../../core/values/shell-word.ts";
import { clip } from "./layout.ts";
import { counted } from "./quantities.ts";
import type { StepTaken } from "./run-timeline.ts";

/** What a run of a migration did, from its journal, in sentences. Not escaped. */

/** What was changed, as far as the journal knows, in its order. */
export function migrationChanges(
  subject: MigrationSubject,
  state: RunState,
  steps: readonly StepTaken[],
): readonly string[] {
  const { phase, legacy, connector, ranBefore } = subject;
  const at = (step: PlannedStep["step"]) => steps.find(({ planned }) => planned.step === step)?.state ?? "pending";
  const begun = (step: PlannedStep["step"]) => at(step) !== "pending" && at(step) !== "failed";
  const stopped = clip(phase === "cutover" ? legacy : connector);
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
export function migrationRecords({
  started: { subject },
  takeover,
  returning,
  verified,
}: RunState): readonly (readonly [label: string, sentence: string])[] {
  if (subject.command !== "migrate") return [];
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

/** What comes after a phase that has succeeded: forward first, then the way back. */
export function nextAfterPhase(phase: MigrationPhase, run: string, file: string | undefined): readonly string[] {
  // What came from standard input has no name to plan it by.
  const plan = (then: string) =>
    file === undefined || file === "-" ? [] : [`cdcctl plan ${shellFile(file)}     # ${then}`];
  switch (phase) {
    case "cutover":
      return [
        ...plan("with phase: verify, to prove that tables and topics agree"),
        `cdcctl rollback ${shellWord(run)}     # to go back`,
      ];
    case "verify":
      return plan("with phase: retire, when all consumers read the new topics");
    case "rollback":
      return plan("with phase: cutover, to take over again");
    case "retire":
      return [];
  }
}
