import { type RunContext, recorder, type WaitLimits } from "../../core/apply/context.ts";
import type { RunReport } from "../../core/apply/endings.ts";
import { carryOut } from "../../core/apply/engine.ts";
import { carriedOutSince, notReviewed, recordDecided } from "../../core/apply/steps/ops-topic.ts";
import { digestOfIntent } from "../../core/document/intent-digest.ts";
import { Refusal } from "../../core/errors.ts";
import { recordedChanges } from "../../core/facts/ops/ops-event.ts";
import { kindOf, kindOfSubject, observe, planFor, runStarted } from "../../core/kinds/catalogue.ts";
import { type AppliedBefore, appliedBefore } from "../../core/kinds/connector/applied.ts";
import type { Facts } from "../../core/kinds/facts.ts";
import { newConfiguration } from "../../core/kinds/migration/new-connector.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { decisionDiff, differences } from "../../core/plan/preconditions.ts";
import { onlyStarts } from "../../core/plan/steps.ts";
import type { JournalWriter, RunKey } from "../../core/ports/state.ts";
import { changedAnything, offsetStands } from "../../core/run/change.ts";
import type { JournalEntry } from "../../core/run/journal.ts";
import { nextOrdinal } from "../../core/run/order.ts";
import { connectorsOf, controlOf, intentOfSubject } from "../../core/run/subject.ts";
import { printDuration } from "../../core/values/duration.ts";
import { type Instant, millisBetween } from "../../core/values/instant.ts";
import { runId } from "../../core/values/run-id.ts";
import { shellWord } from "../../core/values/shell-word.ts";
import { VERSION } from "../host.ts";
import { lockAll } from "./locks.ts";
import type { ChangeHost } from "./machine-output.ts";
import { narration } from "./narration.ts";
import type { OpenWorld } from "./open-world.ts";
import { refuseUnreadable, type StoredRun, storedRuns } from "./stored-runs.ts";

interface ApplyOptions {
  readonly limits: WaitLimits;
  /** Repeat a decision that was applied already. */
  readonly again: boolean;
  /** How old a plan may be, milliseconds. */
  readonly maxAge: number;
  /** Name of the command, for the lock. */
  readonly command: string;
  /** What each plan was made from, where it was made a moment ago. */
  readonly from: ReadonlyMap<Plan, Facts>;
}

/** What became of one plan. */
type Applied = { readonly plan: Plan } & ({ readonly nothing: string } | { readonly report: RunReport });

/**
 * Applies one plan: takes the lock, looks at everything again, holds it against what was planned, and only then begins
 * the run.
 *
 * @throws Refusal where it is no longer as planned; no mutating call was made then
 */
export async function applyPlan(
  plan: Plan,
  world: OpenWorld,
  host: ChangeHost,
  options: ApplyOptions,
): Promise<Applied> {
  const key = { clusterId: plan.world.clusterId, connector: plan.intent.target.connector };
  const kind = kindOf(plan.intent);
  const pinned = kind.pinned(plan);
  const lock = await lockAll(connectorsOf(plan.decided), key.clusterId, world.state, options.command);
  try {
    for (const connector of connectorsOf(plan.decided)) await refuseUnsettled({ ...key, connector }, world);
    refuseAge(plan.plannedAt, world.clock.now(), options.maxAge);
    const { facts, kafka, oracle } = await observe(plan.intent, world, world.sources, {
      pinned,
      evidence: false,
    });
    const now: Plan = planFor(plan.intent, facts, { pinned, again: options.again });
    const nothing = await heldAgainst(plan, now, facts, world, options);
    if (nothing !== undefined) return { plan: now, nothing };
    refuseChangedSince(options.from.get(plan), facts, key.connector);
    const blocking = now.findings.find(({ effect }) => effect === "blocks");
    if (blocking !== undefined) throw new Refusal(blocking.code, blocking.seen ?? blocking.title, blocking.remedies);

    const run = runId(world.clock.now(), world.clock.random);
    const earlier = await runsOf(key, world);
    const ordinal = nextOrdinal(earlier.map(({ state }) => state.started));
    const writer = await world.state.create({ ...key, run });
    const ctx = runContext({ ...key, run }, [], writer, { kafka, oracle }, world, host, {
      limits: options.limits,
      recovering: false,
      plan: now,
    });
    try {
      await ctx.record(runStarted(kind.asShown(now, plan), { run, ordinal, operator: host.operator, cdcctl: VERSION }));
      await recordDecided(facts, ctx);
      return { plan: now, report: await carryOut(now.steps, ctx) };
    } finally {
      await writer.close();
    }
  } finally {
    await lock.release();
  }
}

