import { command, group } from "../command.ts";
import { takeoverOptions, translateOptions, verifyOptions } from "../options/migrate.ts";
import { loaded } from "./loaded.ts";
import { verifyWorker } from "./verify-worker.ts";

const TAKEOVER =
  "takeover --connect-url http://localhost:8083 --connector orders-legacy --target-config orders-cdc.json";

export const translate = command({
  usage: "translate",
  describe: "Translate a legacy connector's configuration, and report the outcome of every property",
  options: translateOptions,
  examples: [
    [
      "translate --input legacy.json --output orders-cdc.json --report translation.md",
      "a configuration, and what to review",
    ],
    [
      "translate --input legacy.json --connect-url http://localhost:8083 --detailed-exitcode",
      "validated by a worker, for a pipeline",
    ],
  ],
  run: loaded(async () => (await import("../session/migrate.ts")).translateFile),
});

export const takeover = command({
  usage: "takeover",
  describe:
    "Find the SCN where the new connector takes over from the stopped legacy connector, and check the redo from there",
  options: takeoverOptions,
  examples: [
    [`${TAKEOVER} --output orders-cdc.start.json`, "the configuration to create the new connector from"],
    [`${TAKEOVER} --leave-out ORCLPDB1.SALES.OLD_ORDERS`, "ignore the partition of a dropped table"],
    [
      `${TAKEOVER} --db-dsn db.prod:1521/ORCLCDB --db-user C##CDC --db-password-env DB_PASSWORD --report takeover.md`,
      "with a separate login",
    ],
  ],
  run: loaded(async () => (await import("../session/migrate.ts")).takeOver),
});

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
    [
      "verify --audit --connector inventory-debezium --connect-url http://localhost:8083 --table INV.ITEMS " +
        "--bootstrap-servers broker:9092 --db-user AUDITOR",
      "see what an existing pipeline has missed, before a migration",
    ],
    ["verify --check-evidence evidence.json", "check that an evidence file is intact, offline"],
  ],
  run: loaded(async () => (await import("../session/migrate-verify.ts")).verify),
});

export const migrate = group(
  "migrate <command>",
  "Individual tools for migrating from the legacy connector; they change nothing",
  [translate, takeover, verify, verifyWorker],
);
