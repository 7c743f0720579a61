/**
 * What the connector does with what cdcctl writes, one row a rule. A rule has to hold in three places: in the command
 * that depends on it (`command.ts`), in the sandbox's connector (`sandbox.ts`), and in the stand-in plugin of the real
 * tier (`stand-in.ts`). A place without a row does not compile.
 *
 * Source: the connector's sources and documents, as collected in the reference pages that each section names.
 */
export const RULES = {
  // The first-start cut
  "cut-events":
    "While no commit is acknowledged, events below the floor are dropped, except those of `start_open_xids`.",
  "cut-later-start": "Below the floor, a transaction whose START lies at or above `start_open_scn` is kept.",
  "cut-ddl": "DDL below the floor is dropped.",
  "cut-commits": "While no commit is acknowledged, a commit below the floor is skipped whole.",
  "cut-ends": "The first acknowledged commit removes `start_floor_scn`, `start_open_scn` and `start_open_xids`.",
  "cut-lifted": "A move back below the floor delivers nothing unless the three fields are removed with it.",
  "first-start-redo":
    "A first start mines from the start of the oldest open transaction, below `cdc.start.scn` if need be.",
  "first-start-purged": "A first start whose redo is gone from there stops with CDC-2002.",
  "start-above-current": "`cdc.start.scn` above the current SCN stops a first start with CDC-5001.",

  // Signals and snapshots
  "signals-partition": "Signals are read from partition 0 only.",
  "signals-committed": "Signals are read with `read_committed`, without a consumer group.",
  "signals-running": "Signals are read by a running task only, at most once a second.",
  "signals-topic": "The signals topic is created with one partition and `cleanup.policy=delete`.",
  "signals-position": "Signals are read from `signal_offset` + 1, or from the beginning where the offset has none.",
  "signals-handled": "`signal_offset` is the offset of the last handled record, not of the next.",
  "signals-snapshot-only": "A connector with `cdc.snapshot.mode=snapshot_only` reads no signals.",
  "signals-key": "A signal's key is the connector's name or its topic prefix; another key is passed over.",
  "signals-passed-over": "`signal_offset` advances over a record with a null key or another key.",
  "signals-invalid": "A signal that is not JSON or has no type is answered `invalid`, without id and type.",
  "signals-order": "Signals are handled in order, so an earlier unread one comes first.",
  "snapshot-started": "`ok` to a snapshot signal means that it has started, for the captured tables.",
  "snapshot-not-captured": '`ok` with "not captured, skipped: […]" means that those tables are not read.',
  "snapshot-none-captured": "A snapshot signal of which no table is captured is rejected.",
  "snapshot-running": "A snapshot signal while any snapshot is running or pending is rejected, and not queued.",
  "snapshot-table-case": "A snapshot signal names tables in any case.",
  "snapshot-predicate": "A snapshot signal may carry a condition (`predicate`) for the rows that are read.",
  "snapshot-chunk-done": "`snapshot-chunk-done` reports a chunk; the `frontier` of its table is the next one.",
  "snapshot-pause": "`snapshot-pause` reads no new chunks until `snapshot-resume` or a restart.",
  "snapshot-stop": "`snapshot-stop` ends the snapshot: its unread chunks are never read.",
  "snapshot-none-running": "`snapshot-pause`, `-resume` and `-stop` are rejected while none is running.",
  "snapshot-log-state": "`log-state` answers with what the task holds, `snapshot_running` among it.",
  "snapshot-refresh": "`refresh-tables` resolves the patterns of the captured tables again.",
  "snapshot-resumed-first":
    "At start an unfinished snapshot, then `snapshot_pending`, is resumed before signals are read.",
  "snapshot-complete": "The end of a snapshot is `snapshot-complete` of each table, then of `*`.",
  "snapshot-skipped": "`snapshot-complete` with `skipped` gives why a table was not read.",
  "snapshot-new-table": "A table added to `cdc.tables.include` is streamed, not snapshotted.",

  // Journal and generations
  "generation-raised": "The task raises `journal_generation` before it reads the journal: `stored + 1` is its own.",
  "journal-without-offset": "Without a stored offset the journal is read with the initial position and generation 1.",
  "journal-deleted-with-offset": "Whoever deletes an offset also removes its journal and schema records.",
  "restored-holds": "A restored transaction holds the resume point at its last journaled record until it ends.",
  "restored-pulls-back": "After a forward move over it, the next commit stores the old position again.",
  "restored-purged": "With the redo in between gone, the start after that stops with CDC-2002.",
  "restored-committed": "Of a restored transaction that committed in the skipped span nothing is delivered.",
  "redo-order": '"Before" compares redo addresses, then `ssn`, then the SCN.',

  // What a stored offset must hold
  "offset-version": "`v` missing, null or other than 1 stops the task with CDC-3002.",
  "offset-identity": "`dbid` or `resetlogs_scn` missing or null stops the task with CDC-5001.",
  "offset-snapshot": "A `snapshot` that is not JSON of version 1, or holds a null, stops the task.",
  "offset-unknown-null": "An unknown field that is null stops the task.",
  "offset-fields": "A blank `last_commit_xid`, a negative `event_index` or text in `schema_epoch` stops the task.",
  "delivered-recognised": "What was delivered is recognised by xid, thread and address, not by `last_commit_scn`.",
  "delivered-torn": "A transaction that began below the resume SCN is delivered without its first part.",
  "threads-trusted": "`threads` is trusted only while it agrees with `resume_scn` and the last commit.",

  // Where the database may be mined
  "mining-auto": "`cdc.mining.mode=auto` chooses range inside a PDB.",
  "mining-logs-in-pdb": "`cdc.mining.mode=logs` inside a PDB stops the start with CDC-5001.",
  "range-dictionary": "In range mode dictionary builds are off.",
  "range-ddl": "In range mode a DDL between the position and now stops the task with CDC-6001.",
  "archive-only-role": "`archive_only` takes an open primary or an open physical standby; anything else is CDC-5001.",
  "archive-only-applied": "`archive_only` ends at the applied SCN of a standby.",
  "several-threads": "More than one enabled redo thread stops every start with CDC-5001.",
  "reconnect-checked": "After each reconnect identity, role and threads are checked again: CDC-5001.",
  "forward-ddl": "A forward move over a DDL of a captured table stops the next start with CDC-6003.",
  "forward-ddl-way-out": "A null record for the table's key in `cdc.schema.topic` clears its layout.",
  "ora-00604": "ORA-00604 is judged by the error that it wraps.",
  "ora-16331": "ORA-16331, a closed PDB, is a connection problem and passes.",
  "mining-step-retries": "CDC-1002 stops the task after more than 20 failures in a row.",
  "mining-step-errors": "ORA-01291, -01289, -00310, -00334 and -01368 are CDC-1002: the step is mined again.",

  // Offset fields on a move
  "move-resume": "A move sets `resume_scn` and removes `resume_rs_id`, `resume_ssn` and `threads`.",
  "move-last-commit": "A move keeps `last_commit_*` and `event_index`: delivered commits are recognised.",
  "move-deliver-again": "Without `last_commit_*`, and with `event_index` 0, delivered commits are delivered again.",
  "move-ledger": "A move keeps `released_xids`, less the forgotten ones.",
  "ledger-newest": "`released_xids` holds the newest 256 ids of transactions that were released or discarded.",
  "move-kept": "A move keeps generation, snapshot, `signal_offset`, identity and unknown fields.",
  "move-initial": "A first offset is `v` 1, the SCN, the identity and zeros; every old signal of the key runs again.",
  "heartbeat-first": "The first heartbeat is written even with interval 0: an offset is stored at once.",

  // Error codes
  "CDC-1001": "The database is not available, or reports an error that is not classified.",
  "CDC-1002": "A mining step failed because a log was switched or reused.",
  "CDC-2001": "A sequence of redo is missing.",
  "CDC-2002": "A log is marked deleted, or can't be opened.",
  "CDC-3001": "A row can't be decoded, or a table can't be keyed or read.",
  "CDC-3002": "Redo, spill file or stored offset is damaged.",
  "CDC-3003": "A committed LOB is too large.",
  "CDC-4001": "The spill is full, or can't be written.",
  "CDC-4002": "A journal chunk is missing or damaged.",
  "CDC-4003": "One log timed out three times in a row.",
  "CDC-4004": "A transaction is too old.",
  "CDC-5001": "The database, its threads or its role are not those that can be mined.",
  "CDC-5002": "The capture user lacks a privilege or can't log in.",
  "CDC-6001": "No dictionary fits rows older than a DDL.",
  "CDC-6002": "A DDL on a captured table is not classified.",
  "CDC-6003": "The layout on the schema topic differs from the dictionary.",
  "CDC-6004": "Two names become one.",
  "CDC-7001": "A COMMIT arrives for a transaction that was released or discarded.",
  "CDC-7002": "A buffered transaction is unknown to the database.",
  "CDC-8001": "A snapshot chunk is older than the undo.",

  // Metrics of the task
  "metrics-idle-polls": "IdlePolls tells a blocked engine from a quiet database.",
  "metrics-snapshot": "SnapshotTablesRemaining tells whether a snapshot is running.",
  "metrics-spill": "SpillMaxBytes is the limit at which CDC-4001 stops the task.",
} as const satisfies Readonly<Record<string, string>>;

export type RuleId = keyof typeof RULES;

/** The first rule of each section of the page. */
export const SECTIONS: readonly { readonly first: RuleId; readonly title: string }[] = [
  { first: "cut-events", title: "The first-start cut" },
  { first: "signals-partition", title: "Signals and snapshots" },
  { first: "generation-raised", title: "Journal and generations" },
  { first: "offset-version", title: "What a stored offset must hold" },
  { first: "mining-auto", title: "Where the database may be mined" },
  { first: "move-resume", title: "Offset fields on a move" },
  { first: "CDC-1001", title: "Error codes" },
  { first: "metrics-idle-polls", title: "Metrics of the task" },
];

/** Where a rule is shown to hold: a test by its file and name; or why it can't be observed there. */
export type Place = { readonly test: string; readonly name: string } | { readonly why: string };

/** The place of each rule. */
export type Places = { readonly [Rule in RuleId]: Place };
