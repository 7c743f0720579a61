import { command } from "../command.ts";
import { takeoverOptions } from "../options/migrate.ts";
import { loaded } from "./loaded.ts";

export const takeover = command({
  usage: "takeover",
  describe:
    "Find the SCN where the new connector takes over from the stopped legacy connector, and check the redo from there",
  options: takeoverOptions,
  examples: [
    [
      "takeover --connect-url http://localhost:8083 --connector orders-legacy --target-config orders-cdc.json " +
        "--output orders-cdc.start.json",
      "the configuration to create the new connector from",
    ],
    [
      "takeover --connect-url http://localhost:8083 --connector orders-legacy --target-config orders-cdc.json " +
        "--leave-out ORCLPDB1.SALES.OLD_ORDERS",
      "ignore the partition of a dropped table",
    ],
    [
      "takeover --connect-url http://localhost:8083 --connector orders-legacy --target-config orders-cdc.json " +
        "--db-dsn db.prod:1521/ORCLCDB --db-user C##CDC --db-password-env DB_PASSWORD --report takeover.md",
      "with a separate login",
    ],
  ],
  run: loaded(async () => (await import("../session/migrate-takeover.ts")).takeOver),
});
