import type { LagAttribute, LargestTransaction } from "../../core/facts/connector/task-metrics.ts";
import { stopWith } from "./connect/task/stopped-task.ts";
import type { SandboxTask } from "./connect/task.ts";
import { openTransaction, purge } from "./faults.ts";
import { healthyWorld } from "./oracle/world.ts";
import { positionedIn } from "./resnapshot-scenarios.ts";
import { type SandboxOptions, storedOffset } from "./sandbox.ts";
import { contexts, type Scenario } from "./scenario.ts";

const EXPLAIN = "cdcctl doctor explain-lag --connect-url $CONNECT --name orders-cdc";
const WITH_METRICS = `${EXPLAIN} --jmx-url $JMX`;

/** Resume SCN of a connector that is behind; the database is at 2,045,000. */
const BEHIND = 2_012_000n;

/** A task that runs and stores nothing new, like a slow task between two of Connect's flushes. */
const standsStill: SandboxTask = { start: () => undefined, tick: () => [] };

function behind(lastCommit = BEHIND - 13n): SandboxOptions {
  return positionedAt(BEHIND, lastCommit);
}

function positionedAt(resume: bigint, lastCommit: bigint): SandboxOptions {
  return {
    offset: { ...storedOffset(healthyWorld()), resume_scn: resume, last_commit_scn: lastCommit },
    connect: { task: () => standsStill },
  };
}

/** The MBean of a task without problems other than the given ones. */
function metrics(
  lag: (look: bigint) => Partial<Record<LagAttribute, bigint>>,
  largest: readonly LargestTransaction[] = [],
): Pick<SandboxOptions, "jmx"> {
  let reads = 0n;
  return {
    jmx: {
      values: () => ({
        largest,
        lag: {
          MillisBehindSource: 3_300_000n,
          ScnLag: 33_000n,
          MinedToScn: BEHIND,
          SafeEndScn: 2_045_000n,
          OldestOpenScn: -1n,
          LastStepMillis: 740n,
          WindowLogs: 2n,
          Steps: 4_180n + reads,
          RowsMined: 90_214n,
          StepTimeouts: 0n,
          LagReplays: 0n,
          QueueDepth: 112n,
          OpenTransactions: 0n,
          BufferedEvents: 0n,
          BufferHeapBytes: 2_097_152n,
          BufferMemoryMaxBytes: 536_870_912n,
          SpilledBytes: 0n,
          JournaledTransactions: 0n,
          TransactionsCommitted: 1_204n,
          IdlePolls: 903n,
          SnapshotTablesRemaining: 0n,
          SpillMaxBytes: 10_737_418_240n,
          ...lag(reads++),
        },
      }),
    },
  };
}

const LOAD: LargestTransaction = {
  xid: "8.14.2207",
  user: "BATCH",
  clientId: "nightly-load",
  ageMillis: 600_000n,
  firstScn: BEHIND + 20_000n,
  events: 1_204_311n,
  heapBytes: 268_435_456n,
  spilledBytes: 1_342_177_280n,
  journaled: true,
};

const files: Scenario["files"] = (sandbox) => ({ "contexts.yaml": contexts(sandbox) });
const tries = [`${EXPLAIN}                    # the cause first`];
const triesWithMetrics = [
  `${EXPLAIN}                    # unclear: the database does not know`,
  `${WITH_METRICS}     # the task's metrics do`,
];

/**
 * A connector that is behind, for each cause that `explain-lag` reports; one without a cause, and one that is not
 * behind.
 */
