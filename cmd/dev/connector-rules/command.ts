import type { Places } from "./rules.ts";

const WRITING = "core/apply/steps/write-signal.test.ts";
const WAITS = "core/apply/steps/snapshot-waits.test.ts";
const EARLIER = "core/checks/earlier-snapshots.test.ts";
const INSPECTED = "core/kinds/connector/inspect-signals.test.ts";
const MEANWHILE = "cmd/behaviour/resnapshot-meanwhile.test.ts";
const CODES = "cmd/views/codes.test.ts";
const LAG = "core/doctor/lag/explain-lag.test.ts";
/** Transcripts are played again: what `explain` says of a code, its condition and causes among it. */
const EXPLAINED_IN = "cmd/testdata/explain-codes.transcript.txt";
const explained = (code: string) => ({ test: EXPLAINED_IN, name: `cdcctl explain ${code}` });
/** The same in a world whose connector has stopped with the code, and goes on in the end. */
const shown = (code: string) => ({
  test: `cmd/testdata/${code.toLowerCase()}.transcript.txt`,
  name: `cdcctl explain ${code}`,
});

/** The test of the command that depends on the rule, or why it can't be observed there. */
export const COMMAND: Places = {
  // The first-start cut
  "cut-events": {
    test: "core/plan/diff.test.ts",
    name: "the first-start cut is named by what is not delivered, in place of its three fields",
  },
  "cut-later-start": {
    test: "core/plan/diff.test.ts",
    name: "the first-start cut is named by what is not delivered, in place of its three fields",
  },
  "cut-ddl": {
    why: "The command reads no DDL from the redo: it names the floor, below which the task drops all of it.",
  },
  "cut-commits": {
    test: "core/facts/offset/recognition.test.ts",
    name: "no commit below the floor of the first-start cut, which leaves them out anyway",
  },
  "cut-ends": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "the first-start cut is in force until a commit is acknowledged",
  },
  "cut-lifted": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a move back below the floor lifts the cut, since nothing would be delivered with it",
  },
  "first-start-redo": {
    test: "core/legacy/takeover.test.ts",
    name: "an open transaction whose redo is gone is named with its user, since a first start mines it whole",
  },
  "first-start-purged": {
    test: "core/checks/takeover.test.ts",
    name: "blocks unless accepted, naming the transaction and its user",
  },
  "start-above-current": {
    test: "core/checks/takeover.test.ts",
    name: "refuses an SCN from before RESETLOGS, and one above the current",
  },

  // Signals and snapshots
  "signals-partition": {
    test: WRITING,
    name: "goes to partition 0, whatever the key hashes to; both signals in one batch where one is to stop",
  },
  "signals-committed": {
    test: "providers/kafka/record-batch.test.ts",
    name: "aborted records are omitted by producer and first offset, until the producer's next marker",
  },
  "signals-running": {
    why: "The command waits for an answer as long as it is told to, whenever the task looks for signals.",
  },
  "signals-topic": {
    test: WRITING,
    name: "a missing topic is created with one partition, by a recorded call, before the signal",
  },
  "signals-position": {
    test: INSPECTED,
    name: "are those with the connector's name or its prefix as key, in partition 0, behind the last handled one",
  },
  "signals-handled": {
    test: WRITING,
    name: "at or below the stored signal_offset fails the run before it announces anything: no task reads it",
  },
  "signals-snapshot-only": {
    test: "core/checks/snapshot-signal.test.ts",
    name: "refuses snapshot_only, whatever is accepted",
  },
  "signals-key": {
    test: INSPECTED,
    name: "are those with the connector's name or its prefix as key, in partition 0, behind the last handled one",
  },
  "signals-passed-over": {
    test: "core/checks/snapshot-signal.test.ts",
    name: "refuses where the topic was created again, in either way, and says how many records are missing",
  },
  "signals-invalid": {
    why: "The command writes JSON with an id and a type only; an answer without an id does not answer its signal.",
  },
  "signals-order": {
    test: EARLIER,
    name: "blocks one that is unfinished, pending, or asked for by a signal that is still unread",
  },
  "snapshot-started": {
    test: WAITS,
    name: "succeeds at the end of the whole snapshot, not of a table, nor of one before the answer",
  },
  "snapshot-not-captured": {
    test: WAITS,
    name: "a partial acceptance fails the run: a table that was not captured is not read",
  },
  "snapshot-none-captured": {
    test: "core/apply/steps/wait-for-ack.test.ts",
    name: "a rejection ends the run as rejected, with the connector's message: changed only where the offset moved",
  },
  "snapshot-running": { test: MEANWHILE, name: "is blocked, with the ways out, and nothing is sent to anybody" },
  "snapshot-table-case": {
    test: EARLIER,
    name: "passes where each of them is named, in any case; tables that are done need not be",
  },
  "snapshot-predicate": { why: "The command writes no condition: it snapshots whole tables." },
  "snapshot-chunk-done": {
    test: "core/facts/ops/signal.test.ts",
    name: "has an end of each table and of all, with the reason of a table that was skipped",
  },
  "snapshot-pause": {
    why: "The command never pauses a snapshot: a restart goes on with it, so that only its end can be waited for.",
  },
  "snapshot-stop": {
    test: MEANWHILE,
    name: "stops the earlier one with a signal in the same batch, which the task handles first",
  },
  "snapshot-none-running": {
    why: "The command stops a snapshot only together with a new one, and goes by the answer to that.",
  },
  "snapshot-log-state": {
    why: "The command asks for no state by a signal: it reads the stored offset, and the metrics of the task.",
  },
  "snapshot-refresh": { why: "The command writes no such signal: the tables are those that the configuration names." },
  "snapshot-resumed-first": {
    test: EARLIER,
    name: "past a gap it says what the other snapshot leaves, and that waiting does not help",
  },
  "snapshot-complete": {
    test: WAITS,
    name: "succeeds at the end of the whole snapshot, not of a table, nor of one before the answer",
  },
  "snapshot-skipped": {
    test: WAITS,
    name: "a named table that was skipped fails the run, and so does a stop; another table's skip does not",
  },
  "snapshot-new-table": {
    test: "core/checks/tables.test.ts",
    name: "warns of tables that what is deployed does not capture, with the Resnapshot to write",
  },

  // Journal and generations
  "generation-raised": {
    test: "core/journal/read-journal.test.ts",
    name: "chunks of the stored generation + 1 are the task's own; those above are stale",
  },
  "journal-without-offset": {
    test: "core/journal/read-journal.test.ts",
    name: "without a stored offset the task restores generations 0 and 1 that begin below its start",
  },
  "journal-deleted-with-offset": {
    test: "core/checks/cutover-names.test.ts",
    name: "refuses while a topic has records of the prefix, which accepting does not change",
  },
  "restored-holds": {
    test: "core/checks/torn-transactions.test.ts",
    name: "refuses a forward move over one that the task restores, and names it with its last record",
  },
  "restored-pulls-back": {
    test: "core/checks/torn-transactions.test.ts",
    name: "counts every chunk that begins below the target, up to the stored generation + 1",
  },
  "restored-purged": {
    test: "core/checks/torn-transactions.test.ts",
    name: "passes past a gap while a running connector is waited for, and not once it has stopped",
  },
  "restored-committed": {
    test: "core/checks/torn-transactions.test.ts",
    name: "refuses a forward move over one that the task restores, and names it with its last record",
  },
  "redo-order": {
    test: "core/journal/read-journal.test.ts",
    name: "with equal redo addresses and ssn the SCN decides",
  },

  // What a stored offset must hold
  "offset-version": {
    test: "core/checks/stored-offset.test.ts",
    name: "says what stops the task, and how a known position is written back",
  },
  "offset-identity": {
    test: "core/checks/stored-offset.test.ts",
    name: "refuses an offset without a database identity, at which the task stops with CDC-5001",
  },
  "offset-snapshot": { test: "core/facts/offset/offset-problems.test.ts", name: "a snapshot with a null" },
  "offset-unknown-null": { test: "core/facts/offset/offset-problems.test.ts", name: "an unknown field of null" },
  "offset-fields": { test: "core/facts/offset/offset-problems.test.ts", name: "a blank transaction" },
  "delivered-recognised": {
    test: "core/facts/offset/recognition.test.ts",
    name: "nothing, without a transaction, whatever the SCN",
  },
  "delivered-torn": {
    test: "core/checks/torn-transactions.test.ts",
    name: "names, where what was delivered is delivered again, those whose first part is not",
  },
  "threads-trusted": {
    test: "core/facts/offset/recognition.test.ts",
    name: "are trusted while the lowest resume SCN and the last commit are the offset's",
  },

  // Where the database may be mined
  "mining-auto": {
    test: "core/checks/database.test.ts",
    name: "passes at the root, in a database without containers, and inside a PDB in range mode",
  },
  "mining-logs-in-pdb": {
    test: "core/checks/database.test.ts",
    name: "blocks cdc.mining.mode=logs inside a PDB unless accepted; a preflight always",
  },
  "range-dictionary": {
    test: "core/checks/redo-kept.test.ts",
    name: "does not speak of dictionaries in range mode, which uses none",
  },
  "range-ddl": {
    test: "core/checks/ddl.test.ts",
    name: "blocks a backward move across a DDL in range mode unless accepted",
  },
  "archive-only-role": {
    test: "core/checks/database.test.ts",
    name: "archive_only does not mine a mounted database, a logical or a snapshot standby, or a primary open read only",
  },
  "archive-only-applied": {
    test: "core/facts/redo/examination.test.ts",
    name: "archive_only ends at the applied SCN of a standby, whatever has arrived",
  },
  "several-threads": {
    test: "core/checks/redo.test.ts",
    name: "blocks two enabled threads unless accepted: every start stops",
  },
  "reconnect-checked": explained("CDC-5001"),
  "forward-ddl": {
    test: "core/checks/ddl.test.ts",
    name: "blocks a forward move over a captured table's DDL unless accepted; admin continues with a warning",
  },
  "forward-ddl-way-out": {
    test: "core/checks/ddl.test.ts",
    name: "spec.removeTableSchemas removes exactly these tables' layouts, stopped and before the move",
  },
  "ora-00604": {
    test: "providers/oracle/oracle-port.test.ts",
    name: "judges an error of recursive SQL by the one that it wraps",
  },
  "ora-16331": {
    test: "providers/oracle/oracle-failure.test.ts",
    name: "a closed PDB passes once it is open",
  },
  "mining-step-retries": { test: CODES, name: "says when each code stops the task" },
  "mining-step-errors": explained("CDC-1002"),

  // Offset fields on a move
  "move-resume": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a move changes the resume SCN, drops what belongs to the old position, and keeps every other field",
  },
  "move-last-commit": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a move changes the resume SCN, drops what belongs to the old position, and keeps every other field",
  },
  "move-deliver-again": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "to deliver again, the five fields of the last commit are removed and the event index is 0",
  },
  "move-ledger": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a move keeps in the ledger exactly the ids that are not forgotten, as text or null",
  },
  "ledger-newest": {
    test: CODES,
    name: "says of CDC-7001 that its COMMIT arrived, of an orphan or of one that was discarded because of its age",
  },
  "move-kept": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a move changes the resume SCN, drops what belongs to the old position, and keeps every other field",
  },
  "move-initial": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a first offset is version 1 with the database's identity and zeros, and can be read",
  },
  "heartbeat-first": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a first start mines from below its start SCN; an offset below it without a cut of that floor is another's",
  },

  // Error codes
  "CDC-1001": explained("CDC-1001"),
  "CDC-1002": explained("CDC-1002"),
  "CDC-2001": explained("CDC-2001"),
  "CDC-2002": explained("CDC-2002"),
  "CDC-3001": explained("CDC-3001"),
  "CDC-3002": shown("CDC-3002"),
  "CDC-3003": explained("CDC-3003"),
  "CDC-4001": shown("CDC-4001"),
  "CDC-4002": explained("CDC-4002"),
  "CDC-4003": explained("CDC-4003"),
  "CDC-4004": shown("CDC-4004"),
  "CDC-5001": shown("CDC-5001"),
  "CDC-5002": explained("CDC-5002"),
  "CDC-6001": explained("CDC-6001"),
  "CDC-6002": explained("CDC-6002"),
  "CDC-6003": shown("CDC-6003"),
  "CDC-6004": explained("CDC-6004"),
  "CDC-7001": shown("CDC-7001"),
  "CDC-7002": explained("CDC-7002"),
  "CDC-8001": shown("CDC-8001"),

  // Metrics of the task
  "metrics-idle-polls": {
    test: LAG,
    name: "a blocked engine neither steps nor polls: certain after ten minutes, as the alert NotAdvancing has it",
  },
  "metrics-snapshot": {
    test: LAG,
    name: "may be a running snapshot, by the task or, of an older connector, by the stored offset",
  },
  "metrics-spill": { test: LAG, name: "comes with a warning where the spill is above 80 % of its limit" },
};
