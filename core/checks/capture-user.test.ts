import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, type PreflightParts, preflightReading, resultOf, unseen } from "../doctor/testing/build-preflight.ts";
import { lineOf } from "../values/remedy.ts";
import { noSavedState, notACommonUser, pdbNotOpen, pdbNotSeen } from "./capture-user.ts";
import { worded } from "./testing/wording.ts";

const DBA408 = suite("DBA408 a common user");

const LOCAL = { account: { user: "CDC", common: false } };

DBA408("passes for one, in a database without containers, and inside a PDB in range mode", () => {
  assert.match(resultOf(notACommonUser), "pass: C##CDC is a common user");
  assert.match(resultOf(notACommonUser, { ...LOCAL, database: { container: false } }), /^pass/);
  for (const miningMode of ["range", "auto"])
    assert.match(
      resultOf(notACommonUser, { ...LOCAL, database: { connectedTo: "ORCLPDB1" }, settings: { miningMode } }),
      `pass: CDC is a local user, with cdc.mining.mode=${miningMode}`,
    );
});

DBA408("fails for a local user inside a PDB with cdc.mining.mode=logs", () => {
  const logs = { ...LOCAL, database: { connectedTo: "ORCLPDB1" }, settings: { miningMode: "logs" } };
  assert.match(resultOf(notACommonUser, logs), "fail: CDC is a local user of ORCLPDB1");
});

DBA408("fails for a local user, whatever its name begins with", () => {
  assert.match(resultOf(notACommonUser, LOCAL), /^fail: CDC is a local user/);
  assert.match(resultOf(notACommonUser, { account: { common: false } }), /^fail: C##CDC/);
});

DBA408("is unknown where the account or the database cannot be read", () => {
  assert.match(resultOf(notACommonUser, { account: unseen() }), /^unknown/);
  assert.match(resultOf(notACommonUser, { database: unseen() }), /^unknown/);
});

const DBA409 = suite("DBA409 a PDB that is hidden from the login");

const shown = (...names: readonly string[]) => ({
  containers: known(names.map((name) => ({ name, openMode: "READ WRITE" }))),
});
const NO_CONTAINERS = { container: false, connectedTo: "ORCL", name: "ORCL" };
const capturing = (...pdbs: readonly string[]) => ({
  tables: { pdbs, include: ".*", exclude: undefined, caseSensitive: false },
});

DBA409("passes where every captured PDB is visible, in whatever case the setting has it", () => {
  assert.match(resultOf(pdbNotSeen), /^pass/);
  assert.match(resultOf(pdbNotSeen, { settings: capturing("orclpdb1") }), /^pass/);
  assert.match(resultOf(pdbNotSeen, { database: NO_CONTAINERS, settings: capturing() }), /^pass/);
  const two = { settings: capturing("ORCLPDB1", "PDB2"), ...shown("CDB$ROOT", "ORCLPDB1", "PDB2") };
  assert.is(resultOf(pdbNotSeen, two), "pass: ORCLPDB1, PDB2 are visible");
});

DBA409("fails where only the root is visible to the login, with the statement that shows all PDBs", () => {
  const verdict = worded(pdbNotSeen).run(undefined, preflightReading(shown("CDB$ROOT")));
  assert.ok(verdict.verdict === "fail");
  assert.match(lineOf(verdict.remedies?.[0] ?? ""), "ALTER USER C##CDC SET CONTAINER_DATA=ALL CONTAINER=CURRENT;");
});

DBA409("fails as well where the login is unknown, with the user of the configuration, or a placeholder", () => {
  const on = { ...shown("CDB$ROOT"), account: unseen() };
  assert.match(
    resultOf(pdbNotSeen, { ...on, settings: { user: "C##NAMED" } }),
    "connected to CDB$ROOT, C##NAMED does not see ORCLPDB1",
  );
  assert.match(
    resultOf(pdbNotSeen, { ...on, settings: { user: undefined } }),
    "connected to CDB$ROOT, USER does not see ORCLPDB1",
  );
});

DBA409("fails inside another PDB, where no grant helps", () => {
  const inside = { database: { connectedTo: "OTHER" }, ...shown("OTHER") };
  assert.match(resultOf(pdbNotSeen, inside), /^fail: connected to OTHER, which does not show ORCLPDB1/);
  const verdict = worded(pdbNotSeen).run(undefined, preflightReading(inside));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.remedies?.map(lineOf).join() ?? "", "to the root, not to OTHER");
  assert.not.match(verdict.remedies?.map(lineOf).join() ?? "", "CONTAINER_DATA");
});

