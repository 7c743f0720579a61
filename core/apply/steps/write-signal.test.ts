import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../errors.ts";
import { recordedChanges } from "../../facts/ops/ops-event.ts";
import type { NewRecord } from "../../ports/kafka.ts";
import { lineOf } from "../../values/remedy.ts";
import { attemptsOf, planNow } from "../testing/attempts.ts";
import { type Begun, fatesOf, lived, pastTheGap, signalOnly } from "../testing/begun.ts";
import { snapshotAgain } from "../testing/intents.ts";
import { type Fate, memoryWorld } from "../testing/memory-world.ts";
import { CONNECTOR, OPS_TOPIC, SIGNALS_TOPIC } from "../testing/story.ts";

const writing = suite("writing the signal");

writing(
  "reads the topic back where the acknowledgement is lost, and writes again only if the signal is missing",
  async () => {
    const fates: readonly (readonly Fate[])[] = [
      ["lost, applied"],
      ["lost, applied later"],
      ["lost"],
      ["lost", "lost"],
      ["lost", "lost, applied"],
    ];
    for (const one of fates) {
      const begun = signalOnly();
      fatesOf(SIGNALS_TOPIC, begun, ...one);
      const report = await lived(begun.run.apply());
      assert.is(report.outcome, "succeeded", one.join());
      assert.is(begun.world.signals.length, 1, one.join());
    }
  },
);

writing("stays in doubt where no attempt is answered and none arrives, and is settled by recovery", async () => {
  const begun = signalOnly();
  fatesOf(SIGNALS_TOPIC, begun, "lost", "lost", "lost");
  const report = await lived(begun.run.apply());
  assert.is(report.outcome, "unfinished");
  assert.match(report.message, /^whether the signal .* was written is unknown/);
  assert.is(report.changed, true);
  assert.is((await lived(begun.run.recover())).outcome, "succeeded");
  assert.is(begun.world.signals.length, 1);
});

writing("leaves the run open where the topic is unreadable", async () => {
  const begun = signalOnly();
  fatesOf(SIGNALS_TOPIC, begun, "lost, applied");
  const { read } = begun.world.kafka;
  Object.assign(begun.world.kafka, {
    read: async (...of: Parameters<typeof read>) =>
      of[0] === SIGNALS_TOPIC ? { records: [], whole: false, reachedEnd: false } : read(...of),
  });
  const report = await lived(begun.run.apply());
  assert.is(report.outcome, "unfinished");
  assert.match(report.message, /could not be read back/);
  Object.assign(begun.world.kafka, { read });
  assert.is((await lived(begun.run.recover())).outcome, "succeeded");
  assert.is(begun.world.signals.length, 1);
});

/** The ops topic can't be read while the step is carried out. */
function unreadableDuringSignal({ world, run }: Begun, kind: "timeout" | "missing" = "timeout"): void {
  const { read } = world.kafka;
  Object.assign(world.kafka, {
    read: async (...of: Parameters<typeof read>) => {
      const last = run.entries.findLast(({ type }) => type === "step-started" || type === "recovery-started");
      if (of[0] === OPS_TOPIC && last?.type === "step-started" && last.step === "write-signal")
        throw new CallFailed("kafka", kind, { message: `b:9092: ${OPS_TOPIC}`, remedy: "Check it." });
      return read(...of);
    },
  });
}

writing(
  "does not happen where the ops topic can't be read: whether another run changes the connector is unknown",
  async () => {
    for (const begin of [pastTheGap, signalOnly]) {
      const begun = begin();
      unreadableDuringSignal(begun);
      const report = await lived(begun.run.apply());
      assert.equal([report.outcome, report.changed, report.signal], ["failed", false, undefined]);
      assert.match(report.message, /another run is changing orders-cdc is unknown; the signal was not written: b:9092/);
      assert.equal([begun.world.signals, begun.world.state], [[], "RUNNING"]);
    }
  },
);

