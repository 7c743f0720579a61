import { CHECKS } from "../../checks/catalogue.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { isStopped } from "../../facts/connector/connector.ts";
import type { CutoverFacts } from "../../facts/migration-facts.ts";
import { storedStart } from "../../legacy/stored-start.ts";
import { redactTranslation } from "../../legacy/translation.ts";
import type { MigrationPlan, MigrationShown, Preflight } from "../../plan/migration-plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { redactConfiguration } from "../../redaction/redact.ts";
import { drawn, phasePlan, takeoverShown } from "../migration/plan.ts";
import type { ResolveOptions } from "../resolve-options.ts";
import { type CutoverReading, readCutover } from "./reading.ts";

/** Resolves a cutover against its facts. Pure: the same intent and facts give the same plan. */
export function planCutover(
  intent: MigrationIntent,
  facts: CutoverFacts,
  { again = false }: Pick<ResolveOptions, "again"> = {},
): MigrationPlan {
  const reading = readCutover(intent, facts);
  const { takeover, createdStopped } = reading;
  const { from, to } = intent;
  const shown: MigrationShown = {
    phase: "cutover",
    translation: redactTranslation(facts.translation),
    configuration: redactConfiguration(facts.settings.config),
    preflight: preflight(facts),
    takeover: takeoverShown(reading),
    redo: takeover.redo?.known ? takeover.redo.value : undefined,
    createdStopped,
  };
  const steps: readonly PlannedStep[] = [
    ...(storedStart(facts.legacy.config).is === "above open transactions" && !isStopped(facts.legacy.status)
      ? [{ step: "record-transactions", legacy: from.connector } as const]
      : []),
    { step: "stop-connector", connector: from.connector },
    { step: "recheck", legacy: from.connector },
    { step: "create-connector", connector: to.name, stopped: createdStopped },
    { step: "start-new", connector: to.name },
  ];
  const plan = phasePlan(intent, reading, facts.legacy, findingsOf(CHECKS.Cutover, intent, reading), shown, steps, {
    leaveOut: [...from.leaveOut].sort(),
  });
  return appliedBefore(facts, again, { ...plan, ...drawn(intent, reading) });
}

/**
 * A cutover that stands is not refused for what it has created itself: its decision was carried out, and nothing after
 * it.
 */
function appliedBefore({ latest, next }: CutoverFacts, again: boolean, plan: MigrationPlan): MigrationPlan {
  if (again || next === undefined || !latest.known || latest.value?.decision !== plan.decision) return plan;
  const { run, at } = latest.value;
  const why = `this decision was applied already by run ${run} (${at}); --again repeats it`;
  return { ...plan, outcome: { state: "no-op", why }, findings: [] };
}

function preflight({ installed, problems, lacking }: CutoverReading["facts"]): Preflight {
  return {
    installed: installed.known ? installed.value : undefined,
    // Without its class no worker is asked.
    problems: installed.known && installed.value && problems.known ? problems.value : undefined,
    masked: lacking,
  };
}
