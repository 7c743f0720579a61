import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Plan } from "../../plan/plan.ts";
import { applied, cutOver, goneBack, retired, takenOver, verified } from "../../plan/testing/build-migration-run.ts";
import { buildRun } from "../../plan/testing/build-run.ts";
import { cutover, goingBack, retirement, verification } from "../../plan/testing/example-migrations.ts";
import type { RunKey, StatePort } from "../../ports/state.ts";
import type { JournalEntry, JournalEvent } from "../../run/journal.ts";
import { latestCutover, latestPhase, retiredTopics, verifications } from "./past-runs.ts";

const past = suite("earlier runs of two connectors");

const { intent } = cutover;
const { clusterId } = cutover.world;

interface Kept {
  readonly key: RunKey;
  readonly entries: readonly JournalEntry[];
}

/** A run of the hour, so that it is told which was first. */
function kept(hour: number, plan: Plan<"Migration">, events: readonly JournalEvent[]): Kept {
  const { key, entries } = buildRun(plan, events, `000${hour}`);
  return { key, entries: entries.map((entry) => ({ ...entry, at: entry.at.replace("T09:", `T1${hour}:`) })) };
}

/** Journals, in the order in which they are listed. */
function state(...runs: readonly Kept[]): StatePort {
  return {
    place: "memory",
    list: async ({ clusterId: cluster, connector }: Partial<RunKey> = {}) =>
      runs.flatMap(({ key }) => (key.clusterId === cluster && key.connector === connector ? [key] : [])),
    read: async ({ run }: RunKey) => runs.find(({ key }) => key.run === run)?.entries ?? [],
  } as Partial<StatePort> as StatePort;
}

/** The same run, of another legacy connector. */
function ofAnother({ key, entries }: Kept): Kept {
  const [first, ...rest] = entries;
  if (first?.type !== "run-started" || first.subject.command !== "migrate") throw new Error("no run of a migration");
  return { key, entries: [{ ...first, subject: { ...first.subject, legacy: "another-legacy" } }, ...rest] };
}

past("are none without journals, or with only those of another cluster or another legacy connector", async () => {
  const one = kept(1, cutover, cutOver);
  for (const [store, cluster] of [
    [state(), clusterId],
    [state(one), "another-cluster"],
    [state(ofAnother(one)), clusterId],
  ] as const) {
    assert.is(await latestCutover(intent, cluster, store), undefined);
    assert.is(await latestPhase(intent, cluster, store), undefined);
    assert.equal(await verifications(intent, cluster, store), []);
    assert.equal(await retiredTopics(intent, cluster, store), []);
  }
});

past("the latest cutover is the one that began last, in whatever order they are listed", async () => {
  const [first, second] = [kept(1, cutover, cutOver), kept(2, cutover, cutOver)];
  for (const store of [state(first, second), state(second, first)])
    assert.is((await latestCutover(intent, clusterId, store))?.run, second.key.run);
  const { offsets } = (await latestCutover(intent, clusterId, state(first))) ?? {};
  assert.ok(offsets !== undefined && offsets.length > 0);
});

past("a run counts as a cutover once its takeover is pinned, even if unfinished", async () => {
  assert.is((await latestCutover(intent, clusterId, state(kept(1, cutover, takenOver))))?.run.slice(-4), "0001");
  assert.is(await latestCutover(intent, clusterId, state(kept(1, cutover, []))), undefined);
});

past("the latest phase is one that changed something, and succeeded", async () => {
  const [over, unfinished, back] = [
    kept(1, cutover, cutOver),
    kept(2, cutover, takenOver),
    kept(3, goingBack, goneBack),
  ];
  const proof = kept(4, verification, verified(true));
  assert.is((await latestPhase(intent, clusterId, state(over, unfinished, proof)))?.run, over.key.run);
  const latest = await latestPhase(intent, clusterId, state(over, back, proof));
  assert.equal([latest?.run, latest?.phase, latest?.decision], [back.key.run, "rollback", goingBack.decision]);
  const gone = kept(5, retirement, retired);
  assert.equal((await latestPhase(intent, clusterId, state(gone, over, proof)))?.phase, "retire");
});

past("verifications are listed oldest first, passed or not, each with its digest", async () => {
  const [good, bad] = [kept(1, verification, verified(true)), kept(2, verification, verified(false))];
  const unfinished = kept(4, verification, []);
  const all = await verifications(intent, clusterId, state(bad, good, kept(3, cutover, cutOver), unfinished));
  assert.equal(
    all.map(({ run, passed }) => [run, passed]),
    [
      [good.key.run, true],
      [bad.key.run, false],
    ],
  );
  assert.ok(all.every(({ digest }) => digest.startsWith("sha256:")));
});

past("what a verification found is known as facts have it, without what makes it an entry of a journal", async () => {
  const found = {
    configuration: { "cdc.topic.prefix": "orders" },
    offsets: [],
    opsTopic: "orders.ops",
    opsTopicEnds: [],
  };
  const pinned = kept(1, verification, [{ type: "verification-pinned", ...found }, ...verified(true)]);
  const [only] = await verifications(intent, clusterId, state(pinned));
  assert.equal(only?.found, found);
});

past("topics count as retired if their deletion was answered, and only by a retirement", async () => {
  const calls: readonly JournalEvent[] = [
    ...applied("DELETE connector orders-legacy"),
    ...applied("DELETE topic a"),
    { type: "call-sent", call: "DELETE topic b" },
    // An earlier cdcctl may have named calls that this one does not.
    ...applied("TRUNCATE topic c"),
  ];
  const gone = kept(1, retirement, calls);
  assert.equal(
    (await retiredTopics(intent, clusterId, state(gone, kept(2, goingBack, calls)))).map(({ topic, run }) => [
      topic,
      run,
    ]),
    [["a", gone.key.run]],
  );
  assert.ok((await retiredTopics(intent, clusterId, state(kept(1, retirement, retired)))).length > 0);
});

past("a journal without its first entry has begun nothing", async () => {
  const { key } = kept(1, cutover, cutOver);
  assert.is(await latestCutover(intent, clusterId, state({ key, entries: [] })), undefined);
});

past.run();
