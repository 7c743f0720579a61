import { HOUR } from "../../core/values/duration.ts";
import type { Json } from "../../core/values/json.ts";
import type { ErrorCode } from "./connect/task/stopped-task.ts";
import type { StopCondition } from "./connect/task/stopping-task.ts";
import { openTransaction } from "./faults.ts";
import { recordStored } from "./offset-scenarios.ts";
import { healthyWorld, type OracleWorld, type TableRow } from "./oracle/world.ts";
import { CONNECTOR, type Sandbox, type SandboxOptions, storedOffset } from "./sandbox.ts";
import { contexts, planFile, type Scenario } from "./scenario.ts";

/** The connector has stopped with a code that an operator can act on: one scenario a code, until it was acted on. */
interface CodeScenario {
  readonly about: string;
  /**
   * Rule: reference: connector codes, the row of the code. Undefined: the sandbox's task meets the condition by itself.
   */
  readonly condition?: StopCondition;
  readonly options?: SandboxOptions;
  /** What the operator changes outside cdcctl, as a file's name and what it stands for. */
  readonly event?: { readonly name: string; happens(sandbox: Sandbox): void };
  /** The command with which the operator fixes it. */
  readonly fix: string;
  readonly files?: Scenario["files"];
}

const LAST_RECORDED = ["lastRecorded: true", "resume: true"] as const;
const SHOW = `cdcctl connectors show ${CONNECTOR} --context sandbox`;
const RESTART = `cdcctl connectors restart ${CONNECTOR} --context sandbox`;
const SET = `cdcctl admin offsets set --name ${CONNECTOR} --context sandbox`;

const scn = (value: Json | undefined): bigint => BigInt(String(value ?? 0));

/** A transaction that was released as an orphan: its first change, and its COMMIT, which is mined again. */
const RELEASED = { xid: "3:4.9.771", firstScn: 2_026_000n, commitScn: 2_031_000n };
/** A column was added to SALES.ORDERS. */
const DDL_SCN = 2_025_000n;
const OTHER_DBID = 1_870_224_913n;
const LOAD_BYTES = 12_884_901_888n;
const TEN_GIB = "10737418240";

const positioned = (resume: bigint, more: Readonly<Record<string, Json>> = {}) => ({
  ...storedOffset(healthyWorld()),
  resume_scn: resume,
  last_commit_scn: resume - 13n,
  ...more,
});

