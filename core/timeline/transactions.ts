import type { ScnTime } from "../facts/database/database.ts";
import type { JournaledTransaction, OpenTransaction } from "../facts/transactions.ts";
import { ascending } from "../values/ascending.ts";
import { grouped } from "../values/grouped.ts";
import type { Scn } from "../values/scn.ts";
import { parseXid, printXid, printXidAlone, sameXid } from "../values/xid.ts";
import type { TransactionMark } from "./timeline.ts";

/**
 * Transactions that are not over, oldest first; one that is open and journaled is one. Its first SCN is the lower of
 * the two.
 */
export function transactionMarks(
  open: readonly OpenTransaction[],
  journaled: readonly JournaledTransaction[],
  times: readonly ScnTime[],
): readonly TransactionMark[] {
  const at = new Map(times.map((time) => [time.scn, time.at]));
  const byId = grouped(open, ({ xid }) => printXidAlone(xid));
  const also = new Map<OpenTransaction, JournaledTransaction>();
  const onlyJournaled = journaled.filter((one) => {
    const xid = parseXid(one.xid);
    const whole = xid === undefined ? undefined : { ...xid, container: one.container ?? xid.container };
    const same = whole && byId.get(printXidAlone(whole))?.find((other) => sameXid(whole, other.xid));
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
  ].sort(ascending(({ firstScn }) => firstScn));
}

function lower(a: Scn, b: Scn | undefined): Scn {
  return b === undefined || a < b ? a : b;
}
