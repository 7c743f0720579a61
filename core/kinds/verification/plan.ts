import type { VerificationFacts } from "../../../schemas/generated/facts.ts";
import type { DecidedMigration } from "../../../schemas/generated/plan.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import { findings as findingsOf } from "../../checks/finding.ts";
import type { VerificationReading } from "../../checks/readings.ts";
import type { MigrationIntent } from "../../document/intent.ts";
import { reroutings } from "../../facts/connector/plugins.ts";
import { capturedIn } from "../../facts/tables/tables.ts";
import type { Plan } from "../../plan/plan.ts";
import type { PlannedStep } from "../../plan/steps.ts";
import { digestOf } from "../../values/digest.ts";
import type { Kind } from "../kind.ts";
import { nothingToRollBack, ofTwoConnectors, resolvedPhase } from "../migration/plan.ts";
import { phaseByIntent } from "../migration/reading.ts";
import { verificationSaid } from "../migration/shown.ts";
import { newTopics } from "../migration/topics.ts";
import { strayKeys, verifiedTables } from "../migration/verified-tables.ts";
import { verificationChecks } from "./checks.ts";
import { observeVerification } from "./observe.ts";

export function readVerification(intent: MigrationIntent, facts: VerificationFacts): VerificationReading {
  const { settings } = facts;
  const captured = capturedIn({ ...settings.tables, stated: intent.capturedTables }, facts.dictionary);
  const written = newTopics(intent, facts, captured.known ? captured.tables : []);
  const told = written.known && reroutings(settings.config).length === 0;
  return {
    facts,
    captured,
    tables: captured.known ? verifiedTables(intent, facts, captured.tables) : [],
    strays: strayKeys(intent),
    mayBeLegacy: (topic) => told && !written.has(topic),
  };
}

/** Resolves a verification against its facts. Pure: the same intent and facts give the same plan. */
export function planVerification(intent: MigrationIntent, facts: VerificationFacts): Plan<"Migration"> {
  const reading = readVerification(intent, facts);
  const tables = reading.tables.flatMap((table) => (table.ok ? [table.verified] : []));
  const { evidence } = intent;
  const steps: readonly PlannedStep[] = tables.length === 0 ? [] : [{ step: "verify-tables", tables, evidence }];
  const findings = findingsOf(verificationChecks, intent, reading);
  const plan = resolvedPhase(intent, reading, undefined, findings, steps, compared(intent));
  return { ...plan, ...verificationSaid(plan, tables) };
}

function compared({ verify, evidence }: MigrationIntent): Pick<DecidedMigration, "verify" | "evidence"> {
  return { ...(verify === undefined ? {} : { verify: digestOf(verify) }), evidence };
}

/** A comparison of tables with topics: it changes nothing. */
export const verification: Kind<MigrationIntent, VerificationFacts, MigrationSubject> = {
  ...ofTwoConnectors,
  observe: observeVerification,
  plan: planVerification,
  byIntent: (intent) => ({ decided: phaseByIntent("verify", intent, compared(intent)) }),
  rollback: nothingToRollBack("a verification, which changed nothing"),
};
