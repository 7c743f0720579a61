import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { tablesPerhapsUnreadable } from "./DBA407-tables-perhaps-unreadable.ts";

const check = suite("DBA407 rights to read any table");

const BOTH = ["SELECT ANY TABLE", "FLASHBACK ANY TABLE"];
const inPdb = (...privileges: readonly string[]) => ({
  rights: known([
    { container: "CDB$ROOT", privileges: BOTH, roles: [] },
    { container: "ORCLPDB1", privileges, roles: [] },
  ]),
});

check("passes where both hold in the captured PDB", () => {
  assert.match(saidBy(tablesPerhapsUnreadable, inPdb(...BOTH)), /^pass: .* in ORCLPDB1$/);
});

check("is unknown, and no fault, where one does not: single tables may be granted", () => {
  const said = saidBy(tablesPerhapsUnreadable, inPdb("SELECT ANY TABLE"));
  assert.match(said, /^unknown: .*grants on single tables are not looked at/);
  assert.match(said, "GRANT FLASHBACK ANY TABLE TO C##CDC CONTAINER=ALL;");
  assert.not.match(said, "GRANT SELECT");
});

check("asks the PDB that the login leads into, and a database without containers itself", () => {
  const own = known([{ container: "ORCLPDB1", privileges: BOTH, roles: [] }]);
  assert.match(saidBy(tablesPerhapsUnreadable, { rights: own }), /^pass/);
  const database = { container: false, connectedTo: "ORCL" };
  const rights = known([{ container: "ORCL", privileges: BOTH, roles: [] }]);
  assert.match(saidBy(tablesPerhapsUnreadable, { rights, database }), /^pass/);
});

check("is unknown where no captured PDB was looked into", () => {
  const root = known([{ container: "CDB$ROOT", privileges: BOTH, roles: [] }]);
  assert.match(saidBy(tablesPerhapsUnreadable, { rights: root }), /^unknown/);
  const refused = { container: "ORCLPDB1", problem: "no SET CONTAINER", remedy: "GRANT SET CONTAINER TO C##CDC;" };
  assert.match(saidBy(tablesPerhapsUnreadable, { rights: known([refused]) }), /^unknown[\s\S]*no SET CONTAINER/);
  assert.match(saidBy(tablesPerhapsUnreadable, { rights: unseen() }), /^unknown/);
});

check.run();
