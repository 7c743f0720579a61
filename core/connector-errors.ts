import type { ConnectorStatus } from "../schemas/generated/facts.ts";
import { stopIn } from "./facts/connector/traces.ts";
import type { Explained } from "./refusals.ts";
import type { Remedy } from "./values/remedy.ts";

/** An error that stops the connector's task, and what an operator can do about it. */
export interface ConnectorError extends Explained {
  /** When it stops the task, as the end of a sentence. */
  readonly stops: string;
  /** How each cause is recognised, and what to do about it; the likeliest first. */
  readonly causes: readonly string[];
  /** Commands in the order in which to run them; words in capitals are placeholders. */
  readonly commands: readonly string[];
}

const OF = "--name NAME --context CONTEXT";
const SEE = "cdcctl connectors show NAME --context CONTEXT";
const REDO = `cdcctl admin offsets show ${OF} --check-redo`;
const OFFSET = `cdcctl admin offsets show ${OF}`;
const MOVE = `cdcctl admin offsets set ${OF} --scn SCN`;
const SNAPSHOT = `cdcctl admin resnapshot ${OF} --tables TABLES --reason REASON`;
const AGAIN = "cdcctl init Resnapshot --out orders-after-purge.yaml     # if no backup has the logs";
const RESTART = "cdcctl connectors restart NAME --context CONTEXT";
const CHECK = "cdcctl doctor check --context CONTEXT --connector NAME";
const OPEN = `cdcctl admin transactions ${OF}`;

const RESTORE =
  "Restore the logs from a backup and restart the task. Snapshot the tables again only if that is impossible.";

/** The items of a list in a template: each begins with a dash, and may continue on the next lines. */
const items = (text: string): readonly string[] =>
  text
    .split(/^ *- /m)
    .slice(1)
    .map((item) => item.trim().replace(/\s*\n\s*/g, " "));

/**
 * Every code of the connector, in its order. Nothing is passed over by any of them: the stored offset stays.
 *
 * Source: reference: connector codes, from the connector's ErrorCode and its runbooks.
 */
