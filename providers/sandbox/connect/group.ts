/** A duration in ms, or until the promise resolves: a test ends it. */
export type Span = number | Promise<void>;

/** The workers of a Connect cluster: the leader, frozen workers, and the calls that a frozen worker holds. */
export interface Group {
  readonly leader: number;
  isFrozen(worker: number): boolean;
  /** The worker keeps its connections, answers nothing, and its tasks commit nothing. */
  freeze(worker: number): void;
  /**
   * The worker carries out what it holds, in the order of arrival: it does not know yet that it may have been replaced.
   */
  thaw(worker: number): void;
  /** The worker is frozen for good: what it holds is never carried out. It is down until it is started. */
  kill(worker: number): void;
  /** The worker that was killed begins to run. It holds what it is sent until it is thawed. */
  start(worker: number): void;
  isDown(worker: number): boolean;
  /** Makes this worker the leader. */
  elect(worker: number): void;
  /** Resolves when the worker is not frozen; waiting calls continue in the order in which they began to wait. */
  awake(worker: number): Promise<void>;
  /** Resolves when the leader is not frozen: it is awake again, or another worker leads. */
  led(): Promise<void>;
  /** Begins a rebalance, which lasts until the returned function is called. Changes are refused meanwhile. */
  rebalance(): () => void;
  readonly rebalancing: boolean;
}

/** @param workers how many; worker 0 leads first */
export function openGroup(workers: number): Group {
  const held = new Map<number, (() => void)[]>();
  const down = new Set<number>();
  let leader = 0;
  const leaderless: (() => void)[] = [];
  let rebalances = 0;
  const checked = (worker: number): number => {
    if (!Number.isInteger(worker) || worker < 0 || worker >= workers)
      throw new RangeError(`this sandbox has no worker ${worker}`);
    return worker;
  };
  const lead = (): void => {
    if (held.has(leader)) return;
    for (const goOn of leaderless.splice(0)) goOn();
  };
  return {
    get leader() {
      return leader;
    },
    get rebalancing() {
      return rebalances > 0;
    },
    isFrozen: (worker) => held.has(worker),
    freeze(worker) {
      if (!held.has(checked(worker))) held.set(worker, []);
    },
    thaw(worker) {
      const calls = held.get(worker) ?? [];
      held.delete(worker);
      for (const call of calls) call();
      lead();
    },
    kill(worker) {
      down.add(checked(worker));
      held.set(worker, []);
    },
    start: (worker) => void down.delete(worker),
    isDown: (worker) => down.has(worker),
    elect(worker) {
      leader = checked(worker);
      lead();
    },
    led: () => (held.has(leader) ? new Promise((resolve) => leaderless.push(resolve)) : Promise.resolve()),
    awake: (worker) => {
      const calls = held.get(worker);
      return calls === undefined ? Promise.resolve() : new Promise((resolve) => calls.push(resolve));
    },
    rebalance() {
      rebalances++;
      let over = false;
      return () => {
        if (!over) rebalances--;
        over = true;
      };
    },
  };
}