DBA409("reports a PDB that does not exist where all PDBs are visible to the login", () => {
  const result = resultOf(pdbNotSeen, { settings: capturing("ORCLPDB1", "TYPO") });
  assert.match(result, /^fail: PDB TYPO not found/);
});

DBA409("fails for PDBs of a database that has no containers", () => {
  assert.match(resultOf(pdbNotSeen, { database: NO_CONTAINERS }), /^fail: ORCL has no containers/);
});

DBA409("is unknown where no PDB is configured, or the containers cannot be read", () => {
  assert.match(resultOf(pdbNotSeen, { settings: capturing() }), /^unknown: cdc.database.pdbs is not set/);
  assert.match(resultOf(pdbNotSeen, { containers: unseen() }), /^unknown/);
  assert.match(resultOf(pdbNotSeen, { database: unseen() }), /^unknown/);
});

const DBA410 = suite("DBA410 a closed PDB");

const open = (openMode: string) => ({ containers: known([{ name: "ORCLPDB1", openMode }]) });

DBA410("passes for an open one, including read-only", () => {
  for (const mode of ["READ WRITE", "READ ONLY"]) assert.match(resultOf(pdbNotOpen, open(mode)), /^pass/);
  assert.match(resultOf(pdbNotOpen, { ...open("READ WRITE"), settings: capturing() }), /^unknown: .*none is named/);
});

DBA410("fails for one that is closed, being upgraded, or restricted, with the statement that opens it", () => {
  for (const mode of ["MOUNTED", "MIGRATE"])
    assert.match(resultOf(pdbNotOpen, open(mode)), "ALTER PLUGGABLE DATABASE ORCLPDB1 OPEN;");
  assert.match(resultOf(pdbNotOpen, open("READ WRITE RESTRICTED")), "ALTER SYSTEM DISABLE RESTRICTED SESSION;");
});

DBA410("does not apply to PDBs that are not captured, nor to a database without containers", () => {
  const containers = known([
    { name: "ORCLPDB1", openMode: "READ WRITE" },
    { name: "OTHER", openMode: "MOUNTED" },
  ]);
  assert.match(resultOf(pdbNotOpen, { containers }), /^pass/);
  assert.match(resultOf(pdbNotOpen, { database: { container: false }, containers: unseen() }), /^pass/);
});

DBA410("counts a PDB that is named twice once", () => {
  const tables = { pdbs: ["ORCLPDB1", "orclpdb1"], include: ".*", exclude: undefined, caseSensitive: false };
  assert.match(resultOf(pdbNotOpen, { settings: { tables } }), /^pass/);
});

DBA410("is unknown where one is hidden, except for one that is known to be closed", () => {
  const tables = { pdbs: ["ORCLPDB1", "HIDDEN"], include: ".*", exclude: undefined, caseSensitive: false };
  assert.match(resultOf(pdbNotOpen, { settings: { tables } }), /^unknown/);
  assert.match(resultOf(pdbNotOpen, { settings: { tables }, ...open("MOUNTED") }), /^fail/);
  assert.match(resultOf(pdbNotOpen, { containers: unseen() }), /^unknown/);
});

const SEVERAL = { pdbs: ["PDB1", "PDB2", "PDB3"], include: ".*", exclude: undefined, caseSensitive: false };
const several = (...modes: readonly string[]): PreflightParts => ({
  settings: { tables: SEVERAL },
  containers: known(modes.map((openMode, at) => ({ name: `PDB${at + 1}`, openMode }))),
});

