import { changeKind, digestOfIntent } from "../document/intent.ts";
import { Refusal } from "../errors.ts";
import { recordedChanges } from "../facts/ops/ops-event.ts";
import { type AppliedBefore, appliedBefore } from "../kinds/connector/applied.ts";
import { type Facts, storedIn } from "../kinds/facts.ts";
import { isKnownByIntent, type Plan, pinnedIn } from "../plan/plan.ts";
import { decisionDiff, differences } from "../plan/preconditions.ts";
import { onlyStarts } from "../plan/steps.ts";
import type { StatePort } from "../ports/state.ts";
import { changedAnything, offsetStands } from "../run/change.ts";
import { controlOf, intentOfSubject, kindOfRun, readsOnly } from "../run/subject.ts";
import { waysToSettle } from "../run/ways-to-settle.ts";
import { printDuration } from "../values/duration.ts";
import { type Instant, millisBetween } from "../values/instant.ts";
import { refuseUnreadable, type StoredRun, storedRuns } from "./stored-runs.ts";

/** The earlier plan: made in this command, or reviewed. */
type PlannedBefore = Pick<Plan, "intent" | "decided" | "decision">;

/**
 * Compares the current plan with the earlier one.
 *
 * @returns why there is nothing to do; undefined when the plan is unchanged and to be applied
 * @throws Refusal when something changed since planning, when the decision was applied and other changes followed, or
 * when its application is only claimed
 */
export async function comparedWith(
  before: PlannedBefore,
  now: Plan,
  facts: Facts,
  world: { readonly state: StatePort },
  { again }: { readonly again: boolean },
): Promise<string | undefined> {
  if (now.outcome.state === "no-op") return now.outcome.why;
  const key = { clusterId: now.world.clusterId, connector: now.intent.target.connector };
  const once: AppliedBefore = again ? NEVER : await appliedAlready(before, now, key, facts, world);
  if (once.is === "latest") return "this decision was already applied; pass --again to repeat it";
  if (once.is === "claimed")
    throw new Refusal("APL812", once.claim, [
      {
        text: "Find out who changed the offset since, or who can write to the ops topic. To apply it anyway",
        setting: "--again",
      },
    ]);
  if (once.is === "superseded") {
    throw new Refusal(
      "APL812",
      `the decision ${before.decision} was applied before, followed by other changes of ${key.connector}`,
      [{ text: "To repeat it", setting: "--again" }],
    );
  }
  const changed = differences(before, now);
  if (changed.length > 0)
    throw new Refusal(
      "APL803",
      `changed since planning: ${changed.join("; ")}`,
      ["Plan again and review the difference."],
      decisionDiff(before, now),
    );
  return undefined;
}

/** Maximum difference between the clocks of the machines that plan and apply, milliseconds. */
const CLOCK_SKEW_MILLIS = 5 * 60_000;

/**
 * @param maxAge milliseconds. @throws Refusal `APL811` for a plan that is older, or dated in the future, so that its
 * age is unknown
 */
export function refuseAge(plannedAt: Instant, now: Instant, maxAge: number): void {
  const age = millisBetween(plannedAt, now);
  if (age > maxAge)
    throw new Refusal("APL811", `the plan is ${printDuration(age)} old; the maximum is ${printDuration(maxAge)}`, [
      "Plan again, or raise --max-age.",
    ]);
  if (age < -CLOCK_SKEW_MILLIS)
    throw new Refusal(
      "APL811",
      `the plan is dated ${plannedAt}, ${printDuration(-age)} in the future of this machine's clock (${now}): ` +
        "its age is unknown",
      ["Check the clocks of this machine and of the one that planned, then plan again."],
    );
}

/** Refuses a change on top of an unsettled one: the two could not be distinguished. @throws Refusal `APL813` */
export async function refuseUnsettled(
  key: { readonly clusterId: string; readonly connector: string },
  world: { readonly state: StatePort },
): Promise<void> {
  const open = (await runsOf(key, world)).findLast(({ state }) => state.ended === undefined);
  if (open === undefined) return;
  const { run } = open.key;
  throw new Refusal(
    "APL813",
    `run ${run} of ${key.connector} is not ` +
      `settled${changedAnything(open.state) ? "" : ", though it has changed nothing"}`,
    waysToSettle(run),
  );
}

/**
 * The runs of one connector, oldest first. @throws Refusal `APL813` when one cannot be read; CallFailed when their
 * folder cannot
 */
export async function runsOf(
  key: { readonly clusterId: string; readonly connector: string },
  { state }: { readonly state: StatePort },
): Promise<readonly StoredRun[]> {
  const { runs, unreadable } = await storedRuns(state, key);
  refuseUnreadable(unreadable, key);
  return runs;
}

/**
 * Whether the decision was already applied: by the ops topic, if the stored offset confirms it; where the topic no
 * longer reaches back or has no record, by the journals on this machine. A read-only run never counts as applied.
 * Neither does a start: it holds only until the connector is stopped.
 */
async function appliedAlready(
  before: PlannedBefore,
  now: Plan,
  key: { readonly clusterId: string; readonly connector: string },
  facts: Facts,
  world: { readonly state: StatePort },
): Promise<AppliedBefore> {
  const { intent } = now;
  // A plan that now only starts the connector may have been reviewed as a move.
  const starts = onlyStarts(now);
  const { decided, decision } = starts ? before : now;
  if (intent.origin.by === "admin" || readsOnly(changeKind(intent))) return NEVER;
  const { direction = "same" } = "direction" in decided ? decided : {};
  if (starts && direction === "same") return NEVER;
  const wanted = isKnownByIntent(now) ? digestOfIntent(intent) : undefined;
  const { opsHistory: history } = facts;
  const { events, answers } = history.known ? history.value : { events: [], answers: [] };
  const byTopic = appliedBefore(recordedChanges(events, key.connector), {
    decision,
    scn: pinnedIn({ decided }),
    intent: wanted,
    answers,
    stored: storedIn(facts),
  });
  // A rollback to the legacy connector is recorded as soon as the offsets are gone.
  if (byTopic.is === "latest" && now.steps.some(({ step }) => step === "delete-offsets"))
    return {
      is: "claimed",
      claim: `the ops topic records that this decision was applied, and ${key.connector} is still there`,
    };
  if (byTopic.is !== "never") return byTopic;
  const applied: boolean[] = [];
  for (const { state: past } of await runsOf(key, world)) {
    const succeeded = past.ended?.outcome === "succeeded";
    // Refused by the connector, or abandoned: still to be applied, but its move came after the earlier changes.
    if (!succeeded && !offsetStands(past)) continue;
    const { subject } = past.started;
    if (readsOnly(kindOfRun(subject)) || controlOf(subject) !== undefined) continue;
    applied.push(
      succeeded && (subject.decision === decision || (wanted !== undefined && intentOfSubject(subject) === wanted)),
    );
  }
  const last = applied.lastIndexOf(true);
  return { is: last < 0 ? "never" : last === applied.length - 1 ? "latest" : "superseded" };
}

const NEVER = { is: "never" } as const;
