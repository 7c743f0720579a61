import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, saidBy, verification } from "../kinds/migration/testing/build-readings.ts";
import { strayTables } from "./MIG207-stray-tables.ts";

const check = suite("MIG207 tables that are not verified under that name");

check("passes where every key is one of the tables", () => {
  assert.is(effectOf(strayTables, verification()), "none");
  const none = intent({ phase: "verify", verify: null });
  assert.is(effectOf(strayTables, verification({}, none), none), "none");
});

check("refuses a key by another name, were it of the same table", () => {
  const wanted = intent({
    phase: "verify",
    verify: {
      tables: ["SALES.ORDERS"],
      legacyTopics: { "ORCLPDB1.SALES.ORDERS": "x" },
      ignoreColumns: { "SALES.ORDER": ["A"] },
    },
  });
  assert.is(effectOf(strayTables, verification({}, wanted), wanted), "blocks");
  const said = saidBy(strayTables, verification({}, wanted), wanted);
  assert.match(said, "ORCLPDB1.SALES.ORDERS is not among spec.verify.tables");
  assert.match(said, "SALES.ORDER is not among spec.verify.tables; did you mean SALES.ORDERS?");
});

check.run();
