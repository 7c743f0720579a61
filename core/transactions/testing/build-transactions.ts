import type { ConnectorStatus, OpenTransaction } from "../../../schemas/generated/facts.ts";
import type { LargestTransaction } from "../../facts/connector/task-metrics.ts";
import type { Observed } from "../../facts/observed.ts";
import { parseXid, type Xid } from "../../values/xid.ts";
import type { DatabaseInspection, JournaledPart, TransactionsSeen } from "../inspect.ts";

export const AT = "2026-11-21T09:14:02Z";

export function xidOf(text: string): Xid {
  const xid = parseXid(text);
  if (xid === undefined) throw new Error(`${text} is not an id`);
  return xid;
}

/** A transaction in the task's buffer: from SCN 2,020,000 on, ten minutes old. */
export function buffered(xid: string, change: Partial<LargestTransaction> = {}): LargestTransaction {
  return {
    xid,
    user: "APP",
    clientId: undefined,
    ageMillis: 600_000n,
    firstScn: 2_020_000n,
    events: 12n,
    heapBytes: 4_096n,
    spilledBytes: 0n,
    journaled: false,
    ...change,
  };
}

/** A transaction in the journal: from SCN 2,020,000 on. */
export function journaled(xid: string, change: Partial<Omit<JournaledPart, "xid">> = {}): JournaledPart {
  const firstScn = change.firstScn ?? 2_020_000n;
  return {
    xid: xidOf(xid),
    chunks: 1,
    changes: 5n,
    bytes: 512n,
    firstScn,
    begins: [firstScn],
    user: "APP",
    clientId: undefined,
    ...change,
  };
}

export function open(xid: string, change: Partial<Omit<OpenTransaction, "xid">> = {}): OpenTransaction {
  return { xid: xidOf(xid), startScn: 2_019_990n, startedAt: AT, user: "APP", clientId: undefined, ...change };
}

export function database(...transactions: readonly OpenTransaction[]): DatabaseInspection {
  return { open: transactions, fromRoot: true, hidden: undefined };
}

export function known<T>(value: T, source = "a view"): Observed<T> {
  return { known: true, value, source, at: AT };
}

export function unknown(why: string, remedy?: string): Extract<Observed<never>, { readonly known: false }> {
  return { known: false, why, ...(remedy === undefined ? {} : { remedies: [remedy] }), source: "a view" };
}

export const STATUS: ConnectorStatus = {
  state: "RUNNING",
  worker: "connect-1:8083",
  tasks: [{ id: 0n, state: "RUNNING", worker: "connect-2:8083" }],
};

/** Everything was looked at, and nothing is open, unless said otherwise. */
export function seen(change: Partial<TransactionsSeen> = {}): TransactionsSeen {
  return {
    at: AT,
    connector: "orders-cdc",
    status: known(STATUS),
    buffered: inTask(),
    journaled: inJournal(),
    database: known(database()),
    times: known({ now: AT, times: [] }),
    ...change,
  };
}

export function inTask(...largest: readonly LargestTransaction[]): NonNullable<TransactionsSeen["buffered"]> {
  return { address: "connect-2:9999", transactions: known(largest), remarks: [] };
}

export function inJournal(...parts: readonly JournaledPart[]): TransactionsSeen["journaled"] {
  return known({ topic: "orders.cdc.txjournal", exists: true, parts, unreadable: 0 });
}
