import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, retirement, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_CONFIG } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { lobTopicsStay } from "./MIG414-lob-topics-stay.ts";

const check = suite("MIG414 topics of LOB columns");

const template = (text: string) => ({ config: { ...LEGACY_CONFIG, "lob.topic.name.template": text } });
const variable = (name: string) => `$${`{${name}}`}`;
const BY_COLUMN = template(`lob.${variable("tableName")}.${variable("columnName")}`);
const there = known(["ORCLPDB1.SALES.ORDERS", "lob.ORDERS.NOTE", "lob.LINES.SCAN", "lob.OTHER.X", "lob.ORDERS"]);

check("passes where the legacy connector writes none, whatever can't be seen", () => {
  assert.is(effectOf(lobTopicsStay, retirement()), "none");
  assert.is(effectOf(lobTopicsStay, retirement({ legacy: template(" "), topics: unseen() })), "none");
  assert.is(effectOf(lobTopicsStay, retirement({ legacy: BY_COLUMN })), "none", "none is there");
});

check("names those of captured tables, and none of them is deleted", () => {
  const on = retirement({ legacy: BY_COLUMN, topics: there });
  assert.is(effectOf(lobTopicsStay, on), "warns");
  assert.match(saidBy(lobTopicsStay, on), /^lob\.LINES\.SCAN and lob\.ORDERS\.NOTE hold LOB columns\n/);
  assert.equal(on.topics.known && on.topics.value.map(({ topic }) => topic), ["ORCLPDB1.SALES.ORDERS"]);
});

check("says so where they can't be told", () => {
  const reference = template(variable("file:/etc/x:lobs"));
  for (const parts of [
    { legacy: BY_COLUMN, topics: unseen() },
    { legacy: BY_COLUMN, dictionary: unseen() },
    { legacy: reference },
  ])
    assert.is(effectOf(lobTopicsStay, retirement(parts)), "warns");
});

check.run();