writing("of a run that is recovered waits for the ops topic to be readable", async () => {
  const begun = pastTheGap();
  const { read } = begun.world.kafka;
  fatesOf(SIGNALS_TOPIC, begun, "killed before");
  assert.is(await begun.run.apply(), "killed");
  unreadableDuringSignal(begun);
  assert.is((await lived(begun.run.recover())).outcome, "unfinished");
  assert.equal(begun.world.signals, []);
  Object.assign(begun.world.kafka, { read });
  assert.is((await lived(begun.run.recover())).outcome, "succeeded");
  assert.is(begun.world.signals.length, 1);
});

writing("happens without an ops topic, which records no other run", async () => {
  const begun = signalOnly();
  unreadableDuringSignal(begun, "missing");
  assert.is((await lived(begun.run.apply())).outcome, "succeeded");
});

writing("continues reading where one read does not reach the end of the topic", async () => {
  const begun = signalOnly();
  const { read } = begun.world.kafka;
  const foreign = '{"id":"another","type":"snapshot","data":{"tables":[]}}';
  Object.assign(begun.world.kafka, {
    read: async (topic: string, bounds: Parameters<typeof read>[1]) => {
      const whole = await read(topic, bounds);
      return { ...whole, records: whole.records.slice(0, 1), reachedEnd: whole.records.length <= 1 };
    },
  });
  fatesOf(SIGNALS_TOPIC, begun, "lost, applied");
  const { append } = begun.world.kafka;
  Object.assign(begun.world.kafka, {
    append: async (topic: string, record: Parameters<typeof append>[1]) => {
      for (let i = 0; i < 3; i++) begun.world.put(topic, foreign);
      return append(topic, record);
    },
  });
  assert.is((await lived(begun.run.apply())).outcome, "succeeded");
  assert.is(begun.world.signals.filter((id) => id !== "another").length, 1);
});

writing(
  "a definite refusal ends the run: nothing is written, and a connector that was stopped for it is resumed",
  async () => {
    const begun = pastTheGap();
    fatesOf(SIGNALS_TOPIC, begun, "refused");
    const report = await lived(begun.run.apply());
    assert.equal([report.outcome, report.code, report.changed, report.signal], ["failed", "SNP907", false, undefined]);
    assert.not.match(report.message, /taken back/);
    assert.is(begun.world.state, "RUNNING");
    assert.equal([begun.world.signals, begun.world.events, begun.world.patches], [[], [], []]);
  },
);

writing("a failure after the signal is written says that the signal cannot be revoked", async () => {
  for (const patched of [false, true]) {
    const begun = pastTheGap();
    const { world, run } = begun;
    if (!patched) fatesOf(OPS_TOPIC, begun, "refused");
    else
      Object.assign(world.connect, { patchOffsets: async () => ({ answer: "rejected", status: 403, message: "no" }) });
    const report = await lived(run.apply());
    assert.equal([report.outcome, report.changed, report.moved], ["failed", true, patched]);
    assert.ok(report.message.endsWith(`; the signal ${world.signals[0]} is written and can't be revoked`));
    assert.is(world.state, "RUNNING");
    assert.is(recordedChanges(world.events, CONNECTOR).at(-1)?.outcome, patched ? "failed" : undefined);
  }
});

