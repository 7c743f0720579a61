import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { traceLine } from "../../checks/connector-status.ts";
import { hasFailed, isRunning } from "../../facts/connector/connector.ts";
import { errorLine, stopIn } from "../../facts/connector/traces.ts";
import { faultText, type RedoFault } from "../../facts/redo/redo.ts";
import { showCount } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import type { Scn } from "../../values/scn.ts";
import { type Judgement, no, unknown, yes } from "./cause.ts";
import type { LagReading } from "./lag-facts.ts";

/** Error codes by which the task reports that redo is gone (reference: wire formats, "Error codes"). */
const REDO_CODES = /^CDC-200[12]$/;
const MOST_FAULTS = 5;

/**
 * Redo that the connector needs is gone, by the trace of a task that stopped at it or by the catalogue. A running task
 * that has mined past a fault, or that has not reached it yet, is not delayed by it: see `redoBehind`.
 */
export function redoGone({ facts, redo, moved }: LagReading): Judgement {
  const { status, metrics } = facts.second;
  const stoppedAt = tracesOf(status).find((trace) => REDO_CODES.test(stopIn(trace)?.code ?? ""));
  const faults = redo.known ? redo.value.faults : [];
  const lost = faults.slice(0, MOST_FAULTS).map(faultText);
  const more = faults.length > MOST_FAULTS ? [`and ${showCount(faults.length - MOST_FAULTS)} more faults`] : [];
  if (stoppedAt !== undefined) {
    const now =
      redo.known && redo.value.complete ? ["the catalogue lists all redo now: it may have been restored"] : [];
    return yes(`the task stopped with: ${errorLine(stoppedAt, 600)}`, ...lost, ...more, ...now);
  }
  if (!redo.known) return unknown(redo.why);
  const [first, ...others] = lost;
  if (first === undefined) return no("The catalogue lists all redo that the connector needs.");
  if (!isRunning(status)) return yes(first, ...others, ...more);
  // Not the last commit: after a move back, it is ahead of what is mined.
  const mined = metrics.known && metrics.value.lag.MinedToScn.known ? metrics.value.lag.MinedToScn.value : undefined;
  const ahead = faults.filter(({ nextScn }) => mined === undefined || nextScn === undefined || nextScn > mined);
  if (ahead.length === 0) return no("The task has already mined past the missing redo.");
  if (!moved.known) return unknown(`redo is gone, but whether the task is stuck at it is unknown: ${moved.why}`);
  if (moved.value) return no("The task is advancing towards the missing redo.");
  if (mined === undefined) return unknown("redo is gone, but the mining position of the task is unknown");
  return beginsAt(ahead, mined)
    ? yes(first, ...others, ...more)
    : no(`The missing redo is ahead of the mining position, SCN ${mined}: the task is stuck for another reason.`);
}

/**
 * Whether redo is gone where the task mines next. A task also pauses during a long mining step and while its record
 * queue is full: a fault further ahead does not delay it then. It is not documented whether `MinedToScn` is the last
 * SCN mined or the next one, so both are checked.
 */
function beginsAt(ahead: readonly RedoFault[], mined: Scn): boolean {
  return ahead.some(({ firstScn }) => firstScn === undefined || firstScn <= mined + 1n);
}

/** Redo that is gone although it is not the cause: the next start would fail. */
export function redoBehind(reading: LagReading): readonly string[] {
  const { redo } = reading;
  if (!redo.known || redo.value.complete || redoGone(reading).verdict === "yes") return [];
  const faults = redo.value.faults.slice(0, MOST_FAULTS).map(faultText).join("; ");
  return [`Redo from the resume SCN onwards is incomplete, so a restart would fail: ${faults}`];
}

/** The connector or its task has failed; it does not restart by itself. */
export function failed({ facts: { second } }: LagReading): Judgement {
  const { status } = second;
  if (!hasFailed(status)) return no("The connector and its tasks are free of failures.");
  const [first = "the connector is FAILED", ...others] = [
    ...(status.state === "FAILED" ? [`the connector is FAILED on ${status.worker}${traceLine(status.trace)}`] : []),
    ...status.tasks
      .filter(({ state }) => state === "FAILED")
      .map(({ id, worker, trace }) => `task ${id} is FAILED on ${worker}${traceLine(trace)}`),
  ];
  return yes(first, ...others);
}

/** The connector does not run: it was stopped or paused, or its workers have not started it. */
export function notRunning({ facts: { second } }: LagReading): Judgement {
  const { status } = second;
  if (isRunning(status)) return no("The connector and every task are RUNNING.");
  if (hasFailed(status)) return no("The connector was started, and then failed.");
  const idle = status.tasks.filter(({ state }) => state !== "RUNNING");
  const tasks =
    status.tasks.length === 0
      ? ["it has no task"]
      : idle.map(({ id, state, worker }) => `task ${id} is ${state} on ${worker}`);
  return yes(`the connector is ${status.state}`, ...tasks);
}

/**
 * A recent offset is not a lag: Connect stores offsets once a minute by default, and a commit is delivered some seconds
 * after it was made.
 */
export const NOT_BEHIND_MILLIS = 120_000n;

export function notBehind({ resumeAge, behind }: LagReading): Judgement {
  if (behind.known && behind.value === 0n) return yes("the resume SCN is the current SCN");
  if (!resumeAge.known) return unknown(resumeAge.why);
  const { millis, by, clock } = resumeAge.value;
  const old = printDuration(Number(millis));
  const age = `the resume SCN is ${by === "SCN" ? "" : "at most "}${old} old`;
  // A slow clock would make any lag look small, and a fast one any offset old.
  if (clock !== "database") return unknown(`${age}, but only by this machine's clock`);
  if (millis > NOT_BEHIND_MILLIS)
    return no(
      by === "SCN" ? `The resume SCN is ${old} old.` : `The log that holds the resume SCN was begun ${old} ago.`,
    );
  if (by !== "SCN") return unknown(`${age}, by the first time of its log`);
  return yes(`${age}; Connect stores offsets only once a minute by default`);
}

function tracesOf({ trace, tasks }: ConnectorStatus): readonly string[] {
  return [trace, ...tasks.map((task) => task.trace)].filter((one) => one !== undefined);
}
