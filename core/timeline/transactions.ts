import type { JournaledTransaction } from "../facts/connector-facts.ts";
import type { OpenTransaction, ScnTime } from "../facts/database.ts";
import type { Scn } from "../values/scn.ts";
import { parseXid, printXid, printXidAlone } from "../values/xid.ts";
import type { TransactionMark } from "./timeline.ts";

/** Transactions that are not over, oldest first; one that is open and journaled is one. Its first SCN is the lower of the two. */
export function transactionMarks(
  open: readonly OpenTransaction[],
  journaled: readonly JournaledTransaction[],
  times: readonly ScnTime[],
): readonly TransactionMark[] {
  const at = new Map(times.map((time) => [time.scn, time.at]));
  const byId = new Map<string, OpenTransaction[]>();
  for (const transaction of open) {
    const id = printXidAlone(transaction.xid);
    const known = byId.get(id);
    if (known === undefined) byId.set(id, [transaction]);
    else known.push(transaction);
  }
  const also = new Map<OpenTransaction, JournaledTransaction>();
  const onlyJournaled = journaled.filter((one) => {
    const xid = parseXid(one.xid);
    const container = one.container ?? xid?.container;
    const same = (xid === undefined ? undefined : byId.get(printXidAlone(xid)))?.find(
      (other) => container === undefined || other.xid.container === undefined || other.xid.container === container,
    );
    if (same !== undefined) also.set(same, one);
    return same === undefined;
  });
  return [
    ...open.map((one): TransactionMark => {
      const chunks = also.get(one);
      const firstScn = lower(one.startScn, chunks?.firstScn);
      return {
        xid: printXid(one.xid),
        firstScn,
        at: firstScn === one.startScn ? one.startedAt : at.get(firstScn),
        user: one.user,
        clientId: one.clientId,
        seenIn: chunks === undefined ? ["database"] : ["database", "journal"],
      };
    }),
    ...onlyJournaled.map(
      ({ xid, container, firstScn, user, clientId }): TransactionMark => ({
        xid: container === undefined || xid.includes(":") ? xid : `${container}:${xid}`,
        firstScn,
        at: at.get(firstScn),
        user,
        clientId,
        seenIn: ["journal"],
      }),
    ),
  ].sort((a, b) => (a.firstScn < b.firstScn ? -1 : a.firstScn > b.firstScn ? 1 : 0));
}

function lower(a: Scn, b: Scn | undefined): Scn {
  return b === undefined || a < b ? a : b;
}
