import type { Places } from "./rules.ts";

/** The test of the command that depends on the rule, or why it can't be observed there. */
export const COMMAND: Places = {
  // The first-start cut
  "cut-events": { why: "" },
  "cut-later-start": { why: "" },
  "cut-ddl": { why: "" },
  "cut-commits": { why: "" },
  "cut-ends": { why: "" },
  "cut-lifted": { why: "" },
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
  "offset-version": { why: "" },
  "offset-identity": { why: "" },
  "offset-snapshot": { why: "" },
  "offset-unknown-null": { why: "" },
  "offset-fields": { why: "" },
  "delivered-recognised": { why: "" },
  "threads-trusted": { why: "" },

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
  "mining-step-retries": { why: "" },

  // Offset fields on a move
  "move-resume": { why: "" },
  "move-last-commit": { why: "" },
  "move-deliver-again": { why: "" },
  "move-ledger": { why: "" },
  "move-kept": { why: "" },
  "move-initial": { why: "" },
  "heartbeat-first": { why: "" },

  // Error codes
  "CDC-1001": { why: "" },
  "CDC-1002": { why: "" },
  "CDC-2001": { why: "" },
  "CDC-2002": { why: "" },
  "CDC-3001": { why: "" },
  "CDC-3002": { why: "" },
  "CDC-3003": { why: "" },
  "CDC-4001": { why: "" },
  "CDC-4002": { why: "" },
  "CDC-4003": { why: "" },
  "CDC-4004": { why: "" },
  "CDC-5001": { why: "" },
  "CDC-5002": { why: "" },
  "CDC-6001": { why: "" },
  "CDC-6002": { why: "" },
  "CDC-6003": { why: "" },
  "CDC-6004": { why: "" },
  "CDC-7001": { why: "" },
  "CDC-7002": { why: "" },
  "CDC-8001": { why: "" },

  // Metrics of the task
  "metrics-idle-polls": { why: "" },
  "metrics-snapshot": { why: "" },
  "metrics-spill": { why: "" },
};