writing("a signal that was sent before a kill is found and named where the recheck refuses afterwards", async () => {
  const begun = pastTheGap();
  fatesOf(SIGNALS_TOPIC, begun, "killed after");
  assert.is(await begun.run.apply(), "killed");
  begun.world.purged = false;
  const report = await lived(begun.run.recover());
  assert.equal([report.outcome, report.changed], ["refused", true]);
  assert.match(report.message, /the state is no longer as planned/);
  // What has changed is shown, as planned and as now.
  const shown = begun.run.reported.filter((line) => /^ {2}[-+] /.test(line)).join("\n");
  assert.match(shown, /^ {2}- "direction": "\w+"$/m);
  assert.match(report.message, /is written and can't be revoked$/);
  assert.is(begun.world.signals.length, 1);
  assert.is(begun.world.state, "RUNNING");
});

writing("goes to partition 0, whatever the key hashes to; both signals in one batch where one is to stop", async () => {
  for (const [stopRunningSnapshot, types] of [
    [false, ["snapshot"]],
    [true, ["snapshot-stop", "snapshot"]],
  ] as const) {
    for (const begun of [signalOnly({ stopRunningSnapshot }), pastTheGap({ stopRunningSnapshot })]) {
      const sent: NewRecord[][] = [];
      const { append } = begun.world.kafka;
      Object.assign(begun.world.kafka, {
        append: (topic: string, records: Parameters<typeof append>[1]) => {
          if (topic === SIGNALS_TOPIC) sent.push([records].flat());
          return append(topic, records);
        },
      });
      assert.is((await lived(begun.run.apply())).outcome, "succeeded");
      assert.is(sent.length, 1);
      assert.ok(sent.flat().every(({ partition }) => partition === 0));
      assert.equal(
        sent.flat().map(({ value }) => JSON.parse(new TextDecoder().decode(value ?? undefined)).type),
        types,
      );
      assert.is(new Set(begun.world.signals).size, types.length);
      const [pinned] = begun.run.entries.filter((entry) => entry.type === "signal-pinned");
      assert.equal([pinned?.stopId, pinned?.id].slice(-types.length), begun.world.signals);
    }
  }
});

writing(
  "at or below the stored signal_offset fails the run before it announces anything: no task reads it",
  async () => {
    for (const begin of [signalOnly, pastTheGap])
      for (const fate of ["answered", "lost, applied", "killed after"] as const) {
        const begun = begin();
        // The topic was created again after the plan.
        begun.world.stored = { ...begun.world.stored, signal_offset: 57n };
        fatesOf(SIGNALS_TOPIC, begun, fate);
        const first = await begun.run.apply();
        const report = first === "killed" ? await lived(begun.run.recover()) : first;
        assert.equal([report.outcome, report.code], ["failed", "SNP921"], report.message);
        assert.match(report.message, "is at offset 0 of orders.cdc.signals, but the stored signal_offset is 57");
        assert.match(report.remedies.map(lineOf).join(), "Write 57 records without a key");
        assert.equal([begun.world.events, begun.world.patches], [[], []]);
        assert.is(begun.world.state, "RUNNING");
      }
  },
);

writing("a missing topic is created with one partition, by a recorded call, before the signal", async () => {
  for (const [fate, outcome] of [
    ["answered", "succeeded"],
    ["lost, applied", "succeeded"],
    ["killed before", "succeeded"],
    ["killed after", "succeeded"],
    ["refused", "failed"],
  ] as const) {
    const world = memoryWorld();
    const { snapshotFacts } = world;
    world.snapshotFacts = () => {
      const facts = snapshotFacts();
      const { signalsTopic, signals } = facts;
      if (world.topics.includes(SIGNALS_TOPIC) || !signals?.known || !signalsTopic.known) return facts;
      const missing = { ...signals, value: { end: 0n, unread: [], mayCreate: true } };
      return { ...facts, signalsTopic: { ...signalsTopic, value: "missing" }, signals: missing };
    };
    const begun = { world, run: attemptsOf(planNow(snapshotAgain({ resume: false }), world), world) };
    const { createTopic } = world.kafka;
    const fates: Fate[] = [fate];
    Object.assign(world.kafka, {
      createTopic: (...of: Parameters<typeof createTopic>) => {
        world.fates = fates.splice(0);
        return createTopic(...of);
      },
    });
    const first = await begun.run.apply();
    const report = first === "killed" ? await lived(begun.run.recover()) : first;
    assert.is(report.outcome, outcome, `${fate}: ${report.message}`);
    assert.ok(world.changes.every((change) => change === "CREATE topic orders.cdc.signals 1 delete"));
    assert.is(world.signals.length, outcome === "succeeded" ? 1 : 0);
    if (outcome === "failed") {
      assert.is(report.code, "SNP906");
      assert.match(report.remedies.map(lineOf).join(), "--partitions 1 --config cleanup.policy=delete");
    }
  }
});

writing.run();
