import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import {
  LEGACY_CLASS,
  LEGACY_CONFIG,
  LEGACY_TOPICS,
  other,
  REDO_TOPIC,
  settings,
} from "../kinds/migration/testing/story.ts";
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

/** What is deleted all the same. */
const deleted = ({ topics }: ReturnType<typeof retirement>) =>
  topics.known ? topics.value.map(({ topic }) => topic) : [];
const OWN = [...LEGACY_TOPICS, REDO_TOPIC].sort();

check("passes where the others write elsewhere, and where nothing is deleted", () => {
  assert.is(effectOf(topicOfOtherLegacy, retirement()), "none");
  const on = retirement({ others: having(CRM) });
  assert.is(effectOf(topicOfOtherLegacy, on), "none");
  assert.equal(deleted(on).sort(), OWN);
  assert.is(effectOf(topicOfOtherLegacy, retirement({ topics: known([]), others: unseen() })), "none");
});

check("warns that a table topic stays that another one captures too, and names both", () => {
  const on = retirement({ others: having({ "table.inclusion.regex": "ORCLPDB1[.]SALES[.]ORDERS" }) });
  assert.is(effectOf(topicOfOtherLegacy, on), "warns");
  assert.is(
    saidBy(topicOfOtherLegacy, on).split("\n")[0],
    `ORCLPDB1.SALES.ORDERS stays: other-legacy writes there too, by its settings`,
  );
  assert.equal(
    deleted(on).sort(),
    OWN.filter((topic) => topic !== "ORCLPDB1.SALES.ORDERS"),
  );
});

check("warns that a redo log topic of both stays", () => {
  const on = retirement({ others: having({ ...CRM, "redo.log.topic.name": REDO_TOPIC }) });
  assert.is(effectOf(topicOfOtherLegacy, on), "warns");
  assert.match(saidBy(topicOfOtherLegacy, on), `${REDO_TOPIC} stays: other-legacy writes there too`);
  assert.equal(deleted(on).sort(), [...LEGACY_TOPICS]);
});

const ROUTE = { transforms: "route", "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter" };

check(
  "warns that all stay where the other's transformation may lead its records anywhere; the retirement goes on",
  () => {
    const on = retirement({ others: having({ ...CRM, ...ROUTE }) });
    assert.is(effectOf(topicOfOtherLegacy, on), "warns");
    assert.match(saidBy(topicOfOtherLegacy, on), "stay: other-legacy may write there, its records go through route");
    assert.equal(deleted(on), []);
  },
);

check("names what the new connector writes to as well: nobody is told to delete that by hand", () => {
  const on = retirement({
    others: having({ ...CRM, ...ROUTE }),
    settings: { config: { ...settings().config, ...ROUTE } },
  });
  for (const topic of OWN) assert.match(saidBy(topicOfOtherLegacy, on), topic);
  assert.is(on.spared.length, OWN.length);
});

check("leaves the licence topic to the refusal of its own", () => {
  const deleting = intent({ phase: "retire", deleteLicenceTopic: true });
  const others = known([other("other-legacy", { connectorClass: LEGACY_CLASS, licenceTopic: "_confluent-command" })]);
  assert.is(effectOf(topicOfOtherLegacy, retirement({ others }, deleting), deleting), "none");
  const routed = known([
    other("other-legacy", { connectorClass: LEGACY_CLASS, writes: legacyWrites("other-legacy", ROUTE) }),
  ]);
  assert.equal(deleted(retirement({ others: routed }, deleting)), ["_confluent-command"]);
});

check("blocks while the others, or the topics, can't be seen; nobody can accept that", () => {
  const accepting = intent({ phase: "retire", accept: ["MIG413"] });
  for (const parts of [{ others: unseen() }, { topics: unseen() }]) {
    assert.is(verdictOf(topicOfOtherLegacy, retirement(parts)), "unknown");
    assert.is(effectOf(topicOfOtherLegacy, retirement(parts), accepting), "blocks");
  }
});

check.run();
