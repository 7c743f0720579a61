import { suite } from "uvu";
import * as assert from "uvu/assert";
import { saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { noCapturedTables } from "./TAB101-no-captured-tables.ts";

const check = suite("TAB101 captured tables");

const selecting = (include: string) => ({
  settings: { tables: { pdbs: ["ORCLPDB1"], include, exclude: undefined, caseSensitive: false } },
});

check("passes with how many there are", () => {
  assert.match(saidBy(noCapturedTables), "pass: 2 captured tables");
});

check("fails for patterns that fit nothing", () => {
  assert.match(saidBy(noCapturedTables, selecting("ORCLPDB1[.]SALE[.].*")), /^fail: none .*ORCLPDB1\[\.\]SALE/);
});

check("is unknown for patterns that can't be read, and where the dictionary can't be", () => {
  assert.match(saidBy(noCapturedTables, selecting("(")), /^unknown: Java does not accept/);
  assert.match(saidBy(noCapturedTables, { dictionary: unseen("no grant") }), "unknown: no grant");
});

check.run();