/** What was decided, by a plan that was made a moment ago or by one that was reviewed. */
type PlannedBefore = Pick<Plan, "intent" | "decided" | "decision">;

/**
 * Holds what is planned now against what was planned before.
 *
 * @returns why there is nothing to do; undefined: it is as planned, and to be carried out
 * @throws Refusal where it is no longer as planned, was carried out and others came after it, or is only claimed to
 * have been carried out
 */
export async function heldAgainst(
  before: PlannedBefore,
  now: Plan,
  facts: Facts,
  world: Pick<OpenWorld, "state">,
  { again }: Pick<ApplyOptions, "again">,
): Promise<string | undefined> {
  if (now.outcome.state === "no-op") return now.outcome.why;
  const key = { clusterId: now.world.clusterId, connector: now.intent.target.connector };
  const once: AppliedBefore = again ? NEVER : await appliedAlready(before, now, key, facts, world);
  if (once.is === "latest") return "this decision was applied already; --again repeats it";
  if (once.is === "claimed")
    throw new Refusal("APL812", once.claim, [
      {
        text: "Find out who has changed the offset since, or who can write to the ops topic. To apply it all the same",
        setting: "--again",
      },
    ]);
  if (once.is === "superseded") {
    throw new Refusal(
      "APL812",
      `the decision ${before.decision} was applied before, and other changes of ${key.connector} after it`,
      [{ text: "If it is meant to be repeated", setting: "--again" }],
    );
  }
  const changed = differences(before, now);
  if (changed.length > 0)
    throw new Refusal(
      "APL803",
      `it is no longer as planned: ${changed.join("; ")}`,
      ["Plan again and review the difference."],
      decisionDiff(before, now),
    );
  return undefined;
}

/**
 * @throws Refusal `APL803` where another run has changed the offset since it was planned: what was shown started from
 * elsewhere
 */
function refuseChangedSince(planned: Facts | undefined, now: Facts, connector: string): void {
  if (planned?.opsHistory.known !== true) return;
  const theirs = carriedOutSince(planned.opsHistory.value.readTo, now, connector);
  if (theirs === undefined) return;
  const { code, error, remedies } = notReviewed(theirs);
  throw new Refusal(code, error, remedies);
}

/** How far the clocks of the machines that plan and apply may be apart, milliseconds. */
const CLOCK_SKEW_MILLIS = 5 * 60_000;

/**
 * @param maxAge milliseconds. @throws Refusal `APL811` for a plan that is older, or dated in the future: its age is not
 * known then
 */
export function refuseAge(plannedAt: Instant, now: Instant, maxAge: number): void {
  const age = millisBetween(plannedAt, now);
  if (age > maxAge)
    throw new Refusal("APL811", `the plan is ${printDuration(age)} old; at most ${printDuration(maxAge)} is accepted`, [
      "Plan again, or allow more with --max-age.",
    ]);
  if (age < -CLOCK_SKEW_MILLIS)
    throw new Refusal(
      "APL811",
      `the plan is dated ${plannedAt}, ${printDuration(-age)} in the future of this machine's clock (${now}): ` +
        "its age is not known",
      ["Check the clocks of this machine and of the one that planned, then plan again."],
    );
}

/** Of a run whose steps call Connect alone (`connectors`): brokers and database are not asked, and need no login. */
export const NO_PORTS = {
  get kafka(): never {
    throw new Error("a run that only calls Connect asks no broker");
  },
  get oracle(): never {
    throw new Error("a run that only calls Connect asks no database");
  },
};

