import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  intent,
  LINES,
  ORDERS,
  pastTheGap,
  reading,
  saidBy,
  table,
  tables,
} from "../kinds/resnapshot/testing/build-facts.ts";
import { tableNotCaptured } from "./SNP901-table-not-captured.ts";

const check = suite("SNP901 a table that is not captured");

const said = (names: readonly string[], parts: Parameters<typeof reading>[0] = {}) => {
  const wanted = intent({ tables: names });
  return saidBy(tableNotCaptured, reading(parts, wanted), wanted);
};

check("passes where every name is a captured table's, in whatever spelling", () => {
  for (const names of [[ORDERS], ["orclpdb1.sales.lines"], ['"ORCLPDB1"."SALES"."ORDERS"', LINES]])
    assert.is(said(names), "");
});

check("refuses one that is not, accepted or not, signal only or past a gap", () => {
  const wanted = intent({ tables: [ORDERS, "ORCLPDB1.HR.EMPLOYEES"], accept: ["SNP901"] });
  for (const on of [reading({}, wanted), pastTheGap({}, wanted)]) {
    assert.is(effectOf(tableNotCaptured, on, wanted), "blocks");
    assert.is(effectOf(tableNotCaptured, on, { ...wanted, origin: { ...wanted.origin, by: "admin" } }), "blocks");
  }
  assert.match(saidBy(tableNotCaptured, reading({}, wanted), wanted), "ORCLPDB1.HR.EMPLOYEES is no captured table");
});

check("suggests the table whose container was left out", () => {
  assert.match(said(["SALES.ORDERS"]), `did you mean ${ORDERS}?`);
});

check("suggests the table of another owner or container, and the one nearest in its letters", () => {
  assert.match(said(["ORCLPDB1.SALE.ORDERS"]), `did you mean ${ORDERS}?`);
  assert.match(said(["ORCLPDB2.SALES.ORDERS"]), `did you mean ${ORDERS}?`);
  assert.match(said(["ORCLPDB1.SALES.ORDRES"]), `did you mean ${ORDERS}?`);
});

check("suggests nothing where nothing is near", () => {
  assert.not.match(said(["X.Y"]), "did you mean");
});

check("a quoted name is meant to the letter", () => {
  assert.match(said(['ORCLPDB1.SALES."orders"']), "is no captured table; did you mean");
});

check("a name that fits two tables has to be quoted", () => {
  const text = said(["ORCLPDB1.SALES.Orders"], { tables: [table("ORDERS"), table("Orders")] });
  assert.match(text, "ORCLPDB1.SALES.Orders is the name of several captured tables");
  assert.match(text, "double quotes");
});

check("says how this connector names its tables, and where admin gives them", () => {
  assert.match(said(["X.Y"]), "spec.tables: this connector names its tables PDB.OWNER.TABLE, and captures 3");
  const wanted = intent({ tables: ["X.Y"], by: "admin" });
  assert.match(saidBy(tableNotCaptured, reading({}, wanted), wanted), "Correct --tables");
});

check("of very many wrong names shows ten, soon, among 100,000 captured ones", () => {
  const names = Array.from({ length: 5000 }, (_, i) => `ORCLPDB1.SALES.TT${i}X`);
  const wanted = intent({ tables: names });
  const on = reading({ tables: tables(100_000) }, wanted);
  const begin = performance.now();
  const text = saidBy(tableNotCaptured, on, wanted);
  assert.match(text, "; and 4990 more");
  assert.ok(text.length < 3000);
  assert.ok(performance.now() - begin < 15_000, `${performance.now() - begin} ms`);
});

check("leaves it to SNP902 while the captured set is not known", () => {
  assert.is(effectOf(tableNotCaptured, reading({ dictionary: unseen() })), "none");
});

check.run();
