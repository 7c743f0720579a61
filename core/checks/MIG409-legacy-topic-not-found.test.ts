import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, retirement, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { dictionary, table } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { legacyTopicNotFound } from "./MIG409-legacy-topic-not-found.ts";

const check = suite("MIG409 tables without a legacy topic");

check("passes where each captured table has one", () => {
  assert.is(effectOf(legacyTopicNotFound, retirement()), "none");
});

check("warns, and names the tables", () => {
  const on = retirement({ dictionary: known(dictionary(table("ORDERS"), table("LINES"), table("A$B"), table("X"))) });
  assert.is(effectOf(legacyTopicNotFound, on), "warns");
  assert.match(saidBy(legacyTopicNotFound, on), "was found for ORCLPDB1.SALES.A$B and ORCLPDB1.SALES.X");
});

check("does not pass while topics can't be seen", () => {
  assert.is(effectOf(legacyTopicNotFound, retirement({ topics: unseen() })), "warns");
});

check.run();