export function runContext(
  key: RunKey,
  entries: JournalEntry[],
  writer: JournalWriter,
  ports: Pick<RunContext, "kafka" | "oracle">,
  world: OpenWorld,
  host: ChangeHost,
  attempt: {
    readonly limits: WaitLimits;
    readonly recovering: boolean;
    readonly moveChecked?: boolean;
    readonly plan: Plan | null;
  },
): RunContext {
  host.machine?.opened(key, entries);
  const told = narration(host);
  host.interrupt.addEventListener(
    "abort",
    () => told.say("interrupted: the step under way is brought to a known state; once more leaves at once"),
    { once: true },
  );
  const written = recorder(writer, world.clock, entries, () => {
    told.recorded(entries);
    host.machine?.recorded(key, entries);
  });
  return {
    run: key.run,
    operator: host.operator,
    connect: world.connect,
    get kafka() {
      return ports.kafka;
    },
    get oracle() {
      return ports.oracle;
    },
    clock: world.clock,
    redact: world.redact,
    limits: attempt.limits,
    recovering: attempt.recovering,
    moveChecked: attempt.moveChecked ?? false,
    interrupt: host.interrupt,
    report: told.say,
    waiting(wait) {
      told.waiting(wait);
      host.machine?.waiting(key, entries, wait);
    },
    async observe() {
      if (attempt.plan === null) throw new Error("a run without a plan has nothing to observe for");
      const options = { pinned: kindOf(attempt.plan.intent).pinned(attempt.plan), evidence: false };
      return (await observe(attempt.plan.intent, world, world.sources, options)).facts;
    },
    newConfiguration: (intent) => newConfiguration(intent, world, world.sources),
    verify: async (intent, tables) => {
      const { verifyPhase } = await import("./verify-phase.ts");
      return verifyPhase(intent, tables, world, ports, host, { run: key.run, record: written.record });
    },
    ...written,
  };
}

/** A change on top of one that nobody knows the end of could not be told from it. @throws Refusal `APL813` */
export async function refuseUnsettled(
  key: { readonly clusterId: string; readonly connector: string },
  world: Pick<OpenWorld, "state">,
): Promise<void> {
  const open = (await runsOf(key, world)).findLast(({ state }) => state.ended === undefined);
  if (open === undefined) return;
  const { run } = open.key;
  throw new Refusal(
    "APL813",
    `run ${run} of ${key.connector} is not ` +
      `settled${changedAnything(open.state) ? "" : ", though it has changed nothing"}`,
    [`cdcctl recover ${shellWord(run)}`],
  );
}

/**
 * The runs of one connector, oldest first. @throws Refusal `APL813` where one can't be read; CallFailed where their
 * folder can't
 */
async function runsOf(
  key: { readonly clusterId: string; readonly connector: string },
  { state }: Pick<OpenWorld, "state">,
): Promise<readonly StoredRun[]> {
  const { runs, unreadable } = await storedRuns(state, key);
  refuseUnreadable(unreadable, key);
  return runs;
}

/**
 * By the ops topic as the stored offset confirms it, or, where that no longer reaches back or was told nothing, by the
 * journals on this machine. What only looks is never done with. Nor is a start: it holds as long as nobody stops the
 * connector.
 */
async function appliedAlready(
  before: PlannedBefore,
  now: Plan,
  key: { readonly clusterId: string; readonly connector: string },
  facts: Facts,
  world: Pick<OpenWorld, "state">,
): Promise<AppliedBefore> {
  const { intent } = now;
  // What is only started now may have been reviewed as a move.
  const starts = onlyStarts(now);
  const { decided, decision } = starts ? before : now;
  const kind = kindOf(intent);
  if (intent.origin.by === "admin" || kind.onlyLooks) return NEVER;
  if (starts && !("direction" in decided && isMoved(decided.direction))) return NEVER;
  const known = kind.knownBy(now);
  const wanted = known && digestOfIntent(known);
  const { opsHistory: history } = facts;
  const { events, answers } = history.known ? history.value : { events: [], answers: [] };
  const byTopic = appliedBefore(recordedChanges(events, key.connector), {
    decision,
    scn: "scn" in decided ? decided.scn : undefined,
    intent: wanted,
    answers,
    stored: kind.storedIn(facts),
  });
  if (byTopic.is !== "never") return byTopic;
  const applied: boolean[] = [];
  for (const { state: past } of await runsOf(key, world)) {
    const succeeded = past.ended?.outcome === "succeeded";
    // Refused by the connector, or abandoned: it is still to be done, but its move came after what was done before.
    if (!succeeded && !offsetStands(past)) continue;
    const { subject } = past.started;
    if (kindOfSubject(subject).onlyLooks || controlOf(subject) !== undefined) continue;
    applied.push(
      succeeded && (subject.decision === decision || (wanted !== undefined && intentOfSubject(subject) === wanted)),
    );
  }
  const last = applied.lastIndexOf(true);
  return { is: last < 0 ? "never" : last === applied.length - 1 ? "latest" : "superseded" };
}

const NEVER = { is: "never" } as const;

function isMoved(direction: string | undefined): boolean {
  return direction !== undefined && direction !== "same";
}
