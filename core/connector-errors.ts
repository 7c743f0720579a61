import type { ConnectorStatus } from "./facts/connector/connector.ts";
import { firstLine } from "./values/truncate.ts";

/** An error that stops the connector's task, and what an operator can do about it. */
export interface ConnectorError {
  readonly code: string;
  readonly title: string;
  /** What the error means. */
  readonly problem: string;
  /** Most likely first. */
  readonly causes: readonly string[];
  readonly remedy: string;
  /** In order; words in capitals are placeholders. */
  readonly commands: readonly string[];
}

const SEE = "cdcctl connectors show NAME --context CONTEXT";
const REDO = "cdcctl admin offsets show --name NAME --context CONTEXT --check-redo";
const AGAIN = "cdcctl init Resnapshot --out orders-after-purge.yaml     # if no backup has the logs";
const RESTART = "cdcctl connectors restart NAME --context CONTEXT";

/**
 * Source: specification, "Connector error codes referenced"; the conditions of the redo also in the reference on
 * Oracle, those of the journal and of the format in the one on wire formats. The connector's other codes are not
 * described there, and therefore not here.
 */
export const CONNECTOR_ERRORS: readonly ConnectorError[] = [
  {
    code: "CDC-2001",
    title: "A redo log sequence is missing",
    problem:
      "The task has to continue mining from its stored position, but a log that it needs is missing from a redo " +
      "thread: none is listed, the first one begins too late, or a sequence in between is absent. Nothing is lost " +
      "yet: the stored offset has not moved.",
    causes: [
      "Archived logs were deleted before they were mined: the connector was down for longer than logs are kept.",
      "The logs are archived to another destination than the connector reads (`cdc.archive.destination`).",
      "The position is of another database, or of a time before RESETLOGS.",
    ],
    remedy:
      "Restore the logs from a backup and restart the task. Snapshot the tables again only if that is impossible.",
    commands: [SEE, REDO, RESTART, AGAIN],
  },
  {
    code: "CDC-2002",
    title: "A log is deleted or can't be opened",
    problem:
      "A log that the task needs is listed, but marked as deleted in the catalogue, or its file can't be opened. " +
      "Nothing is lost yet: the stored offset has not moved.",
    causes: [
      "RMAN deleted it, by its retention policy or with DELETE ARCHIVELOG.",
      "The file was removed or moved without RMAN; the catalogue still lists it as present.",
      "The file system of the archive is not mounted or not readable.",
    ],
    remedy:
      "Restore the logs from a backup and restart the task. Snapshot the tables again only if that is impossible.",
    commands: [SEE, REDO, RESTART, AGAIN],
  },
  {
    code: "CDC-3002",
    title: "The stored offset has a newer format",
    problem:
      "The stored offset was written by a newer version of the connector. This version refuses it instead of " +
      "guessing its meaning.",
    causes: ["The connector's plugin was replaced with an older version on some worker."],
    remedy: "Install the newer version on every worker again, and restart the task.",
    commands: [SEE, RESTART],
  },
  {
    code: "CDC-4002",
    title: "The transaction journal can't be read back",
    problem:
      "When it starts, the task restores open transactions from its journal topic. A chunk is missing or a record " +
      "can't be read, so the task stops, restores nothing, and does not retry.",
    causes: [
      "The topic's retention or compaction has removed a record: its cleanup.policy is not just compact.",
      "Another client has written to the topic or deleted records from it.",
      "`cdc.journal.converter` differs from when the records were written.",
    ],
    remedy: "The journal report names the chunk or record and what can be done about it.",
    commands: [
      "cdcctl admin journal inspect --name NAME --context CONTEXT",
      "cdcctl admin transactions --name NAME --context CONTEXT",
      RESTART,
    ],
  },
  {
    code: "CDC-7001",
    title: "A released orphan is mined again",
    problem:
      "A transaction that the task released as an orphan, because its end was not seen, is mined again from an " +
      "earlier SCN. Delivering it now could change the order of changes, so the task stops.",
    causes: [
      "The offset was moved back to before that transaction, and the transaction's id was left in the ledger.",
      "The offset was moved manually, without a plan that checks the ledger (OFF115).",
    ],
    remedy: "Plan the move with the id in `spec.forgetReleased`: the transaction is then delivered.",
    commands: [
      SEE,
      "cdcctl admin offsets show --name NAME --context CONTEXT     # the ledger, under released orphans",
      "cdcctl admin offsets set --name NAME --context CONTEXT --scn SCN --forget-released ID --reason REASON",
      "cdcctl init OffsetChange --out orders-replay.yaml     # the same as a plan: spec.forgetReleased: [ID]",
      "cdcctl plan orders-replay.yaml",
    ],
  },
];

/**
 * Finds the error that stopped a connector or its task, from the first line of its trace. @returns undefined without a
 * code known here
 */
export function connectorErrorIn({
  trace,
  tasks,
}: Pick<ConnectorStatus, "trace" | "tasks">): ConnectorError | undefined {
  const lines = [trace, ...tasks.map((task) => task.trace)].map((text) => firstLine(text));
  return CONNECTOR_ERRORS.find(({ code }) => lines.some((line) => line.includes(code)));
}
