import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, resultOf, verdictOf, verification } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_TOPICS, NEW_TOPICS, ORDERS, settings, topic, UNTOLD_TOPICS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { findings } from "./finding.ts";
import {
  legacyTopicMissing,
  legacyTopicRetired,
  newTopicMissing,
  recordsNotKept,
  topicOfBoth,
} from "./verification-topics.ts";

const MIG204 = suite("MIG204 a missing new topic");

const missing = verification({ seen: { "orders.ORCLPDB1.SALES.ORDERS": "missing" } });

MIG204("passes where every topic exists", () => {
  assert.is(effectOf(newTopicMissing, verification()), "none");
});

MIG204("blocks until it is accepted, and names topic and table", () => {
  assert.is(effectOf(newTopicMissing, missing), "blocks");
  assert.is(effectOf(newTopicMissing, missing, intent({ accept: ["MIG204"] })), "accepted");
  assert.match(resultOf(newTopicMissing, missing), `no topic orders.ORCLPDB1.SALES.ORDERS for ${ORDERS}`);
});

MIG204("points to the named topic where another table's is missing too", () => {
  const wanted = intent({ phase: "verify", verify: { topics: { "SALES.ORDERS": "routed.orders" } } });
  const seen = { "routed.orders": "missing", "orders.ORCLPDB1.SALES.LINES": "missing" } as const;
  const [finding] = findings([newTopicMissing], wanted, verification({ seen }, wanted));
  assert.is(finding?.at?.path, "spec.verify.topics");
});

MIG204("ignores a legacy topic", () => {
  assert.is(effectOf(newTopicMissing, verification({ seen: { "ORCLPDB1.SALES.ORDERS": "missing" } })), "none");
});

MIG204("suggests a topic for one that the plan file names, and never a legacy one", () => {
  const naming = (topic: string) => intent({ phase: "verify", verify: { topics: { "SALES.ORDERS": topic } } });
  const resultFor = (topic: string) =>
    resultOf(
      newTopicMissing,
      verification({ seen: { [topic]: "missing" }, topics: known([...LEGACY_TOPICS, "routed.orders"]) }, naming(topic)),
      naming(topic),
    );
  assert.match(resultFor("routed.order"), `no topic routed.order for ${ORDERS}; did you mean routed.orders?`);
  assert.not.match(resultFor("ORCLPDB1.SALES.ORDER"), "did you mean");
});

MIG204("suggests nothing while the topics are unknown, or no legacy topic is named", () => {
  const wanted = intent({
    phase: "verify",
    verify: { tables: ["SALES.ORDERS", "SALES.GONE"], topics: { "SALES.ORDERS": "routed.order" }, legacyTopics: {} },
  });
  const resultFor = (topics: Parameters<typeof verification>[0]) =>
    resultOf(newTopicMissing, verification({ seen: { "routed.order": "missing" }, ...topics }, wanted), wanted);
  assert.not.match(resultFor({ topics: unseen() }), "did you mean");
  assert.match(resultFor({ topics: known(["routed.orders"]) }), "did you mean routed.orders?");
});

MIG204("never passes while topics are unknown; leaves unknown tables to MIG201", () => {
  assert.is(verdictOf(newTopicMissing, verification({ read: unseen() })), "unknown");
  assert.is(effectOf(newTopicMissing, verification({ read: unseen() })), "blocks");
  assert.is(effectOf(newTopicMissing, verification({ dictionary: unseen(), read: unseen() })), "none");
});

const MIG205 = suite("MIG205 topics that delete records");

const NAME = "orders.ORCLPDB1.SALES.ORDERS";
const on = (parts: Parameters<typeof topic>[1], name = NAME) => verification({ seen: { [name]: topic(name, parts) } });
const WEEK = known(604_800_000n);

MIG205("passes for topics that keep their records without limit", () => {
  assert.is(effectOf(recordsNotKept, verification()), "none");
});

MIG205("warns of retention and of compaction, of new and legacy topics alike", () => {
  for (const name of [NAME, "ORCLPDB1.SALES.ORDERS"]) {
    assert.is(effectOf(recordsNotKept, on({ retentionMillis: WEEK }, name)), "warns");
    assert.match(resultOf(recordsNotKept, on({ retentionMillis: WEEK }, name)), `${name} deletes records after 7 d`);
  }
  assert.is(effectOf(recordsNotKept, on({ retentionBytes: known(1_048_576n) })), "warns");
  assert.match(
    resultOf(recordsNotKept, on({ retentionBytes: known(1_048_576n) })),
    `${NAME} deletes its oldest records beyond about 1 MB a partition (retention.bytes)`,
  );
  for (const parts of [{ retentionMillis: known(0n) }, { retentionBytes: known(0n) }])
    assert.is(verdictOf(recordsNotKept, on(parts)), "fail", "it deletes at once");
  assert.is(verdictOf(recordsNotKept, on({ retentionMillis: WEEK, retentionBytes: unseen("no right") })), "fail");
  assert.is(effectOf(recordsNotKept, on({ cleanupPolicy: known("compact"), retentionBytes: known(0n) })), "warns");
  assert.match(
    resultOf(recordsNotKept, on({ cleanupPolicy: known("compact"), retentionMillis: WEEK })),
    /^orders\..* is compacted: it keeps only the last record of a key\n/,
  );
  assert.match(
    resultOf(recordsNotKept, on({ cleanupPolicy: known("compact, delete"), retentionMillis: WEEK })),
    /is compacted.*; .* deletes records after 7 d/,
  );
});