export const LAG_SCENARIOS: readonly Scenario[] = [
  {
    name: "lag-transaction",
    about: "The connector is behind: a nightly load has been open for an hour and holds the resume SCN.",
    options: { ...behind(2_044_400n), oracle: (world) => openTransaction(world, BEHIND) },
    files,
    tries,
  },
  {
    name: "lag-failed",
    about: "The connector is behind: its task has failed.",
    options: {
      ...behind(),
      connect: {
        task: () => ({
          ...standsStill,
          start() {
            throw stopWith("CDC-1001", GAVE_UP, "Check database, listener and network.");
          },
        }),
      },
    },
    files,
    tries,
  },
  {
    name: "lag-paused",
    about: "The connector is behind: somebody has paused it.",
    options: { ...behind(), state: "PAUSED" },
    files,
    tries,
  },
  {
    name: "lag-redo-gone",
    about: "The connector is behind: its task has stopped at redo that RMAN has deleted.",
    options: { ...positionedIn(119n), oracle: (world) => purge(world, 119n, 120n) },
    files,
    tries,
  },
  {
    name: "lag-kafka",
    about: "The connector is behind: the brokers take its records too slowly.",
    options: { ...behind(), ...metrics(() => ({ QueueDepth: 7_911n })) },
    files,
    tries: triesWithMetrics,
  },
  {
    name: "lag-mining",
    about: "The connector is behind: mining the redo is slow, and its steps time out.",
    options: { ...behind(), ...metrics((look) => ({ StepTimeouts: 3n + 2n * look, LastStepMillis: 61_200n })) },
    files,
    tries: triesWithMetrics,
  },
  {
    name: "lag-large-transaction",
    about: "The connector is behind: one transaction with over a million changes spills to disk.",
    options: {
      ...behind(),
      ...metrics(
        () => ({ OpenTransactions: 1n, OldestOpenScn: LOAD.firstScn, SpilledBytes: LOAD.spilledBytes }),
        [LOAD],
      ),
    },
    files,
    tries: triesWithMetrics,
  },
  {
    name: "lag-replay",
    about: "The connector is behind: it reads redo again with a redo dictionary.",
    options: { ...behind(), ...metrics((look) => ({ LagReplays: 1n + look })) },
    files,
    tries: triesWithMetrics,
  },
  {
    name: "lag-snapshot",
    about: "The connector is behind: a snapshot is running, and changes wait while it reads a chunk.",
    options: { ...behind(), ...metrics(() => ({ SnapshotTablesRemaining: 2n })) },
    files,
    tries: triesWithMetrics,
  },
  {
    name: "lag-blocked",
    about: "The connector is behind: its engine neither mines nor polls, so that a mining query may hang.",
    options: { ...behind(), ...metrics(() => ({ Steps: 4_180n })) },
    files,
    tries: [`${WITH_METRICS} --interval 10m     # long enough to be certain`],
  },
  {
    name: "lag-quiet",
    about: "The connector seems behind: the database is quiet, and its polls find no new redo.",
    options: { ...behind(), ...metrics((look) => ({ Steps: 4_180n, IdlePolls: 903n + 12n * look })) },
    files,
    tries: triesWithMetrics,
  },
  {
    name: "lag-spill",
    about: "The connector is behind: its open transactions have nearly filled the spill, and CDC-4001 is next.",
    options: {
      ...behind(),
      ...metrics(
        () => ({ OpenTransactions: 1n, OldestOpenScn: LOAD.firstScn, SpilledBytes: 8_700_000_000n }),
        [{ ...LOAD, spilledBytes: 8_700_000_000n }],
      ),
    },
    files,
    tries: triesWithMetrics,
  },
  {
    name: "lag-none",
    about: "The connector is behind, nothing holds it up, and it catches up.",
    options: { ...behind(), ...metrics((look) => ({ MinedToScn: BEHIND + 4_000n * look })) },
    files,
    tries: triesWithMetrics,
  },
  {
    name: "lag-not-behind",
    about: "The connector is not behind: its stored offset is half a minute old.",
    options: positionedAt(2_044_700n, 2_044_687n),
    files,
    tries,
  },
];

const GAVE_UP = "ORA-12170: TNS:Connect timeout occurred. No connection for 24 h.";
