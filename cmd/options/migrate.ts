import {
  connectorClassOption,
  connectorOption,
  contextOptions,
  flag,
  formatOption,
  loginOptions,
  text,
  worldOptions,
} from "./common.ts";

export const takeoverOptions = {
  "connect-url": text("Connect REST URL of a worker in the legacy connector's cluster; this or --context is required"),
  ...contextOptions,
  ...connectorClassOption,
  connector: { ...connectorOption.connector, demandOption: true, describe: "Name of the legacy connector" },
  "target-config": text("Configuration of the new connector: JSON in any form, or .properties", { demandOption: true }),
  "leave-out": text("Stored partition to ignore, by its displayed name; may be repeated", { array: true }),
  "start-scn": text("Start here, at or below the stored SCN and the begin of every open transaction"),
  accept: text("Refusal to accept, by its code (LEG007, LEG009, LEG010, LEG014 or LEG015); may be repeated", {
    array: true,
  }),
  "db-dsn": text("The database, as host:port/service (default: cdc.database.* of the target configuration)"),
  "db-user": text("Database user (default: cdc.database.user of the target configuration)"),
  "db-password-env": loginOptions["db-password-env"],
  output: text("Write the target configuration with cdc.start.scn and cdc.snapshot.mode=none here"),
  report: text("Write the report here: JSON if the name ends in .json, a page if in .html, otherwise Markdown"),
  ...formatOption,
} as const;

export const translateOptions = {
  input: text(
    "The legacy connector: JSON from GET /connectors/NAME or ?expand=info, the settings alone, .properties, or the " +
      "YAML of a KafkaConnector; - reads standard input",
    { demandOption: true },
  ),
  output: text("Write the new connector's configuration (JSON) here"),
  report: text("Write the report here: JSON if the name ends in .json, a page if in .html, otherwise Markdown"),
  "connect-url": text("Validate the translated configuration on this worker"),
  ...contextOptions,
  ...connectorClassOption,
  "topic-prefix": text("cdc.topic.prefix (default: the legacy connector's name; with --topics keep its own)"),
  topics: {
    choices: ["keep", "new"],
    describe: "From Debezium, required: keep its topics, so that consumers stay, or write new ones",
  },
  "debezium-version": text(
    "From Debezium: its version, such as 2.7.3.Final (default: what --connect-url has, else the newest)",
  ),
  name: text("Name of the new connector (default: the legacy name with -cdc)"),
  "detailed-exitcode": flag("Exit 2 while manual properties remain"),
  ...formatOption,
} as const;

export const verifyOptions = {
  input: text("The new connector's registered configuration (default: the worker's copy)"),
  table: text("OWNER.TABLE (or PDB.OWNER.TABLE), or OWNER.TABLE=TOPIC; may be repeated", { array: true }),
  "legacy-topic": text("The legacy connector's topic; with several tables OWNER.TABLE=TOPIC, may be repeated", {
    array: true,
  }),
  "legacy-config": text("The legacy connector's configuration, if it has output.* settings or tables share a topic"),
  "db-dsn": text("The database, as host:port/service (default: cdc.database.* of the configuration)"),
  "db-user": text("Database user (default: cdc.database.user of the configuration)"),
  "db-password-env": loginOptions["db-password-env"],
  "bootstrap-servers": text("Brokers of the topics (default: cdc.stream.bootstrap.servers)"),
  "command-config": worldOptions["command-config"],
  "connect-url": text("Connect REST URL of a worker in the new connector's cluster"),
  ...contextOptions,
  connector: {
    ...connectorOption.connector,
    describe: "Name of the new connector (default: the name in --input); with --audit of the legacy one",
  },
  audit: flag(
    "Compare the tables with what a legacy connector has delivered, before anything is migrated; changes nothing",
  ),
  "check-scn": text("SCN at which table and topics are compared (default: now minus the safety margin)"),
  "safety-margin": text("Age of the default check SCN", { default: "30s" }),
  wait: text("How long to wait for the connector to pass the check SCN", { default: "10m" }),
  "ignore-column": text("Column to ignore: COLUMN, or OWNER.TABLE.COLUMN; may be repeated", { array: true }),
  "show-values": flag("Show values that differ, also in the evidence"),
  memory: text("Memory the process may use; at least 256MB", { default: "512MB" }),
  "work-dir": text("Folder for data that does not fit into memory (default: beside the state)"),
  output: text("Write the evidence (JSON) here"),
  report: text("Write the report here: JSON if the name ends in .json, a page if in .html, otherwise Markdown"),
  engine: {
    choices: ["local", "spark"],
    default: "local",
    describe: "What reads and compares: this process, or workers started by Apache Spark (requires --context)",
  },
  "spark-submit": text(
    'With --engine spark: submit the job with this command, such as "spark-submit --master yarn" (default: ' +
      "spark.submit of the context)",
  ),
  "job-dir": text(
    "With --engine spark: job folder. Without --spark-submit, plans the job and prints the command that submits " +
      "it; with --spark-submit, resumes a job already in the folder",
  ),
  "worker-command": text(
    "With --engine spark: command that starts a worker; add --contexts for its contexts file (default: " +
      "spark.workerCommand of the context, else cdcctl migrate verify-worker)",
  ),
  "database-sessions": text(
    "With --engine spark: maximum number of concurrent database sessions (default: " +
      "spark.databaseSessions of the context, else 4)",
  ),
  finish: text("Combine the results in this job folder and write the evidence; reads nothing else"),
  "check-evidence": text("Check an evidence file offline; reads nothing else"),
  ...formatOption,
} as const;

export const verifyWorkerOptions = {
  job: text("Job file written by --job-dir", { demandOption: true }),
  contexts: contextOptions.contexts,
  verbose: contextOptions.verbose,
  "work-dir": text("Folder for data that does not fit into memory (default: the system's temporary folder)"),
} as const;
