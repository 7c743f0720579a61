import type { TableActivity } from "../../../schemas/generated/facts.ts";
import type { TableModifications, TableSeen } from "../../../schemas/generated/shared.ts";
import { archived, known, unseen } from "../../kinds/offset-change/testing/build-facts.ts";
import { FAILED, type FactsParts, table } from "../../kinds/resnapshot/testing/build-facts.ts";
import type { Plan } from "../plan.ts";
import { REDO, REDO_GONE, snapshotPlan } from "./build-plan.ts";
import { HOSTILE } from "./hostile.ts";

/** One plan of a resnapshot of each sort that an operator meets. */

/** Two began before 2230000 and have not ended; the workers journal both, the database shows one. */
export const OPEN_TRANSACTIONS = {
  transactions: known([
    {
      xid: { container: 1n, usn: 4n, slot: 9n, sqn: 771n },
      startScn: 2204000n,
      startedAt: "2026-11-20T19:01:40Z",
      user: "APP_ORDERS",
      clientId: "batch-7",
    },
  ]),
  journaled: known([
    { xid: "4.9.771", container: 1n, firstScn: 2204000n, user: "APP_ORDERS", clientId: "batch-7" },
    { xid: "8.30.9001", container: 1n, firstScn: 2204100n, user: undefined, clientId: undefined },
  ]),
} satisfies FactsParts;

const named = [table("ORDERS"), table("LINES")];
const captured = (count: number) => [...named, ...Array.from({ length: count }, (_, i) => table(`T${i}`))];

/** All redo is there: nothing moves. */
export const signalOnly: Plan<"Resnapshot"> = snapshotPlan(
  {
    metadata: { name: "orders-again", reason: "a consumer lost its state", ticket: "CHG-4713" },
    resume: false,
    waitForAck: 300_000n,
  },
  { catalogue: REDO, tables: captured(39) },
);

const failedWith = (code: string) => ({
  ...FAILED,
  tasks: FAILED.tasks.map((task) => ({ ...task, trace: `${code} log purged\n\tat Task.poll` })),
});

/** It failed over redo that has been brought back since. */
export const failedForNothing: Plan<"Resnapshot"> = snapshotPlan(
  {},
  { catalogue: REDO, tables: captured(39), connector: { status: failedWith("CDC-2002") } },
);

const none: TableModifications = { inserts: 0n, updates: 0n, deletes: 0n, truncated: false, at: undefined };

function activity(name: string, parts: Partial<TableActivity>): TableActivity {
  return { ...table(name), lastDdl: undefined, modifications: undefined, analyzed: undefined, ...parts };
}

/** What the dictionary knows of tables that are not named: of each something else. */
const UNLISTED: readonly TableActivity[] = [
  activity("ADDRESSES", {
    lastDdl: "2024-02-11T08:00:00Z",
    modifications: { ...none, updates: 12n, at: "2026-11-19T22:00:03Z" },
  }),
  activity("COUNTRIES", { lastDdl: "2019-05-02T10:14:00Z", analyzed: "2026-11-20T22:00:03Z" }),
  activity("INVOICES", {
    lastDdl: "2026-03-01T21:30:11Z",
    modifications: { ...none, inserts: 1204n, updates: 33n, at: "2026-11-20T19:20:40Z" },
  }),
  activity("STAGING", {
    lastDdl: "2026-11-20T19:11:00Z",
    modifications: { ...none, truncated: true, at: "2026-11-20T19:11:00Z" },
  }),
];

/** A table without a row in the dictionary's views on activity. */
const UNKNOWN = table("INVOICES_ARCHIVE_BEFORE_2020_DO_NOT_DROP");

const withUnlisted = (unlisted: readonly TableActivity[], ...unknown: readonly TableSeen[]): FactsParts => ({
  tables: [...named, ...unlisted, ...unknown],
  activity: known(unlisted),
});

/** The operator asserts that the unlisted tables lose nothing, and waits for the connector's answer. */
export const pastGap: Plan<"Resnapshot"> = snapshotPlan(
  { skipGapForUnlistedTables: "all", waitForAck: 300_000n, readRowScns: true },
  {
    ...withUnlisted(UNLISTED, UNKNOWN),
    rowScns: known([
      { ...table("INVOICES"), scn: 2229002n },
      {
        ...UNKNOWN,
        scn: undefined,
        problem: "MAX(ORA_ROWSCN) of ORCLPDB1.SALES.INVOICES_ARCHIVE_BEFORE_2020_DO_NOT_DROP: ORA-01031",
      },
    ]),
  },
);

