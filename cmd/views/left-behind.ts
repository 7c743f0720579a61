import type { Ahead } from "../../core/apply/recovery-ahead.ts";
import type { LeftBehind } from "../../core/change/recover.ts";
import { decodeOffset, sameOffset } from "../../core/facts/offset/stored-offset.ts";
import { describeStep } from "../../core/plan/steps.ts";
import { type RunState, stepsOf } from "../../core/run/state.ts";
import { kindOfRun } from "../../core/run/subject.ts";
import { waysToSettle } from "../../core/run/ways-to-settle.ts";
import { showCount } from "../../core/values/amounts.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { statusOf, trunc } from "./layout.ts";
import { type Field, field, fields, notice, RANK, type Report, section, whatToDo } from "./report/model.ts";
import { viewOf } from "./run-kinds.ts";

/** The report of what an abandoned run leaves: only its record is still changed. */
export function leftBehindReport(left: LeftBehind): Report {
  const { run, recorded } = left;
  const rows = [
    ...observed(left),
    // Architecture, "What apply promises", 6: no look can rule it out.
    field(
      "still possible",
      recorded
        ? "one request of a process that fell asleep elsewhere within about a second of its look at the ops topic: " +
            "end it first"
        : "one request of a process of this run that is asleep, and every further one where it has another copy of " +
            "the journal: end it first",
    ),
  ];
  return {
    lead: [notice(`run ${run} would be recorded as failed, and nothing else changed; it leaves`)],
    sections: section(RANK.outcome, [{ is: "fields", rows }], { close: true }),
  };
}

/** The report of what a recovery would do, before it is confirmed. */
export function aheadReport(ahead: Ahead, state: RunState, left: LeftBehind): Report {
  const planned = stepsOf(state).map(({ step }) => step);
  const { subject } = state.started;
  const aim = viewOf(kindOfRun(subject)).aim(subject);
  const all = showCount(planned.length);
  const steps =
    ahead.is === "back out"
      ? ahead.undoes.map((text) => field("then", text))
      : ahead.steps.map((step) => {
          const at = planned.indexOf(step.step);
          return field(at < 0 ? "then" : `step ${showCount(at + 1)} of ${all}`, describeStep(step));
        });
  const because = ahead.is === "back out" && ahead.why !== undefined ? `: ${trunc(ahead.why, 2000)}` : "";
  const ways = state.ended === undefined ? waysToSettle(left.run).slice(1) : [];
  return {
    lead: [
      notice(`run ${left.run} (${aim}) ${AHEAD[ahead.is]}${because}`),
      ...(subject.reason === "" ? [] : [notice(trunc(subject.reason, 600))]),
    ],
    sections: section(RANK.outcome, [...fields([...observed(left), ...steps]), ...whatToDo(ways)], { close: true }),
  };
}

const AHEAD: { readonly [I in Ahead["is"]]: string } = {
  finish: "would be finished",
  "back out": "would be backed out",
  start: "is settled; its connector would be started",
};

/** The current state of what a run changes. */
function observed({ connectors, stored, body }: LeftBehind): readonly Field[] {
  return [
    ...connectors.map(({ name, status }) =>
      field(
        trunc(name, 60),
        status === "gone" ? "gone" : "unknown" in status ? `unknown: ${status.unknown}` : statusOf(status),
      ),
    ),
    field(
      "stored offset",
      stored === undefined || body === undefined ? "unchanged: the run has set no new one" : offsetText(stored, body),
    ),
  ];
}

function offsetText(
  stored: NonNullable<LeftBehind["stored"]>,
  { previous, entry: { offset: planned } }: NonNullable<RunState["body"]>,
): string {
  const before = `before the run ${scnOf(previous)}`;
  if ("unknown" in stored) return `unknown: ${stored.unknown};  ${before}, planned ${scnOf(planned)}`;
  const { is } = stored;
  if (sameOffset(is, planned)) return `${scnOf(is)}, as planned; ${before}`;
  if (sameOffset(is, previous)) return `${scnOf(is)}, as before the run; planned ${scnOf(planned)}`;
  return `${scnOf(is)}, neither as before the run (${scnOf(previous)}) nor as planned (${scnOf(planned)})`;
}

function scnOf(offset: JsonObject | null): string {
  if (offset === null) return "none";
  const decoded = decodeOffset(offset);
  return decoded.ok ? decoded.offset.resumeScn.toString() : "unreadable";
}
