import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_CLASS, LEGACY_CONFIG, other } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { licenceTopicInUse } from "./MIG408-licence-topic-in-use.ts";

const check = suite("MIG408 a licence topic that is in use");

const deleting = intent({ phase: "retire", deleteLicenceTopic: true, accept: ["MIG408"] });
const using = (licenceTopic: string) =>
  known([other("other-legacy", { connectorClass: LEGACY_CLASS, licenceTopic }), other("billing-sink")]);

check("passes where it stays, whatever can't be seen", () => {
  for (const others of [unseen(), using("_confluent-command")])
    assert.is(effectOf(licenceTopicInUse, retirement({ others })), "none");
});

check("passes where no other legacy connector uses it", () => {
  for (const others of [known([other("billing-sink")]), using("other-licence")])
    assert.is(effectOf(licenceTopicInUse, retirement({ others }, deleting), deleting), "none");
});

check("refuses where another one does, by default or by its setting", () => {
  const on = retirement({ others: using("_confluent-command") }, deleting);
  assert.is(effectOf(licenceTopicInUse, on, deleting), "blocks");
  assert.match(saidBy(licenceTopicInUse, on, deleting), "other-legacy uses the licence topic _confluent-command too");
  const own = { config: { ...LEGACY_CONFIG, "confluent.topic": "licences" } };
  assert.is(
    effectOf(licenceTopicInUse, retirement({ legacy: own, others: using("licences") }, deleting), deleting),
    "blocks",
  );
});

check("never passes while the others, or what a reference stands for, can't be seen", () => {
  assert.is(verdictOf(licenceTopicInUse, retirement({ others: unseen() }, deleting), deleting), "unknown");
  const reference = `$${"{file:/etc/x:topic}"}`;
  const own = { config: { ...LEGACY_CONFIG, "confluent.topic": reference } };
  for (const on of [retirement({ others: using(reference) }, deleting), retirement({ legacy: own }, deleting)])
    assert.is(effectOf(licenceTopicInUse, on, deleting), "blocks");
});

check.run();
