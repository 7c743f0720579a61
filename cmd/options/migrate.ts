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
    describe: "A stored partition that does not count, by the name that is shown; may be repeated",
  },
  accept: {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "A refusal that is accepted, by its code (LEG009 or LEG010); may be repeated",
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
    describe: "Write the report here: JSON where the name ends in .json, a page where in .html, otherwise Markdown",
  },
  ...formatOption,
} as const;

export const translateOptions = {
  input: {
    type: "string",
    requiresArg: true,
    demandOption: true,
    describe:
      "The legacy connector: JSON as GET /connectors/NAME answers it, the settings alone, or .properties; - " +
      "reads standard input",
  },
  output: { type: "string", requiresArg: true, describe: "Write the new connector's configuration (JSON) here" },
  report: {
    type: "string",
    requiresArg: true,
    describe: "Write the report here: JSON where the name ends in .json, a page where in .html, otherwise Markdown",
  },
  "connect-url": {
    ...worldOptions["connect-url"],
    describe: "Have the translated configuration validated by this worker",
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
    describe: "Name of the new connector (default: the legacy one's and -cdc)",
  },
  "detailed-exitcode": { type: "boolean", default: false, describe: "Exit with 2 while manual properties remain" },
  ...formatOption,
} as const;

export const verifyOptions = {
  input: {
    type: "string",
    requiresArg: true,
    describe: "The new connector's configuration as it is registered (default: the worker's copy)",
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
    describe: "The legacy connector's configuration, where it has output.* settings or tables share a topic",
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
    describe: "Name of the new connector (default: the one that --input says)",
  },
  "check-scn": {
    type: "string",
    requiresArg: true,
    describe: "The SCN at which table and topics are compared (default: that of the safety margin ago)",
  },
  "safety-margin": { type: "string", requiresArg: true, default: "30s", describe: "How long ago the check SCN was" },
  wait: {
    type: "string",
    requiresArg: true,
    default: "10m",
    describe: "How long to wait until the connector has passed the check SCN",
  },
  "ignore-column": {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "A column that is not compared: COLUMN, or OWNER.TABLE.COLUMN; may be repeated",
  },
  "show-values": { type: "boolean", default: false, describe: "Show the values that differ, in the evidence too" },
  memory: {
    type: "string",
    requiresArg: true,
    default: "512MB",
    describe: "What the process may use; at least 256MB",
  },
  "work-dir": {
    type: "string",
    requiresArg: true,
    describe: "Folder for what does not fit into memory (default: beside the state)",
  },
  output: { type: "string", requiresArg: true, describe: "Write the evidence (JSON) here" },
  report: {
    type: "string",
    requiresArg: true,
    describe: "Write the report here: JSON where the name ends in .json, a page where in .html, otherwise Markdown",
  },
  engine: {
    choices: ["local", "spark"],
    default: "local",
    describe: "Who reads and compares: this process, or workers that Apache Spark starts (needs --context)",
  },
  "spark-submit": {
    type: "string",
    requiresArg: true,
    describe:
      'With --engine spark: submit the job by this, such as "spark-submit --master yarn", and wait for it (default: ' +
      "spark.submit of the context)",
  },
  "job-dir": {
    type: "string",
    requiresArg: true,
    describe:
      "With --engine spark: folder of the job. Without --spark-submit it is planned there, and the line that submits " +
      "it is printed; with it, a job that is there already goes on",
  },
  "worker-command": {
    type: "string",
    requiresArg: true,
    describe:
      "With --engine spark: how an executor starts a worker; its own contexts file is an option of it (default: " +
      "spark.workerCommand of the context, else cdcctl migrate verify-worker)",
  },
  "database-sessions": {
    type: "string",
    requiresArg: true,
    describe:
      "With --engine spark: sessions that read the database at the same time, at most (default: " +
      "spark.databaseSessions of the context, else 4)",
  },
  finish: {
    type: "string",
    requiresArg: true,
    describe: "Add up the results in this job folder, and write the evidence: nothing else is asked or read",
  },
  "check-evidence": {
    type: "string",
    requiresArg: true,
    describe: "Check an evidence file by itself, offline: nothing else is asked or read",
  },
  ...formatOption,
} as const;

export const verifyWorkerOptions = {
  job: { type: "string", requiresArg: true, demandOption: true, describe: "The job, as --job-dir wrote it" },
  contexts: contextOptions.contexts,
  verbose: contextOptions.verbose,
  "work-dir": {
    type: "string",
    requiresArg: true,
    describe: "Folder for what does not fit into memory (default: that of the system for temporary files)",
  },
} as const;
