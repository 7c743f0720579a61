import { isRunning } from "../../facts/connector/connector.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { counted } from "../../values/amounts.ts";
import type { Scn } from "../../values/scn.ts";
import type { LagFacts, LagSample } from "./lag-facts.ts";

/** How fast the connector advances, and how fast the database writes: SCNs between the two samples. */
export interface Pace {
  readonly by: "MinedToScn" | "resume SCN";
  /** SCNs that the connector advanced. */
  readonly mined: bigint;
  /** SCNs that the database advanced. */
  readonly written: bigint;
  /** SCNs that remained at the second sample. */
  readonly left: bigint;
  /** Milliseconds until the connector has caught up at this rate; undefined: never. */
  readonly catchUp: bigint | undefined;
}

const STILL = "the stored offset did not move between the two samples";
/** Connect's default of `offset.flush.interval.ms`. */
const FLUSH =
  "Connect stores it once a minute by default (offset.flush.interval.ms): a longer --interval may see it move";

/**
 * Returns the rate of the connector between two samples, by its mining position (`MinedToScn`) or else by its stored
 * resume SCN. A stored offset that did not move gives no rate: it moves only when Connect stores it.
 */
export function paceOf({ first, second, between }: LagFacts): Observed<Pace> {
  const unknown = (why: string): Observed<Pace> => ({ known: false, why, source: "two samples" });
  const [from, to] = [first.currentScn, second.currentScn];
  if (!isRunning(second.status)) return unknown("the connector does not run");
  if (between <= 0n) return unknown("no time passed between the two samples");
  if (!from.known) return from;
  if (!to.known) return to;
  const mining = positions(first, second, minedTo);
  const stored = positions(first, second, resumeScn);
  const [at, by] = mining.known ? [mining, "MinedToScn" as const] : [stored, "resume SCN" as const];
  if (!at.known) return at;
  const mined = at.value.to - at.value.from;
  if (by === "resume SCN" && mined === 0n) return unknown(`${STILL}; ${FLUSH}`);
  if (mined < 0n) return unknown(`the ${by} moved back between the two samples, by ${counted(-mined, "SCN")}`);
  const written = to.value - from.value;
  const left = to.value > at.value.to ? to.value - at.value.to : 0n;
  const closed = mined - written;
  const catchUp = left === 0n ? 0n : closed <= 0n ? undefined : (left * between + closed - 1n) / closed;
  return { known: true, value: { by, mined, written, left, catchUp }, source: "two samples", at: second.at };
}

/**
 * Whether the connector advanced between the two samples: its stored offset, or its mining position. That it did not
 * advance is certain only if both are known: Connect may just not have stored the offset again yet.
 */
export function movedOn({ first, second }: LagFacts): Observed<boolean> {
  const pairs = [resumeScn, lastCommitScn, minedTo].map((of) => positions(first, second, of));
  const moved = pairs.find((seen) => seen.known && seen.value.to !== seen.value.from);
  if (moved?.known) return { ...moved, value: true };
  const [stored, , mining] = pairs;
  if (stored?.known && mining?.known) return { ...mining, value: false };
  const why = stored === undefined || stored.known ? `${STILL}; ${FLUSH}` : stored.why;
  return { known: false, why, source: "two samples" };
}

function positions(
  first: LagSample,
  second: LagSample,
  of: (sample: LagSample) => Observed<Scn>,
): Observed<{ readonly from: Scn; readonly to: Scn }> {
  const [from, to] = [of(first), of(second)];
  if (!from.known) return from;
  if (!to.known) return to;
  return { ...to, value: { from: from.value, to: to.value } };
}

function minedTo({ metrics }: LagSample): Observed<Scn> {
  return metrics.known ? metrics.value.lag.MinedToScn : metrics;
}

function resumeScn({ stored }: LagSample): Observed<Scn> {
  return mapObserved(stored, (offset) => offset.resumeScn);
}

/** 0 if nothing has been committed yet. */
function lastCommitScn({ stored }: LagSample): Observed<Scn> {
  return mapObserved(stored, ({ lastCommit }) => lastCommit?.scn ?? 0n);
}
