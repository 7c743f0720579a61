import type { Finding } from "../../checks/finding.ts";
import { buildTimeline, WITH_GAP } from "../../timeline/testing/build-timeline.ts";
import type { ConnectorPlan } from "../plan.ts";
import { buildPlan, findingsWith, lateCommit, redoWithGap, STORED } from "./build-plan.ts";
import { MIGRATION_EXAMPLES } from "./example-migrations.ts";
import { SNAPSHOT_EXAMPLES, torn } from "./example-snapshots.ts";
import { HOSTILE } from "./hostile.ts";

/** One plan of each sort that an operator meets. */

export const backward: ConnectorPlan = buildPlan({ timeline: buildTimeline({ target: 2169287n }) });

export const forwardAllowed: ConnectorPlan = buildPlan({
  name: "skip-ahead",
  to: 2230000n,
  intent: { allowSkip: true, resume: false, accept: ["TRX501"] },
  torn,
  zone: "+01:00",
  findings: findingsWith(
    {
      code: "TRX501",
      title: "Open transactions would be torn",
      verdict: "fail",
      effect: "accepted",
      seen: "2 open transactions began before 2230000: 1:4.9.771 (APP_ORDERS) from 2204000, 1:8.30.9001 from 2229500",
      remedies: ["Wait until they have ended, or accept it: spec.accept: [TRX501]."],
      at: { path: "spec.accept", file: "skip-ahead.yaml", line: 14n },
    },
    {
      code: "TRX502",
      title: "Transactions that have ended since can't be seen",
      verdict: "fail",
      effect: "warns",
      seen: "transactions that were open at 2230000 and have ended since can't be seen; they are torn as well",
      remedies: ["Choose a target at a quiet moment."],
    },
    lateCommit,
  ),
});

const forwardRefused: Finding = {
  code: "OFF103",
  title: "A forward move skips commits",
  verdict: "fail",
  effect: "blocks",
  seen:
    "2230000 is 25489 SCNs ahead of the stored 2204511: every commit in between would be skipped, for all captured " +
    "tables, and not delivered later",
  remedies: ["If that is what you want:   spec.allowSkip: true", "If redo is gone:            cdcctl init resnapshot"],
  at: { path: "spec.allowSkip", file: "skip-ahead.yaml", line: 10n },
};

export const forwardBlocked: ConnectorPlan = buildPlan({
  name: "skip-ahead",
  to: 2230000n,
  findings: findingsWith(forwardRefused, lateCommit),
});

export const blockedByGap: ConnectorPlan = buildPlan({
  timeline: buildTimeline({ target: 2169287n, firstAvailable: 2190412n, catalogue: WITH_GAP }),
  redo: redoWithGap,
  findings: findingsWith(
    {
      code: "OFF102",
      title: "Redo from the target to now is not all there",
      verdict: "fail",
      effect: "blocks",
      seen: redoWithGap.faults.map(({ code, message }) => `${code} ${message}`).join("; "),
      remedies: [
        "Bring the logs back (RMAN):  RESTORE ARCHIVELOG FROM SEQUENCE 119 UNTIL SEQUENCE 120 THREAD 1;",
        "The nearest SCN that works:  2190412",
        "If the logs can't be brought back, the changes in the gap are lost; snapshot the tables again:  cdcctl " +
          "init resnapshot",
      ],
      at: { path: "spec.scn", file: "orders-replay.yaml", line: 11n },
    },
    {
      code: "RED202",
      title: "Missing logs are listed under another destination",
      verdict: "fail",
      effect: "warns",
      seen: "thread 1 sequence 119 under destination 2",
      remedies: [
        "Restore them to the connector's destination (RMAN: SET ARCHIVELOG DESTINATION), or set " +
          "cdc.archive.destination.",
      ],
    },
    lateCommit,
  ),
});

export const nothingToDo: ConnectorPlan = buildPlan({
  to: 2204511n,
  after: STORED,
  outcome: { state: "no-op", why: "the stored offset is already as wanted, field by field" },
});

export const initial: ConnectorPlan = buildPlan({
  name: "orders-first-offset",
  stored: null,
  state: "STOPPED",
  tasks: [],
  findings: findingsWith(
    {
      code: "OFF110",
      title: "No offset is stored",
      verdict: "fail",
      effect: "warns",
      seen: "orders-cdc has no stored offset yet; one for 2169287 would be stored",
      remedies: ["Check that the connector has never run, or that its offset was removed on purpose."],
    },
    lateCommit,
  ),
});

export const hostile: ConnectorPlan = buildPlan({
  name: HOSTILE,
  connector: HOSTILE,
  connectUrl: `http://${HOSTILE}`,
  state: HOSTILE,
  tasks: [{ id: 0n, state: HOSTILE, worker: HOSTILE }],
  to: 2230000n,
  zone: HOSTILE,
  stored: { ...STORED, last_commit_xid: HOSTILE, released_xids: HOSTILE, [HOSTILE]: HOSTILE },
  intent: { metadata: { name: HOSTILE, reason: HOSTILE, ticket: HOSTILE } },
  torn: [{ xid: HOSTILE, startScn: 1n, startedAt: undefined, user: HOSTILE, clientId: HOSTILE, seenIn: "both" }],
  findings: findingsWith(
    {
      ...forwardRefused,
      seen: HOSTILE,
      remedies: [HOSTILE, `Do:  ${HOSTILE}`],
      at: { path: "spec.scn", file: HOSTILE },
    },
    { ...lateCommit, seen: HOSTILE, remedies: [HOSTILE] },
  ),
});

/** A blocked plan with very many refusals, findings and torn transactions. */
export function enormous(count: number): ConnectorPlan {
  const many = <T>(make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  return buildPlan({
    to: 2230000n,
    torn: many((i) => ({
      xid: `1:4.9.${i}`,
      startScn: 2204000n + BigInt(i),
      startedAt: undefined,
      user: "Пользователь|`",
      clientId: undefined,
      seenIn: "both" as const,
    })),
    findings: [
      ...findingsWith(),
      ...many((i): Finding => ({ ...forwardRefused, code: `OFF${i}`, seen: `refusal ${i}: ${forwardRefused.seen}` })),
      ...many((i): Finding => ({ ...lateCommit, code: `CON${i}` })),
    ],
  });
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
