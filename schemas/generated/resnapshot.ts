// Generated from resnapshot.schema.json by npm run types. Edit the schema, not this file.
import type { ConnectorTarget } from "../../schemas/generated/shared.ts";

/**
 * Plan file: snapshot captured tables again, and move the stored offset past redo that is gone.
 */
export interface Resnapshot {
  /**
   * Version of the plan file's format.
   */
  readonly apiVersion: "cdcctl/v1";
  /**
   * What the plan file is about.
   */
  readonly kind: "Resnapshot";
  readonly metadata: Metadata;
  readonly target: ConnectorTarget;
  readonly spec: ResnapshotSpec;
}
export interface Metadata {
  /**
   * A short name: letters, digits, dots, dashes and underscores.
   */
  readonly name: string;
  /**
   * Why the change is made. It is recorded in the ops topic, where one is written.
   */
  readonly reason: string;
  /**
   * The number of the change in the ticket system.
   */
  readonly ticket?: string | undefined;
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
  readonly tables: readonly string[];
  /**
   * Your assertion that the captured tables which are not in `tables` had no changes in the gap: true for all of them, or their list, which must name them all. It is recorded.
   *
   * @minItems 1
   * @maxItems 10000
   */
  readonly skipGapForUnlistedTables?: boolean | readonly string[] | undefined;
  /**
   * Remove the layouts of captured tables that may have had a DDL in the gap from the schema topic (TAB112), while the connector is stopped. Each of these tables needs a snapshot.
   */
  readonly removeTableSchemas?: boolean | undefined;
  /**
   * Show MAX(ORA_ROWSCN) of every unlisted table as well. It may scan them whole.
   */
  readonly readRowScns?: boolean | undefined;
  /**
   * Wait so long, before anything is done, for open transactions that would be torn.
   */
  readonly waitForTransactions?: string | undefined;
  /**
   * Wait so long for the connector's own answer to the signal.
   */
  readonly waitForAck?: string | undefined;
  /**
   * In a move past journaled transactions, write null records for what the journal holds of them before the move. Otherwise the task restores them and its next commit stores the old position. Nothing of them before the new position is delivered, and nothing at all of those that have committed.
   */
  readonly removeJournaledTransactions?: boolean | undefined;
  /**
   * Wait so long for the snapshot that is running, before the signal is written: until its end, the task rejects the signal. The connector has to run.
   */
  readonly waitForSnapshot?: string | undefined;
  /**
   * Stop the snapshot that is running, or goes on at the next start, by a signal before the one for this snapshot. Its tables that are not read to the end have to be in `tables`: the rest of them is never read.
   */
  readonly stopRunningSnapshot?: boolean | undefined;
  /**
   * Wait so long until the snapshot of every table is complete.
   */
  readonly waitForCompletion?: string | undefined;
  /**
   * Resume the connector afterwards; otherwise it stays stopped.
   */
  readonly resume?: boolean | undefined;
  /**
   * Form of the ops events, where the connector's value converter is not a JSON converter.
   */
  readonly opsFormat?: "json" | "json_schemas" | undefined;
  /**
   * All captured tables, for patterns that cdcctl can't judge. The rest is checked by the patterns and the dictionary.
   *
   * @minItems 1
   * @maxItems 10000
   *
   * Items: PDB.OWNER.TABLE in a container database, OWNER.TABLE otherwise; a name in double quotes is used literally.
   */
  readonly capturedTables?: readonly string[] | undefined;
  /**
   * Codes of acceptable findings that are knowingly accepted.
   *
   * @maxItems 100
   */
  readonly accept?: readonly string[] | undefined;
}
