import type { RecordedEvent } from "../../../schemas/generated/facts.ts";
import { CallFailed, orUndefined } from "../../errors.ts";
import { sameOffset } from "../../facts/offset/stored-offset.ts";
import type { OpsOutcome } from "../../facts/ops/ops-event.ts";
import { offsetSubject } from "../../run/subject.ts";
import { type Instant, millisBetween } from "../../values/instant.ts";
import type { RunContext } from "../context.ts";
import { opsOrder } from "./ops-topic.ts";
import { storedUnder } from "./patch-offset.ts";
import { isAnnounced } from "./record-event.ts";

/**
 * Why a run is not this process's to continue, by the ops topic. `followed`: a later run of the connector was carried
 * out, or came after this run had recorded its outcome.
 */
export interface Elsewhere {
  readonly is: Exclude<OpsOutcome, "applying"> | "taken over" | "followed";
  readonly event: RecordedEvent;
}

const WHY: Readonly<Record<Elsewhere["is"], string>> = {
  applied: "it is recorded as applied, from another machine",
  failed: "it is recorded as failed, from another machine",
  "taken over": "another machine has taken the run over",
  followed: "a later run has changed the connector",
};

/** Thrown instead of sending a call or writing a record: see `demandOwn`. */
export class SettledElsewhere extends Error {
  override readonly name = "SettledElsewhere";
  readonly by: Elsewhere;
  constructor(by: Elsewhere) {
    super(WHY[by.is]);
    this.by = by;
  }
}

/**
 * What the ops topic records of this run that its journal does not: a process that was asleep may wake after another
 * machine has settled its run. Undefined while the run is its own, or has announced nothing: then nobody can settle it
 * by the topic. A phase of a migration is held against the runs of others from its beginning.
 *
 * Rule: architecture, "What apply promises", 6.
 *
 * @throws CallFailed if the topic can't be read to its end: an empty result would prove nothing
 */
export async function elsewhere(ctx: RunContext): Promise<Elsewhere | undefined> {
  if (offsetSubject(ctx.state().started.subject) === undefined) return phaseElsewhere(ctx);
  if (!isAnnounced(ctx.state())) return undefined;
  const { own, later, followed, takenOver } = await opsOrder(ctx);
  const { steps, patchedElsewhere, started, attempts } = ctx.state();
  if (steps.get("record-outcome") === "done") return followedBy(later);
  const left = followedBy(followed);
  const last = (outcome: OpsOutcome) => own.findLast(({ details }) => details.outcome === outcome);
  const applied = last("applied");
  // What this journal never sent and no other machine announced can't have been applied.
  if (applied !== undefined && (attempts > 0n || takenOver)) return { is: "applied", event: applied };
  const failed = last("failed");
  if (failed !== undefined && !(await isOwnFailure(failed, ctx))) return { is: "failed", event: failed };
  const isKnown = started.subject.by === "ops topic" || patchedElsewhere || steps.get("patch-offset") === "done";
  // A takeover that has recorded its outcome is over.
  const taken = failed === undefined ? own.findLast(({ details }) => details.taken_over !== undefined) : undefined;
  if (taken !== undefined && !isKnown) return { is: "taken over", event: taken };
  return left;
}

function followedBy(event: RecordedEvent | undefined): Elsewhere | undefined {
  return event === undefined ? undefined : { is: "followed", event };
}

/**
 * The same for a phase of a migration. Nobody takes it over by the topic, but a process with a copy of its journal can
 * settle it, and another run can change the new connector, such as a rollback that returns to the legacy one. What a
 * recovery finds of its own run it has judged when it began.
 */
async function phaseElsewhere(ctx: RunContext): Promise<Elsewhere | undefined> {
  const announced = isAnnounced(ctx.state());
  if (!announced && ctx.state().opsTopicEnd.begun === undefined) return undefined;
  const order = await orUndefined(opsOrder(ctx), "missing");
  if (order === undefined) return undefined;
  const { steps } = ctx.state();
  const last = order.own.at(-1);
  // What this journal has not begun to announce, a process with a copy of it has.
  if (!steps.has("record-applying") && last !== undefined) {
    const { outcome } = last.details;
    return { is: outcome === "applying" ? "taken over" : outcome, event: last };
  }
  if (!announced || steps.get("record-outcome") === "done") return followedBy(order.later);
  const settled = order.own.findLast(({ details }) => details.outcome !== "applying");
  const is = settled?.details.outcome === "applied" ? "applied" : "failed";
  const isOwn = ctx.recovering || (is === "failed" && [...steps.values()].includes("failed"));
  return settled === undefined || isOwn ? followedBy(order.followed) : { is, event: settled };
}

