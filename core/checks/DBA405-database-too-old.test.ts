import { suite } from "uvu";
import * as assert from "uvu/assert";
import { saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { databaseTooOld } from "./DBA405-database-too-old.ts";

const check = suite("DBA405 a database before 19c");

check("passes from 19c on", () => {
  for (const version of ["19.3.0.0.0", "21.0.0.0.0", "23.4.0.24.5"])
    assert.match(saidBy(databaseTooOld, { database: { version } }), `pass: ORCLCDB is ${version}`);
});

check("fails before", () => {
  for (const version of ["12.1.0.2.0", "18.14.0.0.0"])
    assert.match(saidBy(databaseTooOld, { database: { version } }), `fail: ORCLCDB is ${version}`);
});

check("does not guess", () => {
  assert.match(saidBy(databaseTooOld, { database: { version: "" } }), /^unknown/);
  assert.match(saidBy(databaseTooOld, { database: unseen() }), /^unknown/);
});

check.run();
