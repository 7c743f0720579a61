import type { Finding } from "../../checks/finding.ts";
import { known, STORED } from "../../kinds/offset-change/testing/build-facts.ts";
import type { Plan } from "../plan.ts";
import { offsetPlan, REDO_WITH_GAP, withFindings } from "./build-plan.ts";
import { MIGRATION_EXAMPLES } from "./example-migrations.ts";
import { OPEN_TRANSACTIONS, SNAPSHOT_EXAMPLES } from "./example-snapshots.ts";
import { HOSTILE } from "./hostile.ts";

/** One plan of each sort that an operator meets. */

export const backward: Plan<"OffsetChange"> = offsetPlan();

const FORWARD = { position: { to: "scn", scn: 2230000n } } as const;

const SKIP_AHEAD = {
  ...FORWARD,
  file: "skip-ahead.yaml",
  lines: { spec: 10n, "spec.scn": 11n },
  metadata: { name: "skip-ahead", reason: "replay after the bad deploy of 20 November", ticket: "CHG-4711" },
} as const;

export const forwardAllowed: Plan<"OffsetChange"> = offsetPlan(
  { ...SKIP_AHEAD, allowSkip: true, removeJournaledTransactions: true, resume: false, accept: ["TRX501"] },
  { ...OPEN_TRANSACTIONS, database: { zone: "+01:00" } },
);

export const forwardBlocked: Plan<"OffsetChange"> = offsetPlan(SKIP_AHEAD);

export const blockedByGap: Plan<"OffsetChange"> = offsetPlan({}, { catalogue: REDO_WITH_GAP });

export const nothingToDo: Plan<"OffsetChange"> = offsetPlan(
  { position: { to: "scn", scn: 2204511n }, resume: false },
  { stored: asWanted() },
);

/** The wanted offset without the redo address, which a move takes away. */
function asWanted() {
  const { resume_rs_id: _rsId, resume_ssn: _ssn, ...kept } = STORED;
  return kept;
}

export const initial: Plan<"OffsetChange"> = offsetPlan(
  {
    metadata: { name: "orders-first-offset", reason: "replay after the bad deploy of 20 November", ticket: undefined },
  },
  { stored: null, connector: { status: { state: "STOPPED", worker: "worker-2:8083", tasks: [] } } },
);

const hostileStatus = { state: HOSTILE, worker: HOSTILE, tasks: [{ id: 0n, state: HOSTILE, worker: HOSTILE }] };

export const hostile: Plan<"OffsetChange"> = offsetPlan(
  {
    ...SKIP_AHEAD,
    file: HOSTILE,
    metadata: { name: HOSTILE, reason: HOSTILE, ticket: HOSTILE },
    accept: [HOSTILE],
  },
  {
    connector: { name: HOSTILE, connectorClass: HOSTILE, opsTopic: HOSTILE, status: hostileStatus },
    worker: { url: `http://${HOSTILE}`, version: HOSTILE, clusterId: HOSTILE },
    database: { name: HOSTILE, zone: HOSTILE, address: HOSTILE },
    stored: { ...STORED, resume_rs_id: HOSTILE, released_xids: HOSTILE, [HOSTILE]: HOSTILE },
    journaled: known([{ xid: HOSTILE, container: 3n, firstScn: 1n, user: HOSTILE, clientId: HOSTILE }]),
  },
);

/** A blocked plan with very many refusals, findings and torn transactions. */
export function enormous(count: number): Plan<"OffsetChange"> {
  const plan = offsetPlan(FORWARD, {
    journaled: known(
      Array.from({ length: count }, (_, i) => ({
        xid: `4.9.${i}`,
        container: 3n,
        firstScn: 2204000n + BigInt(i % 1000),
        user: "Пользователь|`",
        clientId: undefined,
      })),
    ),
  });
  const found = plan.findings.filter(({ effect }) => effect === "blocks" || effect === "warns");
  return withFindings({ ...plan, findings: plan.findings.filter((one) => !found.includes(one)) }, [
    ...many(
      found.find(({ code }) => code === "OFF103"),
      "OFF",
      count,
    ),
    ...many(
      found.find(({ code }) => code === "CON304"),
      "CON",
      count,
    ),
  ]);
}

function many(finding: Finding | undefined, family: string, count: number): readonly Finding[] {
  if (finding === undefined) throw new Error(`no finding of ${family}`);
  const seen = (i: number) => (family === "OFF" ? `refusal ${i}: ${finding.seen}` : (finding.seen ?? ""));
  return Array.from({ length: count }, (_, i) => ({ ...finding, code: `${family}${i}`, seen: seen(i) }));
}

export const EXAMPLES = {
  backward,
  "forward-allowed": forwardAllowed,
  "forward-blocked": forwardBlocked,
  "blocked-by-gap": blockedByGap,
  "nothing-to-do": nothingToDo,
  initial,
  hostile,
  ...SNAPSHOT_EXAMPLES,
  ...MIGRATION_EXAMPLES,
} as const;
