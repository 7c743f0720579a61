import { suite } from "uvu";
import * as assert from "uvu/assert";
import { hiddenPdb } from "./hidden-pdb.ts";

const hidden = suite("a configured PDB that is hidden");

const ROOT = { name: "CDB$ROOT", openMode: "READ WRITE" };
const pdb = (openMode: string, name = "ORCLPDB1") => ({ name, openMode });

hidden("is none that is open, whatever the case of its name; nor one that is closed and not configured", () => {
  for (const mode of ["READ WRITE", "READ ONLY", "READ WRITE RESTRICTED"])
    assert.is(hiddenPdb(["orclpdb1"], [ROOT, pdb(mode), pdb("MOUNTED", "OTHER")]), undefined);
});

hidden("is one that this login does not see, which is let see", () => {
  const said = hiddenPdb(["ORCLPDB1", "ORCLPDB2"], [ROOT, pdb("READ WRITE")]);
  assert.match(said?.why ?? "", "does not see the PDB ORCLPDB2");
  assert.match(said?.remedy ?? "", "SET CONTAINER_DATA=ALL CONTAINER=CURRENT;");
});

hidden("is one that is not open, which is opened", () => {
  for (const mode of ["MOUNTED", "MIGRATE"]) {
    const said = hiddenPdb(["orclpdb1"], [ROOT, pdb(mode)]);
    assert.match(said?.why ?? "", `ORCLPDB1 is ${mode}`);
    assert.is(said?.remedy, "Open it:  ALTER PLUGGABLE DATABASE ORCLPDB1 OPEN;");
  }
});

hidden.run();
