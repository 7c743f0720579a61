import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ArchivedLog } from "../../../schemas/generated/facts.ts";
import { type AnyWorld, anyWorld, type Built, buildWorld } from "../testing/any-catalogue.ts";
import { type NaiveAnswer, naive, naiveFirst } from "../testing/naive-redo.ts";
import { examineRedo, logsToProbe } from "./redo.ts";

/** What a catalogue has that an analysis could stumble over, told from its rows and not from how they were made. */
type Tells = (built: Built, plain: NaiveAnswer | undefined, random: AnyWorld) => boolean;

const counted = ({ archived }: Built["catalogue"], resetlogsScn: bigint) =>
  archived.filter((row) => row.destination === 1n && !row.standby && row.resetlogsScn === resetlogsScn);

const usable = (row: ArchivedLog) => !row.deleted && row.status === "A" && row.name !== undefined;

const sameLog = (one: ArchivedLog, other: ArchivedLog) =>
  one !== other && one.thread === other.thread && one.sequence === other.sequence;

/** Neighbouring sequences of a thread, each with the next. */
function neighbours(rows: readonly ArchivedLog[]): readonly (readonly [ArchivedLog, ArchivedLog])[] {
  return rows.flatMap((row) =>
    rows
      .filter((other) => other.thread === row.thread && other.sequence === row.sequence + 1n)
      .map((other) => [row, other] as const),
  );
}

const TELLS = {
  "several threads": ({ catalogue }) => new Set(catalogue.archived.map(({ thread }) => thread)).size > 1,
  "a thread enabled halfway": ({ catalogue, question }, plain) =>
    catalogue.threads.some(({ enableScn }) => enableScn > question.from && enableScn <= (plain?.end ?? 0n)),
  "a thread disabled halfway": ({ catalogue, question }, plain) =>
    catalogue.threads.some(
      ({ disableScn }) => disableScn !== undefined && disableScn > question.from && disableScn <= (plain?.end ?? 0n),
    ),
  "a thread with logs that the view does not list": ({ catalogue }) =>
    catalogue.archived.some((row) => catalogue.threads.every(({ thread }) => thread !== row.thread)),
  "RESETLOGS in the range": ({ question }, plain) =>
    question.from < question.resetlogsScn && question.resetlogsScn <= (plain?.end ?? 0n),
  "a sequence in two incarnations": ({ catalogue: { archived } }) =>
    archived.some((row) => archived.some((other) => sameLog(row, other) && row.resetlogsScn !== other.resetlogsScn)),
  "a log in two destinations": ({ catalogue: { archived } }) =>
    archived.some((row) => archived.some((other) => sameLog(row, other) && row.destination !== other.destination)),
  "a purged log with a readable copy under another destination": ({ catalogue: { archived } }) =>
    archived.some(
      (row) =>
        row.destination === 1n &&
        !usable(row) &&
        archived.some((other) => sameLog(row, other) && other.destination === 2n && usable(other)),
    ),
  "a purged log with a readable copy in its own destination": ({ catalogue, question }) => {
    const rows = counted(catalogue, question.resetlogsScn);
    return rows.some((row) => !usable(row) && rows.some((other) => sameLog(row, other) && usable(other)));
  },
  "a standby copy": ({ catalogue }) => catalogue.archived.some(({ standby }) => standby),
  "a log that only a standby has": ({ catalogue: { archived } }) =>
    archived.some((row) => row.standby && !archived.some((other) => sameLog(row, other))),
  "a row without a name, not deleted": ({ catalogue }) =>
    catalogue.archived.some(({ name, deleted }) => name === undefined && !deleted),
  "a row without a name, deleted": ({ catalogue }) =>
    catalogue.archived.some(({ name, deleted }) => name === undefined && deleted),
  "a switch in progress": ({ catalogue: { archived, online } }) =>
    online.some(
      (log) =>
        log.nextScn !== undefined &&
        !log.archived &&
        log.member !== undefined &&
        !archived.some((row) => row.thread === log.thread && row.sequence === log.sequence),
    ),
  "a log both on line and archived": ({ catalogue: { archived, online } }) =>
    online.some((log) => archived.some((row) => row.thread === log.thread && row.sequence === log.sequence)),
  "an online log without a readable member": ({ catalogue }) =>
    catalogue.online.some(({ member, status }) => member === undefined && status !== "CLEARING"),
  archive_only: ({ question }) => question.captureMode === "archive_only",
  "a gap at the beginning": (_, plain) => (plain?.late.size ?? 0) > 0,
  "a gap in the middle": (_, plain) => (plain?.missing.size ?? 0) > 0,
  "a gap at the end": (_, plain) => (plain?.early.size ?? 0) > 0,
  "sequences that overlap": ({ catalogue, question }) =>
    neighbours(counted(catalogue, question.resetlogsScn)).some(([row, next]) => next.firstScn < row.nextScn),
  "a hole between neighbours": ({ catalogue, question }) =>
    neighbours(counted(catalogue, question.resetlogsScn)).some(([row, next]) => next.firstScn > row.nextScn),
  "a gap that only the probe shows, with redo after it": ({ catalogue, question, probes }, plain) =>
    probes !== undefined &&
    plain?.complete === false &&
    naive(catalogue, question, undefined)?.complete === true &&
    naiveFirst(catalogue, question, probes, question.from) !== undefined,
  "redo after a gap, later than the catalogue alone says": ({ catalogue, question, probes }, plain) => {
    if (probes === undefined || plain?.complete !== false) return false;
    const first = naiveFirst(catalogue, question, probes, question.from);
    const alone = naiveFirst(catalogue, question, undefined, question.from);
    return first !== undefined && alone !== undefined && first > alone;
  },
  "a destination by name": ({ question }) => question.destination !== undefined,
  "no usable destination": (_, plain) => plain === undefined,
  "rows in no order": (_built, _plain, { shuffle }) => shuffle % 3 === 0,
} as const satisfies Readonly<Record<string, Tells>>;

type Feature = keyof typeof TELLS;

const FEATURES = Object.keys(TELLS) as readonly Feature[];

function featuresOf(random: AnyWorld, built: Built, plain: NaiveAnswer | undefined): readonly Feature[] {
  return FEATURES.filter((feature) => (TELLS[feature] as Tells)(built, plain, random));
}

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
