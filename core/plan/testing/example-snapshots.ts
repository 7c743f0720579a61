import type { Finding } from "../../checks/finding.ts";
import type { UnlistedTable } from "../../facts/redo/gap.ts";
import { COUNTS_GONE } from "../../facts/tables/evidence.ts";
import type { ConnectorPlan } from "../plan.ts";
import { findingsWith, lateCommit } from "./build-plan.ts";
import { buildSnapshotPlan, redoGone, redoThere } from "./build-snapshot-plan.ts";
import { HOSTILE } from "./hostile.ts";

/** One plan of a resnapshot of each sort that an operator meets. */

/** All redo is there: nothing moves. */
export const signalOnly: ConnectorPlan = buildSnapshotPlan({
  name: "orders-again",
  captured: 41n,
  redo: redoThere,
  intent: {
    metadata: { name: "orders-again", reason: "a consumer lost its state", ticket: "CHG-4713" },
    resume: false,
    waitForAck: 300_000n,
  },
});

/** It failed over redo that has been brought back since. */
export const failedForNothing: ConnectorPlan = buildSnapshotPlan({
  captured: 41n,
  redo: redoThere,
  connectorShown: {
    state: "FAILED",
    tasks: [{ id: 0n, state: "FAILED", worker: "worker-2:8083" }],
    failedWith: "CDC-2002",
  },
});

/** `ORCLPDB1.SALES.` tables that are not named, each with other evidence. */
export const unlistedTables: readonly UnlistedTable[] = [
  {
    table: "ORCLPDB1.SALES.ADDRESSES",
    evidence: {
      says: "nothing seen",
      lastDdl: "2024-02-11T08:00:00Z",
      modifications: {
        inserts: 0n,
        updates: 12n,
        deletes: 0n,
        truncated: false,
        at: "2026-11-19T22:00:03Z",
      },
    },
  },
  {
    table: "ORCLPDB1.SALES.COUNTRIES",
    evidence: {
      says: "unknown",
      lastDdl: "2019-05-02T10:14:00Z",
      analyzed: "2026-11-20T22:00:03Z",
      unseen: COUNTS_GONE,
    },
  },
  {
    table: "ORCLPDB1.SALES.INVOICES",
    evidence: {
      says: "changed",
      lastDdl: "2026-03-01T21:30:11Z",
      modifications: {
        inserts: 1204n,
        updates: 33n,
        deletes: 0n,
        truncated: false,
        at: "2026-11-20T19:20:40Z",
      },
      rowScn: 2241002n,
    },
  },
  {
    table: "ORCLPDB1.SALES.INVOICES_ARCHIVE_BEFORE_2020_DO_NOT_DROP",
    evidence: {
      says: "unknown",
      unseen: "MAX(ORA_ROWSCN) of ORCLPDB1.SALES.INVOICES_ARCHIVE_BEFORE_2020_DO_NOT_DROP: ORA-01031",
    },
  },
  {
    table: "ORCLPDB1.SALES.STAGING",
    evidence: {
      says: "changed",
      lastDdl: "2026-11-20T19:11:00Z",
      modifications: {
        inserts: 0n,
        updates: 0n,
        deletes: 0n,
        truncated: true,
        at: "2026-11-20T19:11:00Z",
      },
    },
  },
];

export const torn: ConnectorPlan["torn"] = [
  {
    xid: "1:4.9.771",
    startScn: 2204000n,
    startedAt: "2026-11-20T19:01:40Z",
    user: "APP_ORDERS",
    clientId: "batch-7",
    seenIn: "both",
  },
  {
    xid: "1:8.30.9001",
    startScn: 2229500n,
    startedAt: undefined,
    user: undefined,
    clientId: undefined,
    seenIn: "journal",
  },
];

/** The operator asserts that the unlisted tables lose nothing, and waits for the connector's answer. */
export const pastGap: ConnectorPlan = buildSnapshotPlan({
  unlisted: unlistedTables,
  intent: { skipGapForUnlistedTables: "all", waitForAck: 300_000n, readRowScns: true },
});

/** No table is left out. */
export const pastGapWhole: ConnectorPlan = buildSnapshotPlan();

export const unlistedRefused: Finding = {
  code: "SNP903",
  title: "Captured tables that are not named lose changes",
  verdict: "fail",
  effect: "blocks",
  seen:
    "5 captured tables are not named and would lose what happened in the gap: " +
    `${unlistedTables.map(({ table }) => table).join(", ")}`,
  remedies: [
    "Name them as well: spec.tables.",
    "Only if you know that they had no changes in the gap:  spec.skipGapForUnlistedTables: true",
  ],
  at: { path: "spec.skipGapForUnlistedTables", file: "orders-after-purge.yaml", line: 12n },
};

export const unlistedBlocked: ConnectorPlan = buildSnapshotPlan({
  unlisted: unlistedTables,
  findings: findingsWith(unlistedRefused, lateCommit),
});

const [fault] = redoGone.faults;

