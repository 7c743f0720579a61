import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, LINES, ORDERS, saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { keyColumnsLoggedOnly } from "./TAB103-key-columns-logged-only.ts";

const check = suite("TAB103 tables that log their key only");

const FULL = { ...LINES, type: "ALL COLUMN LOGGING", always: true };
const group = (type: string) => ({ ...ORDERS, type, always: true });

check("passes where all columns are logged, and where nothing is: that is TAB102's", () => {
  assert.match(saidBy(keyColumnsLoggedOnly), /^pass/);
  assert.match(saidBy(keyColumnsLoggedOnly, { logGroups: known([]) }), /^pass/);
});

check("warns of primary keys alone, of the table, its PDB or the database, and of log groups of its own", () => {
  assert.is(keyColumnsLoggedOnly.grade, "advisory");
  assert.match(
    saidBy(keyColumnsLoggedOnly, { logGroups: known([FULL, group("PRIMARY KEY LOGGING")]) }),
    "fail: 1 of 2",
  );
  assert.match(
    saidBy(keyColumnsLoggedOnly, { logGroups: known([FULL, { ...group("USER LOG GROUP"), holdsKey: true }]) }),
    "log group of its own",
  );
  const logging = known({ minimal: "IMPLICIT", primaryKey: true, all: false });
  assert.match(saidBy(keyColumnsLoggedOnly, { logGroups: known([FULL]), logging }), "fail: 1 of 2");
  const pdbLogging = known([{ container: "ORCLPDB1", primaryKey: true, all: false }]);
  assert.match(saidBy(keyColumnsLoggedOnly, { logGroups: known([FULL]), pdbLogging }), "fail: 1 of 2");
});

check("is unknown where the log groups can't be seen", () => {
  assert.match(saidBy(keyColumnsLoggedOnly, { logGroups: unseen() }), /^unknown/);
});

check.run();
