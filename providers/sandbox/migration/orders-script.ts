import type { Deed, HistoryTable, Row } from "../change-history.ts";

/** The changes of SALES.ORDERS around a migration: a fixed script, so that every run sees the same. */

export const ORDERS: HistoryTable = {
  database: "ORCLCDB",
  pdb: "ORCLPDB1",
  owner: "SALES",
  name: "ORDERS",
  columns: [
    { name: "ORDER_ID", type: "NUMBER", precision: 10, scale: 0 },
    { name: "CUSTOMER", type: "VARCHAR2" },
    { name: "STATUS", type: "VARCHAR2" },
    { name: "AMOUNT", type: "NUMBER", precision: 12, scale: 2 },
    { name: "REFERENCE", type: "NUMBER", precision: 18, scale: 0 },
    { name: "PLACED_AT", type: "TIMESTAMP", scale: 6 },
    { name: "NOTE", type: "VARCHAR2", nullable: true },
  ],
  key: [0],
};

/** A number above 2^53: not exact as a double. */
export const BEYOND_DOUBLE = "9007199254740993";

const CUSTOMERS = ["Ångström AB", "Brown & Sons", "Çelik A.Ş.", "Dvořák s.r.o.", "日本商事"];

export function order(id: number, status: string, amount: string, reference?: string): Row {
  const customer = CUSTOMERS[id % CUSTOMERS.length] ?? null;
  const minute = String(id % 60).padStart(2, "0");
  return [
    String(id),
    customer,
    status,
    amount,
    reference ?? String(880_000_000_000 + id),
    `2026-11-19 08:${minute}:00.${String(id * 37).padStart(6, "0")}`,
    id % 3 === 0 ? null : `line 1\nline "${id}"`,
  ];
}

const put = (...orders: readonly Row[]): Deed[] => orders.map((row) => ({ put: row }));
const remove = (...ids: readonly number[]): Deed[] => ids.map((id) => ({ remove: [String(id)] }));

/** One event of the script, at the database's SCN `scn`. */
export type Scene =
  | { readonly scn: bigint; readonly begins: string; readonly user: string }
  | {
      readonly scn: bigint;
      readonly commits: string;
      readonly user: string;
      /** SCN at which it began. Default: just before. */
      readonly from?: bigint;
      readonly deeds: readonly Deed[];
    }
  /** Nothing. */
  | { readonly scn: bigint };

/** The rows that the legacy connector's snapshot has read. */
export const LOADED: Scene = {
  scn: 2_031_000n,
  commits: "2.11.640",
  user: "LOADER",
  deeds: put(...Array.from({ length: 12 }, (_, i) => order(1001 + i, "NEW", `${i * 10 + 19}.90`))),
};
export const SNAPSHOT_SCN = 2_031_500n;

/** What the legacy connector has delivered before the first command. */
export const PAST: readonly Scene[] = [
  { scn: 2_035_200n, commits: "4.3.655", user: "SHOP", deeds: put(order(1001, "PAID", "19.90")) },
  { scn: 2_040_500n, commits: "5.19.871", user: "SHOP", deeds: [...put(order(1013, "NEW", "7.00")), ...remove(1006)] },
  { scn: 2_044_100n, commits: "1.7.1180", user: "SHOP", deeds: put(order(1007, "PAID", "79.90")) },
];
export const BEGINNING_SCN = 2_044_700n;

/** The transaction that is open when the legacy connector is stopped. */
export const OPEN_XID = "9.4.1207";
export const OPEN_SCN = 2_044_800n;

/** What happens while the legacy connector runs. */
export const MEANWHILE: readonly Scene[] = [
  { scn: 2_044_760n, commits: "3.7.1181", user: "SHOP", deeds: put(order(1003, "PAID", "39.90")) },
  { scn: OPEN_SCN, begins: OPEN_XID, user: "BATCH" },
  {
    scn: 2_044_860n,
    commits: "6.2.902",
    user: "SHOP",
    deeds: put(order(1021, "NEW", "120.00"), order(1022, "NEW", "-3.50")),
  },
  {
    scn: 2_044_910n,
    commits: "7.30.433",
    user: "SHOP",
    deeds: [...put(order(1021, "PAID", "120.00")), ...remove(1002)],
  },
  { scn: 2_044_960n, commits: "2.12.641", user: "SHOP", deeds: put(order(1023, "NEW", "0.01", BEYOND_DOUBLE)) },
  { scn: 2_045_000n },
];

/** What happens once the new connector runs. */
export const AFTERWARDS: readonly Scene[] = [
  {
    scn: 2_045_040n,
    commits: OPEN_XID,
    user: "BATCH",
    from: OPEN_SCN,
    deeds: [...put(order(1050, "NEW", "999999999.99"), order(1004, "HELD", "49.90")), ...remove(1005)],
  },
  {
    scn: 2_045_080n,
    commits: "3.8.1182",
    user: "SHOP",
    deeds: put(order(1024, "NEW", "15.00"), order(1026, "NEW", "16.00")),
  },
  { scn: 2_045_120n, commits: "6.3.903", user: "SHOP", deeds: put(order(1021, "SHIPPED", "120.00")) },
  { scn: 2_045_160n, commits: "7.31.434", user: "SHOP", deeds: remove(1010) },
  { scn: 2_045_200n, commits: "2.13.642", user: "SHOP", deeds: remove(1026) },
  { scn: 2_045_300n },
];
