import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, saidBy, verification } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_TOPICS, NEW_TOPICS, ORDERS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { legacyTopicMissing } from "./MIG206-legacy-topic-missing.ts";
import { legacyTopicRetired } from "./MIG210-legacy-topic-retired.ts";

const check = suite("MIG210 a legacy topic that a retirement has deleted");

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

check("is left out where evidence shows that the new topic held every key, and that is said", () => {
  const on = verification(proven, wanted);
  assert.equal(
    on.tables.map((table) => table.ok && table.verified.legacyTopic),
    [undefined],
  );
  assert.is(effectOf(legacyTopicMissing, on, wanted), "none");
  assert.is(effectOf(legacyTopicRetired, on, wanted), "warns");
  assert.match(saidBy(legacyTopicRetired, on, wanted), `was deleted by the retirement ${RUN}`);
});

check("blocks where nothing shows that, and says by which run it is gone and what to remove", () => {
  const on = verification(unproven, wanted);
  assert.is(effectOf(legacyTopicRetired, on, wanted), "none");
  assert.is(effectOf(legacyTopicMissing, on, wanted), "blocks");
  const said = saidBy(legacyTopicMissing, on, wanted);
  assert.match(said, `was deleted by the retirement ${RUN}`);
  assert.match(said, "Remove from spec.verify.legacyTopics:  SALES.ORDERS: ORCLPDB1.SALES.ORDERS");
});

check("leaves a topic in that is there, or that no retirement here has deleted", () => {
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

check.run();
