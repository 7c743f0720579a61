import type { Places } from "./rules.ts";

const CODES = "providers/sandbox/code-scenarios.test.ts";
const DECODES_NOTHING = "The sandbox's connector moves its position and decodes no rows or statements.";
const SIGNALS = "providers/sandbox/connect/task/signals.test.ts";
const SNAPSHOTS = "providers/sandbox/connect/task/snapshots.test.ts";
const POSITION = "providers/sandbox/connect/task/position.test.ts";
const MINING = "providers/sandbox/connect/task/scripted-task.test.ts";
const JOURNAL = "providers/sandbox/connect/task/journal.test.ts";
const TOPOLOGY = "providers/sandbox/connect/task/topology.test.ts";
const TASK = "providers/sandbox/connect/task/connector-task.test.ts";

/** The test of the sandbox's connector, or why it can't be observed there. */
export const SANDBOX: Places = {
  // The first-start cut
  "cut-events": {
    test: MINING,
    name: "is delivered below the floor for the transactions open at the first start alone",
  },
  "cut-later-start": {
    test: MINING,
    name: "is delivered below the floor of a transaction that began at or after start_open_scn",
  },
  "cut-ddl": { test: MINING, name: "drops DDL below the floor" },
  "cut-commits": { test: MINING, name: "skips commits below the floor whole, even of listed transactions" },
  "cut-ends": { test: MINING, name: "ends the cut with the first acknowledged commit" },
  "cut-lifted": {
    test: MINING,
    name: "delivers nothing after a move below the floor, unless the three fields are removed with it",
  },
  "first-start-redo": {
    test: MINING,
    name: "begins at a first start with the oldest open transaction, below cdc.start.scn, by whatever user",
  },
  "first-start-purged": {
    test: MINING,
    name: "that is gone from the oldest open transaction on stops a first start with CDC-2002",
  },
  "start-above-current": {
    test: MINING,
    name: "is not reached by a cdc.start.scn above the current SCN, which stops the task with CDC-5001",
  },

  // Signals and snapshots
  "signals-partition": { test: SIGNALS, name: "are read from partition 0 only" },
  "signals-committed": { test: SIGNALS, name: "of an aborted transaction are not read, nor any after an open one" },
  "signals-running": { test: TASK, name: "that is stopped answers nothing until it runs" },
  "signals-topic": {
    test: SIGNALS,
    name: "have a topic of one partition that is never compacted, created at the start",
  },
  "signals-position": { test: SIGNALS, name: "are read from the beginning if the offset has no signal_offset" },
  "signals-handled": { test: SIGNALS, name: "are read after the stored signal_offset, which is the last one handled" },
  "signals-snapshot-only": {
    test: SIGNALS,
    name: "are not read with cdc.snapshot.mode=snapshot_only, nor without the brokers' address",
  },
  "signals-key": { test: SIGNALS, name: "have the connector's name or its topic prefix as their key" },
  "signals-passed-over": { test: SIGNALS, name: "of others are passed over, and signal_offset with them" },
  "signals-invalid": {
    test: SIGNALS,
    name: "that are not JSON, or have no type, are answered invalid, without id and type",
  },
  "signals-order": {
    test: SIGNALS,
    name: "are handled in order, so that an earlier snapshot makes the later one rejected",
  },
  "snapshot-started": {
    test: SNAPSHOTS,
    name: "have started once their signal is answered ok, and are carried by the offset at once",
  },
  "snapshot-not-captured": {
    test: SNAPSHOTS,
    name: "of tables of which some are not captured start for the others, and the answer names those",
  },
  "snapshot-none-captured": { test: SNAPSHOTS, name: "of tables of which none is captured are rejected" },
  "snapshot-running": { test: SNAPSHOTS, name: "are rejected while another one is running, and not queued" },
  "snapshot-table-case": { test: SNAPSHOTS, name: "name their tables in any case" },
  "snapshot-predicate": { test: SNAPSHOTS, name: "carry the condition of their signal" },
  "snapshot-chunk-done": { test: SNAPSHOTS, name: "read chunk by chunk; the frontier of a table is its next chunk" },
  "snapshot-pause": { test: SNAPSHOTS, name: "read no new chunk while paused, until snapshot-resume" },
  "snapshot-stop": { test: SNAPSHOTS, name: "end with snapshot-stop, and their unread chunks are never read" },
  "snapshot-none-running": { test: SNAPSHOTS, name: "can't be paused, resumed or stopped while none is running" },
  "snapshot-log-state": { test: SIGNALS, name: "ask for the state with log-state" },
  "snapshot-refresh": {
    test: SNAPSHOTS,
    name: "are rejected where tables wait for theirs, which begins first, but not right behind a stop",
  },
  "snapshot-resumed-first": {
    test: SNAPSHOTS,
    name: "that are unfinished go on before signals are read, those that wait after them",
  },
  "snapshot-complete": { test: SNAPSHOTS, name: "end with snapshot-complete of each table, then of *" },
  "snapshot-skipped": { test: SNAPSHOTS, name: "say why a table was not read" },
  "snapshot-new-table": { test: SNAPSHOTS, name: "are not taken of a table that the configuration added" },

  // Journal and generations
  "generation-raised": {
    test: JOURNAL,
    name: "is read after the generation was raised: a chunk of the stored one + 1 is the task's own",
  },
  "journal-without-offset": {
    test: JOURNAL,
    name: "is read with the initial position and generation 1 if no offset is stored",
  },
  "journal-deleted-with-offset": {
    test: JOURNAL,
    name: "of a deleted offset restores a foreign transaction, unless its records were removed as well",
  },
  "restored-holds": {
    test: JOURNAL,
    name: "holds the resume point at the last journaled record of a restored transaction until it ends",
  },
  "restored-pulls-back": {
    test: JOURNAL,
    name: "pulls a forward move over a restored transaction back with the next commit",
  },
  "restored-purged": { test: JOURNAL, name: "stops the start after that with CDC-2002 if the redo in between is gone" },
  "restored-committed": {
    test: JOURNAL,
    name: "delivers nothing of a restored transaction that committed in the skipped span, and holds on to it",
  },
  "redo-order": { test: JOURNAL, name: "orders records by address, then ssn, then SCN" },

  // What a stored offset must hold
  "offset-version": { test: POSITION, name: "with v missing, null or another version stops the task with CDC-3002" },
  "offset-identity": {
    test: POSITION,
    name: "of another database, or without dbid or resetlogs_scn, stops the task with CDC-5001",
  },
  "offset-snapshot": {
    test: POSITION,
    name: "with a snapshot that is not JSON, or not of version 1, stops the task with CDC-3002",
  },
  "offset-unknown-null": { test: POSITION, name: "with an unknown field that is null stops the task without a code" },
  "offset-fields": {
    test: POSITION,
    name: "with a blank last_commit_xid, a negative event_index or text in schema_epoch stops the task without a code",
  },
  "delivered-recognised": {
    test: MINING,
    name: "is recognised by xid, thread and address, whatever last_commit_scn says",
  },
  "delivered-torn": { test: MINING, name: "lacks the first part of a transaction that began below the resume SCN" },
  "threads-trusted": {
    test: POSITION,
    name: "trusts its threads only while they agree with resume SCN and last commit",
  },

  // Where the database may be mined
  "mining-auto": {
    test: TOPOLOGY,
    name: "is mined in range mode inside a PDB by default: a DDL ahead stops the task there, not in the root",
  },
  "mining-logs-in-pdb": { test: TOPOLOGY, name: "is never mined with cdc.mining.mode=logs inside a PDB" },
  "range-dictionary": { why: "The sandbox's connector builds no dictionary into the redo in any mode." },
  "range-ddl": { test: TOPOLOGY, name: "with a DDL between the position and now stops range mode with CDC-6001" },
  "archive-only-role": { test: TOPOLOGY, name: "may be an open physical standby with archive_only, and nothing else" },
  "archive-only-applied": { test: TOPOLOGY, name: "of a standby is mined up to the applied SCN with archive_only" },
  "several-threads": {
    test: TOPOLOGY,
    name: "with several enabled redo threads stops the start before an offset is read",
  },
  "reconnect-checked": {
    why: "The sandbox's connector keeps no connection that could be lost: it looks at the world behind its database.",
  },
  "forward-ddl": {
    test: TOPOLOGY,
    name: "with a DDL that a forward move has skipped stops the next start with CDC-6003",
  },
  "forward-ddl-way-out": {
    test: TOPOLOGY,
    name: "with a skipped DDL is mined again after a null record for the table's key on the schema topic",
  },
  "ora-00604": { why: "The sandbox's connector sends no statements to its database: it looks at the world behind it." },
  "ora-16331": { why: "The sandbox's connector sends no statements to its database: it looks at the world behind it." },
  "mining-step-retries": { why: "The sandbox's connector does not read logs in steps, so that no step can fail." },
  "mining-step-errors": { why: "The sandbox's connector does not read logs in steps, so that no step can fail." },

  // Offset fields on a move
  "move-resume": { test: MINING, name: "goes on from the old redo address if a move back leaves it in the offset" },
  "move-last-commit": {
    test: MINING,
    name: "is recognised up to the last commit, of which event_index changes were delivered",
  },
  "move-deliver-again": { test: MINING, name: "is delivered again without last_commit_*, with event_index 0" },
  "move-ledger": {
    test: MINING,
    name: "stops the task with CDC-7001 at the commit of a released transaction, also of one delivered before",
  },
  "ledger-newest": {
    why: "The sandbox's connector releases nothing by itself: its ledger holds what a scenario gives it.",
  },
  "move-kept": { test: POSITION, name: "keeps its unknown fields and its snapshot" },
  "move-initial": { test: SIGNALS, name: "are read from the beginning if the offset has no signal_offset" },
  "heartbeat-first": {
    test: POSITION,
    name: "is stored at once by the first heartbeat, with the generation raised, whatever the interval",
  },

  // Error codes
  "CDC-1001": { test: CODES, name: "gives up with CDC-1001 where the database does not answer" },
  "CDC-1002": { why: "The sandbox's connector does not read logs in steps, so that no step can fail." },
  "CDC-2001": { test: TASK, name: "fails at its start at a sequence that is missing, and again until it is available" },
  "CDC-2002": {
    test: TASK,
    name: "fails at its start at a log that is marked deleted, and again until it is available",
  },
  "CDC-3001": { why: DECODES_NOTHING },
  "CDC-3002": { test: POSITION, name: "with v missing, null or another version stops the task with CDC-3002" },
  "CDC-3003": { why: DECODES_NOTHING },
  "CDC-4001": { test: CODES, name: "stops with CDC-4001 until the limit of the spill is raised" },
  "CDC-4002": { test: JOURNAL, name: "with a missing chunk stops the start with CDC-4002" },
  "CDC-4003": { why: "The sandbox's connector does not read logs in steps, so that no step can time out." },
  "CDC-4004": { test: CODES, name: "stops with CDC-4004 until the old transaction has ended" },
  "CDC-5001": {
    test: POSITION,
    name: "of another database, or without dbid or resetlogs_scn, stops the task with CDC-5001",
  },
  "CDC-5002": { why: "The sandbox's connector does not log in to its database." },
  "CDC-6001": { test: TOPOLOGY, name: "with a DDL between the position and now stops range mode with CDC-6001" },
  "CDC-6002": { why: DECODES_NOTHING },
  "CDC-6003": { test: TOPOLOGY, name: "with a DDL that a forward move has skipped stops the next start with CDC-6003" },
  "CDC-6004": { why: "The sandbox's connector builds no field or topic names." },
  "CDC-7001": {
    test: MINING,
    name: "stops the task with CDC-7001 at the commit of a released transaction, also of one delivered before",
  },
  "CDC-7002": { why: "The sandbox's connector does not look for its transactions in GV$TRANSACTION." },
  "CDC-8001": {
    test: SNAPSHOTS,
    name: "stop the task with CDC-8001 at a chunk older than the undo, and go on at that chunk",
  },

  // Metrics of the task
  "metrics-idle-polls": {
    test: CODES,
    name: "idle polls rise on a quiet database, and stand still with the steps when its engine is blocked",
  },
  "metrics-snapshot": { test: CODES, name: "the tables that remain are those of the running snapshot" },
  "metrics-spill": {
    test: CODES,
    name: "the limit of the spill is 10 GiB, of which more than 80 % are used before CDC-4001",
  },
};
