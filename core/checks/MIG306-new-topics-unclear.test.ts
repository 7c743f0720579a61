import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, goingBack, intent, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_CONFIG, legacy, other, UNTOLD_TOPICS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { newTopicsUnclear } from "./MIG306-new-topics-unclear.ts";

const check = suite("MIG306 topics that would be deleted with the new connector");

const deleting = intent({ phase: "rollback", deleteTopics: true, accept: ["MIG306"] });

check("passes where none is to be deleted, whatever can't be seen", () => {
  assert.is(
    effectOf(newTopicsUnclear, goingBack({ topics: unseen(), dictionary: unseen(), others: unseen() })),
    "none",
  );
});

check("passes where they are the new connector's alone", () => {
  assert.is(effectOf(newTopicsUnclear, goingBack({}, deleting), deleting), "none");
});

check("refuses while topics, tables, their topics' names or other connectors can't be told", () => {
  for (const parts of [
    { topics: unseen() },
    { dictionary: unseen() },
    { others: unseen() },
    { settings: UNTOLD_TOPICS },
  ]) {
    assert.is(verdictOf(newTopicsUnclear, goingBack(parts, deleting), deleting), "unknown");
    assert.is(effectOf(newTopicsUnclear, goingBack(parts, deleting), deleting), "blocks");
  }
});

check("refuses where a transformation may have the legacy connector write to them too", () => {
  const config = { ...LEGACY_CONFIG, transforms: "route", "transforms.route.type": "com.example.Router" };
  const on = goingBack({ legacy: legacy({ config }) }, deleting);
  assert.is(effectOf(newTopicsUnclear, on, deleting), "blocks");
  assert.match(saidBy(newTopicsUnclear, on, deleting), "records of orders-legacy go through route");
});

check("refuses where another connector has the prefix, or may have it", () => {
  for (const prefix of ["orders", `$${"{env:PREFIX}"}`]) {
    const on = goingBack({ others: known([other("twin", { prefix })]) }, deleting);
    assert.is(effectOf(newTopicsUnclear, on, deleting), "blocks");
    assert.match(saidBy(newTopicsUnclear, on, deleting), /^twin may write to them too/);
  }
});

check.run();
