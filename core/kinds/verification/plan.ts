import { CHECKS } from "../../checks/catalogue.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import type { VerificationFacts } from "../../facts/migration-facts.ts";
import type { MigrationPlan, MigrationShown } from "../../plan/migration-plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { digestOf } from "../../values/digest.ts";
import { phasePlan } from "../migration/plan.ts";
import { readVerification } from "./reading.ts";

/** Resolves a verification against its facts. Pure: the same intent and facts give the same plan. */
export function planVerification(intent: MigrationIntent, facts: VerificationFacts): MigrationPlan {
  const reading = readVerification(intent, facts);
  const tables = reading.tables.flatMap((table) => (table.ok ? [table.verified] : []));
  const { evidence } = intent;
  const shown: MigrationShown = { phase: "verify", tables, checkScn: intent.verify?.checkScn, evidence };
  const steps: readonly PlannedStep[] = tables.length === 0 ? [] : [{ step: "verify-tables", tables, evidence }];
  const findings = findingsOf(CHECKS.Verification, intent, reading);
  return phasePlan(intent, reading, undefined, findings, shown, steps, {
    ...(intent.verify === undefined ? {} : { verify: digestOf(intent.verify) }),
    evidence,
  });
}
