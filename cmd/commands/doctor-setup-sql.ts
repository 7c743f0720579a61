import { command } from "../command.ts";
import { setupSqlOptions } from "../options/doctor.ts";
import { loaded } from "./loaded.ts";

export const setupSql = command({
  usage: "setup-sql",
  describe: "Print the script that creates the capture user and grants what it needs; it holds no password",
  options: setupSqlOptions,
  examples: [
    ["setup-sql > setup.sql", "for a container database; run it with: sqlplus / as sysdba @setup.sql"],
    ["setup-sql --config orders-cdc.json --output setup.sql", "for the user and the tables of a connector"],
    ["setup-sql --database rds --user CDC --table SALES.ORDERS", "for Amazon RDS"],
  ],
  run: loaded(async () => (await import("../session/setup-sql.ts")).printSetupSql),
});
