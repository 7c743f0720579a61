import { command, group } from "../command.ts";
import {
  checkOptions,
  explainLagOptions,
  redoProfileOptions,
  setupSqlOptions,
  sizingOptions,
} from "../options/doctor.ts";
import { loaded } from "./loaded.ts";

/** The connector of the examples. */
const ORDERS = "--connect-url http://localhost:8083 --name orders-cdc";

const explainLag = command({
  usage: "explain-lag",
  describe:
    "Explain why the connector is behind: the main cause with its evidence, then others; exit 1 without enough data",
  options: explainLagOptions,
  examples: [
    [`explain-lag ${ORDERS}`, "from the stored offset and the database"],
    [
      `explain-lag ${ORDERS} --jmx-url service:jmx:rmi:///jndi/rmi://worker-2:9999/jmxrmi`,
      "also from the task's metrics, which separate slow mining from slow brokers",
    ],
    [
      `explain-lag ${ORDERS} --metrics-url http://worker-2:9404/metrics`,
      "the same metrics from Prometheus' JMX exporter",
    ],
    [`explain-lag ${ORDERS} --interval 70s`, "long enough for a healthy connector to store its offset"],
  ],
  run: loaded(async () => (await import("../session/doctor.ts")).explainLagOf),
});

const setupSql = command({
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

const check = command({
  usage: "check",
  describe: "Check the database and the capture user against a connector's configuration, before it is started",
  options: checkOptions,
  examples: [
    ["check --config orders-cdc.json", "the problems, and the SQL that fixes them"],
    ["check --config orders-cdc.json --fail-on warn --format json", "for a pipeline: every affected table"],
    ["check --config orders-cdc.json --format junit > check.xml", "a case each check, for what shows test results"],
    ["check --config orders-cdc.json --db-password-env DB_PASSWORD", "when the file holds no password"],
  ],
  run: loaded(async () => (await import("../session/doctor.ts")).checkConfiguration),
});

const sizing = command({
  usage: "sizing",
  describe: "Recommend sizes for online logs and the archive, based on archived redo; read-only",
  options: sizingOptions,
  examples: [
    ["sizing --config orders-cdc.json", "based on the last 7 days, for a downtime of 24 hours"],
    ["sizing --config orders-cdc.json --max-downtime 3d --days 31", "for a long weekend, based on a month"],
  ],
  run: loaded(async () => (await import("../session/doctor.ts")).printSizing),
});

const redoProfile = command({
  usage: "redo-profile",
  describe: "Show which tables write the redo: archive rate by hour, and a sample mined by LogMiner; changes nothing",
  options: redoProfileOptions,
  examples: [
    ["redo-profile --config orders-cdc.json", "the rates of a day, and a sample of the newest archived log"],
    ["redo-profile --config orders-cdc.json --sample-logs 4 --yes", "a larger sample, without asking"],
    ["redo-profile --config orders-cdc.json --sample-logs 0", "only the rates; nothing is mined"],
  ],
  run: loaded(async () => (await import("../session/doctor.ts")).printRedoProfile),
});

/** `srcdb-cdc-doctor` has these commands at the top level, beside `admin`. */
export const DOCTOR_COMMANDS = [explainLag, setupSql, check, sizing, redoProfile] as const;

export const doctor = group("doctor <command>", "Diagnose problems; read-only", DOCTOR_COMMANDS);
