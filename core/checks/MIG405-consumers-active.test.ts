import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConsumerGroupSeen } from "../facts/ops/topic.ts";
import { effectOf, intent, retirement, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_TOPICS, UNTOLD_TOPICS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { consumersActive } from "./MIG405-consumers-active.ts";

const check = suite("MIG405 consumers of topics that would be deleted");

const group = (parts: Partial<ConsumerGroupSeen>): ConsumerGroupSeen => ({
  group: "billing",
  state: "Stable",
  active: [],
  committed: [],
  ...parts,
});

check("passes where nobody reads them, and where a group has read them before", () => {
  assert.is(effectOf(consumersActive, retirement()), "none");
  const groups = known([group({ state: "Empty", committed: LEGACY_TOPICS })]);
  assert.is(effectOf(consumersActive, retirement({ groups })), "none");
});

check("refuses a group that is active on one, and names both", () => {
  const on = retirement({ groups: known([group({ active: ["ORCLPDB1.SALES.ORDERS"] })]) });
  assert.is(effectOf(consumersActive, on, intent({ accept: ["MIG405"] })), "blocks");
  assert.match(saidBy(consumersActive, on), /^billing \(Stable\) reads ORCLPDB1\.SALES\.ORDERS\n/);
});

check("is not concerned by one that reads other topics", () => {
  const groups = known([group({ active: ["orders.ORCLPDB1.SALES.ORDERS"] })]);
  assert.is(effectOf(consumersActive, retirement({ groups })), "none");
});

check("never passes while a group does not say what it reads, or groups or topics can't be seen", () => {
  for (const parts of [
    { groups: known([group({ unclear: "its members use a protocol that is not known" })]) },
    { groups: unseen() },
    { topics: unseen() },
    { dictionary: unseen() },
    { settings: UNTOLD_TOPICS },
  ]) {
    assert.is(verdictOf(consumersActive, retirement(parts)), "unknown");
    assert.is(effectOf(consumersActive, retirement(parts)), "blocks");
  }
});

check("has nobody to ask for where no topic is deleted", () => {
  assert.is(effectOf(consumersActive, retirement({ topics: known([]), groups: unseen() })), "none");
});

check.run();
