import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, saidBy, unseen } from "../doctor/testing/build-preflight.ts";
import { pdbNotOpen } from "./DBA410-pdb-not-open.ts";

const check = suite("DBA410 a closed PDB");

const open = (openMode: string) => ({ containers: known([{ name: "ORCLPDB1", openMode }]) });

check("passes for one that is open, to read alone as well", () => {
  for (const mode of ["READ WRITE", "READ ONLY"]) assert.match(saidBy(pdbNotOpen, open(mode)), /^pass/);
});

check("fails for one that is closed, being upgraded, or restricted, with the statement that opens it", () => {
  for (const mode of ["MOUNTED", "MIGRATE"])
    assert.match(saidBy(pdbNotOpen, open(mode)), "ALTER PLUGGABLE DATABASE ORCLPDB1 OPEN;");
  assert.match(saidBy(pdbNotOpen, open("READ WRITE RESTRICTED")), "ALTER SYSTEM DISABLE RESTRICTED SESSION;");
});

check("does not concern PDBs that are not captured, nor a database without containers", () => {
  const containers = known([
    { name: "ORCLPDB1", openMode: "READ WRITE" },
    { name: "OTHER", openMode: "MOUNTED" },
  ]);
  assert.match(saidBy(pdbNotOpen, { containers }), /^pass/);
  assert.match(saidBy(pdbNotOpen, { database: { container: false }, containers: unseen() }), /^pass/);
});

check("takes a PDB that is named twice for one", () => {
  const tables = { pdbs: ["ORCLPDB1", "orclpdb1"], include: ".*", exclude: undefined, caseSensitive: false };
  assert.match(saidBy(pdbNotOpen, { settings: { tables } }), /^pass/);
});

check("is unknown where one is not seen, but for one that is seen to be closed", () => {
  const tables = { pdbs: ["ORCLPDB1", "HIDDEN"], include: ".*", exclude: undefined, caseSensitive: false };
  assert.match(saidBy(pdbNotOpen, { settings: { tables } }), /^unknown/);
  assert.match(saidBy(pdbNotOpen, { settings: { tables }, ...open("MOUNTED") }), /^fail/);
  assert.match(saidBy(pdbNotOpen, { containers: unseen() }), /^unknown/);
});

check.run();
