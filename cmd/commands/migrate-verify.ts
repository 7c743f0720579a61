import { command } from "../command.ts";
import { worldOptions } from "./common-options.ts";

export const verify = command({
  usage: "verify",
  describe: "Prove that tables and topics agree after the cutover, and write the evidence",
  options: {
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
      type: "string",
      requiresArg: true,
      describe: "The database, as host:port/service (default: cdc.database.* of the configuration)",
    },
    "db-user": {
      type: "string",
      requiresArg: true,
      describe: "Database user (default: cdc.database.user of the configuration)",
    },
    "db-password-env": {
      type: "string",
      requiresArg: true,
      describe: "Environment variable that holds the password (default: cdc.database.password)",
    },
    "bootstrap-servers": {
      ...worldOptions["bootstrap-servers"],
      describe: "Brokers of the topics (default: cdc.stream.bootstrap.servers)",
    },
    "command-config": worldOptions["command-config"],
    "connect-url": {
      ...worldOptions["connect-url"],
      describe: "Connect REST URL of a worker in the new connector's cluster",
    },
    contexts: worldOptions.contexts,
    connector: {
      type: "string",
      requiresArg: true,
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
      describe: "Write the report here: JSON where the name ends in .json, otherwise Markdown",
    },
    "check-evidence": {
      type: "string",
      requiresArg: true,
      describe: "Check an evidence file by itself, offline: nothing else is asked or read",
    },
    format: {
      choices: ["text", "json", "markdown"],
      default: "text",
      describe: "Form of the report on standard output; json is the evidence",
    },
  },
  examples: [
    [
      "verify --input orders-cdc.json --table SALES.ORDERS --legacy-topic ORCLCDB.ORCLPDB1.SALES.ORDERS " +
        "--connect-url http://localhost:8083 --output evidence.json",
      "one table",
    ],
    [
      "verify --connector orders-cdc --connect-url http://localhost:8083 --table SALES.ORDERS --table " +
        "SALES.LINES --legacy-topic SALES.ORDERS=legacy.orders --ignore-column LAST_SEEN --report verification.md",
      "several tables, a column left out",
    ],
    ["verify --check-evidence evidence.json", "whether an evidence file is whole, without a network"],
  ],
  async run(args, host) {
    const session = await import("../session/migrate-verify.ts");
    return session.verify(args, host);
  },
});
