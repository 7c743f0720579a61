import { suite } from "uvu";
import * as assert from "uvu/assert";
import { saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { notACommonUser } from "./DBA408-not-a-common-user.ts";

const check = suite("DBA408 a common user");

const LOCAL = { account: { user: "CDC", common: false } };

check("passes for one, in a database without containers, and inside of a PDB in range mode", () => {
  assert.match(saidBy(notACommonUser), "pass: C##CDC is a common user");
  assert.match(saidBy(notACommonUser, { ...LOCAL, database: { container: false } }), /^pass/);
  assert.match(saidBy(notACommonUser, { ...LOCAL, settings: { miningMode: "range" } }), /^pass/);
});

check("fails for a local user, whatever its name begins with", () => {
  assert.match(saidBy(notACommonUser, LOCAL), /^fail: CDC is a local user/);
  assert.match(saidBy(notACommonUser, { account: { common: false } }), /^fail: C##CDC/);
});

check("is unknown where the account or the database can't be seen", () => {
  assert.match(saidBy(notACommonUser, { account: unseen() }), /^unknown/);
  assert.match(saidBy(notACommonUser, { database: unseen() }), /^unknown/);
});

check.run();