/** No table is left out. */
export const pastGapWhole: Plan<"Resnapshot"> = snapshotPlan();

export const unlistedBlocked: Plan<"Resnapshot"> = snapshotPlan({}, withUnlisted(UNLISTED, UNKNOWN));

/** Nothing after the gap is whole either, and the current log is on a disk that is gone. */
export const noScnAfterGap: Plan<"Resnapshot"> = snapshotPlan(
  {},
  { catalogue: REDO_GONE, unopened: ["/arch/1_121_1.arc", "/redo/redo01.log"] },
);

export const tornWaited: Plan<"Resnapshot"> = snapshotPlan(
  {
    skipGapForUnlistedTables: ["ORCLPDB1.SALES.ADDRESSES", "ORCLPDB1.SALES.COUNTRIES"],
    waitForTransactions: 600_000n,
  },
  { ...withUnlisted(UNLISTED.slice(0, 2)), ...OPEN_TRANSACTIONS, database: { zone: "+01:00" } },
);

/** Whether redo is missing is unknown. */
export const redoUnseen: Plan<"Resnapshot"> = snapshotPlan(
  { tables: ["ORCLPDB1.SALES.ORDERS"] },
  {
    redo: unseen("ORA-00942: table or view does not exist", "GRANT SELECT ON V_$ARCHIVED_LOG TO C##CDC CONTAINER=ALL;"),
    dictionary: unseen("ORA-00942: table or view does not exist"),
  },
);

const LONG_NAME = `${"Ä".repeat(128)}${"|`#".repeat(43)}`.slice(0, 128);

/** Tables in the dictionary, where every name may be whatever a quoted identifier can be. */
const HOSTILE_TABLES = [HOSTILE, LONG_NAME, "a|b`c", "x\ny", "\u202egnp.exe", "<b>&amp;"].map((name) =>
  activity(name, {
    lastDdl: "2026-11-20T19:11:00Z",
    modifications: { ...none, inserts: 1n, at: "2026-11-20T19:11:00Z" },
  }),
);

export const hostileSnapshot: Plan<"Resnapshot"> = snapshotPlan(
  {
    metadata: { name: HOSTILE, reason: HOSTILE, ticket: HOSTILE },
    tables: [`ORCLPDB1.SALES.${HOSTILE}`, HOSTILE],
    skipGapForUnlistedTables: "all",
  },
  {
    ...withUnlisted(HOSTILE_TABLES),
    connector: {
      name: HOSTILE,
      signalsTopic: HOSTILE,
      status: { state: HOSTILE, worker: HOSTILE, tasks: [{ id: 0n, state: HOSTILE, worker: HOSTILE, trace: HOSTILE }] },
    },
    database: { zone: HOSTILE, name: HOSTILE, address: HOSTILE },
    catalogue: {
      ...REDO_GONE,
      archived: [
        ...REDO_GONE.archived,
        archived(119n, 2206000n, 2218000n, { destination: 2n, name: HOSTILE }),
        archived(122n, 2235000n, 2240000n, { name: HOSTILE }),
      ],
    },
    unopened: [HOSTILE],
  },
);

/** Ready, with very many captured tables that are not named; every hundredth looks changed. */
export function enormousSnapshot(count: number): Plan<"Resnapshot"> {
  const unlisted = Array.from({ length: count }, (_, i) =>
    activity(`PARTITIONED_TABLE_${String(i).padStart(6, "0")}`, {
      ...(i % 100 === 0
        ? {
            lastDdl: "2026-11-20T19:11:00Z",
            modifications: { ...none, inserts: BigInt(i), at: "2026-11-20T19:20:00Z" },
          }
        : { lastDdl: "2024-01-01T00:00:00Z", modifications: { ...none, at: "2026-11-19T22:00:03Z" } }),
    }),
  );
  return snapshotPlan({ skipGapForUnlistedTables: "all" }, withUnlisted(unlisted));
}

export const SNAPSHOT_EXAMPLES = {
  "signal-only": signalOnly,
  "failed-for-nothing": failedForNothing,
  "past-gap": pastGap,
  "past-gap-whole": pastGapWhole,
  "unlisted-blocked": unlistedBlocked,
  "no-scn-after-gap": noScnAfterGap,
  "torn-waited": tornWaited,
  "redo-unseen": redoUnseen,
  "hostile-snapshot": hostileSnapshot,
} as const;
