import type {
  ArchivedLog,
  ConnectorStatus,
  OpenTransaction,
  RedoCatalogue,
} from "../../../../schemas/generated/facts.ts";
import {
  LAG_ATTRIBUTES,
  type LagAttribute,
  type LargestTransaction,
  type TaskMetrics,
} from "../../../facts/connector/task-metrics.ts";
import type { DatabaseSeen } from "../../../facts/database/database.ts";
import type { Observed } from "../../../facts/observed.ts";
import { initialOffset } from "../../../facts/offset/moved-offset.ts";
import { decodeOffset } from "../../../facts/offset/stored-offset.ts";
import { healthyDatabase } from "../../../facts/testing/healthy-database.ts";
import { instantOf } from "../../../values/instant.ts";
import type { Scn } from "../../../values/scn.ts";
import { parseXid } from "../../../values/xid.ts";
import type { LagFacts, LagSample } from "../lag-facts.ts";

/**
 * Whole, valid facts of a lag: logs 118 to 121 of 10,000 SCNs each from SCN 2,000,000 on, 122 on line from 2,040,000,
 * current SCN 2,045,000, ten SCNs a second; the connector runs at 2,012,000, 55 minutes behind. Nothing delays it
 * unless overridden.
 */

export const CURRENT = 2_045_000n;
export const BEHIND = 2_012_000n;
const AT = "2026-11-20T19:15:00Z";

export function seen<T>(value: T): Observed<T> {
  return { known: true, value, source: "a test", at: AT };
}

export function unseen(why: string): Observed<never> {
  return { known: false, why, source: "a test" };
}

export function timeOf(scn: Scn): string {
  return instantOf(Date.parse(AT) - Number(CURRENT - scn) * 100);
}

export interface LagParts {
  readonly status?: ConnectorStatus;
  /** Values at the first and the second sample; a single value applies to both. */
  readonly resume?: readonly Observed<Scn>[];
  readonly commit?: Scn;
  readonly current?: readonly Observed<Scn>[];
  readonly metrics?: readonly Observed<TaskMetrics>[];
  readonly between?: bigint;
  readonly database?: Observed<DatabaseSeen>;
  readonly redo?: Observed<RedoCatalogue>;
  readonly transactions?: Observed<readonly OpenTransaction[]>;
  readonly journaled?: LagFacts["journaled"];
  readonly times?: LagFacts["times"];
  readonly connector?: Partial<LagFacts["connector"]>;
}

export const RUNNING: ConnectorStatus = {
  state: "RUNNING",
  worker: "worker-1:8083",
  tasks: [{ id: 0n, state: "RUNNING", worker: "worker-2:8083" }],
};

export function buildLag(parts: LagParts = {}): LagFacts {
  const {
    status = RUNNING,
    resume = [seen(BEHIND)],
    commit = BEHIND - 13n,
    current = [seen(CURRENT)],
    metrics = [unseen("no --jmx-url")],
  } = parts;
  const sample = (at: 0 | 1): LagSample => ({
    at: AT,
    status,
    stored: storedAt(nth(resume, at), commit),
    currentScn: nth(current, at),
    metrics: nth(metrics, at),
  });
  const second = sample(1);
  const shown = [second.currentScn, ...resume].flatMap((one) => (one.known ? [one.value] : []));
  return {
    connector: {
      name: "orders-cdc",
      connectUrl: "http://connect.prod:8083",
      captureMode: "online",
      archiveDestination: undefined,
      pollMaxRecords: seen(2000n),
      targetLatency: seen(undefined),
      ...parts.connector,
    },
    between: parts.between ?? 10_000n,
    first: sample(0),
    second,
    database: parts.database ?? seen(DATABASE),
    redo: parts.redo ?? seen(CATALOGUE),
    transactions: parts.transactions ?? seen([]),
    journaled: parts.journaled ?? seen([]),
    times: parts.times ?? seen([...shown, commit].map((scn) => ({ scn, at: timeOf(scn) }))),
  };
}

