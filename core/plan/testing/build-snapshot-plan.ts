import type { Finding } from "../../checks/finding.ts";
import type { ResnapshotIntent } from "../../document/intent.ts";
import type { ScnTime } from "../../facts/database/database.ts";
import type { Gap, UnlistedTable } from "../../facts/redo/gap.ts";
import { type RedoExamination, restoreCommands } from "../../facts/redo/redo.ts";
import type { TornTransaction } from "../../facts/transactions.ts";
import { digestOf } from "../../values/digest.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import type { ConnectorPlan, PlanOutcome, SnapshotShown } from "../plan.ts";
import type { PlannedStep } from "../steps.ts";
import { allThere, buildPlan, findingsWith, lateCommit, STORED, TIMES } from "./build-plan.ts";

/**
 * Whole, valid plans of resnapshots for tests. Each names only what makes it what it is; all else is that of
 * `orders-cdc`.
 */

/** From the stored position on: two logs are gone, and everything after them is there. */
export const redoGone: RedoExamination = {
  ...allThere,
  from: 2204511n,
  complete: false,
  faults: [
    {
      code: "CDC-2001",
      reason: "sequence missing",
      thread: 1n,
      fromSequence: 119n,
      toSequence: 120n,
      firstScn: 2206000n,
      nextScn: 2230000n,
      firstTime: "2026-11-20T19:05:02Z",
      nextTime: "2026-11-20T19:23:51Z",
      files: [],
      message: "thread 1 sequences 119 to 120 missing: the catalogue goes from 118 to 121",
    },
  ],
  firstAvailable: 2230000n,
  earliest: 2230000n,
};

/** From the stored position on everything is there. */
export const redoThere: RedoExamination = { ...allThere, from: 2204511n, firstAvailable: 2204511n };

export interface SnapshotPlanParts {
  readonly name?: string;
  readonly connector?: string;
  readonly intent?: Partial<ResnapshotIntent>;
  readonly tables?: readonly string[];
  readonly captured?: bigint | undefined;
  readonly unlisted?: readonly UnlistedTable[];
  /** Decides whether there is a gap. */
  readonly redo?: RedoExamination | undefined;
  readonly stored?: JsonObject;
  readonly torn?: readonly TornTransaction[];
  readonly findings?: readonly Finding[];
  readonly outcome?: PlanOutcome;
  readonly times?: readonly ScnTime[];
  readonly zone?: string;
  readonly connectUrl?: string;
  readonly signalsTopic?: string;
  readonly connectorShown?: Partial<ConnectorPlan["connector"]>;
}

const TABLES = ["ORCLPDB1.SALES.ORDERS", "ORCLPDB1.SALES.LINES"];

/** Ready to go past the gap of `redoGone`, every captured table named, unless the parts say otherwise. */
export function buildSnapshotPlan(parts: SnapshotPlanParts = {}): ConnectorPlan {
  const tables = parts.tables ?? TABLES;
  const unlisted = parts.unlisted ?? [];
  const redo = "redo" in parts ? parts.redo : redoGone;
  const gap = redo === undefined || redo.complete ? undefined : gapOf(redo, parts.times ?? TIMES);
  const name = parts.connector ?? "orders-cdc";
  const base = buildPlan({
    connector: name,
    stored: parts.stored ?? STORED,
    to: gap?.to ?? 2230000n,
    findings: parts.findings ?? findingsWith(lateCommit),
    torn: parts.torn ?? [],
    ...(parts.times === undefined ? {} : { times: parts.times }),
    ...(parts.zone === undefined ? {} : { zone: parts.zone }),
    ...(parts.connectUrl === undefined ? {} : { connectUrl: parts.connectUrl }),
    ...(parts.outcome === undefined ? {} : { outcome: parts.outcome }),
  });
  const { move, offset, cost, redo: _redo, ...kept } = base;
  const intent: ResnapshotIntent = {
    kind: "Resnapshot",
    metadata: {
      name: parts.name ?? "orders-after-purge",
      reason: "archived logs purged during the outage",
      ticket: "CHG-4712",
    },
    target: { context: "prod", connectUrl: undefined, connector: name },
    origin: {
      by: "plan file",
      file: "orders-after-purge.yaml",
      lines: { "spec.tables": 11n, "spec.skipGapForUnlistedTables": 12n },
    },
    tables,
    skipGapForUnlistedTables: "none",
    readRowScns: false,
    waitForTransactions: undefined,
    waitForAck: undefined,
    resume: true,
    opsFormat: undefined,
    accept: [],
    ...parts.intent,
  };
  const signalsTopic = parts.signalsTopic ?? "orders.cdc.signals";
  const snapshot: SnapshotShown = {
    signalsTopic,
    tables,
    captured: "captured" in parts ? parts.captured : BigInt(tables.length + unlisted.length),
    gap,
    unlisted: gap === undefined ? [] : unlisted,
  };
  const decided = decide(intent, snapshot, redo, kept.decided);
  const connector = { ...kept.connector, ...parts.connectorShown };
  return {
    ...kept,
    intent,
    connector,
    move: gap?.to === undefined ? undefined : move,
    offset: gap?.to === undefined ? undefined : offset,
    cost: gap?.to === undefined ? { kind: "none" } : cost,
    redo,
    snapshot,
    steps: stepsOf(intent, snapshot, connector),
    decided,
    decision: digestOf(decided),
  };
}

