import type { ConnectorStatus } from "./facts/connector/connector.ts";
import { firstLine } from "./values/truncate.ts";

/** What stops the connector's task, and what an operator does about it then. */
export interface ConnectorError {
  readonly code: string;
  readonly title: string;
  /** What the connector means by it. */
  readonly problem: string;
  /** The likeliest first. */
  readonly causes: readonly string[];
  readonly remedy: string;
  /** In their order; words in capitals are to be filled in. */
  readonly commands: readonly string[];
}

const SEE = "cdcctl connectors show NAME --context CONTEXT";
const REDO = "cdcctl admin offsets show --name NAME --context CONTEXT --check-redo";
const AGAIN = "cdcctl init Resnapshot --out orders-after-purge.yaml     # if no backup has the logs";
const RESTART = "cdcctl connectors restart NAME --context CONTEXT";

/**
 * Source: specification, "Connector error codes referenced"; the conditions of the redo also in the reference on
 * Oracle, those of the journal and of the format in the one on wire formats. Other codes of the connector are not
 * described there, and so are not here.
 */
export const CONNECTOR_ERRORS: readonly ConnectorError[] = [
  {
    code: "CDC-2001",
    title: "A sequence of redo is missing",
    problem:
      "The task has to mine on from its stored position, and of a redo thread a log is not there that it needs: none " +
      "is listed, the first one begins too late, or a sequence in between is left out. Nothing is lost yet: the stored " +
      "offset stays where it is.",
    causes: [
      "Archived logs were deleted before they were mined: the retention is shorter than the connector was down.",
      "They are archived to another destination than the connector reads (`cdc.archive.destination`).",
      "The position is of another database, or of a time before RESETLOGS.",
    ],
    remedy: "Bring the logs back from a backup and restart the task; only if that can't be, snapshot the tables again.",
    commands: [SEE, REDO, RESTART, AGAIN],
  },
  {
    code: "CDC-2002",
    title: "A log is deleted or can't be opened",
    problem:
      "A log that the task needs is listed, but marked as deleted in the catalogue, or its file can't be opened. " +
      "Nothing is lost yet: the stored offset stays where it is.",
    causes: [
      "RMAN has deleted it, by the retention policy or by DELETE ARCHIVELOG.",
      "The file was removed or moved without RMAN; the catalogue still says that it is there.",
      "The file system of the archive is not mounted, or may not be read.",
    ],
    remedy: "Bring the logs back from a backup and restart the task; only if that can't be, snapshot the tables again.",
    commands: [SEE, REDO, RESTART, AGAIN],
  },
  {
    code: "CDC-3002",
    title: "The stored offset has a later format",
    problem: "What is stored was written by a later version of the connector: it is refused, and not guessed.",
    causes: ["The connector's plugin was replaced by an earlier version on some worker."],
    remedy: "Install the later version on every worker again, and restart the task.",
    commands: [SEE, RESTART],
  },
  {
    code: "CDC-4002",
    title: "The transaction journal can't be read back",
    problem:
      "At its start the task reads the transactions that were open from its journal topic. A chunk of one is missing, " +
      "or a record can't be read. It stops, restores nothing, and does not try again by itself.",
    causes: [
      "The topic's retention or compaction has removed a record: its cleanup.policy is not compact alone.",
      "Somebody else has written to the topic, or has deleted records from it.",
      "`cdc.journal.converter` is another one than when the records were written.",
    ],
    remedy: "The journal's own report names the chunk or record, and what can be done about it.",
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
      "A transaction that the task has released as an orphan, because its end was not seen, is mined again, from an " +
      "earlier SCN. To deliver it now could deliver it in another order than before, so the task stops.",
    causes: [
      "The offset was moved back to before that transaction, and its id was left in the ledger.",
      "The offset was moved by hand, without a plan that looks at the ledger (OFF115).",
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

/** What has stopped a connector or its task, by its trace's first line. @returns undefined without a code known here */
export function connectorErrorIn({
  trace,
  tasks,
}: Pick<ConnectorStatus, "trace" | "tasks">): ConnectorError | undefined {
  const lines = [trace, ...tasks.map((task) => task.trace)].map((text) => firstLine(text));
  return CONNECTOR_ERRORS.find(({ code }) => lines.some((line) => line.includes(code)));
}
