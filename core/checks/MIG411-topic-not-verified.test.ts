import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { EVIDENCE, LINES, ORDERS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { topicNotVerified } from "./MIG411-topic-not-verified.ts";

const check = suite("MIG411 a topic that was not verified");

const there = known(["_confluent-command", "connect-offsets", "ORCLPDB1.SALES.ORDERS", "ORCLPDB1.SALES.LINES"]);
const naming = (legacyTopics: Readonly<Record<string, string>>) =>
  intent({ phase: "retire", verify: { legacyTopics }, accept: ["MIG411"] });

check("passes where every topic that is named is the one that was verified, or none is named", () => {
  assert.is(effectOf(topicNotVerified, retirement()), "none");
  for (const wanted of [naming({}), intent({ phase: "retire", verify: null })])
    assert.is(effectOf(topicNotVerified, retirement({}, wanted), wanted), "none");
});

check("refuses any other topic of the brokers: a slip of the pen deletes nothing", () => {
  for (const topic of ["_confluent-command", "connect-offsets", "ORCLPDB1.SALES.LINES"]) {
    const wanted = naming({ "SALES.ORDERS": topic });
    const on = retirement({ topics: there }, wanted);
    assert.is(effectOf(topicNotVerified, on, wanted), "blocks", topic);
    assert.match(
      saidBy(topicNotVerified, on, wanted),
      `${topic} would be deleted (changes of SALES.ORDERS), and orders-to-cdc.evidence.json has ORCLPDB1.SALES.ORDERS`,
    );
  }
});

check("refuses a topic of a table that was verified without one, and of one that is not captured", () => {
  const evidence = known({
    ...EVIDENCE,
    tables: [
      { table: LINES, outcome: "pass" as const, legacyTopic: undefined, byLegacy: 0n, leftOut: [] },
      { table: ORDERS, outcome: "pass" as const, legacyTopic: "ORCLPDB1.SALES.ORDERS", byLegacy: 0n, leftOut: [] },
    ],
  });
  assert.match(saidBy(topicNotVerified, retirement({ evidence })), "was written without one");
  const wanted = naming({ "HR.EMPLOYEES": "connect-offsets" });
  const on = retirement({ topics: there }, wanted);
  assert.is(effectOf(topicNotVerified, on, wanted), "blocks");
  assert.match(saidBy(topicNotVerified, on, wanted), "has no such table");
});

check(
  "asks nothing of a name that no topic has; never passes while the topics can't be told; leaves missing " +
    "evidence to MIG401",
  () => {
    const wanted = naming({ "SALES.ORDERS": "gone" });
    assert.is(effectOf(topicNotVerified, retirement({}, wanted), wanted), "none");
    assert.is(verdictOf(topicNotVerified, retirement({ topics: unseen() })), "unknown");
    assert.is(effectOf(topicNotVerified, retirement({ topics: unseen() })), "blocks");
    assert.is(effectOf(topicNotVerified, retirement({ evidence: unseen() })), "none");
  },
);

check.run();
