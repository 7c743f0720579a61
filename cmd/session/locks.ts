import { isMigration, type Plan } from "../../core/plan/plan.ts";
import type { Lock, StatePort } from "../../core/ports/state.ts";
import type { RunSubject } from "../../core/run/subject.ts";

/** The connectors that a plan's run would change. */
export function connectorsOfPlan(plan: Plan): readonly string[] {
  const { connector } = plan.intent.target;
  return isMigration(plan) ? [connector, plan.intent.from.connector] : [connector];
}

/** The connectors that a run changes. */
export function connectorsOf(subject: RunSubject): readonly string[] {
  return subject.command === "migrate" ? [subject.connector, subject.legacy] : [subject.connector];
}

/**
 * Locks connectors, always in one order, so that two commands never wait for each other's. @throws Refusal `STA701`,
 * with none held
 */
export async function lockAll(
  connectors: readonly string[],
  clusterId: string,
  state: StatePort,
  command: string,
): Promise<Lock> {
  const held: Lock[] = [];
  const release = async () => {
    for (const lock of held.toReversed()) await lock.release();
  };
  try {
    for (const connector of [...connectors].sort()) held.push(await state.lock({ clusterId, connector }, command));
  } catch (failure) {
    await release();
    throw failure;
  }
  return { release };
}
