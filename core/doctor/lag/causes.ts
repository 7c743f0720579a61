import { explainedStop, explanationOf } from "../../connector-errors.ts";
import { bringBack, restoreCommands } from "../../facts/redo/redo.ts";
import type { Advice } from "../../values/remedy.ts";
import { connectorsLine, shellOption, workersFlag } from "../../values/shell-word.ts";
import type { Cause, Judgement } from "./cause.ts";
import type { LaggingConnector, LagReading } from "./lag-facts.ts";
import { longTransaction } from "./long-transaction.ts";
import { failed, notBehind, notRunning, redoGone } from "./state-causes.ts";
import { kafkaSide, largeTransaction, mining, replay, snapshot } from "./task-causes.ts";

/** One cause of a lag: how it is described, and what the operator can do. */
export interface CauseRule {
  readonly cause: Cause;
  /** One line, as the answer to "why is it behind?". */
  readonly title: string;
  /** The same for a cause that is only likely. */
  readonly likelyTitle?: string;
  /** What is inspected for this cause, as a list says that it was not. */
  readonly inspects: string;
  /** What to do now, one option per line. */
  remedies(reading: LagReading): readonly Advice[];
  /** Applies only to a running connector. */
  readonly whileRunning: boolean;
  judge(reading: LagReading): Judgement;
}

/**
 * The causes by precedence: a connector that does not run is not slow; one that is not behind needs no cause; a resume
 * SCN that is held back says nothing about throughput. The causes that the task's metrics distinguish come last. The
 * first that holds is the answer (reference: Oracle, "Why is the connector behind?").
 */
export const CAUSES: readonly CauseRule[] = [
  {
    cause: "redo gone",
    whileRunning: false,
    title: "redo that the connector needs is gone",
    inspects: "missing redo",
    judge: redoGone,
    remedies: ({ facts: { connector }, redo }) => [
      ...bringBack(redo.known ? restoreCommands(redo.value.faults) : []),
      {
        text: "Show which logs are missing, with every file probed, and how to restore them",
        command: `cdcctl admin offsets show ${named(connector)} --check-redo`,
      },
      { text: "Where they can't be restored", command: "cdcctl init resnapshot" },
    ],
  },
  {
    cause: "failed",
    whileRunning: false,
    title: "the connector or its task has failed",
    inspects: "failures",
    judge: failed,
    remedies: ({ facts: { connector, second } }) => [
      ...explanationOf(explainedStop(second.status)),
      "Fix the error shown in the trace; the worker's log has more details.",
      {
        text: "Then start it again",
        command: onWorkers("restart", connector),
      },
    ],
  },
  {
    cause: "not running",
    whileRunning: false,
    title: "the connector does not run",
    inspects: "the connector's state",
    judge: notRunning,
    remedies: ({ facts: { connector } }) => [
      "Find out who stopped or paused it, and why.",
      { text: "Then start it", command: onWorkers("resume", connector) },
    ],
  },
  {
    cause: "not behind",
    whileRunning: false,
    title: "the connector is not behind",
    inspects: "the age of the resume SCN",
    judge: notBehind,
    remedies: () => ["If records still arrive late, check the topics and their consumers."],
  },
  {
    cause: "long transaction",
    whileRunning: true,
    title: "a long-running transaction holds the resume SCN back",
    likelyTitle: "a long-running transaction may hold the resume SCN back",
    inspects: "long-running transactions",
    judge: longTransaction,
    remedies: ({ facts: { connector } }) => [
      "Leave the connector running: other transactions are delivered, and a restart mines from the resume SCN again.",
      "Have its owner commit it or roll it back, and keep the archived logs until then.",
      { text: "Show what the task has journaled of it", command: `cdcctl admin journal inspect ${named(connector)}` },
    ],
  },
  {
    cause: "kafka",
    whileRunning: true,
    title: "Kafka takes the records more slowly than the task mines them",
    inspects: "Kafka",
    judge: kafkaSide,
    remedies: () => [
      "Check the load of the brokers, the worker's producer metrics (request latency, throttling, " +
        "retries), and the converters and transformations of the connector.",
    ],
  },
  {
    cause: "mining",
    whileRunning: true,
    title: "mining the redo is slow",
    inspects: "mining",
    judge: mining,
    remedies: () => [
      "Check the load of the database, the read rate of the archive destination, and which other LogMiner " +
        "sessions are open.",
    ],
  },
  {
    cause: "large transaction",
    whileRunning: true,
    title: "one large transaction fills the task's buffer",
    inspects: "large transactions",
    judge: largeTransaction,
    remedies: () => [
      "Wait for its commit, at which it is delivered as a whole. Load in smaller transactions to avoid this.",
    ],
  },
  {
    cause: "replay",
    whileRunning: true,
    title: "redo is read again with a redo dictionary",
    inspects: "replays with a redo dictionary",
    judge: replay,
    remedies: () => [
      "No action is needed. A table definition was changed, and earlier changes are being decoded again.",
    ],
  },
  {
    cause: "snapshot",
    whileRunning: true,
    title: "a snapshot is running, for which changes may wait",
    inspects: "snapshots",
    judge: snapshot,
    remedies: () => ["No action is needed. While a chunk is read, later changes wait, so that records stay in order."],
  },
];

function onWorkers(does: "resume" | "restart", connector: LaggingConnector): string {
  return connectorsLine(does, connector.name, connector);
}

function named(connector: LaggingConnector): string {
  return `${workersFlag(connector)} ${shellOption("--name", connector.name)}`;
}
