import { command } from "../command.ts";
import { connectorClassOption } from "./common-options.ts";

export const check = command({
  usage: "check",
  describe: "Check the database and the capture user against a connector's configuration, before it is started",
  options: {
    config: {
      type: "string",
      requiresArg: true,
      demandOption: true,
      describe: "Configuration of the connector: JSON in any form, or .properties; - reads standard input",
    },
    "db-dsn": {
      type: "string",
      requiresArg: true,
      describe: "The database, as host:port/service (default: cdc.database.* of the configuration)",
    },
    "db-password-env": {
      type: "string",
      requiresArg: true,
      describe: "Environment variable that holds the password (default: cdc.database.password)",
    },
    ...connectorClassOption,
    "fail-on": {
      choices: ["blocking", "warn"],
      default: "blocking",
      describe: "Exit with 1 for what blocks or is unknown, or for warnings too",
    },
    format: {
      choices: ["text", "json", "markdown"],
      default: "text",
      describe: "Form of the report on standard output",
    },
  },
  examples: [
    ["check --config orders-cdc.json", "what is in the way, and the SQL that mends it"],
    ["check --config orders-cdc.json --fail-on warn --format json", "for a pipeline: every table that is concerned"],
    ["check --config orders-cdc.json --db-password-env DB_PASSWORD", "where the file holds no password"],
  ],
  async run(args, host) {
    const { checkConfiguration } = await import("../session/doctor-check.ts");
    return checkConfiguration(args, host);
  },
});
