import type { RedoCatalogue } from "../../../schemas/generated/facts.ts";
import type { Finding } from "../../checks/finding.ts";
import { planFor } from "../../kinds/catalogue.ts";
import type * as migrationFacts from "../../kinds/migration/testing/build-facts.ts";
import {
  cutoverFacts,
  retirementFacts,
  returnFacts,
  verificationFacts,
} from "../../kinds/migration/testing/build-facts.ts";
import * as migration from "../../kinds/migration/testing/build-readings.ts";
import * as offset from "../../kinds/offset-change/testing/build-facts.ts";
import { archived, CATALOGUE, known } from "../../kinds/offset-change/testing/build-facts.ts";
import * as snapshot from "../../kinds/resnapshot/testing/build-facts.ts";
import type { Plan } from "../plan.ts";

/**
 * Plans for tests, made as cdcctl makes them: of an intent and facts, so that each is one that can occur. A test names
 * only what makes its plan what it is; all else is that of `orders-cdc`, and of `orders-legacy`.
 */

export const TIMES = [
  { scn: 2169287n, at: "2026-11-20T18:30:00Z" },
  { scn: 2204498n, at: "2026-11-20T19:02:08Z" },
  { scn: 2204511n, at: "2026-11-20T19:02:11Z" },
  { scn: 2230000n, at: "2026-11-20T19:23:51Z" },
  { scn: 2241020n, at: "2026-11-21T09:14:02Z" },
];

const log = (sequence: bigint, [firstScn, firstTime]: Edge, [nextScn, nextTime]: Edge) =>
  archived(sequence, firstScn, nextScn, { bytes: 400_000_000n, firstTime, nextTime });
type Edge = readonly [scn: bigint, at: string];
const EDGES: readonly Edge[] = [
  [2150000n, "2026-11-20T18:21:40Z"],
  [2171000n, "2026-11-20T18:31:02Z"],
  [2180000n, "2026-11-20T18:39:20Z"],
  [2190412n, "2026-11-20T18:47:55Z"],
  [2220000n, "2026-11-20T19:15:03Z"],
];

/** Sequences 118 to 121, of 400 MB each; 122 is on line. */
export const REDO: RedoCatalogue = {
  ...CATALOGUE,
  archived: EDGES.slice(1).map((next, i) => log(118n + BigInt(i), EDGES[i] ?? next, next)),
};

const GONE = [119n, 120n];

/** Two logs behind the target are gone; one of them was restored to another destination. */
export const REDO_WITH_GAP: RedoCatalogue = {
  ...REDO,
  archived: REDO.archived.flatMap((one) => {
    if (!GONE.includes(one.sequence)) return [one];
    return one.sequence === 119n ? [{ ...one, destination: 2n, name: "/restore/1_119_1.arc" }] : [];
  }),
};

/** Two logs behind the stored position are gone; everything from 2230000 on is there. */
export const REDO_GONE: RedoCatalogue = {
  ...REDO,
  archived: [
    log(118n, [2150000n, "2026-11-20T18:21:40Z"], [2206000n, "2026-11-20T19:05:02Z"]),
    log(121n, [2230000n, "2026-11-20T19:23:51Z"], [2240000n, "2026-11-21T09:00:00Z"]),
  ],
  online: REDO.online.map((one) => ({ ...one, firstScn: 2240000n })),
};

/** A plan with more findings, as checks to come may add them. */
export function withFindings<P extends Plan>(plan: P, more: readonly Finding[]): P {
  const blocks = plan.outcome.state === "ready" && more.some(({ effect }) => effect === "blocks");
  return {
    ...plan,
    findings: [...plan.findings, ...more],
    outcome: blocks ? { state: "blocked" } : plan.outcome,
  };
}

/** A move back to 2169287 that resumes. */
export function offsetPlan(intent: offset.IntentParts = {}, facts: offset.FactsParts = {}): Plan<"OffsetChange"> {
  const wanted = offset.intent({
    metadata: { name: "orders-replay", reason: "replay after the bad deploy of 20 November", ticket: "CHG-4711" },
    resume: true,
    ...intent,
  });
  return planFor(wanted, offset.facts({ catalogue: REDO, times: known(TIMES), ...facts }));
}

/** A resnapshot of both captured tables past the gap of `REDO_GONE`, which resumes. */
export function snapshotPlan(intent: snapshot.IntentParts = {}, facts: snapshot.FactsParts = {}): Plan<"Resnapshot"> {
  const wanted = snapshot.intent({
    metadata: { name: "orders-after-purge", reason: "archived logs purged during the outage", ticket: "CHG-4712" },
    resume: true,
    ...intent,
  });
  const tables = [snapshot.table("ORDERS"), snapshot.table("LINES")];
  return planFor(wanted, snapshot.facts({ catalogue: REDO_GONE, times: known(TIMES), tables, ...facts }));
}

function migrationIntent(parts: migration.IntentParts) {
  return migration.intent({
    metadata: { name: "orders-to-cdc", reason: "leave the legacy connector", ticket: "CHG-4800" },
    ...parts,
  });
}

/** A cutover with nothing in the way. */
export function cutoverPlan(
  intent: migration.IntentParts = {},
  facts: migrationFacts.CutoverParts = {},
): Plan<"Migration"> {
  return planFor(migrationIntent(intent), cutoverFacts({ catalogue: REDO, times: known(TIMES), ...facts }));
}

/** The verification of the two tables. */
export function verificationPlan(
  intent: migration.IntentParts = {},
  facts: migrationFacts.VerificationParts = {},
): Plan<"Migration"> {
  return planFor(migrationIntent({ phase: "verify", ...intent }), verificationFacts(facts));
}

/** The rollback of the cutover. */
export function rollbackPlan(
  intent: migration.IntentParts = {},
  facts: migrationFacts.ReturnParts = {},
): Plan<"Migration"> {
  return planFor(
    migrationIntent({ phase: "rollback", ...intent }),
    returnFacts({ catalogue: REDO, times: known(TIMES), ...facts }),
  );
}

/** The retirement of the legacy connector. */
export function retirementPlan(
  intent: migration.IntentParts = {},
  facts: migrationFacts.RetirementParts = {},
): Plan<"Migration"> {
  return planFor(migrationIntent({ phase: "retire", ...intent }), retirementFacts(facts));
}
