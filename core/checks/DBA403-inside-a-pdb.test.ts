import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import { insideAPdb } from "./DBA403-inside-a-pdb.ts";

const check = suite("DBA403 a login that leads into a PDB");

check("passes at the root, in a database without containers, and where mining from inside the PDB is meant", () => {
  assert.is(effectOf(insideAPdb, reading()), "none");
  assert.is(effectOf(insideAPdb, reading({ database: { container: false, connectedTo: "ORCL" } })), "none");
  assert.is(
    effectOf(insideAPdb, reading({ database: { connectedTo: "PDB1" }, connector: { miningMode: "range" } })),
    "none",
  );
});

check("blocks inside a PDB unless accepted", () => {
  const on = reading({ database: { connectedTo: "PDB1" } });
  assert.is(effectOf(insideAPdb, on), "blocks");
  assert.is(effectOf(insideAPdb, on, intent({ accept: ["DBA403"] })), "accepted");
});

check.run();
