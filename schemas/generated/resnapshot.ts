// Generated from resnapshot.schema.json by npm run types. Edit the schema, not this file.

/**
 * Plan file: snapshot captured tables again, and move the stored offset past redo that is gone.
 */
export interface Resnapshot {
  /**
   * The version of the plan file's format.
   */
  apiVersion: "cdcctl/v1";
  /**
   * What the plan file is about.
   */
  kind: "Resnapshot";
  metadata: Metadata;
  target: Target;
  spec: ResnapshotSpec;
}
/**
 * What the change is called and why it is made.
 */
export interface Metadata {
  /**
   * A short name: letters, digits, dots, dashes and underscores.
   */
  name: string;
  /**
   * Why the tables are snapshotted again. It is recorded in the ops topic where the offset moves.
   */
  reason: string;
  /**
   * The number of the change in the ticket system.
   */
  ticket?: string;
}
/**
 * The connector, and how its connect cluster is reached: by context or connectUrl, or by a flag of the command.
 */
export interface Target {
  /**
   * A name of the contexts file, which holds URLs and credentials.
   */
  context?: string;
  /**
   * REST URL of a worker in the connector's cluster. No credentials are sent to it.
   */
  connectUrl?: string;
  /**
   * The connector's name in Kafka Connect.
   */
  connector: string;
}
/**
 * The tables to snapshot again, and what is allowed where redo is gone.
 */
export interface ResnapshotSpec {
  /**
   * The captured tables to snapshot again.
   *
   * @minItems 1
   * @maxItems 10000
   *
   * Items: PDB.OWNER.TABLE in a container database, OWNER.TABLE otherwise; a name in double quotes is used literally.
   */
  tables: string[];
  /**
   * Your assertion that the captured tables which are not in `tables` had no changes in the gap: true for all of them, or their list, which must name them all. It is recorded.
   *
   * @minItems 1
   * @maxItems 10000
   */
  skipGapForUnlistedTables?: boolean | string[];
  /**
   * Remove the layouts of captured tables that may have had a DDL in the gap from the schema topic (TAB112), while the connector is stopped. Each of these tables needs a snapshot.
   */
  removeTableSchemas?: boolean;
  /**
   * Show MAX(ORA_ROWSCN) of every unlisted table as well. It may scan them whole.
   */
  readRowScns?: boolean;
  /**
   * Wait so long, before anything is done, for open transactions that would be torn.
   */
  waitForTransactions?: string;
  /**
   * Wait so long for the connector's own answer to the signal.
   */
  waitForAck?: string;
  /**
   * Of a move past journaled transactions: write null records for what the journal holds of them before the move. Otherwise the task restores them and its next commit stores the old position. Nothing of them before the new position is delivered, and nothing at all of those that have committed.
   */
  removeJournaledTransactions?: boolean;
  /**
   * Wait so long for the snapshot that is running, before the signal is written: until its end, the task rejects the signal. The connector has to run.
   */
  waitForSnapshot?: string;
  /**
   * Stop the snapshot that is running, or goes on at the next start, by a signal before the one for this snapshot. Its tables that are not read to the end have to be in `tables`: the rest of them is never read.
   */
  stopRunningSnapshot?: boolean;
  /**
   * Wait so long until the snapshot of every table is complete.
   */
  waitForCompletion?: string;
  /**
   * Resume the connector afterwards; otherwise it stays stopped.
   */
  resume?: boolean;
  /**
   * Form of the ops events, where the connector's value converter is not a JSON converter.
   */
  opsFormat?: "json" | "json_schemas";
  /**
   * Codes of acceptable findings that are knowingly accepted.
   *
   * @maxItems 100
   */
  accept?: string[];
}
