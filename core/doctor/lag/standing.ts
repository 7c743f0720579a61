import { traceLine } from "../../checks/connector-status.ts";
import { type ConnectorStatus, hasFailed, isRunning } from "../../facts/connector/connector.ts";
import type { RedoFault } from "../../facts/redo/redo.ts";
import { showCount } from "../../values/amounts.ts";
import { printDuration } from "../../values/duration.ts";
import type { Scn } from "../../values/scn.ts";
import { firstLine } from "../../values/truncate.ts";
import { type Judgement, no, unknown, yes } from "./cause.ts";
import type { LagReading } from "./lag-reading.ts";

/** The task says by these that redo is gone (reference: wire formats, "Error codes"). */
const REDO_CODES = /\bCDC-200[12]\b/;
/** Of many faults so many are named. */
const MOST_FAULTS = 5;

/**
 * Redo that the connector needs is gone. By the trace of a task that stopped at it, or by the catalogue. A task that
 * runs and has mined past a fault, that comes on before it, or that stands still short of it, is not held up by it: not
 * yet, see `redoBehind`.
 */
export function redoGone({ facts, redo, moved }: LagReading): Judgement {
  const { status, metrics } = facts.second;
  const stoppedAt = tracesOf(status).find((trace) => REDO_CODES.test(trace));
  const faults = redo.known ? redo.value.faults : [];
  const lost = faults.slice(0, MOST_FAULTS).map(faultSentence);
  const more = faults.length > MOST_FAULTS ? [`and ${showCount(faults.length - MOST_FAULTS)} more faults`] : [];
  if (stoppedAt !== undefined) {
    const now =
      redo.known && redo.value.complete ? ["the catalogue lists all of it now: it may have been restored"] : [];
    return yes(`the task stopped with: ${firstLine(stoppedAt, 600)}`, ...lost, ...more, ...now);
  }
  if (!redo.known) return unknown(redo.why);
  const [first, ...others] = lost;
  if (first === undefined) return no("all of it is there, by the catalogue");
  if (!isRunning(status)) return yes(first, ...others, ...more);
  // Not by the last commit: after a move back that is ahead of what is mined.
  const mined = metrics.known && metrics.value.lag.MinedToScn.known ? metrics.value.lag.MinedToScn.value : undefined;
  const ahead = faults.filter(({ nextScn }) => mined === undefined || nextScn === undefined || nextScn > mined);
  if (ahead.length === 0) return no("what is gone of it has been mined already");
  if (!moved.known) return unknown(`redo is gone, but whether the task stands still at it can't be told: ${moved.why}`);
  if (moved.value) return no("what is gone of it does not hold the task up yet");
  if (mined === undefined) return unknown("redo is gone, but where the task mines is not known");
  return beginsAt(ahead, mined)
    ? yes(first, ...others, ...more)
    : no(`what is gone of it lies ahead of where the task mines, SCN ${mined}: it stands still for another reason`);
}

/**
 * Whether redo is gone where the task mines next. It stands still for a moment during a long mining step as well, and
 * while its record queue is full: a fault further on holds nothing up then. Nothing says whether `MinedToScn` is the
 * last SCN that was mined or the next one: both are taken.
 */
function beginsAt(ahead: readonly RedoFault[], mined: Scn): boolean {
  return ahead.some(({ firstScn }) => firstScn === undefined || firstScn <= mined + 1n);
}

/** Redo that is gone although it is not the cause: the next start fails at it. */
export function redoBehind(reading: LagReading): readonly string[] {
  const { redo } = reading;
  if (!redo.known || redo.value.complete || redoGone(reading).verdict === "yes") return [];
  const faults = redo.value.faults.slice(0, MOST_FAULTS).map(faultSentence).join("; ");
  return [`Redo from the resume SCN on is not all there, so that a restart would fail: ${faults}`];
}

/** Connector or task has failed; it does not start again by itself. */
export function failed({ facts: { second } }: LagReading): Judgement {
  const { status } = second;
  if (!hasFailed(status)) return no("neither the connector nor a task has failed");
  const [first = "the connector is FAILED", ...others] = [
    ...(status.state === "FAILED" ? [`the connector is FAILED on ${status.worker}${traceLine(status.trace)}`] : []),
    ...status.tasks
      .filter(({ state }) => state === "FAILED")
      .map(({ id, worker, trace }) => `task ${id} is FAILED on ${worker}${traceLine(trace)}`),
  ];
  return yes(first, ...others);
}

/** Nobody mines: somebody has stopped or paused it, or its workers have not started it. */
export function notRunning({ facts: { second } }: LagReading): Judgement {
  const { status } = second;
  if (isRunning(status)) return no("connector and task are RUNNING");
  if (hasFailed(status)) return no("it has failed");
  const idle = status.tasks.filter(({ state }) => state !== "RUNNING");
  const tasks =
    status.tasks.length === 0
      ? ["it has no task"]
      : idle.map(({ id, state, worker }) => `task ${id} is ${state} on ${worker}`);
  return yes(`the connector is ${status.state}`, ...tasks);
}

/**
 * Connect stores offsets once a minute by default, and a commit is delivered some seconds after it was made: an offset
 * that is not older than that tells of no lag.
 */
const NOT_BEHIND_MILLIS = 120_000n;

export function notBehind({ resumeAge, behind }: LagReading): Judgement {
  if (behind.known && behind.value === 0n) return yes("the resume SCN is the current SCN");
  if (!resumeAge.known) return unknown(resumeAge.why);
  const { millis, by, clock } = resumeAge.value;
  const age = `the resume SCN is ${by === "SCN" ? "" : "at most "}${printDuration(Number(millis))} old`;
  // A clock that is slow would make any lag small, and one that is fast any offset old.
  if (clock !== "database") return unknown(`${age}, but only by this machine's clock`);
  if (millis > NOT_BEHIND_MILLIS) return no(age);
  if (by !== "SCN") return unknown(`${age}, by the first time of its log`);
  return yes(`${age}; Connect stores offsets only once a minute by default`);
}

function tracesOf({ trace, tasks }: ConnectorStatus): readonly string[] {
  return [trace, ...tasks.map((task) => task.trace)].filter((one) => one !== undefined);
}

function faultSentence({ code, message }: RedoFault): string {
  return `${code} ${message}`;
}
