import type { Finding } from "../../checks/finding.ts";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import type { ScnTime } from "../../facts/database/database.ts";
import type { Move } from "../../facts/offset/move.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import type { TornTransaction } from "../../facts/transactions.ts";
import type { Timeline } from "../../timeline/timeline.ts";
import { digestOf } from "../../values/digest.ts";
import type { JsonObject } from "../../values/json.ts";
import type { Scn } from "../../values/scn.ts";
import { diffRows } from "../diff.ts";
import type { ConnectorPlan, Cost, PlanOutcome } from "../plan.ts";
import type { PlannedStep } from "../steps.ts";

/** Whole, valid plans for tests. Each names only what makes it what it is; all else is that of `orders-cdc`. */

export const STORED: JsonObject = {
  v: 1n,
  resume_scn: 2204511n,
  resume_rs_id: "0x00002a.00000f1c.0010",
  resume_ssn: 3n,
  last_commit_scn: 2204498n,
  last_commit_xid: "1:7.22.1180",
  last_commit_thread: 1n,
  event_index: 14n,
  journal_generation: 17n,
  schema_epoch: 3n,
  dbid: 2914731n,
  resetlogs_scn: 1n,
  released_xids: "1:4.9.771,1:5.2.802",
  snapshot: '{"complete":true,"tables":{}}',
};

export const TIMES: readonly ScnTime[] = [
  { scn: 2169287n, at: "2026-11-20T18:30:00Z" },
  { scn: 2204498n, at: "2026-11-20T19:02:08Z" },
  { scn: 2204511n, at: "2026-11-20T19:02:11Z" },
  { scn: 2230000n, at: "2026-11-20T19:23:51Z" },
];

const PASSING: readonly (readonly [string, string])[] = [
  ["CON301", "The connector is of another class"],
  ["OFF104", "The stored offset is of a later version"],
  ["OFF105", "The stored offset can't be read"],
  ["OFF107", "Several partitions are stored"],
  ["OFF106", "The stored offset belongs to another database or incarnation"],
  ["OFF108", "The target can't be told"],
  ["OFF101", "The target is above the current SCN"],
  ["OFF102", "Redo from the target to now is not all there"],
  ["OFF103", "A forward move skips commits"],
  ["TRX501", "Open transactions would be torn"],
  ["CON302", "The worker is too old"],
  ["OPS601", "The ops topic is missing"],
  ["OPS602", "No right to write to the ops topic"],
  ["OPS603", "A change is in flight"],
];

/** The findings of a plan: those given, and a pass for each of the others. */
export function findingsWith(...found: readonly Finding[]): readonly Finding[] {
  const codes = new Set(found.map(({ code }) => code));
  const passed = PASSING.filter(([code]) => !codes.has(code)).map(
    ([code, title]): Finding => ({ code, title, verdict: "pass", effect: "none", remedies: [] }),
  );
  return [...passed, ...found];
}

export const lateCommit: Finding = {
  code: "CON304",
  title: "Exactly-once support can't be seen over REST",
  verdict: "fail",
  effect: "warns",
  seen:
    "Exactly-once support can't be seen over REST. A task that hangs while it stops could undo the change; apply " +
    "watches for that.",
  remedies: [],
};

export const allThere: RedoExamination = {
  from: 2169287n,
  end: 2241020n,
  complete: true,
  probed: true,
  destination: { id: 1n, name: "LOG_ARCHIVE_DEST_1" },
  faults: [],
  used: [
    {
      thread: 1n,
      archivedLogs: 4n,
      firstSequence: 118n,
      lastSequence: 121n,
      onlineSequences: [122n],
      bytes: 1_600_000_000n,
      firstTime: "2026-11-20T18:21:40Z",
    },
  ],
  firstAvailable: 2169287n,
  earliest: 2100000n,
  restoredElsewhere: [],
  beforeResetlogs: false,
};

export const redoWithGap: RedoExamination = {
  ...allThere,
  complete: false,
  faults: [
    {
      code: "CDC-2001",
      reason: "sequence missing",
      thread: 1n,
      fromSequence: 119n,
      toSequence: 120n,
      firstScn: 2171000n,
      nextScn: 2190412n,
      firstTime: "2026-11-20T18:31:02Z",
      nextTime: "2026-11-20T18:47:55Z",
      files: [],
      message: "thread 1 sequences 119 to 120 missing: the catalogue goes from 118 to 121",
    },
  ],
  firstAvailable: 2190412n,
  earliest: 2190412n,
  restoredElsewhere: [{ thread: 1n, sequence: 119n, destination: 2n, name: "/restore/1_119_1.arc" }],
};

export interface PlanParts {
  readonly name?: string;
  readonly connector?: string;
  readonly intent?: Partial<OffsetChangeIntent>;
  readonly stored?: JsonObject | null;
  readonly to?: Scn;
  readonly after?: JsonObject;
  readonly cost?: Cost;
  readonly redo?: RedoExamination;
  readonly torn?: readonly TornTransaction[];
  readonly timeline?: Timeline;
  readonly findings?: readonly Finding[];
  readonly outcome?: PlanOutcome;
  readonly times?: readonly ScnTime[];
  readonly zone?: string;
  readonly state?: string;
  readonly tasks?: ConnectorPlan["connector"]["tasks"];
  readonly connectUrl?: string;
}