const BY_CODE: Readonly<Record<string, Omit<ConnectorError, "code" | "stops"> & { readonly stops?: string }>> = {
  "CDC-1001": {
    title: "The database is not available",
    problem: "The connection was refused or lost, or Oracle reported an error that the connector does not classify.",
    stops: "after retries every 1 to 30 s for cdc.retry.max.time.ms (24 h); after an unclassified error at once",
    causes: items(`
      - ORA-03113, ORA-03114, ORA-03135, ORA-12170 or ORA-17002: the network between worker and database.
      - ORA-12514 or ORA-12541: the listener is down or does not offer the service.
      - ORA-01033, ORA-01034, ORA-01089 or ORA-01109: the instance is not open.
      - ORA-16331: a captured PDB is closed. Open it and save its state.
      - Another ORA code: it is not classified. Add it to \`cdc.retry.extra.error.codes\` if it is transient.`),
    remedy: "Bring back the database, the listener or the network, then restart the task.",
    commands: [
      "cdcctl contexts test CONTEXT --connector NAME",
      "ALTER PLUGGABLE DATABASE PDB OPEN; ALTER PLUGGABLE DATABASE PDB SAVE STATE;     # SQL, for ORA-16331",
      RESTART,
    ],
  },
  "CDC-1002": {
    title: "A mining step fails again and again",
    problem: "While a log was read it was switched, reused or not yet visible; the same range is mined again.",
    stops: "after more than 20 such failures in a row",
    causes: items(`
      - ORA-00310, ORA-00334 or ORA-01289: online logs are reused while they are read: too few, or too small.
      - ORA-01291 or ORA-01368: the archiver is behind, or its destination is full or not valid.`),
    remedy: "Fix the archiver and its destination, add redo groups or enlarge them, then restart the task.",
    commands: [
      "SELECT dest_name, status, error FROM v$archive_dest_status WHERE status <> 'INACTIVE';     # SQL",
      "cdcctl doctor sizing --context CONTEXT --connector NAME     # sizes of online logs",
      RESTART,
    ],
  },
  "CDC-2001": {
    title: "A redo log sequence is missing",
    problem:
      "A log that the task needs from its stored position on is missing from a redo thread: none is listed, the " +
      "first begins too late, the last ends too early, or a sequence in between is absent. Nothing is lost yet.",
    causes: items(`
      - Archived logs were deleted before they were mined: the connector was down for longer than logs are kept.
      - The logs are archived to another destination than the connector reads (\`cdc.archive.destination\`).`),
    remedy: RESTORE,
    commands: [REDO, "RESTORE ARCHIVELOG FROM SEQUENCE N UNTIL SEQUENCE N THREAD N;     # RMAN", RESTART, AGAIN],
  },
  "CDC-2002": {
    title: "A log is deleted or can't be opened",
    problem:
      "A log that the task needs is marked as deleted in the catalogue, or can't be opened. Nothing is lost yet.",
    causes: items(`
      - RMAN deleted it, by its retention policy or with DELETE ARCHIVELOG.
      - ORA-00308, ORA-01284, ORA-01285 or ORA-16226: its file was removed or moved without RMAN, or its file system
        is not mounted or not readable; the catalogue still lists it as present.
      - A first start, without a stored offset: it mines from the start of the oldest open transaction, below
        \`cdc.start.scn\`. If that redo is gone, wait for the transaction to end, or end it.`),
    remedy: RESTORE,
    commands: [
      REDO,
      "CROSSCHECK ARCHIVELOG ALL;     # RMAN, after a restore",
      "SELECT ses_addr, start_scn, start_date FROM gv$transaction ORDER BY start_scn;     # SQL, at a first start",
      RESTART,
      AGAIN,
    ],
  },
  "CDC-3001": {
    title: "A row or table can't be decoded",
    problem: "A row of a captured table can't be turned into a record, or a captured table can't be keyed or read.",
    stops: "at once; with cdc.on.decode.error=dlq a row goes to the DLQ instead, but a table still stops it",
    causes: items(`
      - "STATUS 2" or "STATUS 3", "UNSUPPORTED": LogMiner can't rebuild the row, mostly for a column's type.
        Exclude the table.
      - A table has no key: add one, or set \`cdc.key.columns\` or \`cdc.key.missing\`.
      - "part of the record key": correct \`cdc.columns.exclude\`; a column that is missing: \`cdc.key.columns\`.
      - A snapshot met a column's type that it can't read: exclude the column or the table.
      - Anything that does not parse: report it. With \`dlq\` the other tables go on; snapshot this one afterwards.`),
    remedy: "Correct the key, the type or the exclusion that the message names, then restart the task.",
    commands: [CHECK, RESTART, `${SNAPSHOT}     # after rows went to the DLQ`],
  },
  "CDC-3002": {
    title: "Redo, a spill file or the offset is damaged",
    problem: "Something that the task has to rely on failed its check. What, is in the message.",
    stops: "at once, and never sends anything to the DLQ",
    causes: items(`
      - "MISSING_SCN": the redo has a hole. Restore intact logs; without any, move past it and snapshot the tables.
      - "all-zero RS_ID": LogMiner gave a row without a redo address. Restart the task. If it stops again, report it,
        and do not move past the SCN.
      - A spill file can't be read back: fix the disk and restart the task, which builds it again.
      - "newer format version": the plugin was replaced with an older one. Install the newer one on every worker.
      - Another message about the stored offset: it is empty, or without \`v\`, or its \`snapshot\` or \`threads\` is
        not valid. Something else wrote it. Write a known position back. Without one, start afresh: delete the offsets
        and this prefix's records of the journal and schema topics.`),
    remedy: "Find the cause in the message; only a damaged offset is corrected by writing it.",
    commands: [
      OFFSET,
      "VALIDATE ARCHIVELOG SEQUENCE N THREAD N;     # RMAN, for MISSING_SCN",
      "cdcctl init OffsetChange --out orders-recorded.yaml     # spec.lastRecorded: true, for a damaged offset",
      RESTART,
    ],
  },
  "CDC-3003": {
    title: "A committed LOB is too large",
    problem: "A LOB value is larger than `cdc.lob.max.bytes`, and `cdc.lob.oversize.action` is `fail`.",
    causes: items(`
      - The value is legitimate: raise the limit, and \`max.request.size\` and \`message.max.bytes\` with it.
      - Nobody needs it: \`cdc.lob.oversize.action=placeholder\`, or \`cdc.lob.mode=skip\`.`),
    remedy: "Change one of these settings, then restart the task.",
    commands: [RESTART],
  },
  "CDC-4001": {
    title: "The spill is full or can't be written",
    problem: "Open transactions on disk exceed `cdc.buffer.spill.max.bytes` (10.7 GB), or writing there failed.",
    causes: items(`
      - A large transaction is open, and the message names the largest: have its owner end it, or raise the limit.
        \`cdc.transaction.max.age.ms\` bounds how long one may stay open.
      - The directory \`cdc.buffer.spill.dir\` is full or not writable: make room, or name another one.`),
    remedy: "Make room, then restart the task: it mines the open transactions again, from their first change.",
    commands: [OPEN, `${REDO}     # the redo that the restart needs`, RESTART],
  },
  "CDC-4002": {
    title: "The transaction journal can't be read back",
    problem: "A chunk is missing or a record can't be read, so the task can't restore its open transactions.",
    stops: "at its start",
    causes: items(`
      - The topic's retention or compaction has removed a record: its cleanup.policy is not just compact.
      - Another client has written to the topic or deleted records from it.
      - \`cdc.journal.converter\` differs from when the records were written.`),
    remedy: "Read the journal report: it names the chunk or record, and what can be done about it.",
    commands: [`cdcctl admin journal inspect ${OF}`, OPEN, RESTART],
  },
  "CDC-4003": {
    title: "Mining one log times out",
    problem: "A step over a single log reached `cdc.mining.query.timeout.ms` (10 min) three times in a row.",
    causes: items(`
      - A bulk job wrote very much redo, captured or not: the profile names its tables.
      - The database was under exceptional load: wait until it has passed.
      - The log is simply large: raise the time limit.`),
    remedy: "Raise the time limit or reduce the redo, then restart the task.",
    commands: ["cdcctl doctor redo-profile --context CONTEXT --connector NAME", RESTART],
  },
  "CDC-4004": {
    title: "A transaction has been open too long",
    problem:
      "A transaction is older than `cdc.transaction.max.age.ms`, and `cdc.transaction.max.age.action` is `fail`. " +
      "The message names it, its user and its first SCN.",
    causes: items(`
      - Its session is idle or forgotten: have its owner commit it or roll it back.
      - It is legitimate: raise the limit.
      - It is not wanted: \`discard\` drops it, to ledger and DLQ; its COMMIT later stops the task with CDC-7001.`),
    remedy: "End the transaction, raise the limit or choose `discard`, then restart the task.",
    commands: [OPEN, RESTART],
  },
  "CDC-5001": {
    title: "Another database, or one that can't be mined",
    problem: "The connector is connected to another database than before, or to one that it does not mine.",
    stops: "at its start or after a reconnect",
    causes: items(`
      - "stored offset belongs to database": another DBID or RESETLOGS. Connect to the right one. Was it replaced,
        delete the offsets and this prefix's records of the journal and schema topics, and start with a snapshot.
      - No archive destination is valid: name one in \`cdc.archive.destination\`.
      - "enabled redo threads": a cluster is not supported. A DBA can disable the thread of a removed instance.
      - Role or open mode: mine a primary, or with \`archive_only\` a physical standby that is open READ ONLY.
      - \`cdc.start.scn\` is above the current SCN: correct it.
      - \`cdc.mining.mode=logs\` inside a PDB: choose \`auto\`.`),
    remedy: "Correct what the message names, then restart the task.",
    commands: [OFFSET, CHECK, RESTART],
  },
  "CDC-5002": {
    title: "The capture user lacks a privilege",
    problem: "The database refused the connector's user: a grant is missing, or the login failed.",
    causes: items(`
      - ORA-01031 or ORA-00942: a grant is missing.
      - ORA-01045: the user may not create a session.
      - ORA-01017: the password is wrong. ORA-28000: the account is locked; unlock it once the password is right.
      - EXECUTE on DBMS_LOGMNR_D alone does not stop it: dictionary builds are switched off.`),
    remedy: "Grant what is missing or correct the login, then restart the task.",
    commands: [CHECK, "cdcctl doctor setup-sql --context CONTEXT --connector NAME", RESTART],
  },
  "CDC-6001": {
    title: "No dictionary fits rows older than a DDL",
    problem: "Rows were written before a later DDL on their table, and nothing says how the table looked then.",
    causes: items(`
      - No dictionary build ends before the rows, or logs between it and them are missing: restore the logs.
      - The user has no EXECUTE on DBMS_LOGMNR_D: granting it helps only rows written after the next build.
      - In range mode, as in \`auto\` inside a PDB, no builds are used: every DDL between position and now does this.`),
    remedy: "Restore the logs. Otherwise move past the DDL, clear the table's layout (see CDC-6003) and snapshot it.",
    commands: [REDO, RESTART, `${MOVE} --allow-skip --reason REASON     # past the DDL`, SNAPSHOT],
  },
  "CDC-6002": {
    title: "A DDL on a captured table is not known",
    problem: "A DDL statement on a captured table could not be classified. The message names the table and the SCN.",
    causes: items(`
      - The table's columns and key are unchanged: move to the SCN after it.
      - They changed: exclude the table until a version of the connector knows the statement.`),
    remedy: "Report the statement to the connector's maintainers.",
    commands: [`${MOVE} --allow-skip --reason REASON     # the SCN of the DDL, plus 1`, RESTART],
  },
  "CDC-6003": {
    title: "The schema topic holds another layout",
    problem:
      "The layout of a captured table on `cdc.schema.topic` differs from the dictionary, and no DDL of it lies ahead " +
      "of the resume SCN (within 10 s), so that a DDL was never mined.",
    stops: "at its start",
    causes: items(`
      - The offset was moved past the DDL: move it back before that. If its redo is gone, or the changes since are not
        wanted, write a null record for the table's key to the schema topic, and snapshot the table.
      - The table was not captured when it was altered: write the null record, and snapshot it.
      - The schema topic is another connector's: correct \`cdc.schema.topic\`.`),
    remedy: "Move back before the DDL, or clear the table's layout while the connector is stopped.",
    commands: [
      "SELECT last_ddl_time FROM dba_objects WHERE owner = 'OWNER' AND object_name = 'TABLE';     # SQL",
      `${MOVE} --reason REASON     # before the DDL`,
      `${SNAPSHOT}     # after the null record`,
    ],
  },
  "CDC-6004": {
    title: "Two names become one",
    problem: "Two columns get one field, or two tables one topic, only because characters of their names are replaced.",
    stops: "at its start, or when it first builds the table's layout",
    causes: items(`
      - "both become field": \`cdc.field.name.adjustment.mode=avro_unicode\`, or exclude or rename a column.
      - "both route to topic": another \`cdc.topic.template\`, or exclude or rename a table.`),
    remedy: "Keep the names apart, then restart the task. Consumers see the new names.",
    commands: [CHECK, RESTART],
  },
  "CDC-7001": {
    title: "A COMMIT of a released transaction arrived",
    problem:
      "The task mined the COMMIT of a transaction whose changes it had let go: released as an orphan, or discarded " +
      "because of its age. Only its last part could be delivered, so the task stops. Their ids are in the ledger, " +
      "`released_xids` of the offset, the newest 256.",
    causes: items(`
      - Event transaction-orphan-released on the ops topic: the task did not see it in GV$TRANSACTION, though it was
        still open, such as in a container that the user can't see.
      - Event transaction-discarded: it was older than \`cdc.transaction.max.age.ms\`, with action \`discard\`.
      - Neither event is new: the offset was moved back over it, and its id was left in the ledger (OFF115).`),
    remedy:
      "Move back to its first SCN and take its id out of the ledger: it is then delivered whole. Where that redo is " +
      "gone, move past its COMMIT instead, take the id out, and snapshot its tables.",
    commands: [
      `${OFFSET}     # the ledger, under released orphans`,
      `${MOVE} --forget-released ID --reason REASON     # first_scn of the event`,
      "cdcctl init OffsetChange --out orders-replay.yaml     # the same as a plan: spec.forgetReleased: [ID]",
      "cdcctl plan orders-replay.yaml",
      `${SNAPSHOT}     # only where that redo is gone`,
    ],
  },
  "CDC-7002": {
    title: "The database no longer knows a transaction",
    problem:
      "A buffered transaction is not in GV$TRANSACTION, its end was not mined, and `cdc.transaction.orphan.action` " +
      "is `fail`. The message names it and its first SCN.",
    causes: items(`
      - Its session was killed or its instance restarted, so that it was rolled back: set the action to \`release\`.
      - It did commit: move back before its first SCN, so that it is mined whole.`),
    remedy: "Decide what became of it, then restart the task.",
    commands: [OPEN, `${MOVE} --reason REASON     # if it did commit`, RESTART],
  },
  "CDC-8001": {
    title: "Undo is too old for a snapshot's chunk",
    problem: "Reading a chunk as of its SCN gave ORA-01555 or ORA-08181, even with 1,000 rows.",
    stops: "at once; after a restart the snapshot resumes at that chunk",
    causes: items(`
      - UNDO_RETENTION is too short, or the undo tablespace too small for it: SSOLDERRCNT in V$UNDOSTAT is above 0.
      - The chunks are too large for a slow read: lower \`cdc.snapshot.chunk.rows\`.`),
    remedy: "Raise UNDO_RETENTION, with room in the undo tablespace, or lower the chunk, then restart the task.",
    commands: [
      "SELECT tuned_undoretention, maxquerylen, ssolderrcnt FROM v$undostat ORDER BY begin_time DESC;     # SQL",
      "ALTER SYSTEM SET UNDO_RETENTION = SECONDS SCOPE = BOTH;     # SQL",
      RESTART,
    ],
  },
};

export const CONNECTOR_ERRORS: readonly ConnectorError[] = Object.entries(BY_CODE).map(([code, error]) => ({
  stops: "at once",
  ...error,
  code,
  commands: [SEE, ...error.commands],
}));

/**
 * Finds the error that stopped a connector or its task, from its trace.
 *
 * @returns undefined without a code; `error` is undefined for the code of a later connector
 */
export function explainedStop({ trace, tasks }: Pick<ConnectorStatus, "trace" | "tasks">) {
  const [stop] = [trace, ...tasks.map((task) => task.trace)].flatMap((text) => stopIn(text) ?? []);
  return stop && { ...stop, error: CONNECTOR_ERRORS.find(({ code }) => code === stop.code) };
}

/** Where the code of a stop is explained; nothing for an unknown one. */
export function explanationOf(stop: ReturnType<typeof explainedStop>): readonly Remedy[] {
  return stop?.error === undefined ? [] : [{ text: "What the error means", command: `cdcctl explain ${stop.code}` }];
}
