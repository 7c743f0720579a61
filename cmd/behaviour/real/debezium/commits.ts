import type { HistoryTable, Row, RowChange, Transaction } from "../../../../providers/sandbox/change-history.ts";

/**
 * What every transaction has changed, by the SCN of its commit: the same for whoever delivers it
 * (`providers/real/plugin/Commits.java`), and for the table.
 */
export function transactionAt(scn: bigint): Transaction {
  const [before, here] = [scn - 1n, scn];
  const changes: RowChange[] = [{ scn: before, before: undefined, after: rowOf(here, "NEW") }];
  if (scn % 5n === 2n) changes.push({ scn: before, before: rowOf(before, "NEW"), after: rowOf(before, "PAID") });
  if (scn % 5n === 0n) changes.push({ scn: before, before: rowOf(before, "NEW"), after: undefined });
  const xid = `${1n + (scn % 16n)}.${scn % 32n}.${scn % 65_536n}`;
  return { xid, user: "SHOP", startScn: before, commitScn: here, changes };
}

/** The rows that a snapshot at an SCN reads. */
export const snapshotAt = (scn: bigint): readonly Row[] => [scn - 2n, scn - 1n, scn].map((id) => rowOf(id, "NEW"));

export const rowOf = (id: bigint, status: string): Row => [String(id), status];

/** A table whose rows these are. @param qualified `SCHEMA.TABLE` */
export function tableOfCommits(qualified: string): HistoryTable {
  const [owner = "", name = ""] = qualified.split(".");
  return {
    ...{ database: "ORCLCDB", pdb: "ORCLPDB1", owner, name, key: [0] },
    columns: [
      { name: "ID", type: "NUMBER", precision: 18, scale: 0 },
      { name: "STATUS", type: "VARCHAR2", nullable: true },
    ],
  };
}
