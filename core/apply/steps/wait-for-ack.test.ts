import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../errors.ts";
import { runState } from "../../run/state.ts";
import { lineOf } from "../../values/remedy.ts";
import type { Attempts } from "../testing/attempts.ts";
import { killedAfter, lived, pastTheGap, signalOnly } from "../testing/begun.ts";
import type { MemoryWorld } from "../testing/memory-world.ts";
import { GAP_END, OPS_TOPIC, PREVIOUS_SCN } from "../testing/story.ts";

const ended = ({ entries }: Attempts) => runState(entries)?.ended?.outcome;

const answering = suite("the connector's answer");

answering(
  "a rejection ends the run as rejected, with the connector's message: changed only where the offset moved",
  async () => {
    for (const outcome of ["rejected", "invalid", "unknown", "failed", "of a later version"]) {
      for (const [begun, moved] of [
        [signalOnly({ waitForAck: 5000n }), false],
        [pastTheGap({ waitForAck: 5000n }), true],
      ] as const) {
        begun.world.answers = { outcome, message: "no table ORCLPDB1.SALES.ORDERS" };
        const report = await lived(begun.run.apply());
        assert.equal([report.outcome, report.changed, report.moved], ["rejected", moved, moved]);
        assert.match(
          report.message,
          new RegExp(`^the connector answered "${outcome}" to the signal srcdb.*: no table ORCL`),
        );
        assert.is(report.remedies.length, 1);
        assert.is(report.message.includes(`is ${GAP_END}, past the gap`), moved);
      }
    }
  },
);

answering("brokers that do not answer for a while are asked again", async () => {
  const begun = signalOnly({ waitForAck: 5000n });
  begun.world.answers = { outcome: "ok", message: "" };
  const { kafka } = begun.world;
  const { read } = kafka;
  let unanswered = 0;
  kafka.read = async (topic, bounds) => {
    const found = await read(topic, bounds);
    if (found.records.length === 0 || unanswered++ > 0) return found;
    throw new CallFailed("kafka", "timeout", { message: "no answer" });
  };
  const report = await lived(begun.run.apply());
  assert.ok(unanswered > 1);
  assert.is(report.outcome, "succeeded", report.message);
});

answering("a message of any length is truncated", async () => {
  const begun = signalOnly({ waitForAck: 5000n });
  begun.world.answers = { outcome: "x".repeat(1000), message: "😀".repeat(100_000) };
  const report = await lived(begun.run.apply());
  assert.ok(report.message.length < 2000);
  assert.match(report.message, /😀…/u);
});

answering("a kill between the rejection and the end of the run changes neither", async () => {
  const calm = pastTheGap({ waitForAck: 5000n });
  calm.world.answers = { outcome: "failed", message: "because" };
  const straight = await lived(calm.run.apply());
  const begun = pastTheGap({ waitForAck: 5000n });
  begun.world.answers = { outcome: "failed", message: "because" };
  killedAfter("step-failed", begun);
  assert.is(await begun.run.apply(), "killed");
  assert.equal(await lived(begun.run.recover()), straight);
});

answering("a timeout leaves the run open; recovery continues waiting, whatever was committed since", async () => {
  for (const [begun, moved] of [
    [signalOnly({ waitForAck: 5000n }), false],
    [pastTheGap({ waitForAck: 5000n }), true],
  ] as const) {
    begun.world.answers = undefined;
    const report = await lived(begun.run.apply());
    assert.equal([report.outcome, report.changed, report.moved], ["unfinished", moved, moved]);
    assert.match(report.message, /^orders-cdc has not answered within 5 s$/);
    assert.match(report.remedies.map(lineOf).join(" "), /cdcctl recover/);
    const [id] = begun.world.signals;
    begun.world.stored = { ...begun.world.stored, resume_scn: PREVIOUS_SCN - 7n, journal_generation: 1n };
    begun.world.purged = false;
    await begun.world.kafka.append(OPS_TOPIC, {
      key: null,
      value: new TextEncoder().encode(
        `{"v":1,"type":"signal-ack","details":{"id":"${id}","outcome":"ok","message":""}}`,
      ),
    });
    const recovered = await lived(begun.run.recover());
    assert.is(recovered.outcome, "succeeded", recovered.message);
    assert.is(
      begun.world.events.some(({ details }) => details.outcome === "failed"),
      false,
    );
    assert.is(begun.world.signals.length, 1);
  }
});

