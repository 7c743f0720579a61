import { suite } from "uvu";
import * as assert from "uvu/assert";
import { recordedChanges } from "../../facts/ops/ops-event.ts";
import { fatesOf, lived, pastTheGap, signalOnly } from "../testing/begun.ts";
import type { Fate } from "../testing/memory-world.ts";
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
  Object.assign(begun.world.kafka, { read: async () => ({ records: [], whole: false, reachedEnd: false }) });
  const report = await lived(begun.run.apply());
  assert.is(report.outcome, "unfinished");
  assert.match(report.message, /could not be read back/);
  Object.assign(begun.world.kafka, { read });
  assert.is((await lived(begun.run.recover())).outcome, "succeeded");
  assert.is(begun.world.signals.length, 1);
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
  assert.match(report.message, /is written and can't be revoked$/);
  assert.is(begun.world.signals.length, 1);
  assert.is(begun.world.state, "RUNNING");
});

writing.run();
