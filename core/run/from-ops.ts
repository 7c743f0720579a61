import { Refusal } from "../errors.ts";
import {
  carriedOffset,
  namesOfDetail,
  type OffsetsSetDetails,
  type OffsetsSetEvent,
  opsFormat,
  recordedChanges,
} from "../facts/ops-event.ts";
import type { ConnectorSettings } from "../facts/settings.ts";
import { parseDigest } from "../values/digest.ts";
import { parseScn } from "../values/scn.ts";
import { shellWord } from "../values/shell-word.ts";
import type { JournalEvent, RunStarted } from "./journal.ts";
import type { SnapshotSubject } from "./subject.ts";

/** What the `applying` event of a change in flight tells, as the journal that its own machine would have. */
export interface TakenOver {
  readonly started: RunStarted;
  readonly events: readonly JournalEvent[];
}

/**
 * Takes over the change of a connector whose outcome was never recorded. The event carries the offset before and after: whether the PATCH was
 * sent is not known, so it counts as unanswered.
 *
 * Rule: architecture, "What apply promises", 6.
 *
 * @returns undefined when no change is in flight
 * @throws Refusal `APL807` for an event without the offsets (written by another tool): nothing can be concluded from it
 */
export function runFromOps(
  events: readonly OffsetsSetEvent[],
  connector: string,
  here: {
    readonly settings: ConnectorSettings;
    readonly connectUrl: string;
    readonly context: string | undefined;
    readonly clusterId: string;
    readonly operator: string;
    readonly cdcctl: string;
  },
): TakenOver | undefined {
  const open = recordedChanges(events, connector).findLast(({ outcome }) => outcome === "applying");
  if (open === undefined) return undefined;
  const { details, server } = open.event;
  const previous = carriedOffset(details.previous_offset);
  const next = carriedOffset(details.new_offset);
  const scn = parseScn(details.new_resume_scn);
  if (next === null)
    throw new Refusal(
      "APL807",
      `what ${details.operator} began at ${open.event.at} removes the stored offset: it is a return to a legacy connector, and no event tells to which`,
      [
        `Recover it where it was begun:  cdcctl recover ${shellWord(details.run ?? "RUN")}`,
        "If that machine is gone, plan the return anew (phase: rollback).",
      ],
    );
  if (previous === undefined || next === undefined || scn === undefined || details.run === undefined) {
    throw new Refusal(
      "APL807",
      `the change that ${details.operator} began at ${open.event.at} carries no offsets: it was not made by cdcctl`,
      [
        "Look at the stored offset (`cdcctl admin offsets show`), decide, and make the change anew with spec.accept: [OPS603].",
      ],
    );
  }
  const started: RunStarted = {
    type: "run-started",
    run: details.run,
    cdcctl: here.cdcctl,
    operator: details.operator,
    plan: null,
    subject: {
      by: "ops topic",
      connectUrl: here.connectUrl,
      context: here.context,
      clusterId: here.clusterId,
      connector,
      command: details.command === "resnapshot" ? "resnapshot" : "offsets set",
      reason: details.reason,
      direction: details.direction,
      scn,
      decision: details.decision ?? "",
      prefix: server,
      opsTopic: here.settings.opsTopic,
      opsFormat: opsFormat(undefined, here.settings) ?? "json",
      forget: details.forgotten_released?.split(",") ?? [],
      ...(details.command === "resnapshot" ? { snapshot: snapshotOf(details, here.settings) } : {}),
      resume: false,
      ranBefore: true,
    },
  };
  return {
    started,
    events: [
      started,
      { type: "step-started", step: "stop-connector" },
      ...signalOf(details),
      { type: "body-fixed", previous, body: { partition: { server }, offset: next } },
      { type: "step-started", step: "record-applying" },
      { type: "patch-sent", attempt: 1n, elsewhere: true },
    ],
  };
}

/** What the outcome repeats of the `applying` event. */
function snapshotOf(details: OffsetsSetDetails, { signalsTopic }: ConnectorSettings): SnapshotSubject {
  return {
    signalsTopic,
    tables: namesOfDetail(details.tables),
    gap: details.gap,
    unlisted: namesOfDetail(details.unlisted_tables),
    evidence: parseDigest(details.evidence ?? ""),
    intent: parseDigest(details.intent ?? ""),
  };
}

/** The signal is written before the move is announced: it stands. Where its topic ended then is not told, and nobody asks. */
function signalOf({ signal_id: id }: OffsetsSetDetails): readonly JournalEvent[] {
  if (id === undefined) return [];
  return [
    { type: "signal-fixed", id, signalsFrom: [], answersFrom: [] },
    { type: "step-done", step: "write-signal", note: "told by the ops topic", millis: 0n },
  ];
}
