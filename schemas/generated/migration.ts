// Generated from migration.schema.json by npm run types. Edit the schema, not this file.

/**
 * Plan file: one phase of migrating from the legacy connector to this one, or of the rollback.
 */
export interface Migration {
  /**
   * The version of the plan file's format.
   */
  apiVersion: "cdcctl/v1";
  /**
   * What the plan file is about.
   */
  kind: "Migration";
  metadata: Metadata;
  target?: MigrationTarget;
  spec: MigrationSpec;
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
   * Why it is done. It is recorded.
   */
  reason: string;
  /**
   * The number of the change in the ticket system.
   */
  ticket?: string;
}
/**
 * How the connect cluster of both connectors is reached: by context or connectUrl, or by a flag of the command.
 */
export interface MigrationTarget {
  /**
   * A name of the contexts file, which holds URLs and credentials.
   */
  context?: string;
  /**
   * REST URL of a worker in the connector's cluster. No credentials are sent to it.
   */
  connectUrl?: string;
}
/**
 * The two connectors, and what is done.
 */
export interface MigrationSpec {
  /**
   * cutover: stop the legacy connector and start the new one at its position. verify: compare tables and topics. rollback: return to the legacy connector. retire: delete the legacy connector and its topics.
   */
  phase: "cutover" | "verify" | "rollback" | "retire";
  from: LegacyConnector;
  to: NewConnector;
  verify?: Verify;
  /**
   * The evidence file, from the plan file's folder: verify writes it (NAME.evidence.json, if left out), retire needs it.
   */
  evidence?: string;
  /**
   * For rollback: delete the topics of the new connector too.
   */
  deleteTopics?: boolean;
  /**
   * For retire: delete the licence topic too. Never while another legacy connector here uses it.
   */
  deleteLicenceTopic?: boolean;
  /**
   * Form of the ops events, where the connector's value converter is not a JSON converter.
   */
  opsFormat?: "json" | "json_schemas";
  /**
   * Codes of acceptable findings, and names of manual properties, that are knowingly accepted, one by one.
   *
   * @maxItems 500
   *
   * Items: A code, or the name of a property.
   */
  accept?: string[];
}
/**
 * The legacy connector.
 */
export interface LegacyConnector {
  /**
   * Its name in Kafka Connect.
   */
  connector: string;
  /**
   * Stored partitions that do not count for the takeover: of tables that were dropped, or are long quiet. Named as the plan shows them.
   *
   * @maxItems 10000
   *
   * Items: A partition.
   */
  leaveOut?: string[];
}
/**
 * The new connector.
 */
export interface NewConnector {
  /**
   * Its name in Kafka Connect.
   */
  name: string;
  /**
   * cdc.topic.prefix: every topic of it begins with it. The legacy connector's name, if left out.
   */
  topicPrefix?: string;
  /**
   * Settings that override the translated ones. Logins, hosts and references come from the context's file for the connector, or --config.
   */
  config?: {
    /**
     * The value of a setting.
     */
    [k: string]: string | number | boolean | undefined;
  };
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
  tables: string[];
  /**
   * The new connector's topic of a table, by the name in tables. Required only if its configuration does not determine it, as with a transformation that changes the topic.
   */
  topics?: {
    /**
     * A topic.
     */
    [k: string]: string | undefined;
  };
  /**
   * The legacy connector's topic of each table, by the name in tables.
   */
  legacyTopics?: {
    /**
     * A topic.
     */
    [k: string]: string | undefined;
  };
  /**
   * The SCN as of which tables and topics are compared. Default: the SCN of the safety margin ago.
   */
  checkScn?: bigint;
  /**
   * How long ago the check SCN was, unless checkScn says it (30 s).
   */
  safetyMargin?: string;
  /**
   * How long to wait for the new connector to pass the check SCN (10 min).
   */
  wait?: string;
  /**
   * Columns that are not compared, by table.
   */
  ignoreColumns?: {
    /**
     * Columns.
     *
     * @minItems 1
     * @maxItems 1000
     *
     * Items: A column.
     */
    [k: string]: string[] | undefined;
  };
  /**
   * What reads and compares: local (this process), or spark (workers on Apache Spark, submitted as the context's spark section says).
   */
  engine?: "local" | "spark";
  /**
   * Write values that differ into the evidence file. They may be personal data.
   */
  showValues?: boolean;
}
