import type { Places } from "./rules.ts";

const FILE = "cmd/behaviour/real/connector-rules.real.test.ts";
const NO_DATABASE =
  "The stand-in has no database, no rows and no buffer that could meet the condition; a task that stops with a given " +
  "message stands for it.";

/** The test of the stand-in plugin of the real tier, or why it can't be observed there. */
export const STAND_IN: Places = {
  // The first-start cut
  "cut-events": {
    test: FILE,
    name: "below the first-start floor only transactions open at the start, or begun after it, are delivered",
  },
  "cut-later-start": {
    test: FILE,
    name: "below the first-start floor only transactions open at the start, or begun after it, are delivered",
  },
  "cut-ddl": { why: "The stand-in's script has no DDL." },
  "cut-commits": {
    test: FILE,
    name: "below the first-start floor only transactions open at the start, or begun after it, are delivered",
  },
  "cut-ends": {
    test: FILE,
    name: "below the first-start floor only transactions open at the start, or begun after it, are delivered",
  },
  "cut-lifted": { test: FILE, name: "without the three fields a move below the floor delivers everything from there" },
  "first-start-redo": {
    test: FILE,
    name: "a first start mines from the oldest open transaction, and stores the cut with its first heartbeat",
  },
  "first-start-purged": { why: "The stand-in mines a script, not redo logs of a database." },
  "start-above-current": { why: "The stand-in mines a script, and has no database with a current SCN." },

  // Signals and snapshots
  "signals-partition": { test: FILE, name: "only partition 0 of the signals topic is read" },
  "signals-committed": {
    why: "Its consumer is given `read_committed` and a partition; no test aborts a transaction on real brokers.",
  },
  "signals-running": { why: "No other client sees when its consumer polls, only that an answer comes." },
  "signals-topic": { why: "The stand-in creates no topics; the tests create them as the connector would." },
  "signals-position": {
    test: FILE,
    name: "signals are read from the one after signal_offset on, and old ones run again without it",
  },
  "signals-handled": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "signals-snapshot-only": { test: FILE, name: "a connector that only takes snapshots reads no signals" },
  "signals-key": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "signals-passed-over": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "signals-invalid": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "signals-order": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "snapshot-started": {
    test: FILE,
    name: "a snapshot while another runs is rejected and not queued; after a stop the next one starts",
  },
  "snapshot-not-captured": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "snapshot-none-captured": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "snapshot-running": {
    test: FILE,
    name: "a snapshot while another runs is rejected and not queued; after a stop the next one starts",
  },
  "snapshot-table-case": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "snapshot-predicate": { why: "The stand-in reads no rows that a condition could leave out." },
  "snapshot-chunk-done": {
    test: FILE,
    name: "at the start an unfinished snapshot, then a pending one, is resumed before signals are read",
  },
  "snapshot-pause": {
    test: FILE,
    name: "a snapshot while another runs is rejected and not queued; after a stop the next one starts",
  },
  "snapshot-stop": {
    test: FILE,
    name: "a snapshot while another runs is rejected and not queued; after a stop the next one starts",
  },
  "snapshot-none-running": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "snapshot-log-state": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "snapshot-refresh": {
    test: FILE,
    name: "signals are handled in order, keyed by name or prefix, and the last handled one is stored",
  },
  "snapshot-resumed-first": {
    test: FILE,
    name: "at the start an unfinished snapshot, then a pending one, is resumed before signals are read",
  },
  "snapshot-complete": {
    test: FILE,
    name: "at the start an unfinished snapshot, then a pending one, is resumed before signals are read",
  },
  "snapshot-skipped": { why: "The stand-in reads no tables, so none can be missing." },
  "snapshot-new-table": { why: "The stand-in has no dictionary in which a table could appear." },

  // Journal and generations
  "generation-raised": {
    test: FILE,
    name: "a restored transaction holds the resume point until it ends, so that a forward move is undone",
  },
  "journal-without-offset": {
    test: FILE,
    name: "without a stored offset the journal is read with the initial position and generation 1",
  },
  "journal-deleted-with-offset": { why: "It is a rule for whoever deletes the offset; the stand-in deletes none." },
  "restored-holds": {
    test: FILE,
    name: "a restored transaction holds the resume point until it ends, so that a forward move is undone",
  },
  "restored-pulls-back": {
    test: FILE,
    name: "a restored transaction holds the resume point until it ends, so that a forward move is undone",
  },
  "restored-purged": { why: "The stand-in mines a script, not redo logs of a database." },
  "restored-committed": {
    test: FILE,
    name: "of a restored transaction that committed in the skipped span nothing is delivered",
  },
  "redo-order": { why: "The stand-in gives every SCN one redo address, so address and SCN never differ." },

  // What a stored offset must hold
  "offset-version": {
    test: FILE,
    name: "an offset that the task does not take stops it, as the table of the reference says",
  },
  "offset-identity": {
    test: FILE,
    name: "an offset that the task does not take stops it, as the table of the reference says",
  },
  "offset-snapshot": {
    test: FILE,
    name: "an offset that the task does not take stops it, as the table of the reference says",
  },
  "offset-unknown-null": {
    test: FILE,
    name: "an offset that the task does not take stops it, as the table of the reference says",
  },
  "offset-fields": {
    test: FILE,
    name: "an offset that the task does not take stops it, as the table of the reference says",
  },
  "delivered-recognised": {
    test: FILE,
    name: "delivered commits are recognised by transaction, thread and address, whatever the SCN says",
  },
  "delivered-torn": { test: FILE, name: "of a transaction that began below the resume SCN only the rest is delivered" },
  "threads-trusted": { why: "The stand-in mines one redo thread and never writes the field." },

  // Where the database may be mined
  "mining-auto": { why: "The stand-in has no database, so it has no role, container or thread to refuse." },
  "mining-logs-in-pdb": { why: "The stand-in has no database, so it has no role, container or thread to refuse." },
  "range-dictionary": { why: "The stand-in has no database, so it has no role, container or thread to refuse." },
  "range-ddl": { why: "The stand-in has no database, so it has no role, container or thread to refuse." },
  "archive-only-role": { why: "The stand-in has no database, so it has no role, container or thread to refuse." },
  "archive-only-applied": { why: "The stand-in has no database, so it has no role, container or thread to refuse." },
  "several-threads": { why: "The stand-in has no database, so it has no role, container or thread to refuse." },
  "reconnect-checked": { why: "The stand-in has no database, so it has no role, container or thread to refuse." },
  "forward-ddl": { why: "The stand-in reads no schema topic." },
  "forward-ddl-way-out": { why: "The stand-in reads no schema topic." },
  "ora-00604": { why: "The stand-in has no database that could report an error." },
  "ora-16331": { why: "The stand-in has no database that could report an error." },
  "mining-step-retries": { why: "The stand-in has no database that could report an error." },
  "mining-step-errors": { why: "The stand-in has no database that could report an error." },

  // Offset fields on a move
  "move-resume": {
    why: "A rule for the writer of the offset; the task reads an offset with or without the three fields alike.",
  },
  "move-last-commit": {
    test: FILE,
    name: "delivered commits are recognised by transaction, thread and address, whatever the SCN says",
  },
  "move-deliver-again": { test: FILE, name: "without the last commit's fields delivered commits are delivered again" },
  "move-ledger": { test: FILE, name: "the commit of a released transaction stops the task with CDC-7001" },
  "ledger-newest": { why: "The stand-in releases nothing by itself: its ledger holds what a test stores." },
  "move-kept": {
    test: FILE,
    name: "a move keeps what the task does not mine by: a heartbeat changes nothing but position and generation",
  },
  "move-initial": {
    test: FILE,
    name: "signals are read from the one after signal_offset on, and old ones run again without it",
  },
  "heartbeat-first": {
    test: FILE,
    name: "a first start mines from the oldest open transaction, and stores the cut with its first heartbeat",
  },

  // Error codes
  "CDC-1001": { why: NO_DATABASE },
  "CDC-1002": { why: NO_DATABASE },
  "CDC-2001": { why: NO_DATABASE },
  "CDC-2002": { why: NO_DATABASE },
  "CDC-3001": { why: NO_DATABASE },
  "CDC-3002": {
    test: FILE,
    name: "an offset that the task does not take stops it, as the table of the reference says",
  },
  "CDC-3003": { why: NO_DATABASE },
  "CDC-4001": { why: NO_DATABASE },
  "CDC-4002": { test: FILE, name: "a missing chunk stops the task with CDC-4002" },
  "CDC-4003": { why: NO_DATABASE },
  "CDC-4004": { why: NO_DATABASE },
  "CDC-5001": {
    test: FILE,
    name: "an offset that the task does not take stops it, as the table of the reference says",
  },
  "CDC-5002": { why: NO_DATABASE },
  "CDC-6001": { why: NO_DATABASE },
  "CDC-6002": { why: NO_DATABASE },
  "CDC-6003": { why: NO_DATABASE },
  "CDC-6004": { why: NO_DATABASE },
  "CDC-7001": { test: FILE, name: "the commit of a released transaction stops the task with CDC-7001" },
  "CDC-7002": { why: NO_DATABASE },
  "CDC-8001": { why: NO_DATABASE },

  // Metrics of the task
  "metrics-idle-polls": { why: "Its counters do not follow a database." },
  "metrics-snapshot": { why: "Its counters do not follow a database." },
  "metrics-spill": { why: "Its counters do not follow a database." },
};
