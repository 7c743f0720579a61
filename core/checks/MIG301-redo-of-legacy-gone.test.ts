import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, goingBack, intent, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { CATALOGUE, known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { redoOfLegacyGone } from "./MIG301-redo-of-legacy-gone.ts";

const check = suite("MIG301 redo from where the legacy connector stopped");

const GONE = { ...CATALOGUE, archived: CATALOGUE.archived.filter(({ sequence }) => sequence !== 119n) };

check("passes where all of it is there", () => {
  assert.is(effectOf(redoOfLegacyGone, goingBack()), "none");
});

check("blocks until it is accepted, and offers no start of the new connector as a way out", () => {
  const on = goingBack({ catalogue: GONE });
  assert.is(verdictOf(redoOfLegacyGone, on), "fail");
  assert.is(effectOf(redoOfLegacyGone, on), "blocks");
  assert.is(effectOf(redoOfLegacyGone, on, intent({ accept: ["MIG301"] })), "accepted");
  const said = saidBy(redoOfLegacyGone, on);
  assert.match(said, "RESTORE ARCHIVELOG FROM SEQUENCE 119");
  assert.match(said, "Or go on with the new connector");
  assert.not.match(said, "cdc.snapshot.mode");
});

check("never passes while it can't be seen", () => {
  for (const parts of [{ redo: unseen() }, { probes: unseen() }, { probes: known({ applies: false, files: [] }) }]) {
    assert.is(verdictOf(redoOfLegacyGone, goingBack(parts)), "unknown");
    assert.is(effectOf(redoOfLegacyGone, goingBack(parts)), "blocks");
  }
});

check.run();
