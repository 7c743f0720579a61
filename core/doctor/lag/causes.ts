import { bringBack, restoreCommands } from "../../facts/redo/redo.ts";
import type { Advice } from "../../values/remedy.ts";
import { connectorsLine, shellWord, workersFlag } from "../../values/shell-word.ts";
import type { Cause, Judgement } from "./cause.ts";
import type { LaggingConnector } from "./lag-facts.ts";
import type { LagReading } from "./lag-reading.ts";
import { longTransaction } from "./long-transaction.ts";
import { failed, notBehind, notRunning, redoGone } from "./standing.ts";
import { kafkaSide, largeTransaction, mining, replay } from "./task-causes.ts";

/** One way to be behind: how it is told, and what the operator does. */
export interface CauseRule {
  readonly cause: Cause;
  /** One line, as the answer to "why is it behind?". */
  readonly title: string;
  /** The same of a cause that is only likely. */
  readonly likelyTitle?: string;
  /** What is asked, where it is not the answer: `whether …`. */
  readonly question: string;
  /** What to do now, one way a line. */
  remedies(reading: LagReading): readonly Advice[];
  /** Only of a connector that runs: of another one there is nothing to ask. */
  readonly whileRunning: boolean;
  judge(reading: LagReading): Judgement;
}

/**
 * In the order in which they explain: who does not run is not slow; who is not behind needs no cause; a resume SCN that
 * is held back says nothing of the throughput. Then what the task's metrics tell apart. The first that holds is the
 * answer (reference: Oracle, "Why is the connector behind?").
 */
export const CAUSES: readonly CauseRule[] = [
  {
    cause: "redo gone",
    whileRunning: false,
    title: "redo that the connector needs is gone",
    question: "whether redo is gone",
    judge: redoGone,
    remedies: ({ facts: { connector }, redo }) => [
      ...bringBack(redo.known ? restoreCommands(redo.value.faults) : []),
      {
        text: "See which logs, every file opened, and how to restore them",
        command: `cdcctl admin offsets show ${named(connector)} --check-redo`,
      },
      { text: "Where they can't be restored", command: "cdcctl init resnapshot" },
    ],
  },
  {
    cause: "failed",
    whileRunning: false,
    title: "the connector or its task has failed",
    question: "whether it has failed",
    judge: failed,
    remedies: ({ facts: { connector } }) => [
      "Mend what the trace says; the worker's log has more of it.",
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
    question: "whether it runs",
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
    question: "how old the resume SCN is",
    judge: notBehind,
    remedies: () => ["If records arrive late all the same, look at the topics and their consumers."],
  },
  {
    cause: "long transaction",
    whileRunning: true,
    title: "a long-running transaction holds the resume SCN back",
    likelyTitle: "a long-running transaction may hold the resume SCN back",
    question: "whether a long-running transaction holds the resume SCN",
    judge: longTransaction,
    remedies: ({ facts: { connector } }) => [
      "Other transactions are delivered meanwhile; only a restart has to mine from the resume SCN again.",
      "Have whoever began it commit it or roll it back, and keep the archived logs until then.",
      { text: "What the task has journaled of it", command: `cdcctl admin journal inspect ${named(connector)}` },
    ],
  },
  {
    cause: "kafka",
    whileRunning: true,
    title: "Kafka takes the records more slowly than the task mines them",
    question: "whether Kafka is slow",
    judge: kafkaSide,
    remedies: () => [
      "Look at the brokers' load and the producer's metrics of the worker (request latency, throttling, " +
        "retries), and at its converters and transformations.",
    ],
  },
  {
    cause: "mining",
    whileRunning: true,
    title: "mining the redo is slow",
    question: "whether mining is slow",
    judge: mining,
    remedies: () => [
      "Look at the database's load and the read rate of the archive destination, and at what other LogMiner " +
        "sessions there are.",
    ],
  },
  {
    cause: "large transaction",
    whileRunning: true,
    title: "one large transaction fills the task's buffer",
    question: "whether one transaction is large",
    judge: largeTransaction,
    remedies: () => ["It is delivered at its commit, all at once; a load in smaller transactions avoids this."],
  },
  {
    cause: "replay",
    whileRunning: true,
    title: "redo is read again with a redo dictionary",
    question: "whether redo is replayed",
    judge: replay,
    remedies: () => [
      "It ends by itself; a table's definition was changed, and changes from before it are decoded again.",
    ],
  },
];

function onWorkers(does: "resume" | "restart", connector: LaggingConnector): string {
  return connectorsLine(does, connector.name, connector);
}

function named(connector: LaggingConnector): string {
  return `${workersFlag(connector)} --name ${shellWord(connector.name)}`;
}
