import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, retirement, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { EVIDENCE, ORDERS } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { columnsNotCompared } from "./MIG412-columns-not-compared.ts";

const check = suite("MIG412 columns that were not compared");

check("passes where every column was; leaves missing evidence to MIG401", () => {
  assert.is(effectOf(columnsNotCompared, retirement()), "none");
  assert.is(effectOf(columnsNotCompared, retirement({ evidence: unseen() })), "none");
});

check("warns, with the columns and why they were left out", () => {
  const tables = EVIDENCE.tables.map((one) =>
    one.table === ORDERS ? { ...one, leftOut: ["UPDATED_AT (named by --ignore-column)", "PHOTO (a LOB)"] } : one,
  );
  const on = retirement({ evidence: known({ ...EVIDENCE, tables }) });
  assert.is(effectOf(columnsNotCompared, on), "warns");
  assert.match(
    saidBy(columnsNotCompared, on),
    `not compared of ${ORDERS}: UPDATED_AT (named by --ignore-column) and PHOTO (a LOB)`,
  );
});

check.run();
