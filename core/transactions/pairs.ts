import type { LargestTransaction } from "../facts/connector/task-metrics.ts";
import { grouped } from "../values/grouped.ts";
import { parseXid, printXidAlone } from "../values/xid.ts";
import type { JournaledPart } from "./journaled-part.ts";

/** One transaction as its sources show it: at least one of the two is there. */
export interface Pair {
  readonly buffered: LargestTransaction | undefined;
  readonly journaled: JournaledPart | undefined;
}

/**
 * Finds what is one transaction in both sources. The task's MBean leaves the container out, and each PDB has ids of its
 * own, so that an id alone may stand for several: among equal ids those that begin at the same SCN belong together, and
 * then the one that the task calls journaled with the one that is left. What can't be told stays two.
 */
export function pairs(buffered: readonly LargestTransaction[], journaled: readonly JournaledPart[]): readonly Pair[] {
  const waiting = grouped(journaled, ({ xid }) => printXidAlone(xid));
  const found: Pair[] = [];
  for (const [id, own] of grouped(buffered, bareId)) {
    const others = new Set(waiting.get(id));
    const rest = own.filter((one) => {
      const same = [...others].find(({ begins }) => begins.includes(one.firstScn));
      if (same === undefined) return true;
      others.delete(same);
      found.push({ buffered: one, journaled: same });
      return false;
    });
    const claims = rest.filter((one) => one.journaled);
    const [claim] = claims;
    const [last] = others;
    const paired = claims.length === 1 && others.size === 1 ? claim : undefined;
    for (const one of rest) found.push({ buffered: one, journaled: one === paired ? last : undefined });
    if (paired !== undefined) others.clear();
    waiting.set(id, [...others]);
  }
  return [...found, ...[...waiting.values()].flat().map((part) => ({ buffered: undefined, journaled: part }))];
}

/** What is no id stands for itself. */
function bareId({ xid: text }: LargestTransaction): string {
  const xid = parseXid(text);
  return xid === undefined ? text : printXidAlone(xid);
}
