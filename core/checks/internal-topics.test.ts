import { suite } from "uvu";
import * as assert from "uvu/assert";
import { internalTopic, known, preflightReading, resultOf, unseen } from "../doctor/testing/build-preflight.ts";
import type { InternalTopic, PreflightFacts } from "../facts/preflight.ts";
import { linesOf } from "../values/remedy.ts";
import type { Check } from "./check.ts";
import { eventsCompacted, internalTopicMissing, journalNotKept } from "./internal-topics.ts";
import { worded } from "./testing/wording.ts";

const topics = (...own: readonly InternalTopic[]) => {
  const roles = own.map(({ role }) => role);
  const others = (["ops", "signals", "heartbeat", "journal"] as const).filter((role) => !roles.includes(role));
  return { internalTopics: known([...own, ...others.map((role) => internalTopic(role))]) };
};

/** What a check that fails tells to do. */
function reportedBy(
  check: Check<undefined, ReturnType<typeof preflightReading>>,
  parts: Partial<PreflightFacts>,
): string {
  const verdict = worded(check).run(undefined, preflightReading(parts));
  return verdict.verdict === "fail" ? linesOf(verdict.remedies ?? []) : verdict.verdict;
}

const OPS610 = suite("OPS610 topics that are missing");

OPS610("passes where all exist, or may be created", () => {
  assert.match(resultOf(internalTopicMissing), /^pass: the topics for ops/);
  assert.is(
    resultOf(internalTopicMissing, topics(internalTopic("signals", "missing"))),
    "pass: orders.cdc.signals: missing, but this login may create topics",
  );
});

OPS610("counts the heartbeat topic, which is created with its first record", () => {
  const missing = { ...topics(internalTopic("heartbeat", "missing")), mayCreateTopics: known(false) };
  assert.match(resultOf(internalTopicMissing, missing), "fail: orders.cdc.heartbeat: missing");
});

OPS610("warns where the right is missing or unknown", () => {
  const missing = topics(internalTopic("signals", "missing"), internalTopic("journal", "missing"));
  for (const [may, says] of [
    [false, "may not create topics with arbitrary names"],
    [undefined, "may or may not create topics (unknown)"],
  ] as const)
    assert.is(
      resultOf(internalTopicMissing, { ...missing, mayCreateTopics: known(may) }),
      `fail: orders.cdc.signals, orders.cdc.txjournal: missing, and this login ${says}`,
    );
});

OPS610("shows how each is created, with the required cleanup policy", () => {
  const missing = topics(internalTopic("signals", "missing"), internalTopic("journal", "missing"));
  const create = "kafka-topics.sh --bootstrap-server HOST:PORT --create --topic";
  assert.is(
    reportedBy(internalTopicMissing, { ...missing, mayCreateTopics: known(false) }),
    [
      `Create it:  ${create} orders.cdc.signals --partitions 1 --config cleanup.policy=delete`,
      `Create it:  ${create} orders.cdc.txjournal --partitions 1 --config cleanup.policy=compact`,
    ].join("\n"),
  );
});

OPS610("is unknown where the brokers cannot be read", () => {
  assert.is(resultOf(internalTopicMissing, { internalTopics: unseen("no brokers") }), "unknown: no brokers");
  assert.is(resultOf(internalTopicMissing, { mayCreateTopics: unseen("no brokers") }), "unknown: no brokers");
});

const OPS611 = suite("OPS611 the journal's cleanup policy");

OPS611("passes when it is compacted and nothing is deleted by time", () => {
  assert.is(resultOf(journalNotKept), "pass: orders.cdc.txjournal has cleanup.policy=compact");
  const both = { cleanupPolicy: known("compact,delete"), retentionMillis: known(-1n) };
  assert.match(resultOf(journalNotKept, topics(internalTopic("journal", both))), /^pass/);
  assert.match(resultOf(journalNotKept, topics(internalTopic("journal", "missing"))), "not created yet");
});

OPS611("fails when it is not, with the command", () => {
  const deleted = topics(internalTopic("journal", { cleanupPolicy: known("delete") }));
  assert.is(resultOf(journalNotKept, deleted), "fail: orders.cdc.txjournal has cleanup.policy=delete");
  const both = { cleanupPolicy: known("compact, delete"), retentionMillis: known(604_800_000n) };
  assert.match(
    resultOf(journalNotKept, topics(internalTopic("journal", both))),
    "retention.ms=604800000: older chunks",
  );
});

OPS611("shows the command that changes it, whatever else the cleanup policy contains", () => {
  const change =
    "Change it:  kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name " +
    "orders.cdc.txjournal --add-config cleanup.policy=compact";
  const none = internalTopic("journal", { cleanupPolicy: known("delete, other") });
  assert.is(resultOf(journalNotKept, topics(none)), "fail: orders.cdc.txjournal has cleanup.policy=delete,other");
  assert.is(reportedBy(journalNotKept, topics(none)), change);
  const atOnce = { cleanupPolicy: known("compact,delete"), retentionMillis: known(0n) };
  assert.is(reportedBy(journalNotKept, topics(internalTopic("journal", atOnce))), change);
});

OPS611("is unknown where configurations may not be described", () => {
  const hidden = topics(internalTopic("journal", { cleanupPolicy: unseen("no right") }));
  assert.is(resultOf(journalNotKept, hidden), "unknown: no right");
  const untold = topics(internalTopic("journal", { retentionMillis: unseen("no answer") }));
  assert.is(resultOf(journalNotKept, untold), "unknown: no answer");
  assert.is(resultOf(journalNotKept, { internalTopics: known([]) }), "pass: the connector has no topic for journal");
  assert.is(resultOf(journalNotKept, { internalTopics: unseen("no brokers") }), "unknown: no brokers");
});

const OPS612 = suite("OPS612 compacted events");

OPS612("warns of either topic, and passes for one that is deleted by time or does not exist", () => {
  for (const role of ["ops", "signals"] as const) {
    const compacted = topics(internalTopic(role, { cleanupPolicy: known("compact") }));
    assert.is(resultOf(eventsCompacted, compacted), `fail: orders.cdc.${role} has cleanup.policy=compact`);
    const both = topics(internalTopic(role, { cleanupPolicy: known("compact,delete") }));
    assert.match(resultOf(eventsCompacted, both), /^pass/);
    assert.match(resultOf(eventsCompacted, topics(internalTopic(role, "missing"))), /^pass/);
  }
  assert.is(resultOf(eventsCompacted, { internalTopics: unseen("no brokers") }), "unknown: no brokers");
});

OPS610.run();
OPS611.run();
OPS612("shows the command that changes it", () => {
  const compacted = internalTopic("ops", { cleanupPolicy: known("compact, other") });
  assert.is(resultOf(eventsCompacted, topics(compacted)), "fail: orders.cdc.ops has cleanup.policy=compact,other");
  assert.is(
    reportedBy(eventsCompacted, topics(compacted)),
    "Change it:  kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name " +
      "orders.cdc.ops --add-config cleanup.policy=delete",
  );
});

OPS612.run();
