import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { instantOf } from "../values/instant.ts";
import { inOrder, nextOrdinal } from "./order.ts";
import type { RunSubject } from "./subject.ts";

const order = suite("the order of runs");

interface Run {
  readonly id: string;
  readonly connector: string;
  readonly ordinal?: bigint;
  readonly at: string;
}

const ids = (...runs: readonly Run[]) =>
  inOrder(runs, ({ connector, ordinal, at }) => ({
    ...(ordinal === undefined ? {} : { ordinal }),
    at,
    subject: { clusterId: "k", connector } as RunSubject,
  })).map(({ id }) => id);

const run = (id: string, connector: string, at: string, ordinal?: bigint): Run => ({
  id,
  connector,
  at: `2026-11-21T${at}Z`,
  ...(ordinal === undefined ? {} : { ordinal }),
});

order("a clock that was set back makes no later run an earlier one", () => {
  assert.equal(ids(run("first", "a", "12:00:00", 1n), run("second", "a", "09:00:00", 2n)), ["first", "second"]);
  assert.equal(ids(run("second", "a", "09:00:00", 2n), run("first", "a", "12:00:00", 1n)), ["first", "second"]);
});

order("runs of earlier versions are ordered by time, to the millisecond, and come first", () => {
  assert.equal(ids(run("new", "a", "08:00:00", 1n), run("later", "a", "10:00:00.120"), run("old", "a", "10:00:00")), [
    "old",
    "later",
    "new",
  ]);
});

order("runs of several connectors are ordered by time", () => {
  assert.equal(
    ids(
      run("a1", "a", "12:00:00", 1n),
      run("b1", "b", "10:00:00", 1n),
      run("a2", "a", "11:00:00", 2n),
      run("b2", "b", "13:00:00", 2n),
    ),
    ["b1", "a1", "a2", "b2"],
  );
});

order("the order of each connector's runs is kept, whatever the clocks showed", () => {
  const any = fc.array(
    fc.record({ connector: fc.constantFrom("a", "b", "c"), at: fc.integer({ min: 0, max: 9_000_000 }) }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(any, (drawn) => {
      const counts = new Map<string, bigint>();
      const runs = drawn.map(({ connector, at }, i): Run => {
        const ordinal = (counts.get(connector) ?? 0n) + 1n;
        counts.set(connector, ordinal);
        return { id: `${connector}${i}`, connector, ordinal, at: instantOf(at) };
      });
      const shown = ids(...runs.toReversed());
      assert.is(shown.length, runs.length);
      for (const connector of counts.keys()) {
        const of = (all: readonly string[]) => all.filter((id) => id.startsWith(connector));
        assert.equal(of(shown), of(runs.map(({ id }) => id)));
      }
    }),
  );
});

order("the next ordinal is above all others, also if runs have been archived", () => {
  assert.is(nextOrdinal([]), 1n);
  assert.is(nextOrdinal([{}, { ordinal: 7n }, { ordinal: 2n }]), 8n);
});

order.run();
