import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as offset from "../kinds/offset-change/testing/build-facts.ts";
import { RUNNING, STOPPED } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  FAILED,
  intent,
  pastTheGap,
  reading,
  resultOf,
  topic,
} from "../kinds/resnapshot/testing/build-facts.ts";
import {
  answerUnreadable,
  noAnswerYet,
  readsNoSignals,
  signalMayBeLost,
  signalNeverRead,
  signalStays,
} from "./snapshot-signal.ts";
import { worded } from "./testing/wording.ts";

const SNP910 = suite("SNP910 a connector that cannot answer yet");

const resumed = intent({ resume: true, waitForAck: 300_000n });

SNP910("passes for a running one, and for any that is resumed", () => {
  assert.is(effectOf(noAnswerYet, reading()), "none");
  for (const status of [RUNNING, STOPPED, FAILED]) {
    assert.is(effectOf(noAnswerYet, reading({ connector: { status } }, resumed), resumed), "none");
    assert.is(effectOf(noAnswerYet, pastTheGap({ connector: { status } }, resumed), resumed), "none");
  }
});

SNP910("warns that one which is stopped or failed reads the signal later", () => {
  const paused = { ...RUNNING, state: "PAUSED" };
  for (const [status, words] of [
    [STOPPED, "is STOPPED"],
    [paused, "is PAUSED"],
    [FAILED, "is FAILED"],
    [{ ...RUNNING, tasks: [] }, "is RUNNING, but not all of its tasks are"],
  ] as const) {
    const on = reading({ connector: { status } });
    assert.is(effectOf(noAnswerYet, on), "warns");
    assert.match(resultOf(noAnswerYet, on), `orders-cdc ${words}: it reads and answers the signal`);
  }
});

SNP910("past the gap it stays stopped, whatever its state now", () => {
  assert.match(resultOf(noAnswerYet, pastTheGap()), "orders-cdc stays stopped");
});

SNP910("says that a requested answer is not waited for", () => {
  const wanted = intent({ waitForAck: 300_000n });
  assert.match(resultOf(noAnswerYet, pastTheGap({}, wanted), wanted), "apply does not wait for the answer");
  assert.not.match(resultOf(noAnswerYet, pastTheGap()), "not waited for");
});

SNP910("names admin's option under admin", () => {
  assert.match(resultOf(noAnswerYet, pastTheGap(), intent({ by: "admin" })), "Pass --resume");
});

SNP910("reports nothing while the steps are unknown", () => {
  assert.is(effectOf(noAnswerYet, reading({ redo: offset.unseen(), connector: { status: STOPPED } })), "none");
});

const SNP912 = suite("SNP912 a signal that can't be revoked");

const id = "srcdb-cdc-admin-0b5e";

SNP912("does not apply to a change without a signal before it", () => {
  assert.is(offset.effectOf(signalStays, offset.reading()), "none");
});

SNP912("a rollback names the signal and its table, or the number of tables", () => {
  for (const [names, words] of [
    [["ORCLPDB1.SALES.ORDERS"], "for ORCLPDB1.SALES.ORDERS can't be revoked"],
    [["A.B", "A.C"], "for 2 tables can't be revoked"],
  ] as const) {
    const wanted = offset.intent({ by: "rollback", signalSent: { id, tables: names } });
    const verdict = worded(signalStays).run(wanted, offset.reading());
    assert.ok(verdict.verdict === "fail");
    assert.match(verdict.seen, id);
    assert.match(verdict.seen, words);
    assert.is(offset.effectOf(signalStays, offset.reading(), wanted), "warns");
  }
});

const SNP914 = suite("SNP914 an answer that cannot be read");

const AVRO = { connector: { valueConverter: "io.confluent.connect.avro.AvroConverter" } };
const JSON_CONVERTER = { connector: { valueConverter: "org.apache.kafka.connect.json.JsonConverter" } };
const waiting = intent({ waitForAck: 60_000n });

SNP914("passes for a JSON converter, and for none", () => {
  for (const parts of [{}, JSON_CONVERTER]) assert.is(effectOf(answerUnreadable, reading(parts), waiting), "none");
});

SNP914("passes where no answer is awaited", () => {
  assert.is(effectOf(answerUnreadable, reading(AVRO), intent({ waitForAck: undefined })), "none");
});

SNP914("warns of any other converter, by name", () => {
  const verdict = worded(answerUnreadable).run(waiting, reading(AVRO));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "AvroConverter");
  assert.is(effectOf(answerUnreadable, reading(AVRO), waiting), "warns");
});

const SNP916 = suite("SNP916 a signal that may be lost");

const on = (parts: Parameters<typeof topic>[0]) => reading({ signalsTopic: offset.known(topic(parts)) });

