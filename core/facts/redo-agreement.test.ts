import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ArchivedLog, OnlineLog, RedoThread } from "./redo.ts";
import { examineRedo, logsToProbe, type RedoCatalogue, type RedoQuestion } from "./redo-examination.ts";
import { naive, naiveFirst } from "./testing/naive-redo.ts";

const agreement = suite("redo analysis against a naive reference");

const RESETLOGS = 3n;
const small = (max: number) => fc.integer({ min: 0, max }).map(BigInt);
const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);

const threadRow = fc.record({
  listed: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  enabled: fc.constantFrom("PUBLIC", "PUBLIC", "PRIVATE", "DISABLED"),
  enableScn: fc.oneof(fc.constant(0n), fc.constant(RESETLOGS), small(50)),
  disableScn: fc.oneof(fc.constant(undefined), fc.constant(undefined), small(59)),
});

/** One log of the chain that a thread would have, and what has become of it. */
const step = fc.record({
  length: fc.integer({ min: 1, max: 12 }).map(BigInt),
  shift: fc.oneof(
    { arbitrary: fc.constant(0n), weight: 12 },
    { arbitrary: fc.integer({ min: -6, max: 6 }).map(BigInt), weight: 1 },
  ),
  fate: fc.oneof(
    { arbitrary: fc.constant("there" as const), weight: 16 },
    {
      arbitrary: fc.constantFrom("absent", "D", "X", "U", "deleted", "nameless", "standby", "elsewhere", "incarnation"),
      weight: 3,
    },
  ),
  twin: fc.oneof(
    { arbitrary: fc.constant("none" as const), weight: 6 },
    { arbitrary: fc.constantFrom("same", "purged", "elsewhere", "standby", "incarnation"), weight: 1 },
  ),
  opens: fc.integer({ min: 0, max: 15 }).map((n) => n > 0),
});

const chain = fc.record({
  thread: threadRow,
  begins: small(20),
  sequence: fc.integer({ min: 1, max: 5 }).map(BigInt),
  steps: fc.array(step, { maxLength: 9 }),
  online: fc.integer({ min: 0, max: 3 }),
  archivedToo: fc.boolean(),
  memberless: rarely,
  stray: rarely,
});

