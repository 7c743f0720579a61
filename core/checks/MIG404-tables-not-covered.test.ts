import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, retirement, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { dictionary, table } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { tablesNotCovered } from "./MIG404-tables-not-covered.ts";

const check = suite("MIG404 captured tables without evidence");

const also = (...names: readonly string[]) =>
  retirement({ dictionary: known(dictionary(...["ORDERS", "LINES", ...names].map((name) => table(name)))) });

check("passes where every captured table is covered; one that is captured no more does no harm", () => {
  assert.is(effectOf(tablesNotCovered, retirement()), "none");
  assert.is(effectOf(tablesNotCovered, retirement({ dictionary: known(dictionary(table("ORDERS"))) })), "none");
});

check("refuses where one is not, and lists them", () => {
  const on = also("ITEMS", "orders");
  assert.is(effectOf(tablesNotCovered, on, intent({ accept: ["MIG404"] })), "blocks");
  assert.match(
    saidBy(tablesNotCovered, on),
    "does not cover 2 of 4 captured tables: ORCLPDB1.SALES.ITEMS and ORCLPDB1.SALES.orders",
  );
});

check("refuses a connector that captures nothing: covering that proves nothing", () => {
  assert.is(
    effectOf(tablesNotCovered, retirement({ dictionary: known(dictionary(table("EMPLOYEES", "HR"))) })),
    "blocks",
  );
});

check("never passes while the captured tables can't be told", () => {
  for (const parts of [{ dictionary: unseen() }, { dictionary: known({ ...dictionary(), containers: [] }) }]) {
    assert.is(verdictOf(tablesNotCovered, retirement(parts)), "unknown");
    assert.is(effectOf(tablesNotCovered, retirement(parts)), "blocks");
  }
  assert.is(effectOf(tablesNotCovered, retirement({ evidence: unseen() })), "none");
});

check.run();
