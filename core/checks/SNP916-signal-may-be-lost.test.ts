import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, reading, topic } from "../kinds/resnapshot/testing/build-facts.ts";
import { signalMayBeLost } from "./SNP916-signal-may-be-lost.ts";

const check = suite("SNP916 a signal that may be lost");

const on = (parts: Parameters<typeof topic>[0]) => reading({ signalsTopic: known(topic(parts)) });

check("passes for one partition that is not compacted, and leaves a topic that can't be seen to others", () => {
  assert.is(effectOf(signalMayBeLost, on({ partitions: 1n, cleanupPolicy: known("delete") })), "none");
  for (const signalsTopic of [known("missing" as const), unseen()])
    assert.is(effectOf(signalMayBeLost, reading({ signalsTopic })), "none");
});

check("warns of compaction and of several partitions, each by name", () => {
  const verdict = signalMayBeLost.run(intent(), on({ partitions: 5n, cleanupPolicy: known("compact,delete") }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /orders\.cdc\.signals is compacted: .*; it has 5 partitions/);
  assert.is(effectOf(signalMayBeLost, on({ partitions: 2n, cleanupPolicy: known("delete") })), "warns");
});

check("warns of a retention of less than a day, and not of one without end", () => {
  const kept = (millis: bigint) =>
    on({ partitions: 1n, cleanupPolicy: known("delete"), retentionMillis: known(millis) });
  const verdict = signalMayBeLost.run(intent(), kept(3_600_000n));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "keeps a record for 1 h (retention.ms)");
  for (const millis of [86_400_000n, -1n]) assert.is(effectOf(signalMayBeLost, kept(millis)), "none");
});

check("warns where hardly more than one signal has room, and not where there is no limit", () => {
  const room = (bytes: bigint) => on({ partitions: 1n, cleanupPolicy: known("delete"), retentionBytes: known(bytes) });
  const verdict = signalMayBeLost.run(intent(), room(4096n));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "keeps about 4096 bytes a partition (retention.bytes)");
  for (const bytes of [1_048_576n, -1n]) assert.is(effectOf(signalMayBeLost, room(bytes)), "none");
});

check("does not pass where the policy can't be seen", () => {
  assert.is(effectOf(signalMayBeLost, on({ partitions: 1n, cleanupPolicy: unseen() })), "warns");
});

check.run();