DBA410("names of several only those that are not open", () => {
  assert.is(
    resultOf(pdbNotOpen, several("READ WRITE", "MOUNTED", "READ WRITE RESTRICTED")).split("\n")[0],
    "fail: the PDB PDB2 is MOUNTED, the PDB PDB3 is READ WRITE RESTRICTED",
  );
  assert.match(resultOf(pdbNotOpen, several("READ WRITE", "MOUNTED")), /^fail: the PDB PDB2 is MOUNTED$/m);
  assert.is(
    resultOf(pdbNotOpen, several("READ WRITE", "READ ONLY", "READ ONLY")),
    "pass: PDB1 is open READ WRITE, PDB2 is open READ ONLY, PDB3 is open READ ONLY",
  );
});

DBA409("names of several those that are hidden", () => {
  const inRoot = (...names: readonly string[]) => ({ settings: { tables: SEVERAL }, ...shown(...names) });
  assert.match(resultOf(pdbNotSeen, inRoot("PDB1", "OTHER")), "PDB2, PDB3");
  assert.match(resultOf(pdbNotSeen, inRoot("CDB$ROOT")), "PDB1, PDB2, PDB3");
  assert.match(resultOf(pdbNotSeen, inRoot("PDB1", "PDB2", "PDB3")), /^pass.*PDB1, PDB2, PDB3/);
  assert.match(resultOf(pdbNotSeen, { ...inRoot("A", "B"), database: { connectedTo: "A" } }), "PDB1, PDB2, PDB3");
});

DBA408.run();
DBA409.run();
DBA410.run();

const DBA412 = suite("DBA412 a PDB without a saved state");

DBA412("passes where it opens with the instance, and without containers", () => {
  assert.is(resultOf(noSavedState, { savedStates: known(["orclpdb1"]) }), "pass: ORCLPDB1: opens with the instance");
  assert.match(resultOf(noSavedState, { database: { container: false } }), "has no containers");
});

DBA412("warns otherwise, with the statement", () => {
  assert.is(
    resultOf(noSavedState, { savedStates: known(["PDB2"]) }),
    "fail: 1 of 1 captured PDB: no saved state\nORCLPDB1 | ALTER PLUGGABLE DATABASE ORCLPDB1 SAVE STATE;",
  );
});

DBA412("warns only for PDBs without a saved state", () => {
  const settings = capturing("ORCLPDB1", "PDB2");
  assert.is(
    resultOf(noSavedState, { settings, ...shown("ORCLPDB1", "PDB2", "OTHER"), savedStates: known(["PDB2"]) }),
    "fail: 1 of 2 captured PDBs: no saved state\nORCLPDB1 | ALTER PLUGGABLE DATABASE ORCLPDB1 SAVE STATE;",
  );
});

DBA412("passes where each of several PDBs has one", () => {
  const parts = { settings: capturing("ORCLPDB1", "PDB2"), ...shown("ORCLPDB1", "PDB2", "OTHER") };
  assert.is(
    resultOf(noSavedState, { ...parts, savedStates: known(["PDB2", "ORCLPDB1"]) }),
    "pass: ORCLPDB1, PDB2: opens with the instance",
  );
});

DBA412("is unknown where it cannot be read, and leaves a missing PDB to another check", () => {
  assert.is(resultOf(noSavedState, { savedStates: unseen("no grant") }), "unknown: no grant");
  assert.match(resultOf(noSavedState, { containers: known([]) }), "DBA409");
});

DBA412("counts several PDBs", () => {
  const tables = { pdbs: ["PDB1", "PDB2"], include: ".*", exclude: undefined, caseSensitive: false };
  const containers = known(tables.pdbs.map((name) => ({ name, openMode: "READ WRITE" })));
  assert.match(
    resultOf(noSavedState, { settings: { tables }, containers, savedStates: known(["PDB2"]) }),
    /^fail: 1 of 2 captured PDBs: no saved state\nPDB1 /,
  );
});

DBA412.run();
