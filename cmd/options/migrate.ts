import {
  connectorClassOption,
  connectorOption,
  contextOptions,
  formatOption,
  loginOptions,
  worldOptions,
} from "./common.ts";

export const takeoverOptions = {
  "connect-url": {
    ...worldOptions["connect-url"],
    describe: "Connect REST URL of a worker in the legacy connector's cluster; this or --context is required",
  },
  ...contextOptions,
  ...connectorClassOption,
  connector: { ...connectorOption.connector, demandOption: true, describe: "Name of the legacy connector" },
  "target-config": {
    type: "string",
    requiresArg: true,
    demandOption: true,
    describe: "Configuration of the new connector: JSON in any form, or .properties",
  },
  "leave-out": {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "Stored partition to ignore, by its displayed name; may be repeated",
  },
  accept: {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "Refusal to accept, by its code (LEG009, LEG010 or LEG014); may be repeated",
  },
  "db-dsn": {
    ...loginOptions["db-dsn"],
    describe: "The database, as host:port/service (default: cdc.database.* of the target configuration)",
  },
  "db-user": {
    ...loginOptions["db-user"],
    describe: "Database user (default: cdc.database.user of the target configuration)",
  },
  "db-password-env": loginOptions["db-password-env"],
  output: {
    type: "string",
    requiresArg: true,
    describe: "Write the target configuration with cdc.start.scn and cdc.snapshot.mode=none here",
  },
  report: {
    type: "string",
    requiresArg: true,
    describe: "Write the report here: JSON if the name ends in .json, a page if in .html, otherwise Markdown",
  },
  ...formatOption,
} as const;

export const translateOptions = {
  input: {
    type: "string",
    requiresArg: true,
    demandOption: true,
    describe:
      "The legacy connector: JSON from GET /connectors/NAME, the settings alone, or .properties; - " +
      "reads standard input",
  },
  output: { type: "string", requiresArg: true, describe: "Write the new connector's configuration (JSON) here" },
  report: {
    type: "string",
    requiresArg: true,
    describe: "Write the report here: JSON if the name ends in .json, a page if in .html, otherwise Markdown",
  },
  "connect-url": {
    ...worldOptions["connect-url"],
    describe: "Validate the translated configuration on this worker",
  },
  ...contextOptions,
  ...connectorClassOption,
  "topic-prefix": {
    type: "string",
    requiresArg: true,
    describe: "cdc.topic.prefix (default: the legacy connector's name)",
  },
  name: {
    type: "string",
    requiresArg: true,
    describe: "Name of the new connector (default: the legacy name with -cdc)",
  },
  "detailed-exitcode": { type: "boolean", default: false, describe: "Exit 2 while manual properties remain" },
  ...formatOption,
} as const;

export const verifyOptions = {
  input: {
    type: "string",
    requiresArg: true,
    describe: "The new connector's registered configuration (default: the worker's copy)",
  },
  table: {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "OWNER.TABLE (or PDB.OWNER.TABLE), or OWNER.TABLE=TOPIC; may be repeated",
  },
  "legacy-topic": {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "The legacy connector's topic; with several tables OWNER.TABLE=TOPIC, may be repeated",
  },
  "legacy-config": {
    type: "string",
    requiresArg: true,
    describe: "The legacy connector's configuration, if it has output.* settings or tables share a topic",
  },
  "db-dsn": {
    ...loginOptions["db-dsn"],
    describe: "The database, as host:port/service (default: cdc.database.* of the configuration)",
  },
  "db-user": {
    ...loginOptions["db-user"],
    describe: "Database user (default: cdc.database.user of the configuration)",
  },
  "db-password-env": loginOptions["db-password-env"],
  "bootstrap-servers": {
    ...worldOptions["bootstrap-servers"],
    describe: "Brokers of the topics (default: cdc.stream.bootstrap.servers)",
  },
  "command-config": worldOptions["command-config"],
  "connect-url": {
    ...worldOptions["connect-url"],
    describe: "Connect REST URL of a worker in the new connector's cluster",
  },
  ...contextOptions,
  connector: {
    ...connectorOption.connector,
    describe: "Name of the new connector (default: the name in --input)",
  },
  "check-scn": {
    type: "string",
    requiresArg: true,
    describe: "SCN at which table and topics are compared (default: now minus the safety margin)",
  },
  "safety-margin": { type: "string", requiresArg: true, default: "30s", describe: "Age of the default check SCN" },
  wait: {
    type: "string",
    requiresArg: true,
    default: "10m",
    describe: "How long to wait for the connector to pass the check SCN",
  },
  "ignore-column": {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "Column to ignore: COLUMN, or OWNER.TABLE.COLUMN; may be repeated",
  },
  "show-values": { type: "boolean", default: false, describe: "Show values that differ, also in the evidence" },
  memory: {
    type: "string",
    requiresArg: true,
    default: "512MB",
    describe: "Memory the process may use; at least 256MB",
  },
  "work-dir": {
    type: "string",
    requiresArg: true,
    describe: "Folder for data that does not fit into memory (default: beside the state)",
  },
  output: { type: "string", requiresArg: true, describe: "Write the evidence (JSON) here" },
  report: {
    type: "string",
    requiresArg: true,
    describe: "Write the report here: JSON if the name ends in .json, a page if in .html, otherwise Markdown",
  },
  engine: {
    choices: ["local", "spark"],
    default: "local",
    describe: "What reads and compares: this process, or workers started by Apache Spark (requires --context)",
  },
  "spark-submit": {
    type: "string",
    requiresArg: true,
    describe:
      'With --engine spark: submit the job with this command, such as "spark-submit --master yarn" (default: ' +
      "spark.submit of the context)",
  },
  "job-dir": {
    type: "string",
    requiresArg: true,
    describe:
      "With --engine spark: job folder. Without --spark-submit, plans the job and prints the command that submits " +
      "it; with --spark-submit, resumes a job already in the folder",
  },
  "worker-command": {
    type: "string",
    requiresArg: true,
    describe:
      "With --engine spark: command that starts a worker; add --contexts for its contexts file (default: " +
      "spark.workerCommand of the context, else cdcctl migrate verify-worker)",
  },
  "database-sessions": {
    type: "string",
    requiresArg: true,
    describe:
      "With --engine spark: maximum number of concurrent database sessions (default: " +
      "spark.databaseSessions of the context, else 4)",
  },
  finish: {
    type: "string",
    requiresArg: true,
    describe: "Combine the results in this job folder and write the evidence; reads nothing else",
  },
  "check-evidence": {
    type: "string",
    requiresArg: true,
    describe: "Check an evidence file offline; reads nothing else",
  },
  ...formatOption,
} as const;

export const verifyWorkerOptions = {
  job: { type: "string", requiresArg: true, demandOption: true, describe: "Job file written by --job-dir" },
  contexts: contextOptions.contexts,
  verbose: contextOptions.verbose,
  "work-dir": {
    type: "string",
    requiresArg: true,
    describe: "Folder for data that does not fit into memory (default: the system's temporary folder)",
  },
} as const;