/** Nothing after the gap is whole either, and one of the logs is still on line. */
export const noScnAfterGap: ConnectorPlan = buildSnapshotPlan({
  redo: {
    ...redoGone,
    faults: [
      ...(fault === undefined ? [] : [fault]),
      {
        code: "CDC-2002",
        reason: "cannot be opened",
        thread: 1n,
        fromSequence: 121n,
        toSequence: 123n,
        firstScn: 2230000n,
        nextScn: 2240000n,
        firstTime: "2026-11-20T19:23:51Z",
        nextTime: "2026-11-21T09:00:00Z",
        files: ["/arch/1_121_1.arc", "/arch/1_122_1.arc", "/arch/1_123_1.arc"],
        message: "thread 1 sequences 121 to 123 can't be opened (ORA-00308): /arch/1_121_1.arc and 2 more",
      },
      {
        code: "CDC-2002",
        reason: "online log unreadable",
        thread: 1n,
        fromSequence: 124n,
        toSequence: 124n,
        firstScn: 2240000n,
        nextScn: undefined,
        firstTime: "2026-11-21T09:00:00Z",
        nextTime: undefined,
        files: [],
        message: "thread 1 sequence 124 still on line, but no member of it can be read",
      },
    ],
    firstAvailable: undefined,
    earliest: undefined,
  },
  findings: findingsWith(
    {
      code: "SNP905",
      title: "There is no SCN after the gap",
      verdict: "fail",
      effect: "blocks",
      seen:
        "CDC-2001 thread 1 sequences 119 to 120 missing, and more; after it there is no SCN from which all redo up " +
        "to now is present",
      remedies: [
        "Bring the logs back (RMAN):  RESTORE ARCHIVELOG FROM SEQUENCE 119 UNTIL SEQUENCE 120 THREAD 1;",
        "Or wait for the next log switch, and plan again.",
      ],
    },
    lateCommit,
  ),
});

export const tornWaited: ConnectorPlan = buildSnapshotPlan({
  unlisted: unlistedTables.slice(0, 2),
  torn,
  zone: "+01:00",
  intent: {
    skipGapForUnlistedTables: ["ORCLPDB1.SALES.ADDRESSES", "ORCLPDB1.SALES.COUNTRIES"],
    waitForTransactions: 600_000n,
  },
  findings: findingsWith(
    {
      code: "TRX504",
      title: "Waiting clears the named tables only",
      verdict: "fail",
      effect: "warns",
      seen: "2 transactions are waited for; in the 2 unlisted tables they stay torn",
      remedies: ["Name every captured table that such a transaction may touch."],
    },
    lateCommit,
  ),
});

/** Whether redo is gone can't be told. */
export const redoUnseen: ConnectorPlan = buildSnapshotPlan({
  redo: undefined,
  captured: undefined,
  tables: [],
  intent: { tables: ["ORCLPDB1.SALES.ORDERS"] },
  findings: findingsWith({
    code: "SNP904",
    title: "Whether redo is gone can not be told",
    verdict: "unknown",
    effect: "blocks",
    seen: "the redo can't be seen: ORA-00942: table or view does not exist",
    remedies: ["GRANT SELECT ON V_$ARCHIVED_LOG TO C##CDC CONTAINER=ALL;"],
  }),
});

const LONG_NAME = `ORCLPDB1.${"Ä".repeat(128)}.${"|`#".repeat(43)}`.slice(0, 400);

export const hostileSnapshot: ConnectorPlan = buildSnapshotPlan({
  name: HOSTILE,
  connector: HOSTILE,
  signalsTopic: HOSTILE,
  tables: [HOSTILE, LONG_NAME],
  unlisted: [HOSTILE, LONG_NAME, "P.O.a|b`c", "P.O.x\ny", "P.O.\u202egnp.exe", "P.O.<b>&amp;"].map((table) => ({
    table,
    evidence: { says: "changed", unseen: HOSTILE, rowScn: 9223372036854775807n },
  })),
  zone: HOSTILE,
  connectorShown: { state: HOSTILE, failedWith: HOSTILE, tasks: [{ id: 0n, state: HOSTILE, worker: HOSTILE }] },
  intent: { metadata: { name: HOSTILE, reason: HOSTILE, ticket: HOSTILE }, skipGapForUnlistedTables: "all" },
  redo: {
    ...redoGone,
    faults: redoGone.faults.map((one) => ({ ...one, message: HOSTILE, files: [HOSTILE, HOSTILE] })),
    restoredElsewhere: [{ thread: 1n, sequence: 119n, destination: 2n, name: HOSTILE }],
  },
});

/** Ready, with very many captured tables that are not named; every hundredth looks changed. */
export function enormousSnapshot(count: number): ConnectorPlan {
  return buildSnapshotPlan({
    intent: { skipGapForUnlistedTables: "all" },
    unlisted: Array.from({ length: count }, (_, i): UnlistedTable => {
      const table = `ORCLPDB1.SALES.PARTITIONED_TABLE_${String(i).padStart(6, "0")}`;
      return i % 100 === 0
        ? {
            table,
            evidence: {
              says: "changed",
              lastDdl: "2026-11-20T19:11:00Z",
              modifications: {
                inserts: BigInt(i),
                updates: 1n,
                deletes: 0n,
                truncated: false,
                at: "2026-11-20T19:20:00Z",
              },
            },
          }
        : { table, evidence: { says: "nothing seen", lastDdl: "2024-01-01T00:00:00Z" } };
    }),
  });
}

export const SNAPSHOT_EXAMPLES = {
  "signal-only": signalOnly,
  "failed-for-nothing": failedForNothing,
  "past-gap": pastGap,
  "past-gap-whole": pastGapWhole,
  "unlisted-blocked": unlistedBlocked,
  "no-scn-after-gap": noScnAfterGap,
  "torn-waited": tornWaited,
  "redo-unseen": redoUnseen,
  "hostile-snapshot": hostileSnapshot,
} as const;
