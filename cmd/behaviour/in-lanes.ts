import type { Test } from "uvu";

const LANES = 6;

/** The tests of a suite begin at once, so many at a time, and are told in their order: most of their time is waiting, each in its own world. */
export function inLanes(suite: Test): (name: string, body: () => Promise<void>) => void {
  const waiting: (() => void)[] = [];
  let free = LANES;
  const turn = () =>
    new Promise<void>((resolve) => {
      if (free === 0) return void waiting.push(resolve);
      free--;
      resolve();
    });
  return (name, body) => {
    const ended = turn()
      .then(body)
      .then(
        () => undefined,
        (failure: unknown) => ({ failure }),
      )
      .finally(() => {
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      });
    suite(name, async () => {
      const end = await ended;
      if (end !== undefined) throw end.failure;
    });
  };
}
