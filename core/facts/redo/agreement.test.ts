import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { anyWorld, buildWorld } from "../testing/any-catalogue.ts";
import { FEATURES, featuresOf } from "../testing/catalogue-features.ts";
import { naive, naiveFirst } from "../testing/naive-redo.ts";
import { examineRedo, logsToProbe } from "./examination.ts";

const agreement = suite("redo analysis against a naive reference");

const RUNS = 5000;

agreement("completeness, start and end are the same", async () => {
  const seen = { complete: 0, later: 0, none: 0 };
  const met = new Map(FEATURES.map((feature) => [feature, 0]));
  await fc.assert(
    fc.property(anyWorld, (random) => {
      const { catalogue, question, probes } = buildWorld(random);
      const exact = examineRedo(catalogue, question, probes);
      const plain = naive(catalogue, question, probes);
      for (const feature of featuresOf(random, { catalogue, question, probes }, plain))
        met.set(feature, (met.get(feature) ?? 0) + 1);
      assert.is(exact.complete, plain?.complete ?? false);
      if (plain === undefined) {
        assert.is(exact.firstAvailable, undefined);
        return;
      }
      assert.is(exact.end, plain.end);
      const { from, resetlogsScn } = question;
      const start = from > resetlogsScn ? from : resetlogsScn;
      const first = plain.complete ? question.from : naiveFirst(catalogue, question, probes, start);
      assert.is(exact.firstAvailable, first);
      assert.is(exact.earliest, naiveFirst(catalogue, question, probes, resetlogsScn));
      seen[plain.complete ? "complete" : first === undefined ? "none" : "later"]++;
    }),
    { numRuns: RUNS },
  );
  // A generator that hardly ever meets one of the cases would prove nothing about it.
  for (const [outcome, times] of Object.entries(seen))
    assert.ok(times > RUNS / 25, `${outcome} met ${times} times only`);
  for (const [feature, times] of met) assert.ok(times > RUNS / 250, `${feature} met ${times} times only`);
});

agreement("the faults name exactly the faulty logs, in order", async () => {
  await fc.assert(
    fc.property(anyWorld, (random) => {
      const { catalogue, question, probes } = buildWorld(random);
      const { faults } = examineRedo(catalogue, question, probes);
      const plain = naive(catalogue, question, probes);
      const reasons = faults.map(({ reason }) => reason);
      if (plain === undefined) {
        assert.equal(reasons, ["no archive destination"]);
        return;
      }
      const sequences = (code: string) =>
        faults.flatMap(({ code: own, thread, fromSequence, toSequence }) =>
          own !== code || fromSequence === undefined || toSequence === undefined
            ? []
            : Array.from(
                { length: Number(toSequence - fromSequence) + 1 },
                (_, i) => `${thread}/${fromSequence + BigInt(i)}`,
              ),
        );
      const of = (reason: string) =>
        faults
          .filter((fault) => fault.reason === reason && fault.thread !== undefined)
          .map(({ thread }) => `${thread}`);
      assert.equal(new Set(sequences("CDC-2002")), plain.unreadable);
      assert.equal(new Set(sequences("CDC-2001")), plain.missing);
      assert.equal(new Set(of("no log at all")), plain.none);
      assert.equal(new Set(of("begins too late")), plain.late);
      assert.equal(new Set(of("ends too early")), plain.early);
      const threads = faults.flatMap(({ thread }) => thread ?? []);
      assert.equal(
        threads,
        [...threads].sort((a, b) => Number(a - b)),
      );
    }),
    { numRuns: RUNS },
  );
});

agreement("the files to try are exactly those that would be mined", async () => {
  await fc.assert(
    fc.property(anyWorld, (random) => {
      const { catalogue, question } = buildWorld(random);
      const plain = naive(catalogue, question, undefined);
      const files = logsToProbe(catalogue, question);
      if (plain !== undefined) assert.equal(new Set(files), plain.files);
      assert.is(files.length, new Set(files).size);
    }),
    { numRuns: RUNS },
  );
});

agreement("rows that end before the requested range change nothing", async () => {
  await fc.assert(
    fc.property(anyWorld, (random) => {
      const { catalogue, question, probes } = buildWorld({
        ...random,
        chains: random.chains.map((one) => ({ ...one, thread: { ...one.thread, listed: true } })),
      });
      const read = { ...catalogue, archived: catalogue.archived.filter(({ nextScn }) => nextScn > question.from) };
      const { earliest: _all, ...whole } = examineRedo(catalogue, question, probes);
      const { earliest: _read, ...partly } = examineRedo(read, question, probes);
      assert.equal(partly, whole);
    }),
    { numRuns: RUNS },
  );
});

agreement("the same rows in another order give the same answer if no sequence has two readable copies", async () => {
  await fc.assert(
    fc.property(anyWorld, (random) => {
      const single = random.chains.map((one) => ({
        ...one,
        steps: one.steps.map((log) => ({ ...log, twin: log.twin === "same" ? ("none" as const) : log.twin })),
      }));
      const { catalogue, question, probes } = buildWorld({ ...random, chains: single });
      const turned = {
        ...catalogue,
        archived: [...catalogue.archived].reverse(),
        threads: [...catalogue.threads].reverse(),
      };
      const { restoredElsewhere: _one, faults: before, ...straight } = examineRedo(catalogue, question, probes);
      const { restoredElsewhere: _other, faults: after, ...other } = examineRedo(turned, question, probes);
      assert.equal(other, straight);
      assert.is(after.length > 0, before.length > 0);
    }),
    { numRuns: 1000 },
  );
});

agreement.run();
