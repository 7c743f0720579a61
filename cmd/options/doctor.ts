import { DATABASE_FORMS } from "../../core/doctor/database-form.ts";
import {
  adminOptions,
  connectorClassOption,
  connectorOption,
  consentOptions,
  contextOptions,
  formatOption,
  jmxOption,
  loginOptions,
  metricsOption,
  worldOptions,
} from "./common.ts";

export const checkOptions = {
  config: {
    type: "string",
    requiresArg: true,
    describe: "Configuration of the connector: JSON in any form, or .properties; - reads standard input",
  },
  ...connectorOption,
  ...contextOptions,
  "connect-url": worldOptions["connect-url"],
  "db-dsn": {
    ...loginOptions["db-dsn"],
    describe: "The database, as host:port/service (default: cdc.database.* of the configuration)",
  },
  "db-password-env": loginOptions["db-password-env"],
  ...connectorClassOption,
  "bootstrap-servers": {
    ...worldOptions["bootstrap-servers"],
    describe: "Brokers of the connector's own topics (default: cdc.stream.bootstrap.servers)",
  },
  "command-config": worldOptions["command-config"],
  "max-downtime": {
    type: "string",
    requiresArg: true,
    default: "24h",
    describe: "How long the connector may stand still: archived logs have to be kept for longer",
  },
  rules: {
    choices: ["all", "fast"],
    default: "all",
    describe:
      "fast leaves out what takes the database long to tell: history of logs, statistics; and brokers and workers",
  },
  "fail-on": {
    choices: ["blocking", "warn"],
    default: "blocking",
    describe: "Exit with 1 for what blocks or is unknown, or for warnings too",
  },
  ...formatOption,
} as const;

export const sizingOptions = {
  config: checkOptions.config,
  ...connectorOption,
  ...contextOptions,
  "connect-url": worldOptions["connect-url"],
  "db-dsn": checkOptions["db-dsn"],
  "db-password-env": loginOptions["db-password-env"],
  days: {
    type: "string",
    requiresArg: true,
    default: "7",
    describe: "How many days of the catalogue of archived logs count",
  },
  "max-downtime": checkOptions["max-downtime"],
  ...formatOption,
} as const;

export const redoProfileOptions = {
  config: checkOptions.config,
  ...connectorOption,
  ...contextOptions,
  "connect-url": worldOptions["connect-url"],
  "db-dsn": checkOptions["db-dsn"],
  "db-password-env": loginOptions["db-password-env"],
  window: {
    type: "string",
    requiresArg: true,
    default: "24h",
    describe: "How far back the rates by hour go",
  },
  "sample-logs": {
    type: "string",
    requiresArg: true,
    default: "1",
    describe: "How many of the newest archived logs LogMiner reads; 0: the rates alone",
  },
  "query-timeout": {
    type: "string",
    requiresArg: true,
    default: "10m",
    describe: "How long LogMiner may take; then the sample is given up",
  },
  yes: { ...consentOptions.yes, describe: "Mine without asking, also where the sample is larger than 1 GB" },
  ...formatOption,
} as const;

export const explainLagOptions = {
  ...adminOptions,
  ...jmxOption,
  ...metricsOption,
  interval: {
    type: "string",
    requiresArg: true,
    default: "10s",
    describe: "Time between the two looks that tell rates; more than a minute sees the stored offset move",
  },
  ...formatOption,
} as const;

export const setupSqlOptions = {
  database: {
    choices: DATABASE_FORMS,
    describe: "What it is run in (default: what --config says, else container)",
  },
  user: {
    type: "string",
    requiresArg: true,
    describe: "The capture user (default: that of --config, else C##CDC or CDC)",
  },
  config: {
    type: "string",
    requiresArg: true,
    describe: "Take user, database and tables from this configuration of a connector; - reads standard input",
  },
  connector: { ...connectorOption.connector, describe: "Take them from this connector, where no --config is given" },
  ...contextOptions,
  "connect-url": worldOptions["connect-url"],
  table: {
    type: "string",
    array: true,
    requiresArg: true,
    describe:
      "A captured table, for supplemental logging: PDB.OWNER.TABLE for container, OWNER.TABLE for " +
      "non-container and rds, either for pdb; a part in double quotes is taken to the letter; may be repeated",
  },
  "ask-database": {
    type: "boolean",
    default: false,
    describe: "Ask the database, with the login of --config, which tables its patterns match",
  },
  output: { type: "string", requiresArg: true, describe: "Write it to this file instead" },
} as const;
