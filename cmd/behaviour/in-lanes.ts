import type { Test } from "uvu";
import { gate } from "./gate.ts";

/**
 * Runs the tests of a suite in parallel, a given number at a time, and reports them in order: they mostly wait, each in
 * its own world. Each leaves a mark when it ends.
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
      .finally(giveUp)
      .finally(() => process.stdout.write("·"));
    suite(name, async () => {
      const end = await ended;
      if (end !== undefined) throw end.failure;
    });
  };
}