function nth<T>(samples: readonly Observed<T>[], at: 0 | 1): Observed<T> {
  return samples[at] ?? samples[0] ?? unseen("no override given");
}

function storedAt(resume: Observed<Scn>, commit: Scn): LagSample["stored"] {
  if (!resume.known) return resume;
  const decoded = decodeOffset({
    ...initialOffset(resume.value, { dbid: 2_914_731_004n, resetlogsScn: 1n }),
    last_commit_scn: commit,
  });
  if (!decoded.ok) throw new Error("the offset can't be read");
  return seen(decoded.offset);
}

export const DATABASE = healthyDatabase({ currentScn: CURRENT });

export function log(sequence: bigint, parts: Partial<ArchivedLog> = {}): ArchivedLog {
  const firstScn = 2_000_000n + (sequence - 118n) * 10_000n;
  return {
    thread: 1n,
    sequence,
    firstScn,
    nextScn: firstScn + 10_000n,
    name: `/arch/1_${sequence}.arc`,
    status: "A",
    deleted: false,
    destination: 1n,
    standby: false,
    resetlogsScn: 1n,
    bytes: 400_000_000n,
    firstTime: timeOf(firstScn),
    nextTime: timeOf(firstScn + 10_000n),
    ...parts,
  };
}

export const CATALOGUE: RedoCatalogue = {
  threads: [{ thread: 1n, enabled: "PUBLIC", status: "OPEN", sequence: 122n, enableScn: 1n, disableScn: undefined }],
  destinations: [{ id: 1n, name: "LOG_ARCHIVE_DEST_1", status: "VALID", type: "LOCAL" }],
  archived: [118n, 119n, 120n, 121n].map((sequence) => log(sequence)),
  online: [
    {
      thread: 1n,
      sequence: 122n,
      firstScn: 2_040_000n,
      nextScn: undefined,
      status: "CURRENT",
      archived: false,
      member: "/redo/redo01.log",
      bytes: 2_000_000n,
    },
  ],
};

/** Logs 119 and 120 were purged: a connector at `BEHIND` needs them. */
export const PURGED: RedoCatalogue = {
  ...CATALOGUE,
  archived: CATALOGUE.archived.map((one) =>
    one.sequence === 119n || one.sequence === 120n ? { ...one, deleted: true, status: "D", name: undefined } : one,
  ),
};

export function failedWith(trace: string): ConnectorStatus {
  return { ...RUNNING, tasks: [{ id: 0n, state: "FAILED", worker: "worker-2:8083", trace }] };
}

export function openAt(startScn: Scn, xid = "3:9.4.1207"): OpenTransaction {
  const parsed = parseXid(xid);
  if (parsed === undefined) throw new Error(`${xid} is not a valid transaction id`);
  return { xid: parsed, startScn, startedAt: timeOf(startScn), user: "BATCH", clientId: "nightly-load" };
}

/** The MBean's attributes of a task that nothing delays, mining at the given SCN. */
export function metrics(
  changes: Partial<Record<LagAttribute, bigint | undefined>> = {},
  largest: readonly Partial<LargestTransaction>[] = [],
): Observed<TaskMetrics> {
  const values: Partial<Record<LagAttribute, bigint | undefined>> = {
    MinedToScn: BEHIND,
    LastStepMillis: 800n,
    BufferMemoryMaxBytes: 1_000_000n,
    OldestOpenScn: -1n,
    IdlePolls: undefined,
    SpillMaxBytes: 10_000_000_000n,
    ...changes,
  };
  const lag = LAG_ATTRIBUTES.map((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : 0n;
    return [name, value === undefined ? unseen(`${name} is not there`) : seen(value)] as const;
  });
  return seen({
    lag: Object.fromEntries(lag) as Record<LagAttribute, Observed<bigint>>,
    largestTransactions: seen(
      largest.map((one) => ({
        xid: "9.4.1207",
        user: "BATCH",
        clientId: undefined,
        ageMillis: 60_000n,
        firstScn: BEHIND,
        events: 10n,
        heapBytes: 1000n,
        spilledBytes: 0n,
        journaled: false,
        ...one,
      })),
    ),
  });
}
