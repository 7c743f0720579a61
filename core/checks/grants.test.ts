import { suite } from "uvu";
import * as assert from "uvu/assert";
import { setupSql } from "../doctor/setup-sql.ts";
import { known, preflightReading, resultOf, unseen } from "../doctor/testing/build-preflight.ts";
import { NEEDED_GRANTS } from "../facts/database/needed-grants.ts";
import { lineOf } from "../values/remedy.ts";
import { grantsMissing, tablesPossiblyUnreadable } from "./grants.ts";
import { worded } from "./testing/wording.ts";

const DBA406 = suite("DBA406 grants of the capture user");

const rights = (container: string, without: string) => ({
  container,
  privileges: NEEDED_GRANTS.filter(({ is, name }) => is === "privilege" && name !== without).map(({ name }) => name),
  roles: without === "EXECUTE_CATALOG_ROLE" ? [] : ["EXECUTE_CATALOG_ROLE"],
});
const without = (privilege: string) => ({
  rights: known([rights("CDB$ROOT", privilege), rights("ORCLPDB1", privilege)]),
});
const tried = (name: string, code: string) => ({
  usable: known(
    NEEDED_GRANTS.map((one) => (one.name === name ? { name, usable: false, code } : { name: one.name, usable: true })),
  ),
});

DBA406("passes with every grant", () => {
  assert.match(resultOf(grantsMissing), /^pass: C##CDC has all \d+ required grants/);
});

DBA406("names each missing one, its purpose, and the GRANT, for any user", () => {
  for (const { name, is, why, orTableByTable } of NEEDED_GRANTS) {
    if (orTableByTable === true) continue;
    const result = resultOf(
      grantsMissing,
      is === "privilege" || is === "role" ? without(name) : tried(name, "ORA-00942"),
    );
    const object = is === "view" ? `SELECT ON SYS.${name}` : is === "package" ? `EXECUTE ON SYS.${name}` : name;
    assert.match(result, /^fail: C##CDC lacks 1 of/, name);
    assert.match(result, `GRANT ${object} TO C##CDC CONTAINER=ALL;`, name);
    assert.match(result, why, name);
  }
});

DBA406("grants a local user nothing container-wide, and requires no SET CONTAINER without containers", () => {
  const local = { account: { user: "CDC", common: false }, ...tried("V_$LOG", "ORA-00942") };
  assert.match(resultOf(grantsMissing, local), "GRANT SELECT ON SYS.V_$LOG TO CDC;");
  const plain = { database: { container: false, connectedTo: "ORCL" }, ...without("SET CONTAINER") };
  assert.match(resultOf(grantsMissing, plain), /^pass/);
});

DBA406("accepts what the script for a PDB grants, for a local user and a common one", () => {
  const script = setupSql({ form: "pdb", user: "CDC", tables: [], patterns: [] });
  const granted = [...script.matchAll(/^GRANT (.+) TO CDC;$/gm)].map(([, what = ""]) => what);
  const objects = granted.flatMap((what) => / ON (?:SYS\.)?(\S+)$/.exec(what)?.[1] ?? []);
  const of = (kind: string) =>
    NEEDED_GRANTS.filter(({ is, name }) => is === kind && granted.includes(name)).map(({ name }) => name);
  const inside = {
    database: { connectedTo: "ORCLPDB1" },
    rights: known([{ container: "ORCLPDB1", privileges: of("privilege"), roles: of("role") }]),
    usable: known(objects.map((name) => ({ name, usable: true }))),
  };
  for (const account of [
    { user: "CDC", common: false },
    { user: "C##CDC", common: true },
  ])
    for (const miningMode of ["range", "auto"])
      assert.match(resultOf(grantsMissing, { ...inside, account, settings: { miningMode } }), /^pass/);
});

DBA406("does not require DBMS_LOGMNR_D in range mode, which writes no dictionaries", () => {
  const without = tried("DBMS_LOGMNR_D", "ORA-00942");
  assert.match(resultOf(grantsMissing, { ...without, settings: { miningMode: "range" } }), /^pass/);
  assert.match(
    resultOf(grantsMissing, without),
    "EXECUTE ON DBMS_LOGMNR_D | needed to write dictionaries into the redo",
  );
});

DBA406("inside a PDB grants there only, and says where", () => {
  const verdict = worded(grantsMissing).run(
    undefined,
    preflightReading({ database: { connectedTo: "ORCLPDB1" }, ...tried("V_$LOG", "ORA-00942") }),
  );
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.items?.[0]?.sql ?? "", / TO C##CDC;$/);
  assert.match(lineOf(verdict.remedies?.[0] ?? ""), "as SYS, in ORCLPDB1");
});

DBA406("quotes a user name that requires quotes", () => {
  const odd = { account: { user: 'my "user', common: false }, ...tried("V_$LOG", "ORA-00942") };
  assert.match(resultOf(grantsMissing, odd), 'TO "my ""user";');
});

DBA406("requires SET CONTAINER in the PDBs too, where it is useful", () => {
  const parts = { rights: known([rights("CDB$ROOT", ""), rights("ORCLPDB1", "SET CONTAINER")]) };
  assert.match(
    resultOf(grantsMissing, parts),
    "SET CONTAINER | needed to read tables and their columns in each PDB; not in effect in ORCLPDB1",
  );
});

DBA406("requires nothing in the PDBs where ranges of SCNs are mined", () => {
  const parts = { rights: known([rights("CDB$ROOT", ""), rights("ORCLPDB1", "SET CONTAINER")]) };
  assert.match(resultOf(grantsMissing, { ...parts, settings: { miningMode: "range" } }), /^pass/);
});

DBA406("takes each error of a missing privilege for one", () => {
  for (const code of ["ORA-00942", "ORA-01031", "ORA-41900", "ORA-06550"])
    assert.match(resultOf(grantsMissing, tried("V_$LOG", code)), /^fail: C##CDC lacks 1 of/, code);
});

DBA406("is unknown where the attempt failed for another reason, or was not possible", () => {
  assert.match(resultOf(grantsMissing, tried("V_$LOG", "ORA-01219")), /^unknown: .*V_\$LOG .*ORA-01219/);
  assert.match(resultOf(grantsMissing, { usable: known([]) }), /^unknown/);
  const closed = {
    rights: known([rights("CDB$ROOT", ""), { container: "ORCLPDB1", problem: "it is closed", remedies: [] }]),
  };
  assert.match(resultOf(grantsMissing, closed), /^unknown: .*SET CONTAINER in ORCLPDB1: it is closed/);
  for (const fact of ["usable", "rights", "account", "database"])
    assert.match(resultOf(grantsMissing, { [fact]: unseen() }), /^unknown/, fact);
});

const DBA407 = suite("DBA407 rights to read any table");

const BOTH = ["SELECT ANY TABLE", "FLASHBACK ANY TABLE"];
const inPdb = (...privileges: readonly string[]) => ({
  rights: known([
    { container: "CDB$ROOT", privileges: BOTH, roles: [] },
    { container: "ORCLPDB1", privileges, roles: [] },
  ]),
});

DBA407("passes where both hold in the captured PDB", () => {
  assert.match(resultOf(tablesPossiblyUnreadable, inPdb(...BOTH)), /^pass: .* in ORCLPDB1$/);
});

DBA407("is unknown, and does not fail, where one is missing: single tables may be granted", () => {
  const result = resultOf(tablesPossiblyUnreadable, inPdb("SELECT ANY TABLE"));
  assert.match(result, /^unknown: .*grants on single tables are not checked/);
  assert.match(result, "GRANT FLASHBACK ANY TABLE TO C##CDC CONTAINER=ALL;");
  assert.not.match(result, "GRANT SELECT");
});

DBA407("grants a local user, and a common one inside a PDB, nothing container-wide", () => {
  for (const parts of [
    { account: { user: "CDC", common: false } },
    { account: { user: "C##CDC", common: true }, database: { connectedTo: "ORCLPDB1" } },
  ]) {
    const said = resultOf(tablesPossiblyUnreadable, { ...inPdb("SELECT ANY TABLE"), ...parts });
    assert.match(said, /GRANT FLASHBACK ANY TABLE TO (C##)?CDC;$/);
  }
});

DBA407("checks every captured PDB, also one that could not be inspected", () => {
  const settings = {
    tables: { pdbs: ["ORCLPDB1", "ORCLPDB2"], include: ".*", exclude: undefined, caseSensitive: false },
  };
  const first = { container: "ORCLPDB1", privileges: BOTH, roles: [] };
  const said = (second: object) =>
    resultOf(tablesPossiblyUnreadable, {
      settings,
      rights: known([first, { container: "ORCLPDB2", ...second }] as never),
    });
  assert.match(said({ privileges: BOTH, roles: [] }), /^pass: .* in ORCLPDB1, ORCLPDB2$/);
  assert.match(said({ privileges: [], roles: [] }), /^unknown[\s\S]*SELECT ANY TABLE in ORCLPDB2/);
  assert.match(said({ problem: "it is closed", remedies: [] }), /^unknown[\s\S]*ORCLPDB2 \| it is closed$/);
});

DBA407("checks the PDB that the login connects to, or a database without containers itself", () => {
  const own = known([{ container: "ORCLPDB1", privileges: BOTH, roles: [] }]);
  assert.match(resultOf(tablesPossiblyUnreadable, { rights: own }), /^pass/);
  const database = { container: false, connectedTo: "ORCL" };
  const rights = known([{ container: "ORCL", privileges: BOTH, roles: [] }]);
  assert.match(resultOf(tablesPossiblyUnreadable, { rights, database }), /^pass/);
});

DBA407("is unknown where no captured PDB was inspected", () => {
  const root = known([{ container: "CDB$ROOT", privileges: BOTH, roles: [] }]);
  assert.match(resultOf(tablesPossiblyUnreadable, { rights: root }), /^unknown/);
  const refused = { container: "ORCLPDB1", problem: "no SET CONTAINER", remedies: ["GRANT SET CONTAINER TO C##CDC;"] };
  assert.match(resultOf(tablesPossiblyUnreadable, { rights: known([refused]) }), /^unknown[\s\S]*no SET CONTAINER/);
  assert.match(resultOf(tablesPossiblyUnreadable, { rights: unseen() }), /^unknown/);
});

DBA406.run();
DBA407.run();
