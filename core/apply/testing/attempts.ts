import type { Intent } from "../../document/intent.ts";
import { CallFailed } from "../../errors.ts";
import { unredacted } from "../../facts/testing/unredacted.ts";
import { planFor, runStarted } from "../../kinds/catalogue.ts";
import type { Facts } from "../../kinds/facts.ts";
import type { Plan } from "../../plan/plan.ts";
import type { JournalEntry } from "../../run/journal.ts";
import { runState } from "../../run/state.ts";
import { type RunContext, type RunReport, recorder, WAIT_LIMITS } from "../context.ts";
import { carryOut } from "../engine.ts";
import { abandonRun, recoverRun, resumeSettled } from "../recovery.ts";
import { recordDecided } from "../steps/ops-topic.ts";
import { Killed, type MemoryWorld } from "./memory-world.ts";

const RUN = "2026-11-21T09-15-40Z-7f3a";

/** One run in a memory world: its journal outlives its attempts. */
export interface Attempts {
  readonly entries: readonly JournalEntry[];
  /** What each attempt came to; `killed` where the process did not live to see it. */
  apply(): Promise<RunReport | "killed">;
  recover(): Promise<RunReport | "killed">;
  abandon(): Promise<RunReport | "killed">;
  /** Starts the connector that the settled run has left stopped. */
  resume(): Promise<RunReport | "killed">;
  /** What the operator was told on the way. */
  readonly reported: readonly string[];
  /** Ctrl-C, for the attempt under way. */
  interrupt(): void;
  /**
   * Recovers until the run is settled, abandons it where that is what it asks for, or where an answer to its signal
   * does not come. @throws Error when it goes on for ever
   */
  settle(): Promise<void>;
}

/** What of a run's context is not the world's. */
export type Hands = Partial<Pick<RunContext, "observe" | "newConfiguration" | "verify" | "agreed">>;

export function attemptsOf(plan: Plan, world: MemoryWorld, run = RUN, hands: Hands = {}): Attempts {
  const entries: JournalEntry[] = [];
  const reported: string[] = [];
  let ctrlC = new AbortController();
  const context = (recovering: boolean): RunContext => {
    let own = entries.length;
    const demandOwn = async () => {
      if (entries.length !== own) throw new CallFailed("state", "rejected", { message: "another has continued it" });
    };
    return {
      run,
      operator: "ana",
      connect: world.connect,
      kafka: world.kafka,
      oracle: world.oracle,
      redact: unredacted,
      clock: world.clock,
      limits: { ...WAIT_LIMITS, settle: 2000, resume: 5000 },
      recovering,
      interrupt: ctrlC.signal,
      report: (line) => reported.push(line),
      observe: async () => factsFor(plan.intent, world),
      newConfiguration: () => Promise.reject(new Error("no cutover in this world")),
      verify: () => Promise.reject(new Error("no verification in this world")),
      ...hands,
      ...recorder(
        {
          demandOwn,
          async append() {
            await demandOwn();
            own += 1;
            // The entry is on disk, or not, when the process dies: `append` below is what makes it so.
            const fate = world.fate();
            if (fate === "killed before") throw new Killed();
            if (fate === "killed after") diedAfterWriting = true;
          },
          close: async () => {},
        },
        world.clock,
        entries,
      ),
    };
  };
  let diedAfterWriting = false;
  const sit = async (recovering: boolean, work: (ctx: RunContext) => Promise<RunReport>) => {
    ctrlC = new AbortController();
    const ctx = context(recovering);
    const record: RunContext["record"] = async (event) => {
      await ctx.record(event);
      if (!diedAfterWriting) return;
      diedAfterWriting = false;
      throw new Killed();
    };
    try {
      return await work({ ...ctx, record });
    } catch (end) {
      if (end instanceof Killed) return "killed" as const;
      throw end;
    }
  };
  const attempts: Attempts = {
    entries,
    reported,
    interrupt: () => ctrlC.abort(),
    apply: () =>
      sit(false, async (ctx) => {
        await ctx.record(runStarted(plan, { run, operator: "ana", cdcctl: "test" }));
        await recordDecided(factsFor(plan.intent, world), ctx);
        return carryOut(plan.steps, ctx);
      }),
    recover: () => sit(true, recoverRun),
    abandon: () => sit(true, abandonRun),
    resume: () => sit(true, resumeSettled),
    async settle() {
      for (let attempt = 0; attempt < 40; attempt++) {
        const state = runState(entries);
        if (state === undefined || state.ended !== undefined) return;
        const report = await attempts.recover();
        const unanswered = runState(entries)?.steps.get("wait-for-ack") === "unclear" && attempt >= 5;
        if (report !== "killed" && (report.code === "APL807" || unanswered)) await attempts.abandon();
      }
      throw new Error(`not settled after 40 attempts: ${runState(entries)?.lastProblem}`);
    },
  };
  return attempts;
}

function factsFor({ kind }: Intent, world: MemoryWorld): Facts {
  return kind === "Resnapshot" ? world.snapshotFacts() : world.facts();
}

/** Plans against what the world shows now, whether it was applied before or not. */
export function planAgain(intent: Intent, world: MemoryWorld): Plan {
  return planFor(intent, factsFor(intent, world), { again: true });
}

/** A plan that can't be applied is a mistake of the test. */
export const planNow = (intent: Intent, world: MemoryWorld): Plan => ready(planAgain(intent, world));

/** @throws Error with what blocks it */
export function ready<P extends Plan>(plan: P): P {
  if (plan.outcome.state !== "ready") {
    const blocking = plan.findings.filter(({ effect }) => effect === "blocks");
    throw new Error(
      `not ready: ${plan.outcome.state} ${blocking.map(({ code, seen }) => `${code} ${seen}`).join("; ")}`,
    );
  }
  return plan;
}