answering("a connector that cannot answer is reported at once, with the reason", async () => {
  const unable: readonly (readonly [(world: MemoryWorld) => void, RegExp])[] = [
    [(world) => Object.assign(world, { state: "STOPPED" }), /^orders-cdc is STOPPED: it can't answer/],
    [(world) => Object.assign(world, { state: "PAUSED" }), /^orders-cdc is PAUSED: it can't answer/],
    [
      (world) => Object.assign(world, { taskFails: true }),
      /^orders-cdc is FAILED \(CDC-2002 a log is gone\): it can't/,
    ],
    [(world) => Object.assign(world, { state: "gone" }), /^orders-cdc no longer exists: it can't answer/],
  ];
  for (const [befall, expected] of unable) {
    const begun = signalOnly({ waitForAck: 300_000n });
    begun.world.answers = undefined;
    begun.world.after(60_000, () => befall(begun.world));
    const report = await lived(begun.run.apply());
    assert.is(report.outcome, "unfinished");
    assert.match(report.message, expected);
    assert.ok(begun.world.clock.elapsed() < 70_000);
  }
});

answering("an answer from before a stop counts", async () => {
  const begun = signalOnly({ waitForAck: 300_000n });
  begun.world.after(170, () => Object.assign(begun.world, { state: "STOPPED" }));
  assert.is((await lived(begun.run.apply())).outcome, "succeeded");
});

answering("is found behind more unrelated records than one read returns", async () => {
  const begun = signalOnly({ waitForAck: 60_000n });
  const { read } = begun.world.kafka;
  Object.assign(begun.world.kafka, {
    read: async (topic: string, bounds: Parameters<typeof read>[1]) => {
      const all = await read(topic, bounds);
      return { ...all, records: all.records.slice(0, 2), reachedEnd: all.records.length <= 2 };
    },
  });
  begun.world.after(100, () => {
    for (let i = 0; i < 9; i++) begun.world.put(OPS_TOPIC, '{"type":"heartbeat"}');
  });
  assert.is((await lived(begun.run.apply())).outcome, "succeeded");
});

answering("Ctrl-C leaves the run open; abandoning it names the signal and changes nothing", async () => {
  for (const [begun, message] of [
    [
      signalOnly({ waitForAck: 300_000n }),
      /^abandoned by ana \(self-asserted\): the connector's answer to the signal was not seen; the signal srcdb/,
    ],
    [
      pastTheGap({ waitForAck: 300_000n }),
      /^abandoned by ana \(self-asserted\): the offset was patched, the connector's answer .* was not seen; the/,
    ],
  ] as const) {
    begun.world.answers = undefined;
    const { sleep } = begun.world.clock;
    Object.assign(begun.world.clock, {
      sleep: async (millis: number) => {
        if (begun.run.entries.some((entry) => entry.type === "step-started" && entry.step === "wait-for-ack"))
          begun.run.interrupt();
        await sleep(millis);
      },
    });
    const report = await lived(begun.run.apply());
    const left = report.moved
      ? "orders-cdc was started; its stored offset was set to 2060000 (before: 2044511)"
      : "orders-cdc was not changed; its stored offset is unchanged";
    assert.equal(
      [report.outcome, report.message, report.changed],
      ["unfinished", `interrupted; ${left}`, report.moved],
    );
    const events = begun.world.events.length;
    assert.match((await lived(begun.run.abandon())).message, message);
    assert.is(begun.world.events.length, events);
    assert.is(ended(begun.run), "abandoned");
  }
});

answering.run();
