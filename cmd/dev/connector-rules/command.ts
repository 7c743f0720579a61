import type { Places } from "./rules.ts";

const CODES = "cmd/views/codes.test.ts";
const LAG = "core/doctor/lag/explain-lag.test.ts";
const EXPLAINED = {
  test: CODES,
  name: "knows all twenty codes of the connector, each with its condition, causes and commands",
} as const;

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

  // Signals and snapshots
  "signals-partition": { why: "" },
  "signals-topic": { why: "" },
  "signals-position": { why: "" },
  "signals-handled": { why: "" },
  "signals-snapshot-only": { why: "" },
  "signals-key": { why: "" },
  "signals-passed-over": { why: "" },
  "signals-invalid": { why: "" },
  "signals-order": { why: "" },
  "snapshot-started": { why: "" },
  "snapshot-not-captured": { why: "" },
  "snapshot-none-captured": { why: "" },
  "snapshot-running": { why: "" },
  "snapshot-table-case": { why: "" },
  "snapshot-pause": { why: "" },
  "snapshot-stop": { why: "" },
  "snapshot-none-running": { why: "" },
  "snapshot-log-state": { why: "" },
  "snapshot-resumed-first": { why: "" },
  "snapshot-complete": { why: "" },
  "snapshot-skipped": { why: "" },
  "snapshot-new-table": { why: "" },

  // Journal and generations
  "generation-raised": { why: "" },
  "journal-without-offset": { why: "" },
  "journal-deleted-with-offset": { why: "" },
  "restored-holds": { why: "" },
  "restored-pulls-back": { why: "" },
  "restored-purged": { why: "" },
  "restored-committed": { why: "" },
  "redo-order": { why: "" },

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
  "range-ddl": { why: "" },
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
  "forward-ddl": { why: "" },
  "forward-ddl-way-out": { why: "" },
  "ora-00604": {
    test: "providers/oracle/oracle-port.test.ts",
    name: "judges an error of recursive SQL by the one that it wraps",
  },
  "ora-16331": {
    test: "providers/oracle/oracle-failure.test.ts",
    name: "a closed PDB passes once it is open",
  },
  "mining-step-retries": { test: CODES, name: "says when each code stops the task" },

  // Offset fields on a move
  "move-resume": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a move changes the resume SCN, drops what belongs to the old position, and keeps every other field unchanged",
  },
  "move-last-commit": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a move changes the resume SCN, drops what belongs to the old position, and keeps every other field unchanged",
  },
  "move-deliver-again": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "to deliver again, the five fields of the last commit are removed and the event index is 0",
  },
  "move-ledger": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a move keeps in the ledger exactly the ids that are not forgotten, as text or null",
  },
  "move-kept": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a move changes the resume SCN, drops what belongs to the old position, and keeps every other field unchanged",
  },
  "move-initial": {
    test: "core/facts/offset/stored-offset.test.ts",
    name: "a first offset is version 1 with the database's identity and zeros, and can be read",
  },
  "heartbeat-first": { why: "" },

  // Error codes
  "CDC-1001": EXPLAINED,
  "CDC-1002": { test: CODES, name: "says when each code stops the task" },
  "CDC-2001": EXPLAINED,
  "CDC-2002": EXPLAINED,
  "CDC-3001": EXPLAINED,
  "CDC-3002": { test: CODES, name: "tells the causes of CDC-3002 apart: " },
  "CDC-3003": EXPLAINED,
  "CDC-4001": EXPLAINED,
  "CDC-4002": EXPLAINED,
  "CDC-4003": EXPLAINED,
  "CDC-4004": EXPLAINED,
  "CDC-5001": EXPLAINED,
  "CDC-5002": EXPLAINED,
  "CDC-6001": EXPLAINED,
  "CDC-6002": EXPLAINED,
  "CDC-6003": EXPLAINED,
  "CDC-6004": EXPLAINED,
  "CDC-7001": {
    test: CODES,
    name: "says of CDC-7001 that its COMMIT arrived, of an orphan or of one that was discarded because of its age",
  },
  "CDC-7002": EXPLAINED,
  "CDC-8001": EXPLAINED,

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