/** A ready move back to 2169287 which resumes, unless the parts say otherwise. */
export function buildPlan(parts: PlanParts = {}): ConnectorPlan {
  const name = parts.connector ?? "orders-cdc";
  const stored = parts.stored === undefined ? STORED : parts.stored;
  const to = parts.to ?? 2169287n;
  const move = moveOf(stored, to);
  const after = parts.after ?? afterOf(stored, to);
  const findings = parts.findings ?? findingsWith(lateCommit);
  const intent: OffsetChangeIntent = {
    kind: "OffsetChange",
    metadata: {
      name: parts.name ?? "orders-replay",
      reason: "replay after the bad deploy of 20 November",
      ticket: "CHG-4711",
    },
    target: { context: "prod", connectUrl: undefined, connector: name },
    origin: {
      by: "plan file",
      file: "orders-replay.yaml",
      lines: { "spec.scn": 11n, "spec.allowSkip": 12n, "spec.accept": 14n },
    },
    position: { to: "scn", scn: to },
    allowSkip: false,
    forgetReleased: "none",
    resume: true,
    opsFormat: undefined,
    accept: [],
    ...parts.intent,
  };
  const decided: ConnectorPlan["decided"] = {
    kind: intent.kind,
    connector: name,
    cluster: "4L6g3nShT-eMCtK--X86sw",
    database: { dbid: 2914731n, resetlogsScn: 1n },
    scn: to,
    direction: move.direction,
    restore: intent.position.to === "restore" ? intent.position.offset : undefined,
    metadata: { name: intent.metadata.name, reason: intent.metadata.reason, ticket: intent.metadata.ticket },
    allowSkip: intent.allowSkip,
    forgetReleased: intent.forgetReleased,
    resume: intent.resume,
    opsFormat: intent.opsFormat,
    accept: [...intent.accept].sort(),
    configuration: { "cdc.topic.prefix": "orders" },
  };
  const blocked = findings.some(({ effect }) => effect === "blocks");
  return {
    intent,
    plannedAt: "2026-11-21T09:14:02Z",
    outcome: parts.outcome ?? (blocked ? { state: "blocked" } : { state: "ready" }),
    world: {
      connectUrl: parts.connectUrl ?? "http://connect.prod:8083",
      connectVersion: "3.9.2",
      clusterId: "4L6g3nShT-eMCtK--X86sw",
      database: {
        name: "ORCLCDB",
        version: "19.24.0.0.0",
        address: "db.prod:1521/ORCLCDB",
        dbid: 2914731n,
        resetlogsScn: 1n,
        currentScn: 2241020n,
        zone: parts.zone ?? "+00:00",
      },
      opsTopic: "orders.cdc.ops",
      opsFormat: "json",
      prefix: "orders",
    },
    connector: {
      name,
      connectorClass: "sh.oso.connect.oracle.OracleCdcSourceConnector",
      state: parts.state ?? "RUNNING",
      worker: "worker-2:8083",
      tasks: parts.tasks ?? [{ id: 0n, state: "RUNNING", worker: "worker-2:8083" }],
    },
    move,
    offset: {
      partition: { server: "orders" },
      before: stored,
      after,
      rows: diffRows(stored, after, parts.times ?? TIMES),
    },
    cost: parts.cost ?? costOf(move, stored),
    redo: parts.redo ?? allThere,
    torn: parts.torn ?? [],
    ...(parts.timeline === undefined ? {} : { timeline: parts.timeline }),
    findings,
    steps: stepsOf(name, to, intent.resume),
    decided,
    decision: digestOf(decided),
  };
}

function moveOf(stored: JsonObject | null, to: Scn): Move {
  const from = stored?.["resume_scn"];
  if (typeof from !== "bigint") return { direction: "initial", from: undefined, to, distance: 0n };
  if (to === from) return { direction: "same", from, to, distance: 0n };
  return to < from
    ? { direction: "backward", from, to, distance: from - to }
    : { direction: "forward", from, to, distance: to - from };
}

function afterOf(stored: JsonObject | null, to: Scn): JsonObject {
  if (stored === null) {
    return {
      v: 1n,
      resume_scn: to,
      last_commit_scn: 0n,
      event_index: 0n,
      journal_generation: 0n,
      schema_epoch: 0n,
      dbid: 2914731n,
      resetlogs_scn: 1n,
    };
  }
  const { resume_rs_id: _rsId, resume_ssn: _ssn, threads: _threads, ...kept } = stored;
  return { ...kept, resume_scn: to };
}

function costOf({ direction }: Move, stored: JsonObject | null): Cost {
  if (direction === "forward") return { kind: "skipped", millis: 1_300_000n };
  if (direction !== "backward") return { kind: "none" };
  const last = stored?.["last_commit_scn"];
  return {
    kind: "mined again",
    archivedLogs: 4n,
    bytes: 1_600_000_000n,
    millis: 1_931_000n,
    recognisedUpTo: typeof last === "bigint" ? last : undefined,
  };
}

function stepsOf(connector: string, scn: Scn, resume: boolean): readonly PlannedStep[] {
  return [
    { step: "stop-connector", connector },
    { step: "recheck" },
    { step: "record-applying", topic: "orders.cdc.ops" },
    { step: "patch-offset", connector },
    { step: "record-outcome", topic: "orders.cdc.ops" },
    ...(resume ? [{ step: "resume-connector", connector, scn } as const] : []),
  ];
}