/** Whether a `failed` is the run's own, while it backs out, or untrue: recovery ignores it if its offset is stored. */
async function isOwnFailure({ details }: RecordedEvent, ctx: RunContext): Promise<boolean> {
  const { steps, started } = ctx.state();
  const elsewhere = details.taken_over !== undefined && started.subject.by !== "ops topic";
  if ([...steps.values()].includes("failed")) return ctx.recovering || !elsewhere;
  return ctx.recovering && (await isItsOwn(ctx));
}

/** Whether exactly the offset of this run is stored. */
export async function isItsOwn(ctx: RunContext): Promise<boolean> {
  const { body, started } = ctx.state();
  return (
    body !== undefined && sameOffset(await storedUnder(body.entry, started.subject.connector, ctx), body.entry.offset)
  );
}

/** @throws SettledElsewhere if the run is not this process's to continue; CallFailed as `elsewhere` */
export async function demandOwn(ctx: RunContext): Promise<void> {
  const by = await elsewhere(ctx);
  if (by !== undefined) throw new SettledElsewhere(by);
}

/** The same for a record of a run that has failed: a later run of the connector does not settle this one. */
export async function demandUnsettled(ctx: RunContext): Promise<void> {
  const by = await elsewhere(ctx);
  if (by !== undefined && by.is !== "followed") throw new SettledElsewhere(by);
}

/**
 * The same for a phase whose step did not get done: what stands in its way may come from a process that has settled it.
 * Without an answer of the brokers the step's own result remains.
 */
export async function demandUnsettledPhase(ctx: RunContext): Promise<void> {
  if (offsetSubject(ctx.state().started.subject) !== undefined) return;
  await orUndefined(demandUnsettled(ctx));
}

/** The same for a record of an operator who abandons the run: only `applied` is left as it is. */
export async function demandNotApplied(ctx: RunContext): Promise<void> {
  const by = await elsewhere(ctx);
  if (by?.is === "applied") throw new SettledElsewhere(by);
}

/** How old a look may be when the request leaves, milliseconds; and if the brokers are slow. */
const FRESH_MILLIS = 1000;
const LONGEST_FRESH_MILLIS = 10_000;
const MOST_LOOKS = 20;

/** The looks at the run's journal and the ops topic before one request. */
export interface Looks {
  /** Looks. @throws SettledElsewhere; CallFailed if the journal is another's, or the topic can't be read in time */
  look(): Promise<void>;
  /**
   * Whether the request may leave: the last look began a second ago at most, by the monotonic clock, and by the wall
   * clock, which also runs while a machine is suspended. A look that itself took longer counts only if another one took
   * about as long: brokers are slow, a process that was asleep is slow once.
   */
  isFresh(): boolean;
}

export function looksOf(ctx: RunContext, demand = demandOwn): Looks {
  const { clock } = ctx;
  let began: { readonly elapsed: number; readonly now: Instant } | undefined;
  let looks = 0;
  let fastest = Number.POSITIVE_INFINITY;
  const age = () =>
    began === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(clock.elapsed() - began.elapsed, millisBetween(began.now, clock.now()));
  return {
    async look() {
      if (looks === MOST_LOOKS)
        throw new CallFailed("kafka", "timeout", {
          message: `${ctx.kafka.brokers}: ${ctx.state().started.subject.opsTopic} could not be read in time`,
          remedy: "Check whether the brokers, or this machine, are overloaded.",
        });
      began = { elapsed: clock.elapsed(), now: clock.now() };
      await ctx.demandJournal();
      await demand(ctx);
      looks++;
      fastest = Math.min(fastest, age());
    },
    isFresh() {
      const slow = looks < 2 ? 0 : Math.min(2 * fastest, LONGEST_FRESH_MILLIS);
      return age() <= Math.max(FRESH_MILLIS, slow);
    },
  };
}
