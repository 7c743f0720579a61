import type { Test } from "uvu";
import { gate } from "./gate.ts";

/**
 * The tests of a suite go on side by side, so many at a time, from when the suite begins, and are told in their order:
 * most of their time is waiting, each in a world of its own.
 */
export function inLanes(suite: Test, lanes = 6): (name: string, body: () => Promise<void>) => void {
  const begun = gate();
  suite.before(() => begun.open());
  const waiting: (() => void)[] = [];
  let free = lanes;
  const turn = async (): Promise<void> => {
    await begun.opened;
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const giveUp = (): void => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return (name, body) => {
    const ended = turn()
      .then(body)
      .then(
        () => undefined,
        (failure: unknown) => ({ failure }),
      )
      .finally(giveUp);
    suite(name, async () => {
      const end = await ended;
      if (end !== undefined) throw end.failure;
    });
  };
}
