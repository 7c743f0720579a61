import { UsageError } from "../../core/errors.ts";
import { nearest } from "../../core/values/nearest.ts";
import { CHECK_SCENARIOS } from "./check-scenarios.ts";
import { CODE_SCENARIOS } from "./code-scenarios.ts";
import { strimziPod } from "./connect/strimzi.ts";
import { DEBEZIUM_SCENARIO } from "./debezium/scenario.ts";
import { endWhenWaitedFor, openTransaction, purge } from "./faults.ts";
import { FLEET_SCENARIO } from "./fleet-scenario.ts";
import { JOURNAL_SCENARIOS } from "./journal-scenarios.ts";
import { LAG_SCENARIOS } from "./lag-scenarios.ts";
import { MIGRATION_SCENARIO } from "./migration/scenario.ts";
import { OFFSET_SCENARIOS } from "./offset-scenarios.ts";
import { positionedIn, RESNAPSHOT_SCENARIOS } from "./resnapshot-scenarios.ts";
import { afterPurge, contexts, planFile, resnapshotFile, type Scenario } from "./scenario.ts";
import { TRANSACTION_SCENARIOS } from "./transaction-scenarios.ts";

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "orders",
    about: "A healthy connector that has mined everything; replay some of it.",
    options: {},
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000", "resume: true"),
      "skip-ahead.yaml": planFile("skip-ahead", "the backlog is not wanted", "scn: 2044900"),
      "earliest.yaml": planFile("earliest", "replay everything that is left", "earliestAvailable: true"),
      "orders-again.yaml": resnapshotFile(
        "orders-again",
        "a consumer lost its copy of the table",
        "tables: [ORCLPDB1.SALES.ORDERS]",
        "waitForAck: 1m",
      ),
    }),
    tries: [
      "cdcctl plan orders-replay.yaml        # what would change",
      "cdcctl apply orders-replay.yaml       # asks, then does it",
      "cdcctl history",
      "cdcctl rollback                       # refused: the connector has run since, and says what can be done",
      "cdcctl plan skip-ahead.yaml           # refused: it would skip commits",
      "cdcctl plan earliest.yaml",
      "cdcctl apply orders-again.yaml        # snapshots a table again: redo is all there, so a signal does it",
    ],
  },
  {
    name: "stopped",
    about: "A stopped connector: a change can be rolled back exactly.",
    options: { state: "STOPPED" },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000"),
    }),
    tries: ["cdcctl apply orders-replay.yaml", "cdcctl rollback"],
  },
  {
    name: "torn",
    about: "A transaction is open: a move past its beginning would tear it, over a gap or not.",
    options: {
      ...positionedIn(119n),
      oracle: (world) => {
        purge(world, 119n, 120n);
        openTransaction(world, 2_025_000n);
        endWhenWaitedFor(world);
      },
    },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "skip-ahead.yaml": planFile("skip-ahead", "the backlog is not wanted", "scn: 2044900", "allowSkip: true"),
      "skip-ahead-accepted.yaml": planFile(
        "skip-ahead",
        "the backlog is not wanted",
        "scn: 2044900",
        "allowSkip: true",
        "accept: [TRX501]",
      ),
      "orders-after-purge.yaml": afterPurge("tables: [ORCLPDB1.SALES.ORDERS, ORCLPDB1.SALES.LINES]"),
      "orders-waiting.yaml": afterPurge(
        "tables: [ORCLPDB1.SALES.ORDERS, ORCLPDB1.SALES.LINES]",
        "waitForTransactions: 10m",
        "waitForAck: 1m",
        "resume: true",
      ),
    }),
    tries: [
      "cdcctl plan skip-ahead.yaml            # blocked",
      "cdcctl plan skip-ahead-accepted.yaml",
      "cdcctl plan orders-after-purge.yaml    # blocked as well",
      "cdcctl apply orders-waiting.yaml       # waits; the transaction ends after some seconds",
    ],
  },
  {
    name: "no-offset",
    about: "Nothing is stored yet: the first offset is written.",
    options: { offset: null, state: "STOPPED" },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "first.yaml": planFile("first", "start from the export's SCN", "scn: 2030000"),
    }),
    tries: ["cdcctl plan first.yaml", "cdcctl apply first.yaml"],
  },
  {
    name: "hung-task",
    about: "The task hangs while it stops and commits its old offset later, which undoes a change.",
    options: { connect: { hang: 12_000, graceful: 5000 } },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000", "resume: true"),
    }),
    tries: ["cdcctl apply orders-replay.yaml --settle 10s   # waits until the offset stays the same"],
  },
  {
    name: "strimzi",
    about: "Strimzi runs the workers and resumes what was stopped over REST, until its reconciliation is paused.",
    // A cluster takes up to two minutes.
    options: { connect: { advertised: strimziPod, operator: 8000 } },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2010000", "resume: true"),
      "orders-back.yaml": planFile("orders-back", "replay after the bad deploy", "scn: 2010000"),
      "orders-accepted.yaml": planFile(
        "orders-back",
        "replay after the bad deploy",
        "scn: 2010000",
        "accept: [CON308]",
      ),
    }),
    tries: [
      "cdcctl plan orders-replay.yaml         # blocked: what Strimzi would undo, and the kubectl commands",
      "touch reconciliation-paused            # as those commands do",
      "cdcctl apply orders-accepted.yaml      # stays stopped; without the pause Strimzi resumes it",
    ],
    events: {
      "reconciliation-paused": ({ connect }) => {
        connect.operator.resumeMillis = undefined;
      },
    },
  },
  FLEET_SCENARIO,
  ...RESNAPSHOT_SCENARIOS,
  MIGRATION_SCENARIO,
  DEBEZIUM_SCENARIO,
  ...OFFSET_SCENARIOS,
  ...JOURNAL_SCENARIOS,
  ...TRANSACTION_SCENARIOS,
  ...LAG_SCENARIOS,
  ...CHECK_SCENARIOS,
  ...CODE_SCENARIOS,
];

/**
 * @param connectors their number, for a scenario that supports any number
 * @throws UsageError naming the scenarios; also for a scenario with a fixed number of connectors
 */
export function scenarioNamed(name: string, connectors?: number): Scenario {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (scenario !== undefined) {
    if (connectors === undefined) return scenario;
    if (scenario.ofConnectors !== undefined) return scenario.ofConnectors(connectors);
    throw new UsageError(
      `--connectors does not apply to the scenario ${name}`,
      `It applies to ${SCENARIOS.filter(({ ofConnectors }) => ofConnectors !== undefined)
        .map((one) => one.name)
        .join(", ")}.`,
    );
  }
  const names = SCENARIOS.map((one) => one.name);
  const meant = nearest(name, names);
  throw new UsageError(
    `there is no scenario ${name.slice(0, 40)}`,
    `${meant === undefined ? "" : `Did you mean ${meant}? `}There are: ${names.join(", ")}.`,
  );
}
