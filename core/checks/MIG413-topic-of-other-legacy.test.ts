import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_CLASS, LEGACY_CONFIG, other, REDO_TOPIC } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { legacyWrites } from "../legacy/written-topics.ts";
import { topicOfOtherLegacy } from "./MIG413-topic-of-other-legacy.ts";

const check = suite("MIG413 topics that another legacy connector writes to");

const having = (config: Readonly<Record<string, string>>) =>
  known([
    other("billing-sink"),
    other("other-legacy", {
      connectorClass: LEGACY_CLASS,
      writes: legacyWrites("other-legacy", { ...LEGACY_CONFIG, ...config }),
    }),
  ]);
const CRM = { "table.inclusion.regex": "ORCLPDB1[.]CRM[.].*" };

check("passes where the others write elsewhere, and where nothing is deleted", () => {
  assert.is(effectOf(topicOfOtherLegacy, retirement()), "none");
  assert.is(effectOf(topicOfOtherLegacy, retirement({ others: having(CRM) })), "none");
  assert.is(effectOf(topicOfOtherLegacy, retirement({ topics: known([]), others: unseen() })), "none");
});

check("refuses a table topic that another one captures too, and names both; nobody can accept that", () => {
  const on = retirement({ others: having({ "table.inclusion.regex": "ORCLPDB1[.]SALES[.]ORDERS" }) });
  assert.is(effectOf(topicOfOtherLegacy, on), "blocks");
  assert.match(saidBy(topicOfOtherLegacy, on), "other-legacy writes to ORCLPDB1.SALES.ORDERS too");
  assert.not.match(saidBy(topicOfOtherLegacy, on), "LINES");
  const accepted = intent({ phase: "retire", accept: ["MIG413"] });
  assert.is(effectOf(topicOfOtherLegacy, on, accepted), "blocks");
});

check("refuses a redo log topic of both", () => {
  const on = retirement({ others: having({ ...CRM, "redo.log.topic.name": REDO_TOPIC }) });
  assert.is(effectOf(topicOfOtherLegacy, on), "blocks");
  assert.match(saidBy(topicOfOtherLegacy, on), `other-legacy writes to ${REDO_TOPIC} too`);
});

check("refuses where the other's transformation may lead its records anywhere", () => {
  const through = { transforms: "route", "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter" };
  const on = retirement({ others: having({ ...CRM, ...through }) });
  assert.is(effectOf(topicOfOtherLegacy, on), "blocks");
  assert.match(saidBy(topicOfOtherLegacy, on), "its records go through route");
});

check("leaves the licence topic to the refusal of its own", () => {
  const deleting = intent({ phase: "retire", deleteLicenceTopic: true });
  const others = known([other("other-legacy", { connectorClass: LEGACY_CLASS, licenceTopic: "_confluent-command" })]);
  assert.is(effectOf(topicOfOtherLegacy, retirement({ others }, deleting), deleting), "none");
});

check("never passes while the others, or the topics, can't be seen", () => {
  for (const parts of [{ others: unseen() }, { topics: unseen() }])
    assert.is(verdictOf(topicOfOtherLegacy, retirement(parts)), "unknown");
});

check.run();
