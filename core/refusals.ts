import { APPROVAL_REFUSALS } from "./approvals/approvals.ts";
import { DEBEZIUM_REFUSALS } from "./legacy/debezium/refusals.ts";
import { POLICY_CODES } from "./policies/codes.ts";

/**
 * Refusals that do not come from a check of a plan: while applying, recovering or rolling back, or over local state.
 * One row per code.
 */
/** What `cdcctl explain` says of a code. */
export interface Explained {
  readonly code: string;
  readonly title: string;
  readonly problem: string;
  readonly remedy: string;
}

export const REFUSALS: readonly Explained[] = [
  ...POLICY_CODES,
  {
    code: "APL801",
    title: "The plan can't be applied",
    problem: "A check blocks it, or a fact that the plan needs is unknown.",
    remedy: "Read the findings of `cdcctl plan`.",
  },
  {
    code: "APL802",
    title: "The file was edited after it was written",
    problem: "A resolved plan or facts file carries a digest over its whole content, and the digest does not match.",
    remedy: "Run plan (or observe) again; do not edit the result.",
  },
  {
    code: "APL803",
    title: "The systems have changed since the plan",
    problem:
      "Between plan and apply something that the decision depends on was changed; the differences are listed. " +
      "Nothing was changed, or the run was backed out.",
    remedy: "Plan again and review the difference.",
  },
  {
    code: "APL804",
    title: "The offset or the connector was changed by another user",
    problem:
      "Before an offset is patched or deleted, and before a connector is deleted or replaced by another one, it has " +
      "to be STOPPED and its offsets have to be those read after the stop.",
    remedy:
      "Find out who else changes this connector; an operator such as Strimzi reverts a state that was changed over " +
      "REST.",
  },
  {
    code: "APL805",
    title: "The change could not be recorded",
    problem: "The broker refused the record for the ops topic. No change is made without a record.",
    remedy: "Check the reason that the broker gives: topic, permissions, in-sync replicas.",
  },
  {
    code: "APL806",
    title: "Connect refused the offset",
    problem:
      "The worker confirmed that the offset was not changed, or that the offsets were not deleted; `failed` is " +
      "recorded.",
    remedy: "Check the reason that the worker gives; some connector classes validate offsets themselves.",
  },
  {
    code: "APL807",
    title: "It is unknown whether the offset was changed",
    problem: "A PATCH request got no answer, and the stored offset is neither the previous nor the planned one.",
    remedy: "Find out who changed the offset and whether a worker hangs. Then run `cdcctl recover RUN --abandon`.",
  },
  {
    code: "APL808",
    title: "There is nothing to roll back",
    problem: "The run has not changed the offset, is not finished, or its change is no longer in effect.",
    remedy:
      "Run `cdcctl show RUN` to see what it did. A run that is not finished is finished (`cdcctl recover RUN`) or " +
      "called off (`cdcctl recover RUN --abandon`).",
  },
  {
    code: "APL809",
    title: "The facts belong to another document",
    problem: "The facts file was recorded for a plan file with different content.",
    remedy: "Run observe again with the current plan file.",
  },
  {
    code: "APL810",
    title: "The decision or its place differs from what was approved",
    problem:
      "`--expect` names what was reviewed: the decision, and where it is applied (the workers' URLs, cluster, " +
      "connector, evidence path). What would be applied now is something else, or applied elsewhere. The decision " +
      "alone is not an approval; only `recover` takes it, for the run that it settles.",
    remedy: "Plan again, review the difference, and expect the new approval.",
  },
  {
    code: "APL811",
    title: "The plan is too old or dated in the future",
    problem:
      "The plan describes the systems as they were; `--max-age` (24 h) limits how long that is trusted. The age " +
      "of a plan that is dated more than 5 minutes in the future is unknown.",
    remedy: "Plan again. If the plan is dated in the future, check the clocks of both machines first.",
  },
  {
    code: "APL812",
    title: "Already applied, and no longer the latest change",
    problem:
      "Applying it again would undo later changes. If only the ops topic records it as applied, the stored offset " +
      "does not confirm it.",
    remedy: "Find out what has changed the offset since. To apply it anyway, pass `--again`.",
  },
  {
    code: "APL813",
    title: "An earlier run of this connector is not settled",
    problem:
      "Its journal ends in the middle or can't be read. A new change on top of it could not be distinguished from " +
      "the old one.",
    remedy:
      "Finish it (`cdcctl recover`), or call it off (`cdcctl recover --abandon`). If the journal is damaged or of a " +
      "newer version, use that version, or `cdcctl recover --from-ops`.",
  },
  {
    code: "APL814",
    title: "The new connector was not created as requested",
    problem:
      "The worker refused to create it, or shows a configuration other than the one that was checked; what the run " +
      "created is deleted again. A connector of that name created by another user is left untouched.",
    remedy: "Check the reason that the worker gives, and who else changes connectors here.",
  },
  {
    code: "APL815",
    title: "A connector could not be deleted",
    problem: "The worker confirmed that it was not deleted; it is unchanged.",
    remedy: "Check the reason that the worker gives: a permission, or a rebalance that does not end. Then apply again.",
  },
  {
    code: "APL816",
    title: "Tables and topics differ, or could not be compared",
    problem:
      "A key is missing or differs in the new topics, or a table is inconclusive. The result is recorded, and " +
      "cannot be used to retire anything.",
    remedy: "List the keys with `cdcctl migrate verify --check-evidence FILE`, fix what is missing, and verify again.",
  },
  {
    code: "APL817",
    title: "The record in the ops topic is not one that cdcctl writes",
    problem:
      "Whoever can write to the topic can write any record. The offset that this record asks for is not what a move " +
      "from the previous offset stores: other fields, another identity or version, another server.",
    remedy:
      "Find out who can write to the topic. Record the change as failed: `cdcctl recover --from-ops --context " +
      "CONTEXT --connector CONNECTOR --abandon`; it changes nothing.",
  },
  {
    code: "APL818",
    title: "Both connectors of a migration would be running",
    problem:
      "A cutover is in effect, and the other connector of the migration is not stopped. Both would deliver every " +
      "change.",
    remedy: "Stop the other connector first. To roll back to the legacy connector, run `cdcctl rollback RUN`.",
  },
  {
    code: "APL819",
    title: "A restart does not start a stopped connector",
    problem: "Connect restarts only what is running; a STOPPED or PAUSED connector stays as it is.",
    remedy: "Run `cdcctl connectors resume NAME`.",
  },
  {
    code: "APL820",
    title: "A document could not be observed",
    problem:
      "A system did not answer, or a setting is wrong, so what the document would change is unknown. Its plan is " +
      "blocked, and `apply` applies none of the documents given with it.",
    remedy: "Fix the problem in the message and plan again, or leave the document out.",
  },
  {
    code: "APL821",
    title: "Records could not be removed",
    problem:
      "Null records clear a connector's keys in its journal or schema topic. A key there can't be read, so that it " +
      "may be this connector's, or the broker refused a null record. The step has written none.",
    remedy: "Check the record that the message names, and the login's WRITE permission on the topic.",
  },
  {
    code: "APL822",
    title: "The journal ends before what the ops topic records of its run",
    problem:
      "A valid beginning of the journal was restored from a backup, or lines at its end are lost. Whether the offset " +
      "was changed can't be concluded from it.",
    remedy:
      "Restore the latest copy of the journal, or settle the change by the ops topic: `cdcctl recover --from-ops " +
      "--context CONTEXT --connector CONNECTOR`, which keeps the journal under another name.",
  },
  {
    code: "APL823",
    title: "The journal does not match the plan of its run",
    problem:
      "What a run stores follows from its plan and the previous offset, and its `applying` record in the ops topic " +
      "names both. The keys of records to remove follow from the plan, the start of a cutover from the legacy " +
      "connector's stored offsets, and the steps from the decision. If the journal says anything else, it was edited " +
      "or damaged. Nothing is sent.",
    remedy:
      "Find out who can write to the state directory. Restore the journal, settle the change by the ops topic " +
      "(`cdcctl recover --from-ops --context CONTEXT --connector CONNECTOR`), or call it off (`--abandon`).",
  },
  {
    code: "APL824",
    title: "The ops topic no longer has the run's own record",
    problem:
      "A run announces its change there before it changes anything. Retention or compaction has removed that record, " +
      "so nothing confirms what the journal names, and nothing is sent.",
    remedy:
      "Keep the topic's records longer, without compaction. Call the run off (`cdcctl recover RUN --abandon`), and " +
      "plan the change again from what is stored.",
  },
  ...APPROVAL_REFUSALS,
  ...DEBEZIUM_REFUSALS,
  {
    code: "OFF113",
    title: "No reason is given for moving the offset",
    problem: "The ops topic records why an offset was moved, and no change is made without a record.",
    remedy: "Pass `--reason TEXT`.",
  },
  {
    code: "TRX510",
    title: "The transaction journal is not written as JSON",
    problem: "`cdc.journal.converter` names a converter whose records only the connector's task can read.",
    remedy: "Leave it to the task: it reads the journal at every start, and reports CDC-4002 if it can't.",
  },
  {
    code: "STA701",
    title: "Another cdcctl process is working on this connector",
    problem: "Only one process can change a connector at a time. The lock names its host, user, pid and time.",
    remedy: "Wait for it. Remove the lock only when you are sure that the process has ended.",
  },
  {
    code: "STA702",
    title: "Other users can change a file that cdcctl trusts",
    problem:
      "The contexts file names the hosts that receive logins and a command to run; `recover` and `rollback` follow " +
      "journals, and a verification follows its job. So these files and cdcctl's own folders must belong to this " +
      "user or root, and neither everybody nor a group without this user may be able to write to them. A folder " +
      "above them matters only if everybody can write to it and it is not sticky.",
    remedy: "Find out who has changed it. Then restrict it: `chmod o-w FILE`, `chmod g-w FILE`, or `chown`.",
  },
  {
    code: "LEG001",
    title: "The connector is not a legacy connector",
    problem:
      "A connector with cdc.* settings has a stored offset of its own, and one of another class has other " +
      "offsets: there is nothing to take over.",
    remedy: "Give the name of the connector to be replaced.",
  },
  {
    code: "LEG002",
    title: "The legacy connector is not stopped",
    problem:
      "A task that is running, paused or failing may commit once more. The position could be older than what was " +
      "delivered, or still move.",
    remedy: "Stop it (`PUT /connectors/NAME/stop`), and wait until it is STOPPED without tasks.",
  },
  {
    code: "LEG003",
    title: "The legacy connector has no stored offset",
    problem: "Without one there is no position to take over.",
    remedy:
      "Check its name. Replace a connector that never delivered anything with a new one that starts with a snapshot " +
      "(cdc.snapshot.mode=initial).",
  },
  {
    code: "LEG004",
    title: "A stored offset of the legacy connector can't be read",
    problem: "An unread partition could be the one with the lowest SCN.",
    remedy: "Inspect `GET /connectors/NAME/offsets`, and check that it is the Oracle CDC connector to be replaced.",
  },
  {
    code: "LEG005",
    title: "The partition can't be left out",
    problem:
      "It does not exist, or there is no position without it: the database's own partition says where the legacy " +
      "connector's mining resumes.",
    remedy: "Leave out only partitions of dropped or long-quiet tables, by the names shown.",
  },
  {
    code: "LEG006",
    title: "The position is from an earlier incarnation",
    problem:
      "The legacy offsets do not identify their database. An SCN that is not above RESETLOGS_CHANGE# was taken " +
      "before the database was opened with RESETLOGS: the redo from there on does not belong to this incarnation.",
    remedy: "Start the new connector with a snapshot (cdc.snapshot.mode=initial).",
  },
  {
    code: "LEG007",
    title: "The position is above the database's current SCN",
    problem: "The offsets were taken in another database, or the database has been rewound since.",
    remedy:
      "Check --db-dsn, or cdc.database.* of the target configuration: it must be the database that the legacy " +
      "connector reads. If the database was rewound, and what was delivered since may stay: `--accept LEG007` " +
      "(`spec.accept: [MIG124]` in a plan file).",
  },
  {
    code: "LEG008",
    title: "Redo is missing between the start and now",
    problem:
      "The new connector's task would stop with CDC-2001 (a sequence is missing) or CDC-2002 (a log is deleted or " +
      "can't be opened). A log that can't be inspected counts as missing.",
    remedy: "Restore the archived logs, or start the new connector with a snapshot (cdc.snapshot.mode=initial).",
  },
  {
    code: "LEG009",
    title: "The legacy offsets have no database partition",
    problem:
      "The legacy connector stores where its mining resumes in a partition of the database. With partitions of " +
      "tables alone, a commit that it has not delivered can lie below the lowest SCN.",
    remedy:
      "Check that it is the connector to be replaced, and that it has delivered changes. If it stores its offsets " +
      "that way, pass `--accept LEG009` (`spec.accept: [MIG116]` in a plan file).",
  },
  {
    code: "LEG010",
    title: "The start may lie above open transactions",
    problem:
      "With use.transaction.begin.for.mining.session=false (its published default), or " +
      "record.buffer.mode=database, the stored scn is not where the oldest open transaction began. What a " +
      "transaction changed before the start would be lost if it was open at the stop.",
    remedy:
      "Have the legacy connector run once with use.transaction.begin.for.mining.session=true and " +
      "record.buffer.mode=connector, then stop it again. Or accept the risk: `--accept LEG010` (`spec.accept: " +
      "[MIG117]` in a plan file).",
  },
  {
    code: "LEG011",
    title: "The new connector already has a stored offset",
    problem: "It resumes from its stored offset and ignores cdc.start.scn.",
    remedy:
      "Choose another name, or stop the connector and delete its offsets first (DELETE /connectors/NAME/offsets).",
  },
  {
    code: "LEG012",
    title: "The database is in NOARCHIVELOG mode",
    problem: "Redo is overwritten after a few log switches: the new connector would stop with CDC-2001.",
    remedy: "Restart the database in MOUNT mode and run ALTER DATABASE ARCHIVELOG.",
  },
  {
    code: "LEG013",
    title: "The database has several enabled redo threads",
    problem: "The connector does not support clustered databases.",
    remedy: "Mine a database with one redo thread, or ask the connector's vendor.",
  },
  {
    code: "LEG014",
    title: "Redo of an open transaction is missing",
    problem:
      "The new connector mines from the start of the oldest open transaction on, by whatever user: where that redo " +
      "is gone it stops with CDC-2002 at once, and no setting skips it.",
    remedy:
      "Wait until the transaction has ended, or have it ended; or restore the archived logs. If it will have ended " +
      "before the connector starts: `--accept LEG014` (`spec.accept: [MIG119]` in a plan file).",
  },
  {
    code: "LEG015",
    title: "The stored offsets name another database",
    problem: "SID and PDB are all that they hold of their database's identity: the SCNs may be of another one.",
    remedy:
      "Check the settings of both connectors. If it is the same database under another name: `--accept LEG015` " +
      "(`spec.accept: [MIG122]` in a plan file).",
  },
  {
    code: "VER101",
    title: "The check SCN can't be used",
    problem:
      "It is in the future, or so old that the database can no longer map a time to it: the table as of then can't " +
      "be read.",
    remedy: "Pass another `--check-scn` or `--safety-margin`.",
  },
  {
    code: "VER102",
    title: "The connector has not passed the check SCN",
    problem:
      "Its stored resume SCN is not above the check SCN: commits up to it may still be delivered, and would be missed.",
    remedy:
      "Check that it is running. A long open transaction holds the resume SCN back, and so does a quiet database " +
      "without heartbeats. To wait longer, pass `--wait`.",
  },
  {
    code: "VER103",
    title: "The connector's position can't be read",
    problem: "It has no stored offset, several, or one that can't be read: how far it has read is unknown.",
    remedy: "Check the name, and run `cdcctl admin offsets show`.",
  },
  {
    code: "VER104",
    title: "Table or column not found",
    problem:
      "This login does not see a table of that name, or none of the verified tables has a column that is to be left " +
      "out.",
    remedy: "Check the name: a lower-case name needs double quotes. The login needs SELECT ANY TABLE.",
  },
  {
    code: "VER105",
    title: "Topic not found",
    problem: "A named topic does not exist. As an empty topic it would make every key of the table count as missing.",
    remedy: "Check its name, and the brokers.",
  },
  {
    code: "VER106",
    title: "Not enough disk space",
    problem:
      "What does not fit into memory is written to the work folder, which has less free space than is expected to " +
      "be needed.",
    remedy: "Free some space, or choose another folder with `--work-dir`.",
  },
  {
    code: "VER107",
    title: "The file is not valid evidence",
    problem: "Its digest does not match, or its content contradicts itself: it was changed after it was written.",
    remedy: "Verify again.",
  },
  {
    code: "VER108",
    title: "The check SCN is not past the new connector's start",
    problem: "The new connector has delivered nothing at or below its start SCN, so nothing of it would be compared.",
    remedy: "Verify a little later, with a smaller `--safety-margin`, or pass a later `--check-scn`.",
  },
  {
    code: "VER109",
    title: "The check SCN is below the legacy connector's last commit",
    problem:
      "A legacy record carries the SCN of its change. Its transaction may have committed after the check SCN, up to " +
      "the last commit that the legacy connector delivered, so which records count cannot be determined.",
    remedy:
      "Pass a check SCN at or past that commit, or none. Records that carry their commit SCN " +
      "(`output.commit.scn.field`) can be verified at any SCN; point `migrate verify` to the setting with " +
      "`--legacy-config`.",
  },
  {
    code: "VER110",
    title: "The job was planned for other systems",
    problem:
      "A worker logs in with a context from its own contexts file, which points to other brokers or another " +
      "database than the job was planned for. No login is sent to an address taken from a job.",
    remedy: "Give the worker the contexts file that the job was planned with (`--contexts`), or plan the job again.",
  },
  {
    code: "VER111",
    title: "The results are incomplete or belong to another job",
    problem:
      "Each unit and each slot of a job has exactly one result. One is missing, duplicated, from another job or " +
      "unreadable, so the verdict would be wrong.",
    remedy: "Run the job again. Finished parts are kept.",
  },
  {
    code: "VER120",
    title: "The topic of an audited table is not known",
    problem: "The settings of the connector do not lead to one topic that exists, so there is nothing to compare.",
    remedy: "Name the topic: `--table OWNER.TABLE=TOPIC`.",
  },
];
