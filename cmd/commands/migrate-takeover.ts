import { command } from "../command.ts";
import { connectorClassOption, worldOptions } from "./common-options.ts";

export const takeover = command({
  usage: "takeover",
  describe:
    "Find the SCN where the new connector takes over from the stopped legacy one, and check the redo from there",
  options: {
    "connect-url": {
      ...worldOptions["connect-url"],
      demandOption: true,
      describe: "Connect REST URL of a worker in the legacy connector's cluster",
    },
    contexts: worldOptions.contexts,
    ...connectorClassOption,
    connector: { type: "string", requiresArg: true, demandOption: true, describe: "Name of the legacy connector" },
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
      type: "string",
      requiresArg: true,
      describe: "The database, as host:port/service (default: cdc.database.* of the target configuration)",
    },
    "db-user": {
      type: "string",
      requiresArg: true,
      describe: "Database user (default: cdc.database.user of the target configuration)",
    },
    "db-password-env": {
      type: "string",
      requiresArg: true,
      describe: "Environment variable that holds the password (default: cdc.database.password)",
    },
    output: {
      type: "string",
      requiresArg: true,
      describe: "Write the target configuration with cdc.start.scn and cdc.snapshot.mode=none here",
    },
    report: {
      type: "string",
      requiresArg: true,
      describe: "Write the report here: JSON where the name ends in .json, otherwise Markdown",
    },
    format: {
      choices: ["text", "json", "markdown"],
      default: "text",
      describe: "Form of the report on standard output",
    },
  },
  examples: [
    [
      "takeover --connect-url http://localhost:8083 --connector orders-legacy --target-config orders-cdc.json " +
        "--output orders-cdc.start.json",
      "the configuration to create the new connector from",
    ],
    [
      "takeover --connect-url http://localhost:8083 --connector orders-legacy --target-config orders-cdc.json " +
        "--leave-out ORCLPDB1.SALES.OLD_ORDERS",
      "a dropped table's partition does not pin the start",
    ],
    [
      "takeover --connect-url http://localhost:8083 --connector orders-legacy --target-config orders-cdc.json " +
        "--db-dsn db.prod:1521/ORCLCDB --db-user C##CDC --db-password-env DB_PASSWORD --report takeover.md",
      "with a login of its own",
    ],
  ],
  async run(args, host) {
    const { takeOver } = await import("../session/migrate-takeover.ts");
    return takeOver(args, host);
  },
});
