import { DATABASE_FORMS } from "../../core/doctor/database-form.ts";
import {
  adminOptions,
  connectorClassOption,
  connectorOption,
  consentOptions,
  contextOptions,
  findingsOptions,
  flag,
  formatOption,
  jmxOption,
  loginOptions,
  metricsOption,
  text,
  worldOptions,
} from "./common.ts";

/** Options of the commands that inspect a database by the configuration of a connector. */
const configuredOptions = {
  config: text("Connector configuration: JSON in any form, or .properties; - reads standard input"),
  ...connectorOption,
  ...contextOptions,
  "connect-url": worldOptions["connect-url"],
  "db-dsn": text("The database, as host:port/service (default: cdc.database.* of the configuration)"),
  "db-password-env": loginOptions["db-password-env"],
} as const;

export const checkOptions = {
  ...configuredOptions,
  ...connectorClassOption,
  "bootstrap-servers": text("Brokers of the connector's own topics (default: cdc.stream.bootstrap.servers)"),
  "command-config": worldOptions["command-config"],
  "max-downtime": text("How long the connector may be down; archived logs must be kept longer", { default: "24h" }),
  rules: {
    choices: ["all", "fast"],
    default: "all",
    describe: "fast skips slow database checks (log history, statistics), brokers and workers",
  },
  "fail-on": {
    choices: ["blocking", "warn"],
    default: "blocking",
    describe: "Exit 1 for blocking or unknown findings, or also for warnings",
  },
  ...findingsOptions,
} as const;

export const sizingOptions = {
  ...configuredOptions,
  days: text("Days of archived logs to evaluate", { default: "7" }),
  "max-downtime": checkOptions["max-downtime"],
  ...formatOption,
} as const;

export const redoProfileOptions = {
  ...configuredOptions,
  window: text("Period covered by the hourly rates", { default: "24h" }),
  "sample-logs": text("Number of newest archived logs that LogMiner reads; 0: only the rates", { default: "1" }),
  "query-timeout": text("Time limit for LogMiner; the sample is abandoned afterwards", { default: "10m" }),
  yes: { ...consentOptions.yes, describe: "Mine without confirmation, even if the sample is larger than 1 GB" },
  ...formatOption,
} as const;

export const explainLagOptions = {
  ...adminOptions,
  ...jmxOption,
  ...metricsOption,
  interval: text("Time between the two samples for rates; the stored offset moves about once a minute", {
    default: "10s",
  }),
  ...formatOption,
} as const;

export const setupSqlOptions = {
  database: {
    choices: DATABASE_FORMS,
    describe: "Kind of database (default: as in --config, else container)",
  },
  user: text("Capture user (default: as in --config, else C##CDC or CDC)"),
  config: text("Take user, database and tables from this connector configuration; - reads standard input"),
  connector: { ...connectorOption.connector, describe: "Take them from this connector, if --config is not given" },
  ...contextOptions,
  "connect-url": worldOptions["connect-url"],
  table: text(
    "A captured table, for supplemental logging: PDB.OWNER.TABLE for container, OWNER.TABLE for " +
      "non-container and rds, either for pdb; a part in double quotes is taken literally; may be repeated",
    { array: true },
  ),
  "ask-database": flag("Query the database, with the login of --config, for the tables its patterns match"),
  output: text("Write the script to this file instead"),
} as const;
