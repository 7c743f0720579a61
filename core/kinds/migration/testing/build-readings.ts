import type { Check } from "../../../checks/check.ts";
import { type Finding, findings } from "../../../checks/finding.ts";
import type * as of from "../../../checks/readings.ts";
import { worded } from "../../../checks/testing/wording.ts";
import type { MigrationIntent, VerifyIntent } from "../../../document/intent.ts";
import { lineOf } from "../../../values/remedy.ts";
import { readCutover } from "../../cutover/reading.ts";
import { readReturn } from "../../cutover-rollback/reading.ts";
import { readRetirement } from "../../retirement/reading.ts";
import { readVerification } from "../../verification/plan.ts";
import {
  type CutoverParts,
  cutoverFacts,
  type RetirementParts,
  type ReturnParts,
  retirementFacts,
  returnFacts,
  type VerificationParts,
  verificationFacts,
} from "./build-facts.ts";

/** The intent of a phase, what is read from its facts, and what a check says of that. */

export interface IntentParts extends Partial<Omit<MigrationIntent, "origin" | "from" | "to" | "verify">> {
  readonly from?: Partial<MigrationIntent["from"]>;
  readonly to?: Partial<MigrationIntent["to"]>;
  /** Null: the plan file has none. */
  readonly verify?: Partial<VerifyIntent> | null;
}

type MigrationReading = of.CutoverReading | of.VerificationReading | of.ReturnReading | of.RetirementReading;

/** The cutover of `orders-legacy` to `orders-cdc`, unless the parts say otherwise. */
export function intent({ from, to, verify, ...parts }: IntentParts = {}): MigrationIntent {
  return {
    kind: "Migration",
    metadata: { name: "orders-to-cdc", reason: "leave the legacy connector", ticket: undefined },
    target: { context: "prod", connectUrl: undefined, connector: to?.name ?? "orders-cdc" },
    origin: {
      by: "plan file",
      file: "orders-to-cdc.yaml",
      lines: { spec: 8n, "spec.to": 12n, "spec.verify": 16n, "spec.verify.tables": 17n, "spec.accept": 20n },
    },
    phase: "cutover",
    from: { connector: "orders-legacy", leaveOut: [], ...from },
    to: { name: "orders-cdc", topicPrefix: "orders", config: {}, ...to },
    verify:
      verify === null
        ? undefined
        : {
            tables: ["SALES.ORDERS", "SALES.LINES"],
            topics: {},
            legacyTopics: { "SALES.ORDERS": "ORCLPDB1.SALES.ORDERS", "SALES.LINES": "ORCLPDB1.SALES.LINES" },
            checkScn: undefined,
            safetyMargin: 30_000n,
            wait: 600_000n,
            ignoreColumns: {},
            showValues: false,
            ...verify,
          },
    evidence: "orders-to-cdc.evidence.json",
    deleteTopics: false,
    deleteLicenceTopic: false,
    opsFormat: undefined,
    accept: [],
    ...parts,
  };
}

export function cutover(parts: CutoverParts = {}, wanted: MigrationIntent = intent()): of.CutoverReading {
  return readCutover(wanted, cutoverFacts(parts));
}

export function goingBack(
  parts: ReturnParts = {},
  wanted: MigrationIntent = intent({ phase: "rollback" }),
): of.ReturnReading {
  return readReturn(wanted, returnFacts(parts));
}

export function verification(
  parts: VerificationParts = {},
  wanted: MigrationIntent = intent({ phase: "verify" }),
): of.VerificationReading {
  return readVerification(wanted, verificationFacts(parts));
}

export function retirement(
  parts: RetirementParts = {},
  wanted: MigrationIntent = intent({ phase: "retire" }),
): of.RetirementReading {
  return readRetirement(wanted, retirementFacts(parts));
}

type CheckOf<R> = Check<MigrationIntent, R>;

function found<R extends MigrationReading>(check: CheckOf<R>, on: R, wanted: MigrationIntent): Finding {
  const [finding] = findings([worded(check)], wanted, on);
  if (finding === undefined) throw new Error("no finding");
  return finding;
}

/** What follows from a check: `none` when it passes. */
export function effectOf<R extends MigrationReading>(
  check: CheckOf<NoInfer<R>>,
  on: R,
  wanted: MigrationIntent = intent(),
): Finding["effect"] {
  return found(check, on, wanted).effect;
}

/** Whether it failed, or could not tell. */
export function verdictOf<R extends MigrationReading>(
  check: CheckOf<NoInfer<R>>,
  on: R,
  wanted: MigrationIntent = intent(),
): Finding["verdict"] {
  return found(check, on, wanted).verdict;
}

/** What a check saw, and the ways out that it offers, one a line; empty when it passes. */
export function resultOf<R extends MigrationReading>(
  check: CheckOf<NoInfer<R>>,
  on: R,
  wanted: MigrationIntent = intent(),
): string {
  const { verdict, seen, remedies } = found(check, on, wanted);
  return verdict === "pass" ? "" : [seen ?? "", ...remedies.map(lineOf)].join("\n");
}
