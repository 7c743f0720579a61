import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, LINES, saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { keylessBySetting } from "./TAB107-keyless-by-setting.ts";

const check = suite("TAB107 tables that cdc.key.missing is about");

const unkeyed = { keys: known([{ ...LINES, by: "primary key" as const }]) };
const settings = (missing: "fail" | "rowid" | "none", columns?: string) => ({
  settings: { keys: { missing, columns } },
});

check("passes where every table has a key, and where TAB106 blocks", () => {
  assert.match(saidBy(keylessBySetting, settings("rowid")), /^pass/);
  assert.match(saidBy(keylessBySetting, { ...unkeyed, ...settings("fail") }), /^pass: .*TAB106/);
});

check("warns of what becomes of the records", () => {
  assert.is(keylessBySetting.grade, "advisory");
  assert.match(saidBy(keylessBySetting, { ...unkeyed, ...settings("rowid") }), /^fail: 1 of 2 .*ROWID/);
  assert.match(saidBy(keylessBySetting, { ...unkeyed, ...settings("none") }), /^fail: 1 of 2 .*no key/);
});

check("is unknown where the keys can't be seen", () => {
  assert.match(saidBy(keylessBySetting, { keys: unseen() }), /^unknown/);
});

check.run();