MIG205("does not pass where policy or retention cannot be read", () => {
  for (const parts of [
    { cleanupPolicy: unseen("no right") },
    { retentionMillis: unseen("no right") },
    { retentionBytes: unseen("no right") },
  ]) {
    assert.is(verdictOf(recordsNotKept, on(parts)), "unknown");
    assert.is(effectOf(recordsNotKept, on(parts)), "warns");
  }
  assert.is(verdictOf(recordsNotKept, verification({ read: unseen() })), "unknown");
});

MIG205("leaves missing topics, and unknown tables, to others", () => {
  assert.is(effectOf(recordsNotKept, verification({ seen: { [NAME]: "missing" } })), "none");
  assert.is(effectOf(recordsNotKept, verification({ dictionary: unseen(), read: unseen() })), "none");
});

const MIG206 = suite("MIG206 a named legacy topic that does not exist");

const naming = (topic: string) =>
  intent({ phase: "verify", verify: { tables: ["SALES.ORDERS"], legacyTopics: { "SALES.ORDERS": topic } } });
const mistyped = naming("ORCLPDB1.SALES.ORDER");

MIG206("passes where it exists, and where none is named", () => {
  assert.is(effectOf(legacyTopicMissing, verification()), "none");
  const none = intent({ phase: "verify", verify: { legacyTopics: {} } });
  assert.is(effectOf(legacyTopicMissing, verification({ read: unseen() }, none), none), "none");
});

MIG206("refuses a missing one, with a suggestion", () => {
  const on = verification({ seen: { "ORCLPDB1.SALES.ORDER": "missing" } }, mistyped);
  assert.is(effectOf(legacyTopicMissing, on, { ...mistyped, accept: ["MIG206"] }), "blocks");
  assert.match(resultOf(legacyTopicMissing, on, mistyped), "did you mean ORCLPDB1.SALES.ORDERS?");
});

MIG206("never suggests one that the new connector writes to, or may write to", () => {
  const near = naming("orders.ORCLPDB1.SALES.ORDER");
  const seen = { "orders.ORCLPDB1.SALES.ORDER": "missing" as const };
  const resultFor = (parts: Parameters<typeof verification>[0] = {}) =>
    resultOf(legacyTopicMissing, verification({ seen, ...parts }, near), near);
  assert.match(resultFor(), "did you mean ORCLPDB1.SALES.ORDERS?");
  const topics = known(["orders.ORCLPDB1.SALES.ORDERS", "orders2.ORCLPDB1.SALES.ORDER"]);
  assert.match(resultFor({ topics }), "did you mean orders2.ORCLPDB1.SALES.ORDER?");
  const route = { transforms: "route", "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter" };
  assert.not.match(resultFor({ topics, settings: { config: { ...settings().config, ...route } } }), "did you mean");
  assert.not.match(resultFor({ topics, settings: { ...UNTOLD_TOPICS } }), "did you mean");
});

MIG206("counts one that was not inspected as missing, whatever it is called", () => {
  for (const name of ["ORCLPDB1.SALES.ORDER", "__proto__", "constructor"]) {
    const wanted = naming(name);
    assert.is(effectOf(legacyTopicMissing, verification({ topics: unseen() }, wanted), wanted), "blocks", name);
  }
});

MIG206("never passes while topics are unknown", () => {
  const on = verification({ read: unseen(), topics: known([]) });
  assert.is(verdictOf(legacyTopicMissing, on), "unknown");
  assert.is(effectOf(legacyTopicMissing, on), "blocks");
  assert.is(effectOf(legacyTopicMissing, verification({ dictionary: unseen(), read: unseen() })), "none", "MIG201");
});

const MIG209 = suite("MIG209 a legacy topic that is the new one");

MIG209("passes where they are different", () => {
  assert.is(effectOf(topicOfBoth, verification()), "none");
});

MIG209("refuses a legacy topic that is the new connector's, of this table or another", () => {
  for (const topic of ["orders.ORCLPDB1.SALES.ORDERS", "orders.ORCLPDB1.SALES.LINES"]) {
    const wanted = intent({ phase: "verify", verify: { legacyTopics: { "SALES.ORDERS": topic } } });
    assert.is(effectOf(topicOfBoth, verification({}, wanted), wanted), "blocks");
    assert.match(resultOf(topicOfBoth, verification({}, wanted), wanted), `${topic}, named as the legacy topic`);
  }
});

