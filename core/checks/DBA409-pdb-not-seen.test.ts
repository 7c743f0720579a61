import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, preflightReading, saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { pdbNotSeen } from "./DBA409-pdb-not-seen.ts";

const check = suite("DBA409 a PDB that the login does not see");

const shown = (...names: readonly string[]) => ({
  containers: known(names.map((name) => ({ name, openMode: "READ WRITE" }))),
});
const NO_CONTAINERS = { container: false, connectedTo: "ORCL", name: "ORCL" };
const capturing = (...pdbs: readonly string[]) => ({
  tables: { pdbs, include: ".*", exclude: undefined, caseSensitive: false },
});

check("passes where every captured PDB is seen, in whatever case the setting has it", () => {
  assert.match(saidBy(pdbNotSeen), /^pass/);
  assert.match(saidBy(pdbNotSeen, { settings: capturing("orclpdb1") }), /^pass/);
  assert.match(saidBy(pdbNotSeen, { database: NO_CONTAINERS, settings: capturing() }), /^pass/);
});

check("fails where the login sees the root alone, with the statement that shows it all", () => {
  const verdict = pdbNotSeen.run(undefined, preflightReading(shown("CDB$ROOT")));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.remedies?.[0] ?? "", "ALTER USER C##CDC SET CONTAINER_DATA=ALL CONTAINER=CURRENT;");
});

check("fails inside of another PDB, where no grant helps", () => {
  const inside = { database: { connectedTo: "OTHER" }, ...shown("OTHER") };
  assert.match(saidBy(pdbNotSeen, inside), /^fail: connected to OTHER, where nothing is seen of ORCLPDB1/);
  const verdict = pdbNotSeen.run(undefined, preflightReading(inside));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.remedies?.join() ?? "", "to the root, not to OTHER");
  assert.not.match(verdict.remedies?.join() ?? "", "CONTAINER_DATA");
});

check("says that there is no such PDB where the login sees all there are", () => {
  const said = saidBy(pdbNotSeen, { settings: capturing("ORCLPDB1", "TYPO") });
  assert.match(said, /^fail: there is no PDB TYPO/);
});

check("fails for PDBs of a database that has no containers", () => {
  assert.match(saidBy(pdbNotSeen, { database: NO_CONTAINERS }), /^fail: ORCL has no containers/);
});

check("is unknown where nobody says which PDBs, or the containers can't be seen", () => {
  assert.match(saidBy(pdbNotSeen, { settings: capturing() }), /^unknown: cdc.database.pdbs is not set/);
  assert.match(saidBy(pdbNotSeen, { containers: unseen() }), /^unknown/);
  assert.match(saidBy(pdbNotSeen, { database: unseen() }), /^unknown/);
});

check.run();
