/**
 * Refusals that no check of a plan gives: while applying, recovering, rolling back, or over local state. One row a
 * code.
 */
interface RefusalPage {
  readonly code: string;
  readonly title: string;
  readonly problem: string;
  readonly remedy: string;
}

export const REFUSALS: readonly RefusalPage[] = [
  {
    code: "APL801",
    title: "The plan can't be carried out",
    problem: "A check blocks it, or something that it needs is not known.",
    remedy: "Read the findings of `cdcctl plan`.",
  },
  {
    code: "APL802",
    title: "The file was edited after it was written",
    problem: "A resolved plan or facts file carries a digest over its whole content, and it does not fit.",
    remedy: "Plan (or observe) again; don't edit the result.",
  },
  {
    code: "APL803",
    title: "The world is no longer as planned",
    problem:
      "Between plan and apply something was changed that the decision rests on; the differences are listed. No " +
      "mutating call was made, or the run was backed out.",
    remedy: "Plan again and review the difference.",
  },
  {
    code: "APL804",
    title: "The offset or the connector was changed by another hand",
    problem:
      "Before an offset is patched or deleted, and before a connector is deleted or another one takes over from " +
      "it, it has to be STOPPED, with the offsets that were read after it had stopped.",
    remedy:
      "Find out who else changes this connector; an operator such as Strimzi sets a state back that was changed " +
      "over REST.",
  },
  {
    code: "APL805",
    title: "The change could not be recorded",
    problem: "The ops topic refused the record; no change is made without one.",
    remedy: "See the broker's reason: topic, rights, in-sync replicas.",
  },
  {
    code: "APL806",
    title: "Connect refused the offset",
    problem:
      "The worker answered definitely that the offset was not changed, or that the offsets were not deleted; " +
      "`failed` is recorded.",
    remedy: "See the worker's reason; some connector classes check offsets themselves.",
  },
  {
    code: "APL807",
    title: "It can't be known whether the offset was changed",
    problem: "A PATCH is unanswered, and the offset is neither the previous nor the planned one.",
    remedy: "Find out who changed the offset and whether a worker hangs; then `cdcctl recover RUN --abandon`.",
  },
  {
    code: "APL808",
    title: "There is nothing to roll back",
    problem: "The run has not changed the offset, is not finished, or its change does not stand.",
    remedy: "`cdcctl show RUN` tells what it did.",
  },
  {
    code: "APL809",
    title: "The facts are of another document",
    problem: "The facts file was recorded for a plan file with another content.",
    remedy: "Observe again with the plan file as it is.",
  },
  {
    code: "APL810",
    title: "The decision is not the expected one",
    problem: "`--expect` names the decision that was reviewed; what would be applied now is another one.",
    remedy: "Plan again, review the difference, and expect the new digest.",
  },
  {
    code: "APL811",
    title: "The plan is too old, or dated in the future",
    problem:
      "What was reviewed describes the world as it was; `--max-age` (24 h) bounds how long that is trusted. The " +
      "age of a plan that is dated more than 5 minutes in the future is not known.",
    remedy: "Plan again; where it is dated in the future, check the clocks of both machines first.",
  },
  {
    code: "APL812",
    title: "Applied before, and not the latest change any more",
    problem:
      "Applying it once more would undo what came after it. Where only the ops topic says that it was applied, " +
      "the stored offset does not confirm it.",
    remedy: "Find out what has changed the offset since. To apply it all the same: `--again`.",
  },
  {
    code: "APL813",
    title: "An earlier run of this connector is not settled",
    problem:
      "Its journal ends in the middle, or can't be read; a new change on top of it could not be told from the old one.",
    remedy:
      "`cdcctl recover`. A journal that is damaged or of a newer version: use that version, or `cdcctl recover " +
      "--from-ops`.",
  },
  {
    code: "APL814",
    title: "The new connector was not created as it was sent",
    problem:
      "The worker refused to create it, or shows another configuration than the one that was checked: what was " +
      "created is taken back. One of the name that somebody else has created is left alone.",
    remedy: "See the worker's reason, or who else changes connectors here.",
  },
  {
    code: "APL815",
    title: "A connector could not be deleted",
    problem: "The worker answered definitely that it was not deleted; it stands as before.",
    remedy: "See the worker's reason: a right, or a rebalance that does not end; then apply again.",
  },
  {
    code: "APL816",
    title: "Tables and topics do not agree, or nobody can tell",
    problem:
      "A key is missing or differs in the new topics, or a table is inconclusive. It is recorded, and nothing is " +
      "retired by it.",
    remedy: "See which keys: `cdcctl migrate verify --check-evidence FILE`; mend what is missing, verify again.",
  },
  {
    code: "APL817",
    title: "The ops topic's record is not one that cdcctl writes",
    problem:
      "Whoever can write to the topic can write any record. The offset that this one asks for is not what a move " +
      "from the previous one stores: other fields, another identity or version, another server.",
    remedy:
      "Find out who can write to the topic. Record the change as failed: `cdcctl recover --from-ops --context " +
      "CONTEXT --connector CONNECTOR --abandon`; it changes nothing.",
  },
  {
    code: "APL818",
    title: "Both connectors of a migration would run",
    problem: "A cutover stands, and its other connector is not stopped: every change would be delivered by both.",
    remedy: "Stop the other one first; to go back to the legacy connector, `cdcctl rollback RUN`.",
  },
  {
    code: "APL819",
    title: "A stopped connector is not started by a restart",
    problem: "Connect restarts what is started; a connector that is STOPPED or PAUSED stays so.",
    remedy: "`cdcctl connectors resume NAME`.",
  },
  {
    code: "APL820",
    title: "A document could not be observed",
    problem:
      "A system did not answer, or a setting is wrong, so that nothing is known of what the document would change. " +
      "Its plan is blocked, and `apply` carries out none of the documents given with it.",
    remedy: "Fix what the message names and plan again, or leave the document out.",
  },
  {
    code: "OFF113",
    title: "No reason is given for moving the offset",
    problem: "The ops topic records why an offset was moved, and no change is made without a record.",
    remedy: "Give one: `--reason TEXT`.",
  },
  {
    code: "TRX510",
    title: "The transaction journal is not written as JSON",
    problem: "`cdc.journal.converter` names a converter whose records only the task can read.",
    remedy: "None from here. The task itself reads the journal at every start, and says CDC-4002 when it can't.",
  },
  {
    code: "STA701",
    title: "Another cdcctl works on this connector",
    problem: "One at a time: the lock names host, user, pid and time.",
    remedy: "Wait for it, or remove the lock when you know that its process is gone.",
  },
  {
    code: "LEG001",
    title: "It is not the legacy connector",
    problem:
      "A connector with cdc.* settings has a stored offset of its own, and one of another class has other " +
      "offsets: there is nothing to take over.",
    remedy: "Name the connector that is to be replaced.",
  },
  {
    code: "LEG002",
    title: "The legacy connector is not stopped",
    problem:
      "A task that is running, paused or failing may commit once more: the position would be older than what was " +
      "delivered, or still move.",
    remedy: "`PUT /connectors/NAME/stop`, and wait until it is STOPPED without tasks.",
  },
  {
    code: "LEG003",
    title: "The legacy connector has no stored offset",
    problem: "Without one there is no position to take over.",
    remedy:
      "Check its name. What never delivered anything is replaced by a new connector that begins with a snapshot " +
      "(cdc.snapshot.mode=initial).",
  },
  {
    code: "LEG004",
    title: "A stored offset of the legacy connector can't be read",
    problem: "A partition that is left out unread could be the one that holds the lowest SCN.",
    remedy:
      "Look at `GET /connectors/NAME/offsets`, and whether it is the Oracle CDC connector that is to be replaced.",
  },
  {
    code: "LEG005",
    title: "The partition can't be left out",
    problem:
      "It is not there, or without it there is no position: the database's own partition says where the legacy " +
      "connector's mining resumes.",
    remedy:
      "Leave out partitions of tables that were dropped, or that have been quiet for long, by the names that are " +
      "shown.",
  },
  {
    code: "LEG006",
    title: "The position is of an earlier incarnation",
    problem:
      "The legacy offsets hold no identity of their database. An SCN that is not above RESETLOGS_CHANGE# was " +
      "taken before the database was opened with RESETLOGS: the redo from there is not this one's.",
    remedy: "Start the new connector with a snapshot (cdc.snapshot.mode=initial).",
  },
  {
    code: "LEG007",
    title: "The position is above the database's current SCN",
    problem: "The offsets were taken in another database, or the database has since been set back.",
    remedy:
      "Check --db-dsn, or cdc.database.* of the target configuration: it has to be the database that the legacy " +
      "connector reads.",
  },
  {
    code: "LEG008",
    title: "Redo from the start to now is not all there",
    problem:
      "The new connector's task would stop with CDC-2001 (a sequence is missing) or CDC-2002 (a log is deleted " +
      "or can't be opened). What can't be seen counts as missing.",
    remedy: "Bring the archived logs back, or start the new connector with a snapshot (cdc.snapshot.mode=initial).",
  },
  {
    code: "LEG009",
    title: "No partition of the database is stored",
    problem:
      "The legacy connector stores where its own mining resumes for the database. With partitions of tables " +
      "alone, a commit that it has not delivered can lie below the lowest SCN.",
    remedy:
      "Check that it is the connector to be replaced, and that it has delivered. Where that is how it stores its " +
      "offsets: `--accept LEG009` (`spec.accept: [MIG116]` in a plan file).",
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
      "record.buffer.mode=connector, then stop it again. Or accept it: `--accept LEG010` (`spec.accept: " +
      "[MIG117]` in a plan file).",
  },
  {
    code: "LEG011",
    title: "The new connector has a stored offset already",
    problem: "It resumes from its stored offset and ignores cdc.start.scn.",
    remedy: "Choose another name, or stop it and delete its offsets first: DELETE /connectors/NAME/offsets.",
  },
  {
    code: "LEG012",
    title: "The database is in NOARCHIVELOG mode",
    problem: "Redo is overwritten after a few log switches: the new connector would stop with CDC-2001.",
    remedy: "Restart the database mounted and run ALTER DATABASE ARCHIVELOG.",
  },
  {
    code: "LEG013",
    title: "The database has several enabled redo threads",
    problem: "The connector does not support clustered databases.",
    remedy: "Mine a database with one redo thread, or ask the connector's vendor.",
  },
  {
    code: "VER101",
    title: "The check SCN can't be used",
    problem:
      "It is still to come, or the database no longer knows which SCN was current so long ago: nobody knows the " +
      "table as it was then.",
    remedy: "Give another one by `--check-scn`, or another `--safety-margin`.",
  },
  {
    code: "VER102",
    title: "The connector has not passed the check SCN",
    problem:
      "Its stored resume SCN is not above the check SCN: commits up to it may still be delivered, and would be missed.",
    remedy:
      "See that it runs. A long open transaction keeps the resume SCN back, and so does a quiet database without " +
      "heartbeats. Wait longer: `--wait`.",
  },
  {
    code: "VER103",
    title: "The connector's position can't be read",
    problem: "It has no stored offset, several, or one that can't be read: how far it came is not known.",
    remedy: "Check the name; `cdcctl admin offsets show`.",
  },
  {
    code: "VER104",
    title: "There is no such table or column",
    problem:
      "The database does not show this login a table of that name, or no table that is verified has a column " +
      "that is to be left out.",
    remedy: "Check the name: one in lower case is written in double quotes. The login needs SELECT ANY TABLE.",
  },
  {
    code: "VER105",
    title: "There is no such topic",
    problem: "A topic that was named is not there: an empty one would make every key of the table a missing one.",
    remedy: "Check its name, and the brokers.",
  },
  {
    code: "VER106",
    title: "There is not enough room on disk",
    problem: "What does not fit into memory is written to the work folder, and more is expected than is free there.",
    remedy: "Make room, or choose another folder: `--work-dir`.",
  },
  {
    code: "VER107",
    title: "The file is no evidence",
    problem: "Its digest does not fit, or what it says contradicts itself: it was changed after it was written.",
    remedy: "Verify again.",
  },
  {
    code: "VER108",
    title: "The check SCN is not past the new connector's start",
    problem:
      "At or below its start SCN the new connector has delivered nothing, so that nothing of it would be compared.",
    remedy: "Verify a little later, with a smaller `--safety-margin`, or give a later `--check-scn`.",
  },
  {
    code: "VER109",
    title: "The check SCN is below the legacy connector's last commit",
    problem:
      "A legacy record says the SCN of its change. Its transaction may have been committed after the check SCN, " +
      "until the last commit that the legacy connector delivered: which records count can't be told.",
    remedy:
      "Give a check SCN at or past that commit, or none. Records that say their commit SCN " +
      "(`output.commit.scn.field`) can be verified at any; `migrate verify` learns of it by `--legacy-config`.",
  },
  {
    code: "VER110",
    title: "The job is of other brokers or another database",
    problem:
      "A worker logs in by a context of its own contexts file. It leads to other brokers or another database than " +
      "those that the job was planned for: no login goes where a job says.",
    remedy: "Give the worker the contexts file that the job was planned with: `--contexts`. Or plan the job again.",
  },
  {
    code: "VER111",
    title: "The results are not this job's, or not complete",
    problem:
      "Each unit and each slot of a job has one result. One is missing, is there twice, is of another job, or can't " +
      "be read: what was found would be wrong.",
    remedy: "Run the job again. What is finished is kept.",
  },
];
