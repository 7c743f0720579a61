import { DATABASE_FORMS } from "../../core/doctor/database-form.ts";
import { command, EXIT } from "../command.ts";

export const setupSql = command({
  usage: "setup-sql",
  describe: "Print the script that creates the capture user and grants what it needs; it holds no password",
  options: {
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
  },
  examples: [
    ["setup-sql > setup.sql", "for a container database; run it with: sqlplus / as sysdba @setup.sql"],
    ["setup-sql --config orders-cdc.json --output setup.sql", "for the user and the tables of a connector"],
    ["setup-sql --database rds --user CDC --table SALES.ORDERS", "for Amazon RDS"],
  ],
  async run(args, host) {
    const { printSetupSql } = await import("../session/setup-sql.ts");
    await printSetupSql(args, host);
    return EXIT.done;
  },
});
