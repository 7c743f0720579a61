import { schemaRecord } from "./connect/task/schema-topic.ts";
import { forget, purge, removeCurrentLog, removeFiles, restoreAll, switchLog } from "./faults.ts";
import { healthyWorld, type OracleWorld } from "./oracle/world.ts";
import { type Sandbox, type SandboxOptions, storedOffset } from "./sandbox.ts";
import { afterPurge, contexts, planFile, resnapshotFile, type Scenario } from "./scenario.ts";
import { captured, changed } from "./tables.ts";

const BOTH = "tables: [ORCLPDB1.SALES.ORDERS, ORCLPDB1.SALES.LINES]";
const again = (...spec: readonly string[]): string =>
  resnapshotFile("orders-again", "a consumer lost its copy of the table", ...spec);
const CARRY_ON = ["waitForAck: 1m", "resume: true"];

/** A connector positioned in the middle of a log. */
export function positionedIn(sequence: bigint): Pick<SandboxOptions, "offset"> {
  const world = healthyWorld();
  const log = world.archivedLogs.find((one) => one.sequence === sequence);
  if (log === undefined) throw new Error(`the healthy database has no log ${sequence}`);
  const resumeScn = log.firstScn + 2_000n;
  return { offset: { ...storedOffset(world), resume_scn: resumeScn, last_commit_scn: resumeScn - 13n } };
}

const SCHEMA_TOPIC = "orders.cdc.schema";

/** ORDERS gets a column in the gap; the schema topic has the layout from before. */
function alterInGap({ oracle, broker }: Sandbox): void {
  const tables = oracle.tables.filter(({ owner, name }) => owner === "SALES" && ["ORDERS", "LINES"].includes(name));
  if (!broker.state.topics.has(SCHEMA_TOPIC))
    broker.createTopic(SCHEMA_TOPIC, { configs: { "cleanup.policy": "compact" } });
  broker.append(
    SCHEMA_TOPIC,
    tables.map((table) => schemaRecord("orders", table, 1_990_000n)),
  );
  for (const table of tables) {
    if (table.name !== "ORDERS") continue;
    table.columns = [...table.columns, { name: "CHANNEL", dataType: "VARCHAR2", nullable: true }];
    table.lastDdl = oracle.scnTimes.timeOf(2_015_000n);
  }
}

const logsRestored = { "logs-restored": ({ oracle }: Sandbox) => restoreAll(oracle) };
const RESTORE = "touch logs-restored                       # as if RMAN had restored them; plan again then";

/** How many rows of LINES a snapshot reads. */
function countLines({ tables }: OracleWorld, rows: bigint): void {
  const lines = tables.find(({ name }) => name === "LINES");
  if (lines !== undefined) lines.statistics = { rows, rowBytes: 100n };
}

