import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
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

check("concerns a resnapshot, whichever way it goes", () => {
  const parts = { database: { connectedTo: "ORCLPDB1" } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(insideAPdb, on), "blocks");
});

check("concerns a cutover, by the settings that the new connector would have", () => {
  const inside = { database: { connectedTo: "ORCLPDB1" } };
  assert.is(migration.effectOf(insideAPdb, migration.cutover(inside)), "blocks");
  assert.is(
    migration.effectOf(insideAPdb, migration.cutover({ ...inside, settings: { miningMode: "range" } })),
    "none",
  );
});

check.run();