MIG209("refuses it too where prefix and template give the same name", () => {
  const config = { ...settings().config, "cdc.topic.template": `$${"{prefix}"}.$${"{schema}"}.$${"{table}"}` };
  const on = verification({ settings: { prefix: "ORCLPDB1", config } });
  assert.is(effectOf(topicOfBoth, on), "blocks");
});

const MIG210 = suite("MIG210 a legacy topic that a retirement has deleted");

const wanted = intent({
  phase: "verify",
  verify: { tables: ["SALES.ORDERS"], legacyTopics: { "SALES.ORDERS": "ORCLPDB1.SALES.ORDERS" } },
});
const RUN = "2026-11-22T08-00-00Z-5e6f";
const deleted = LEGACY_TOPICS.map((topic) => ({ topic, run: RUN, at: "2026-11-22T08:00:00Z" }));
const gone = {
  topics: known([...NEW_TOPICS]),
  seen: { "ORCLPDB1.SALES.ORDERS": "missing" as const },
};
const proven = { ...gone, retired: known({ topics: deleted, complete: [ORDERS] }) };
const unproven = { ...gone, retired: known({ topics: deleted, complete: [] }) };

MIG210("is left out where evidence shows that the new topic held every key, which is reported", () => {
  const on = verification(proven, wanted);
  assert.equal(
    on.tables.map((table) => table.ok && table.verified.legacyTopic),
    [undefined],
  );
  assert.is(effectOf(legacyTopicMissing, on, wanted), "none");
  assert.is(effectOf(legacyTopicRetired, on, wanted), "warns");
  assert.match(resultOf(legacyTopicRetired, on, wanted), `was deleted by the retirement ${RUN}`);
});

MIG210("names the run that deleted this topic, not a later one that deleted another", () => {
  const later = { topic: LEGACY_TOPICS[0], run: "2026-11-22T09-00-00Z-5e6f", at: "2026-11-22T09:00:00Z" };
  const retired = known({ topics: [...deleted, later], complete: [ORDERS] });
  assert.match(resultOf(legacyTopicRetired, verification({ ...gone, retired }, wanted), wanted), RUN);
});

MIG210("blocks without such evidence, and names the run that deleted it and what to remove", () => {
  const on = verification(unproven, wanted);
  assert.is(effectOf(legacyTopicRetired, on, wanted), "none");
  assert.is(effectOf(legacyTopicMissing, on, wanted), "blocks");
  const result = resultOf(legacyTopicMissing, on, wanted);
  assert.match(result, `was deleted by the retirement ${RUN}`);
  assert.match(result, "Remove from spec.verify.legacyTopics:  SALES.ORDERS: ORCLPDB1.SALES.ORDERS");
});

MIG210("names every topic to remove", () => {
  const seen = { ...gone.seen, "ORCLPDB1.SALES.LINES": "missing" as const };
  assert.match(
    resultOf(legacyTopicMissing, verification({ ...unproven, seen })),
    "SALES.ORDERS: ORCLPDB1.SALES.ORDERS, SALES.LINES: ORCLPDB1.SALES.LINES",
  );
});

MIG210("leaves a topic that never existed to be corrected", () => {
  const two = intent({
    phase: "verify",
    verify: { legacyTopics: { "SALES.ORDERS": "ORCLPDB1.SALES.ORDERS", "SALES.LINES": "ORCLPDB1.SALES.LINE" } },
  });
  const seen = { ...gone.seen, "ORCLPDB1.SALES.LINE": "missing" as const };
  const result = resultOf(legacyTopicMissing, verification({ ...unproven, seen }, two), two);
  assert.match(result, `was deleted by the retirement ${RUN}; the brokers have no topic ORCLPDB1.SALES.LINE`);
  assert.match(result, /Correct the others\.$/);
});

MIG210("counts as missing while it is unknown what a retirement has deleted", () => {
  const result = resultOf(legacyTopicMissing, verification({ ...gone, retired: unseen() }, wanted), wanted);
  assert.match(result, /^the brokers have no topic ORCLPDB1\.SALES\.ORDERS/);
});

MIG210("keeps a topic that exists, or that no local retirement has deleted", () => {
  for (const parts of [
    { retired: proven.retired },
    { ...gone, retired: known({ topics: [], complete: [ORDERS] }) },
    { ...gone, retired: unseen() },
    { ...proven, topics: unseen() },
  ]) {
    const [table] = verification(parts, wanted).tables;
    assert.ok(table?.ok && table.verified.legacyTopic === "ORCLPDB1.SALES.ORDERS");
    assert.is(effectOf(legacyTopicRetired, verification(parts, wanted), wanted), "none");
  }
});

MIG204.run();
MIG205.run();
MIG206.run();
MIG209.run();
MIG210.run();
