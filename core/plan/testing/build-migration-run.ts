import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import type { JournalEvent } from "../../run/journal.ts";
import { done } from "./build-run.ts";

/** What the journals of migrations hold, for tests: each phase as it goes well, up to its end. */

export const LEGACY_OFFSETS: readonly OffsetEntry[] = [
  { partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset: { scn: "2169300", tablePlacement: "{}" } },
  {
    partition: { catalog: "ORCLPDB1", schema: "SALES", table: "ORDERS" },
    offset: { scn: "2170000", cscn: "2204600", rows: 5n },
  },
];

const NEW_OFFSET: OffsetEntry = { partition: { server: "orders" }, offset: { v: 1n, resume_scn: 2240000n } };

const EVIDENCE = {
  file: "orders-to-cdc.evidence.json",
  digest: "sha256:5d1c9a5b4d0e3b8e8f6f3e5f0e4d2b7c6a1f9e8d7c6b5a49382716051f2e3d4c",
};

/** A call that creates or deletes, and its definite yes. */
export function applied(call: string): readonly JournalEvent[] {
  return [
    { type: "call-sent", call },
    { type: "call-applied", call },
  ];
}

/** The legacy connector stopped, and everything pinned. */
export const takenOver: readonly JournalEvent[] = [
  ...done("stop-connector", "orders-legacy stopped after 1 s"),
  ...done("recheck", "every check passed again", {
    type: "takeover-pinned",
    startScn: 2169300n,
    lastDelivered: 2204600n,
    offsets: LEGACY_OFFSETS,
    configuration: { "cdc.start.scn": "2169300", "cdc.database.password": "********" },
  }),
];

export const created: readonly JournalEvent[] = [
  ...takenOver,
  ...done(
    "create-connector",
    "orders-cdc is created STOPPED, its configuration is as it was sent, nothing is stored under its name",
    ...applied("POST connector orders-cdc"),
  ),
];

export const cutOver: readonly JournalEvent[] = [
  ...created,
  ...done("start-new", "orders-cdc is running; its first offset is at 2169412"),
  {
    type: "run-ended",
    outcome: "succeeded",
    message: "orders-cdc has taken over from orders-legacy at 2169300: it is running, and orders-legacy is stopped",
  },
];

/** Its configuration was not what was sent: it is deleted again, and the legacy connector resumed. */
export const takenBack: readonly JournalEvent[] = [
  ...takenOver,
  { type: "step-started", step: "create-connector" },
  ...applied("POST connector orders-cdc"),
  {
    type: "step-failed",
    step: "create-connector",
    error: "orders-cdc was created, but its configuration is not the requested one: cdc.lob.mode",
    code: "APL814",
  },
  ...applied("DELETE connector orders-cdc"),
  { type: "backed-out", resumed: true },
  {
    type: "run-ended",
    outcome: "failed",
    message: "orders-cdc was created, but its configuration is not the requested one: cdc.lob.mode",
  },
];

export function verified(passed: boolean): readonly JournalEvent[] {
  const sentence = passed ? "2 tables and their topics agree" : "1 of 2 tables does not pass: ORCLPDB1.SALES.LINES";
  const found: JournalEvent = {
    type: "verified",
    passed,
    tables: ["ORCLPDB1.SALES.ORDERS", "ORCLPDB1.SALES.LINES"],
    counts: { rows: 14n, compared: 6n, byLegacy: 8n },
    evidence: { ...EVIDENCE, writtenAt: "2026-11-21T09:15:40Z" },
  };
  const compared = "14 rows, 6 compared, 8 by the legacy topic, not compared";
  const message = `${sentence}; ${compared}; evidence ${EVIDENCE.file}, ${EVIDENCE.digest}`;
  return passed
    ? [...done("verify-tables", message, found), { type: "run-ended", outcome: "succeeded", message }]
    : [
        { type: "step-started", step: "verify-tables" },
        found,
        { type: "step-failed", step: "verify-tables", error: message, code: "APL816" },
        { type: "run-ended", outcome: "failed", message },
      ];
}

/** Up to the topics of the new connector, where they are deleted as well. */
export const removed: readonly JournalEvent[] = [
  ...done("stop-connector", "orders-cdc stopped after 1 s"),
  ...done("recheck", "every check passed again", {
    type: "return-pinned",
    offsets: LEGACY_OFFSETS,
    removed: [NEW_OFFSET],
  }),
  ...done("record-applying", 'recorded "applying" in orders.cdc.ops (partition 0, offset 3)'),
  ...done(
    "delete-offsets",
    "no offset is stored for orders-cdc any longer",
    ...applied("DELETE offsets of orders-cdc"),
  ),
  ...done("record-outcome", 'recorded "applied" in orders.cdc.ops (partition 0, offset 4)'),
  ...done("delete-connector", "orders-cdc is deleted", ...applied("DELETE connector orders-cdc")),
];

export const goneBack: readonly JournalEvent[] = [
  ...removed,
  ...done("resume-legacy", "orders-legacy is running again, from the offsets it stopped with"),
  {
    type: "run-ended",
    outcome: "succeeded",
    message: "orders-legacy is running again, from the offsets it stopped with; orders-cdc and its offsets are deleted",
  },
];

export const retired: readonly JournalEvent[] = [
  ...done("delete-connector", "orders-legacy is deleted", ...applied("DELETE connector orders-legacy")),
  ...done(
    "delete-topics",
    "3 topics are deleted",
    ...applied("DELETE topic ORCLPDB1.SALES.ORDERS"),
    ...applied("DELETE topic ORCLPDB1.SALES.LINES"),
    ...applied("DELETE topic orders-redo"),
  ),
  {
    type: "run-ended",
    outcome: "succeeded",
    message: "orders-legacy and its topics are deleted; orders-cdc remains",
  },
];