function gapOf(redo: RedoExamination, times: readonly ScnTime[]): Gap {
  const { faults, from, firstAvailable: to } = redo;
  const at = (scn: Scn | undefined) => times.find((time) => time.scn === scn)?.at;
  return {
    code: faults[0]?.code ?? "CDC-2001",
    message: faults.map(({ message }) => message).join("; "),
    from,
    to,
    fromTime: at(from) ?? faults[0]?.firstTime,
    toTime: at(to),
    restore: restoreCommands(faults),
  };
}

function decide(
  intent: ResnapshotIntent,
  { tables, gap, unlisted }: SnapshotShown,
  redo: RedoExamination | undefined,
  base: ConnectorPlan["decided"],
): ConnectorPlan["decided"] {
  const { allowSkip: _allowSkip, forgetReleased: _forget, ...kept } = base;
  return {
    ...kept,
    kind: intent.kind,
    scn: gap?.to,
    direction: gap?.to === undefined ? undefined : kept.direction,
    metadata: { name: intent.metadata.name, reason: intent.metadata.reason, ticket: intent.metadata.ticket },
    tables,
    ...(gap === undefined ? {} : { gap: (redo?.faults ?? []).map(({ code, message }) => `${code} ${message}`) }),
    ...(gap === undefined ? {} : { unlisted: unlisted.map(({ table }) => table) }),
    skipGapForUnlistedTables: intent.skipGapForUnlistedTables,
    waitForTransactions: intent.waitForTransactions,
    waitForAck: intent.waitForAck,
    resume: intent.resume,
    opsFormat: intent.opsFormat,
    accept: [...intent.accept].sort(),
  };
}

function stepsOf(
  intent: ResnapshotIntent,
  { tables, gap, signalsTopic }: SnapshotShown,
  { name: connector, state }: ConnectorPlan["connector"],
): readonly PlannedStep[] {
  const topic = "orders.cdc.ops";
  const signal: PlannedStep = { step: "write-signal", topic: signalsTopic, tables };
  const ack: readonly PlannedStep[] =
    intent.waitForAck === undefined ? [] : [{ step: "wait-for-ack", topic, millis: intent.waitForAck }];
  if (gap === undefined)
    return [
      signal,
      ...(intent.resume && state === "FAILED" ? [{ step: "stop-connector", connector } as const] : []),
      ...(intent.resume && state !== "RUNNING" ? [{ step: "start-connector", connector } as const] : []),
      ...ack,
    ];
  if (gap.to === undefined) return [];
  return [
    ...(intent.waitForTransactions === undefined
      ? []
      : [{ step: "wait-for-transactions", scn: gap.to, millis: intent.waitForTransactions } as const]),
    { step: "stop-connector", connector },
    { step: "recheck" },
    signal,
    { step: "record-applying", topic },
    { step: "patch-offset", connector },
    { step: "record-outcome", topic },
    ...(intent.resume ? [{ step: "resume-connector", connector, scn: gap.to } as const] : []),
    ...ack,
  ];
}