SNP916("passes for one partition that is not compacted, and leaves an unreadable topic to others", () => {
  assert.is(effectOf(signalMayBeLost, on({ partitions: 1n, cleanupPolicy: offset.known("delete") })), "none");
  for (const signalsTopic of [offset.known("missing" as const), offset.unseen()])
    assert.is(effectOf(signalMayBeLost, reading({ signalsTopic })), "none");
});

SNP916("warns of compaction and of several partitions, each by name", () => {
  const verdict = worded(signalMayBeLost).run(
    intent(),
    on({ partitions: 5n, cleanupPolicy: offset.known("compact,delete") }),
  );
  assert.ok(verdict.verdict === "fail");
  assert.match(
    verdict.seen,
    /orders\.cdc\.signals is compacted: .*; it has 5 partitions, of which the task reads partition 0 only/,
  );
  assert.is(effectOf(signalMayBeLost, on({ partitions: 2n, cleanupPolicy: offset.known("delete") })), "warns");
});

SNP916("warns of a retention of less than a day, and not of an unlimited one", () => {
  const kept = (millis: bigint) =>
    on({ partitions: 1n, cleanupPolicy: offset.known("delete"), retentionMillis: offset.known(millis) });
  const verdict = worded(signalMayBeLost).run(intent(), kept(3_600_000n));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "keeps a record for 1 h (retention.ms)");
  assert.is(effectOf(signalMayBeLost, kept(0n)), "warns");
  for (const millis of [86_400_000n, -1n]) assert.is(effectOf(signalMayBeLost, kept(millis)), "none");
});

SNP916("warns where hardly more than one signal fits, and not without a limit", () => {
  const room = (bytes: bigint) =>
    on({ partitions: 1n, cleanupPolicy: offset.known("delete"), retentionBytes: offset.known(bytes) });
  const verdict = worded(signalMayBeLost).run(intent(), room(4096n));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "keeps about 4.1 kB a partition (retention.bytes)");
  assert.is(effectOf(signalMayBeLost, room(0n)), "warns");
  for (const bytes of [1_048_576n, -1n]) assert.is(effectOf(signalMayBeLost, room(bytes)), "none");
});

SNP916("does not pass where the policy cannot be read", () => {
  assert.is(effectOf(signalMayBeLost, on({ partitions: 1n, cleanupPolicy: offset.unseen() })), "warns");
});

const SNP921 = suite("SNP921 a signal that the task would never read");

const ending = (end: bigint, signal_offset: bigint | string | null) =>
  reading({
    stored: { ...offset.STORED, signal_offset },
    signals: offset.known({ end, unread: [] }),
  });

SNP921("passes where the next record comes after the last handled one, and where none was handled", () => {
  for (const on of [ending(58n, 57n), ending(0n, null), ending(0n, "57")])
    assert.is(effectOf(signalNeverRead, on), "none");
});

SNP921("refuses where the topic was created again, in either way, and says how many records are missing", () => {
  for (const [end, words] of [
    [57n, "Write 1 record without a key to partition 0 of orders.cdc.signals"],
    [0n, "Write 58 records without a key"],
  ] as const) {
    const on = ending(end, 57n);
    assert.is(effectOf(signalNeverRead, on, intent({ accept: ["SNP921"] })), "blocks");
    assert.match(
      resultOf(signalNeverRead, on),
      `gets offset ${end} in partition 0, but the stored signal_offset is 57`,
    );
    assert.match(resultOf(signalNeverRead, on), words);
  }
  const moved = pastTheGap({
    stored: { ...offset.STORED, signal_offset: 57n },
    signals: offset.known({ end: 3n, unread: [] }),
  });
  assert.is(effectOf(signalNeverRead, moved), "blocks");
});

SNP921("leaves a topic that can't be read to SNP919", () => {
  const stored = { ...offset.STORED, signal_offset: 57n };
  assert.is(effectOf(signalNeverRead, reading({ stored, signals: offset.unseen() })), "none");
});

const SNP922 = suite("SNP922 a connector that reads no signals");

const inMode = (mode: string) => reading({ connector: { config: { "cdc.snapshot.mode": mode } } });

SNP922("passes in every other mode, and without one", () => {
  for (const on of [reading(), inMode("initial"), inMode("none")]) assert.is(effectOf(readsNoSignals, on), "none");
});

SNP922("refuses snapshot_only, whatever is accepted", () => {
  for (const mode of ["snapshot_only", " SNAPSHOT_ONLY"]) {
    assert.is(effectOf(readsNoSignals, inMode(mode), intent({ accept: ["SNP922"] })), "blocks");
    assert.match(resultOf(readsNoSignals, inMode(mode)), "its task reads no signals");
  }
});

SNP921.run();
SNP922.run();
SNP910.run();
SNP912.run();
SNP914.run();
SNP916.run();