const STOPS: Readonly<Partial<Record<ErrorCode, CodeScenario>>> = {
  "CDC-3002": {
    about: "The stored offset was written without its format version by something else than the connector.",
    options: { offset: { ...storedOffset(healthyWorld()), v: null } },
    files: (sandbox) => {
      recordStored(sandbox);
      return { "orders-recorded.yaml": planFile("orders-recorded", "it has lost its version", ...LAST_RECORDED) };
    },
    fix: "cdcctl apply orders-recorded.yaml     # writes the last recorded offset back",
  },
  "CDC-4001": {
    about: "A nightly load has filled the spill: it needs 12.9 GB, and the limit is 10.7 GB.",
    condition: ({ oracle, config }) => {
      const limit = BigInt(config["cdc.buffer.spill.max.bytes"] ?? TEN_GIB);
      return oracle.transactions.length > 0 && limit < LOAD_BYTES
        ? [
            `Spilled changes of open transactions exceed cdc.buffer.spill.max.bytes (${limit}); largest: 3:9.4.1207.`,
            "End the named transactions, or raise the limit.",
          ]
        : undefined;
    },
    options: { offset: positioned(2_025_000n), oracle: (world) => openTransaction(world, 2_025_000n) },
    event: {
      name: "limit-raised",
      happens: ({ connect: { cluster } }) => {
        const connector = cluster.connectors.get(CONNECTOR);
        if (connector === undefined) return;
        cluster.reconfigure(connector, { ...connector.config, "cdc.buffer.spill.max.bytes": `${2n * LOAD_BYTES}` });
      },
    },
    fix: `${RESTART} --all`,
  },
  "CDC-4004": {
    about: "A transaction has been open for longer than the limit that the operator set.",
    condition: ({ oracle, config }) => {
      const limit = Number(config["cdc.transaction.max.age.ms"] ?? Number.POSITIVE_INFINITY);
      const old = oracle.transactions.find(({ startTime }) => oracle.now() - startTime > limit);
      return old !== undefined && (config["cdc.transaction.max.age.action"] ?? "fail") === "fail"
        ? [
            `Transaction ${old.container}:${old.usn}.${old.slot}.${old.sequence} of user ${old.user} is older than ` +
              `cdc.transaction.max.age.ms (${limit}); first SCN ${old.startScn}.`,
            "End the transaction, raise the limit, or set the action to discard.",
          ]
        : undefined;
    },
    options: {
      offset: positioned(2_025_000n),
      config: { "cdc.transaction.max.age.ms": String(HOUR / 4), "cdc.transaction.max.age.action": "fail" },
      oracle: (world) => openTransaction(world, 2_025_000n),
    },
    event: {
      name: "transaction-ended",
      happens: ({ oracle }) => {
        oracle.transactions = [];
      },
    },
    fix: RESTART,
  },
  "CDC-5001": {
    about: "The configuration names a clone of the database: its DBID differs from the stored offset's.",
    options: {
      offset: storedOffset(healthyWorld()),
      oracle: (world) => {
        world.database.dbid = OTHER_DBID;
      },
    },
    event: {
      name: "configuration-corrected",
      happens: ({ oracle }) => {
        oracle.database.dbid = healthyWorld().database.dbid;
      },
    },
    fix: RESTART,
  },
  "CDC-6003": {
    about: "The offset was moved over a DDL: the schema topic holds the layout from before it.",
    condition: ({ offset }) =>
      scn(offset["resume_scn"]) > DDL_SCN
        ? [
            "The schema topic's version 3 of ORCLPDB1.SALES.ORDERS differs from the dictionary, and no DDL lies ahead.",
            "Move the offset back before the DDL, or tombstone the table's key on the schema topic.",
          ]
        : undefined,
    options: { offset: positioned(2_035_000n, { released_xids: null }) },
    files: () => ({
      "before-the-ddl.yaml": planFile("before-the-ddl", "mine the DDL of SALES.ORDERS", "scn: 2024900", "resume: true"),
    }),
    fix: "cdcctl apply before-the-ddl.yaml     # the redo from before the DDL is there",
  },
  "CDC-7001": {
    about: "A COMMIT arrived for a transaction that was released as an orphan: its changes had been let go.",
    condition: ({ offset }) =>
      String(offset["released_xids"]).includes(RELEASED.xid) && scn(offset["resume_scn"]) <= RELEASED.commitScn
        ? [
            `COMMIT at SCN ${RELEASED.commitScn} of transaction ${RELEASED.xid}, which was released as an orphan.`,
            "Move back before its first change and remove its id from released_xids.",
          ]
        : undefined,
    options: { offset: positioned(2_030_000n) },
    fix: `${SET} --scn ${RELEASED.firstScn} --forget-released ${RELEASED.xid} --reason INC-312 --resume`,
  },
  "CDC-8001": {
    about: "A snapshot is under way, and the undo of its next chunk is gone: UNDO_RETENTION is 15 minutes.",
    options: {
      oracle: (world) => readable(world, { code: 1555, text: "snapshot too old" }),
      offset: {
        ...storedOffset(healthyWorld()),
        snapshot:
          '{"v":1,"complete":false,"tables":{"ORCLPDB1.SALES.LINES":{"done":false,"frontier":["4711"]}},' +
          '"scope":["ORCLPDB1.SALES.LINES"]}',
      },
    },
    event: { name: "undo-retention-raised", happens: ({ oracle }) => readable(oracle, undefined) },
    fix: RESTART,
  },
};

/** Whether the undo of SALES.LINES is there, as with `ALTER SYSTEM SET UNDO_RETENTION = 14400`. */
function readable(oracle: OracleWorld, unreadable: TableRow["unreadable"]): void {
  for (const table of oracle.tables) if (table.name === "LINES") Object.assign(table, { unreadable });
  oracle.parameters = { ...oracle.parameters, undo_retention: unreadable === undefined ? "14400" : "900" };
}

export const CODE_SCENARIOS: readonly Scenario[] = Object.entries(STOPS).map(
  ([code, { about, condition, options = {}, event, fix, files = () => ({}) }]): Scenario => ({
    name: code.toLowerCase(),
    about: `${code}: ${about}`,
    options: condition === undefined ? options : { ...options, stops: { [code]: condition } },
    files: (sandbox) => ({ "contexts.yaml": contexts(sandbox), ...files(sandbox) }),
    tries: [
      `${SHOW}     # exit 1: what happened`,
      `cdcctl explain ${code}`,
      ...(event === undefined ? [] : [`touch ${event.name}`]),
      fix,
    ],
    ...(event === undefined ? {} : { events: { [event.name]: event.happens } }),
  }),
);
