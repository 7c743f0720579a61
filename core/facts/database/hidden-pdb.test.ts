import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lineOf } from "../../values/remedy.ts";
import { hiddenPdb, mayHidePdbs } from "./database.ts";

const hidden = suite("a configured PDB that is hidden");

const ROOT = { name: "CDB$ROOT", openMode: "READ WRITE" };
const pdb = (openMode: string, name = "ORCLPDB1") => ({ name, openMode });

hidden("is not one that is open, whatever the case of its name; nor one that is closed and not configured", () => {
  for (const mode of ["READ WRITE", "READ ONLY", "READ WRITE RESTRICTED"])
    assert.is(hiddenPdb(["orclpdb1"], [ROOT, pdb(mode), pdb("MOUNTED", "OTHER")]), undefined);
});

hidden("is one that is hidden from this login, which a grant shows", () => {
  const result = hiddenPdb(["ORCLPDB1", "ORCLPDB2"], [ROOT, pdb("READ WRITE")]);
  assert.match(result?.why ?? "", "does not see the PDB ORCLPDB2");
  assert.match(lineOf(result?.remedy ?? ""), "SET CONTAINER_DATA=ALL CONTAINER=CURRENT;");
});

hidden("is any other than the one that the login is inside, which no grant fixes", () => {
  const result = hiddenPdb(["ORCLPDB1"], [pdb("READ WRITE", "OTHER")]);
  assert.match(result?.why ?? "", "inside OTHER and does not see the PDB ORCLPDB1");
  assert.match(lineOf(result?.remedy ?? ""), "to the root, not to OTHER");
  assert.match(lineOf(result?.remedy ?? ""), "connect to ORCLPDB1 itself");
  assert.not.match(lineOf(result?.remedy ?? ""), "CONTAINER_DATA");
});

hidden("is any in a database that has no containers", () => {
  const result = hiddenPdb(["ORCLPDB1"], [{ ...pdb("READ WRITE", "ORCL"), id: 0n }]);
  assert.match(result?.why ?? "", "ORCL has no containers, but cdc.database.pdbs names ORCLPDB1");
  assert.match(lineOf(result?.remedy ?? ""), "Remove cdc.database.pdbs from");
  assert.is(hiddenPdb([], [{ ...pdb("READ WRITE", "ORCL"), id: 0n }]), undefined);
});

hidden("is searched for in a container database, except inside the one that is configured", () => {
  assert.ok(mayHidePdbs(["ORCLPDB1"], { container: true, connectedTo: "CDB$ROOT" }));
  assert.ok(mayHidePdbs(["ORCLPDB1"], { container: true, connectedTo: "OTHER" }));
  assert.ok(mayHidePdbs(["ORCLPDB1", "OTHER"], { container: true, connectedTo: "OTHER" }));
  assert.not.ok(mayHidePdbs(["orclpdb1"], { container: true, connectedTo: "ORCLPDB1" }));
  assert.not.ok(mayHidePdbs([], { container: true, connectedTo: "CDB$ROOT" }));
  assert.not.ok(mayHidePdbs(["ORCLPDB1"], { container: false, connectedTo: "ORCL" }));
});

hidden("is one that is not open, which is opened", () => {
  for (const mode of ["MOUNTED", "MIGRATE"]) {
    const result = hiddenPdb(["orclpdb1"], [ROOT, pdb(mode)]);
    assert.match(result?.why ?? "", `ORCLPDB1 is ${mode}`);
    assert.equal(result?.remedy, { text: "Open it", sql: "ALTER PLUGGABLE DATABASE ORCLPDB1 OPEN;" });
  }
});

hidden.run();
