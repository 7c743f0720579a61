// Generated from migration.schema.json by npm run types. Edit the schema, not this file.
import type { LegacyName } from "../../schemas/generated/shared.ts";
import type { MigrationPhase } from "../../schemas/generated/shared.ts";
import type { TopicChoice } from "../../schemas/generated/shared.ts";

/**
 * Plan file: one phase of migrating from the legacy connector to this one, or of the rollback.
 */
export interface Migration {
  /**
   * Version of the plan file's format.
   */
  readonly apiVersion: "cdcctl/v1";
  /**
   * What the plan file is about.
   */
  readonly kind: "Migration";
  readonly metadata: Metadata;
  readonly target?: MigrationTarget | undefined;
  readonly spec: MigrationSpec;
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
 * How the connect cluster of both connectors is reached: by context or connectUrl, or by a flag of the command.
 */
export interface MigrationTarget {
  /**
   * A name of the contexts file, which holds URLs and credentials.
   */
  readonly context?: string | undefined;
  /**
   * REST URL of a worker in the connector's cluster. No credentials are sent to it.
   */
  readonly connectUrl?: string | undefined;
}
/**
 * The two connectors, and what is done.
 */
export interface MigrationSpec {
  /**
   * cutover: stop the legacy connector and start the new one at its position. verify: compare tables and topics. rollback: return to the legacy connector. retire: delete the legacy connector and its topics.
   */
  readonly phase: MigrationPhase;
  readonly from: LegacyConnector;
  readonly to: NewConnector;
  readonly verify?: Verify | undefined;
  /**
   * The evidence file, in the plan file's folder or below it: verify writes it (NAME.evidence.json, if left out), retire needs it.
   */
  readonly evidence?: string | undefined;
  /**
   * For cutover: the evidence file of an audit (`migrate verify --audit`) that has to have passed.
   */
  readonly audit?: string | undefined;
  /**
   * For rollback: delete the topics of the new connector too.
   */
  readonly deleteTopics?: boolean | undefined;
  /**
   * For retire: delete the licence topic too. Never while another legacy connector here uses it.
   */
  readonly deleteLicenceTopic?: boolean | undefined;
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
   * Codes of acceptable findings, and names of manual properties, that are knowingly accepted, one by one.
   *
   * @maxItems 500
   *
   * Items: A code, or the name of a property.
   */
  readonly accept?: readonly string[] | undefined;
}
/**
 * The legacy connector.
 */
export interface LegacyConnector {
  /**
   * Its name in Kafka Connect.
   */
  readonly connector: string;
  /**
   * Which legacy connector it is. If left out, its class and its stored offsets tell; where they disagree with it, nothing is planned.
   */
  readonly kind?: LegacyName | undefined;
  /**
   * Version of Debezium that wrote its configuration and offsets, such as 2.7.3. Some of its defaults changed between versions.
   */
  readonly version?: string | undefined;
  /**
   * Start of a connector that replaces Debezium's, at or below the lowest START_SCN of the transactions that were open when it stopped. Needed where its stored SCN may lie above one.
   */
  readonly startScn?: bigint | undefined;
  /**
   * Stored partitions that do not count for the takeover: of tables that were dropped, or are long quiet. Named as the plan shows them.
   *
   * @maxItems 10000
   *
   * Items: A partition.
   */
  readonly leaveOut?: readonly string[] | undefined;
}
/**
 * The new connector.
 */
export interface NewConnector {
  /**
   * Its name in Kafka Connect.
   */
  readonly name: string;
  /**
   * cdc.topic.prefix: every topic of it begins with it. The legacy connector's name, if left out.
   */
  readonly topicPrefix?: string | undefined;
  /**
   * From Debezium, required: keep (the new connector writes into Debezium's topics, and consumers stay) or new (topics of its own). The Confluent connector's topics can't be kept.
   */
  readonly topics?: TopicChoice | undefined;
  /**
   * Settings that override the translated ones: what is captured and how, topic.creation.*, error handling. All others come from the context's file for the connector, or --config.
   */
  readonly config?: {
    /**
     * The value of a setting.
     */
    readonly [k: string]: string | number | boolean;
  } | undefined;
}
/**
 * What a verification compares.
 */
export interface Verify {
  /**
   * The tables to compare.
   *
   * @minItems 1
   * @maxItems 10000
   *
   * Items: OWNER.TABLE, or PDB.OWNER.TABLE; a name in double quotes is used literally.
   */
  readonly tables: readonly string[];
  /**
   * The new connector's topic of a table, by the name in tables. Required only if its configuration does not determine it, as with a transformation that changes the topic.
   */
  readonly topics?: {
    /**
     * A topic.
     */
    readonly [k: string]: string;
  } | undefined;
  /**
   * The legacy connector's topic of each table, by the name in tables.
   */
  readonly legacyTopics?: {
    /**
     * A topic.
     */
    readonly [k: string]: string;
  } | undefined;
  /**
   * The SCN as of which tables and topics are compared. Default: the SCN of the safety margin ago.
   */
  readonly checkScn?: bigint | undefined;
  /**
   * How long ago the check SCN was, unless checkScn says it (30 s).
   */
  readonly safetyMargin?: string | undefined;
  /**
   * How long to wait for the new connector to pass the check SCN (10 min).
   */
  readonly wait?: string | undefined;
  /**
   * Columns that are not compared, by table.
   */
  readonly ignoreColumns?: {
    /**
     * Columns.
     *
     * @minItems 1
     * @maxItems 1000
     *
     * Items: A column.
     */
    readonly [k: string]: readonly string[];
  } | undefined;
  /**
   * What reads and compares: local (this process), or spark (workers on Apache Spark, submitted as the context's spark section says).
   */
  readonly engine?: "local" | "spark" | undefined;
  /**
   * Write values that differ into the evidence file. They may be personal data.
   */
  readonly showValues?: boolean | undefined;
}