const world = fc.record({
  chains: fc.array(chain, { minLength: 0, maxLength: 3 }),
  from: small(59),
  currentScn: small(59),
  wellFormed: fc.boolean(),
  captureMode: fc.constantFrom("online" as const, "archive_only" as const),
  destination: fc.constantFrom(undefined, undefined, undefined, "LOG_ARCHIVE_DEST_1", "LOG_ARCHIVE_DEST_2"),
  valid: fc.integer({ min: 0, max: 19 }).map((n) => n > 0),
  probed: fc.boolean(),
  shuffle: fc.integer(),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

function build(seen: World) {
  const threads: RedoThread[] = [];
  const archived: ArchivedLog[] = [];
  const online: OnlineLog[] = [];
  const unopened = new Set<string>();
  for (const [i, one] of seen.chains.entries()) {
    const number = BigInt(i + 1);
    if (one.thread.listed || seen.wellFormed)
      threads.push({ ...one.thread, thread: number, status: "OPEN", sequence: 1n });
    let scn = seen.wellFormed && one.begins > one.thread.enableScn ? one.thread.enableScn : one.begins;
    const steps = one.steps;
    for (const [place, { length, shift, fate, twin, opens }] of steps.entries()) {
      const sequence = one.sequence + BigInt(place);
      const firstScn = seen.wellFormed ? scn : scn + shift < 0n ? 0n : scn + shift;
      const nextScn = scn + length;
      scn = nextScn;
      const fromEnd = steps.length - place;
      if (fromEnd <= one.online && !(one.stray && fromEnd === 2)) {
        online.push({
          thread: number,
          sequence,
          firstScn,
          nextScn: fromEnd === 1 ? undefined : nextScn,
          status: fromEnd === 1 ? "CURRENT" : one.memberless ? "CLEARING" : "ACTIVE",
          archived: one.archivedToo,
          member: one.memberless && fromEnd !== 2 ? undefined : `/redo/${number}_${sequence}`,
          bytes: 1n,
        });
        if (!opens) unopened.add(`/redo/${number}_${sequence}`);
        if (fromEnd === 1 || !one.archivedToo) continue;
      }
      const row: ArchivedLog = {
        thread: number,
        sequence,
        firstScn,
        nextScn,
        name: fate === "nameless" ? undefined : `/arch/${number}_${sequence}`,
        status: fate === "D" || fate === "X" || fate === "U" ? fate : "A",
        deleted: fate === "deleted",
        destination: fate === "elsewhere" ? 2n : 1n,
        standby: fate === "standby",
        resetlogsScn: fate === "incarnation" ? 1n : RESETLOGS,
        bytes: 1n,
        firstTime: undefined,
        nextTime: undefined,
      };
      if (fate !== "absent") archived.push(row);
      if (!opens && row.name !== undefined) unopened.add(row.name);
      if (twin !== "none")
        archived.push({
          ...row,
          name: `/twin/${number}_${sequence}`,
          status: twin === "purged" ? "D" : "A",
          deleted: false,
          destination: twin === "elsewhere" ? 2n : 1n,
          standby: twin === "standby",
          resetlogsScn: twin === "incarnation" ? 1n : RESETLOGS,
        });
    }
  }
  const catalogue: RedoCatalogue = {
    threads,
    destinations: [
      { id: 2n, name: "LOG_ARCHIVE_DEST_2", status: "VALID", type: "LOCAL" },
      { id: 1n, name: "LOG_ARCHIVE_DEST_1", status: seen.valid ? "VALID" : "ERROR", type: "LOCAL" },
      { id: 0n, name: "LOG_ARCHIVE_DEST_0", status: "VALID", type: "PHYSICAL" },
    ],
    archived: seen.shuffle % 3 === 0 ? shuffled(archived, seen.shuffle) : archived,
    online,
  };
  const question: RedoQuestion = {
    from: seen.from,
    currentScn: seen.currentScn,
    resetlogsScn: RESETLOGS,
    captureMode: seen.captureMode,
    destination: seen.destination,
  };
  const probes = seen.probed
    ? logsToProbe(catalogue, { ...question, from: 0n }).map((file) =>
        unopened.has(file)
          ? ({ file, opened: false, code: "ORA-00308", message: "cannot open archived log" } as const)
          : ({ file, opened: true } as const),
      )
    : undefined;
  return { catalogue, question, probes };
}

function shuffled<T>(all: readonly T[], seed: number): readonly T[] {
  return all
    .map((one, i) => [one, (Math.abs(seed) * (i + 7) * 7919) % 104729] as const)
    .sort((a, b) => a[1] - b[1])
    .map(([one]) => one);
}

const RUNS = 5000;

agreement("complete or not, from where on, and the end are the same", async () => {
  const seen = { complete: 0, later: 0, none: 0 };
  await fc.assert(
    fc.property(world, (random) => {
      const { catalogue, question, probes } = build(random);
      const exact = examineRedo(catalogue, question, probes);
      const plain = naive(catalogue, question, probes);
      assert.is(exact.complete, plain?.complete ?? false);
      if (plain === undefined) {
        assert.is(exact.firstAvailable, undefined);
        return;
      }
      assert.is(exact.end, plain.end);
      const start = question.from > RESETLOGS ? question.from : RESETLOGS;
      const first = plain.complete ? question.from : naiveFirst(catalogue, question, probes, start);
      assert.is(exact.firstAvailable, first);
      assert.is(exact.earliest, naiveFirst(catalogue, question, probes, RESETLOGS));
      seen[plain.complete ? "complete" : first === undefined ? "none" : "later"]++;
    }),
    { numRuns: RUNS },
  );
  // A generator that hardly ever meets one of the cases would prove nothing about it.
  for (const [outcome, times] of Object.entries(seen))
    assert.ok(times > RUNS / 25, `${outcome} met ${times} times only`);
});

agreement("the faults name exactly the logs that are at fault, in order", async () => {
  await fc.assert(
    fc.property(world, (random) => {
      const { catalogue, question, probes } = build(random);
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

agreement("rows that end before the question begins change nothing", async () => {
  await fc.assert(
    fc.property(world, (random) => {
      const { catalogue, question, probes } = build({
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

agreement("the same rows in another order give the same answer where no sequence has two readable copies", async () => {
  await fc.assert(
    fc.property(world, (random) => {
      const single = random.chains.map((one) => ({
        ...one,
        steps: one.steps.map((log) => ({ ...log, twin: log.twin === "same" ? ("none" as const) : log.twin })),
      }));
      const { catalogue, question, probes } = build({ ...random, chains: single });
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