/** Redo is missing and the connector has stopped there, for different reasons. */
export const RESNAPSHOT_SCENARIOS: readonly Scenario[] = [
  {
    name: "gap",
    about: "The connector has stopped: archived logs 119 and 120 are gone, and the catalogue no longer knows them.",
    options: { ...positionedIn(119n), oracle: (world) => forget(world, 119n, 120n) },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-after-purge.yaml": afterPurge(BOTH, ...CARRY_ON),
      "orders-after-ddl.yaml": afterPurge(BOTH, "removeTableSchemas: true", ...CARRY_ON),
      "orders-only.yaml": afterPurge("tables: [ORCLPDB1.SALES.ORDERS]", "resume: true"),
      "orders-replay.yaml": planFile("orders-replay", "replay after the bad deploy", "scn: 2005000"),
    }),
    tries: [
      "cdcctl plan orders-after-purge.yaml       # the way back first, then what a move past the gap costs",
      "cdcctl plan orders-only.yaml              # refused: LINES would lose its changes",
      "cdcctl apply orders-after-purge.yaml      # signal, move, resume, and the connector's answer",
      "cdcctl plan orders-replay.yaml            # refused: that needs the logs as well",
      "touch ddl-in-gap                          # a column was added in the gap: then orders-after-ddl.yaml",
      RESTORE,
    ],
    events: { ...logsRestored, "ddl-in-gap": alterInGap },
  },
  {
    name: "file-removed",
    about: "The connector has stopped: the file of log 119 was removed with rm, and the catalogue still lists it.",
    options: { ...positionedIn(119n), oracle: (world) => removeFiles(world, 119n) },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-after-purge.yaml": afterPurge(BOTH, ...CARRY_ON),
      "orders-misspelt.yaml": afterPurge("tables: [ORCLPDB1.SALES.ORDER, ORCLPDB1.SALES.LINES]"),
    }),
    tries: [
      "cdcctl plan orders-after-purge.yaml       # only opening the file shows it",
      "cdcctl plan orders-misspelt.yaml          # refused, with the name that was meant",
      "cdcctl apply orders-after-purge.yaml",
      RESTORE,
    ],
    events: logsRestored,
  },
  {
    name: "deleted-in-catalogue",
    about: "The connector has stopped: RMAN has deleted logs 119 and 120.",
    options: { ...positionedIn(119n), oracle: (world) => purge(world, 119n, 120n) },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-after-purge.yaml": afterPurge(BOTH, ...CARRY_ON),
      "orders-stay.yaml": afterPurge(BOTH),
    }),
    tries: [
      "cdcctl plan orders-stay.yaml              # without resume: the connector stays stopped",
      "cdcctl apply orders-stay.yaml",
      "cdcctl rollback                           # refused while the logs are gone",
      RESTORE,
    ],
    events: logsRestored,
  },
  {
    name: "no-scn-after-gap",
    about: "All archived logs from the stored position on are gone, and so is the file of the current online log.",
    options: {
      ...positionedIn(119n),
      oracle: (world) => {
        purge(world, 119n, 120n, 121n);
        removeCurrentLog(world);
      },
    },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-after-purge.yaml": afterPurge(BOTH, ...CARRY_ON),
    }),
    tries: [
      "cdcctl plan orders-after-purge.yaml       # refused: there is nowhere to go",
      "touch log-switched                        # as if the database had switched to the next log; plan again then",
      RESTORE,
    ],
    events: { ...logsRestored, "log-switched": ({ oracle }) => switchLog(oracle) },
  },
  {
    name: "unlisted-tables",
    about: "Redo is gone, and five tables are captured: which of them were changed meanwhile?",
    options: {
      ...positionedIn(119n),
      oracle: (world) => {
        purge(world, 119n, 120n);
        world.tables.push(
          changed(world, "INVOICES", 2_021_000n, 88n, 0n),
          captured(world, "COUNTRIES"),
          changed(world, "Price List", 2_008_000n, 2n, 0n),
        );
      },
    },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "two-of-five.yaml": afterPurge(BOTH, "readRowScns: true", ...CARRY_ON),
      "quiet-ones.yaml": afterPurge(
        "tables: [ORCLPDB1.SALES.ORDERS, ORCLPDB1.SALES.LINES, ORCLPDB1.SALES.INVOICES]",
        "skipGapForUnlistedTables: [ORCLPDB1.SALES.COUNTRIES]",
        ...CARRY_ON,
      ),
      "asserted.yaml": afterPurge(
        "tables: [ORCLPDB1.SALES.ORDERS, ORCLPDB1.SALES.LINES, ORCLPDB1.SALES.INVOICES]",
        "skipGapForUnlistedTables: [ORCLPDB1.SALES.COUNTRIES, 'ORCLPDB1.SALES.\"Price List\"']",
        ...CARRY_ON,
      ),
    }),
    tries: [
      "cdcctl plan two-of-five.yaml              # refused: lists the others, with what is known of each",
      "cdcctl plan quiet-ones.yaml               # refused: the assertion does not name them all",
      "cdcctl apply asserted.yaml                # recorded, with what was shown",
      RESTORE,
    ],
    events: logsRestored,
  },
  {
    name: "snapshot-running",
    about: "A long snapshot of LINES is under way: another resnapshot comes after it, or stops it.",
    options: {
      offset: {
        ...storedOffset(healthyWorld()),
        snapshot: '{"v":1,"complete":false,"tables":{},"scope":["ORCLPDB1.SALES.LINES"]}',
      },
      config: { "cdc.snapshot.chunk.rows": "100" },
      oracle: (world) => countLines(world, 50_000_000n),
    },
    events: { "snapshot-ends": ({ oracle }) => countLines(oracle, 200n) },
    files: (sandbox) => ({
      "contexts.yaml": contexts(sandbox),
      "orders-again.yaml": again("tables: [ORCLPDB1.SALES.ORDERS]"),
      "orders-wait.yaml": again("tables: [ORCLPDB1.SALES.ORDERS]", "waitForSnapshot: 2s", "waitForCompletion: 1h"),
      "orders-after.yaml": again("tables: [ORCLPDB1.SALES.ORDERS]", "waitForSnapshot: 1m", "waitForCompletion: 1m"),
      "orders-instead.yaml": again("tables: [ORCLPDB1.SALES.ORDERS]", "stopRunningSnapshot: true"),
      "both-instead.yaml": again(BOTH, "stopRunningSnapshot: true", "waitForAck: 1m"),
    }),
    tries: [
      "cdcctl plan orders-again.yaml             # refused: the connector would reject the signal",
      "cdcctl apply orders-wait.yaml             # waits for the other snapshot, here not long enough",
      "touch snapshot-ends                       # after which apply orders-after.yaml waits to its end",
      "cdcctl plan orders-instead.yaml           # refused: LINES would never be read to the end",
      "cdcctl apply both-instead.yaml            # a stop signal and a snapshot signal",
    ],
  },
];
