// Generated from offset-change.schema.json by npm run types. Edit the schema, not this file.
import type { ConnectorTarget } from "../../schemas/generated/shared.ts";

/**
 * Plan file: move the stored offset of a connector to another SCN.
 */
export interface OffsetChange {
  /**
   * Version of the plan file's format.
   */
  readonly apiVersion: "cdcctl/v1";
  /**
   * What the plan file is about.
   */
  readonly kind: "OffsetChange";
  readonly metadata: Metadata;
  readonly target: ConnectorTarget;
  readonly spec: OffsetChangeSpec;
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
 * Where the offset is to go: exactly one of scn, timestamp, earliestAvailable and lastRecorded; and what is allowed on the way.
 */
export interface OffsetChangeSpec {
  /**
   * The SCN to resume mining from.
   */
  readonly scn?: bigint | undefined;
  /**
   * A moment with its zone; the SCN that was current then is looked up when planning.
   */
  readonly timestamp?: string | undefined;
  /**
   * The lowest SCN from which all redo up to now is present; looked up when planning.
   */
  readonly earliestAvailable?: true | undefined;
  /**
   * The last offset that a run has stored, as the ops topic records it, in place of one that the task does not take.
   */
  readonly lastRecorded?: true | undefined;
  /**
   * In a move back, deliver again what was delivered since, instead of recognising it. Needs a ticket.
   */
  readonly deliverAgain?: boolean | undefined;
  /**
   * Allow a forward move, which skips every commit in between.
   */
  readonly allowSkip?: boolean | undefined;
  /**
   * Remove the layouts of captured tables that may have had a DDL in what a forward move skips from the schema topic (TAB112), while the connector is stopped. Each of these tables needs a snapshot.
   */
  readonly removeTableSchemas?: boolean | undefined;
  /**
   * Transaction ids to take out of the orphan release ledger: true for all, or a list.
   *
   * @minItems 1
   * @maxItems 10000
   */
  readonly forgetReleased?: boolean | readonly string[] | undefined;
  /**
   * In a move past journaled transactions, write null records for what the journal holds of them before the move. Otherwise the task restores them and its next commit stores the old position. Nothing of them before the new position is delivered, and nothing at all of those that have committed.
   */
  readonly removeJournaledTransactions?: boolean | undefined;
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
