import { suite } from "uvu";
import * as assert from "uvu/assert";
import { encodeSignal } from "../facts/ops/signal.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  intent,
  pastTheGap,
  reading,
  saidBy,
  tables,
  topic,
} from "../kinds/resnapshot/testing/build-facts.ts";
import { signalBytes } from "./record-size.ts";
import { signalTooLarge } from "./SNP913-signal-too-large.ts";

const check = suite("SNP913 a signal larger than its topic takes");

const many = tables(60_000);
const wanted = intent({ tables: many.map(({ name }) => `ORCLPDB1.SALES.${name}`) });
const limited = (bytes: bigint) => known(topic({ maxMessageBytes: known(bytes) }));

check("passes for a signal of usual size, whatever the limit could be", () => {
  assert.is(effectOf(signalTooLarge, reading()), "none");
  assert.is(effectOf(signalTooLarge, reading({ signalsTopic: known(topic({ maxMessageBytes: unseen() })) })), "none");
});

check("refuses one that the topic would not take, with both sizes, before anything is done", () => {
  for (const on of [reading({ tables: many }, wanted), pastTheGap({ tables: many }, wanted)]) {
    assert.is(effectOf(signalTooLarge, on, wanted), "blocks");
    assert.is(effectOf(signalTooLarge, on, { ...wanted, accept: ["SNP913"] }), "blocks");
    assert.match(
      saidBy(signalTooLarge, on, wanted),
      /the signal may have up to \d{7} bytes; orders\.cdc\.signals takes 1048588/,
    );
    assert.match(saidBy(signalTooLarge, on, wanted), "max.message.bytes=2097152");
  }
});

check("passes exactly up to the limit", () => {
  const bytes = BigInt(signalBytes(reading()));
  assert.is(effectOf(signalTooLarge, reading({ signalsTopic: limited(bytes) })), "none");
  assert.is(effectOf(signalTooLarge, reading({ signalsTopic: limited(bytes - 1n) })), "blocks");
});

check("counts the record that is sent, and what frames it", () => {
  const on = reading();
  const { key, value } = encodeSignal({ id: `srcdb-cdc-admin-${"0".repeat(36)}`, tables: on.tables }, "orders-cdc");
  const framed = signalBytes(on) - key.length - value.length;
  assert.ok(framed >= 61 + 20 && framed < 1000, `${framed}`);
});

check("warns of a large one where the limit can't be seen", () => {
  const on = reading({ tables: many, signalsTopic: known(topic({ maxMessageBytes: unseen("no right") })) }, wanted);
  assert.is(signalTooLarge.run(wanted, on).verdict, "unknown");
  assert.is(effectOf(signalTooLarge, on, wanted), "warns");
});

check("leaves a topic that is missing or unseen to SNP906", () => {
  for (const signalsTopic of [known("missing" as const), unseen()])
    assert.is(effectOf(signalTooLarge, reading({ tables: many, signalsTopic }, wanted), wanted), "none");
});

check.run();
