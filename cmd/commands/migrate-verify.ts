import { command } from "../command.ts";
import { verifyOptions } from "../options/migrate.ts";
import { loaded } from "./loaded.ts";

export const verify = command({
  usage: "verify",
  describe: "Prove that tables and topics agree after the cutover, and write the evidence",
  options: verifyOptions,
  examples: [
    [
      "verify --input orders-cdc.json --table SALES.ORDERS --legacy-topic ORCLCDB.ORCLPDB1.SALES.ORDERS " +
        "--connect-url http://localhost:8083 --output evidence.json",
      "one table",
    ],
    [
      "verify --connector orders-cdc --connect-url http://localhost:8083 --table SALES.ORDERS --table " +
        "SALES.LINES --legacy-topic SALES.ORDERS=legacy.orders --ignore-column LAST_SEEN --report verification.md",
      "several tables, ignoring a column",
    ],
    ["verify --check-evidence evidence.json", "check that an evidence file is intact, offline"],
  ],
  run: loaded(async () => (await import("../session/migrate-verify.ts")).verify),
});
