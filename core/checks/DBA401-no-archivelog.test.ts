import { suite } from "uvu";
import * as assert from "uvu/assert";
import { saidBy } from "../doctor/testing/build-preflight.ts";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { noArchivelog } from "./DBA401-no-archivelog.ts";

const check = suite("DBA401 NOARCHIVELOG mode");

check("passes in ARCHIVELOG mode; for a plan, manual or not", () => {
  for (const logMode of ["ARCHIVELOG", "MANUAL"])
    assert.is(effectOf(noArchivelog, reading({ database: { logMode } })), "none");
});

check("blocks unless it is accepted; admin goes on with a warning", () => {
  const on = reading({ database: { logMode: "NOARCHIVELOG" } });
  assert.is(effectOf(noArchivelog, on), "blocks");
  assert.is(effectOf(noArchivelog, on, intent({ accept: ["DBA401"] })), "accepted");
  assert.is(effectOf(noArchivelog, on, intent({ by: "admin" })), "warns");
});

check("concerns a resnapshot, whichever way it goes", () => {
  const parts = { database: { logMode: "NOARCHIVELOG" } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(noArchivelog, on), "blocks");
});

check("concerns a cutover: the new connector mines the same redo", () => {
  assert.is(migration.effectOf(noArchivelog, migration.cutover()), "none");
  assert.is(migration.effectOf(noArchivelog, migration.cutover({ database: { logMode: "NOARCHIVELOG" } })), "blocks");
});

check(
  "in a preflight is fine with ARCHIVELOG alone: nobody knows who archives by hand, or what another mode does",
  () => {
    assert.match(saidBy(noArchivelog), /^pass: .*ARCHIVELOG/);
    assert.match(saidBy(noArchivelog, { database: { logMode: "NOARCHIVELOG" } }), /^fail/);
    for (const logMode of ["MANUAL", "", "archivelog?"])
      assert.match(saidBy(noArchivelog, { database: { logMode } }), /^unknown/, logMode);
  },
);

check("is unknown for a mode that nobody knows, of a plan too", () => {
  assert.is.not(effectOf(noArchivelog, reading({ database: { logMode: "OTHER" } })), "none");
});

check.run();
