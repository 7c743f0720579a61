import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, goingBack, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_CONFIG } from "../kinds/migration/testing/story.ts";
import { legacyStartsAtCurrent } from "./MIG307-legacy-starts-at-current.ts";

const check = suite("MIG307 a legacy connector that would start at the current SCN");

const from = (value: string) => goingBack({ legacy: { config: { ...LEGACY_CONFIG, "start.from": value } } });

check("passes for every other start: with stored offsets it is not used", () => {
  for (const value of ["snapshot", "current", "2169287", ""])
    assert.is(effectOf(legacyStartsAtCurrent, from(value)), "none");
  assert.is(effectOf(legacyStartsAtCurrent, goingBack()), "none");
});

check("refuses force_current, whatever is accepted", () => {
  for (const value of ["force_current", " FORCE_CURRENT "]) {
    assert.is(effectOf(legacyStartsAtCurrent, from(value), intent({ accept: ["MIG307"] })), "blocks");
    assert.match(saidBy(legacyStartsAtCurrent, from(value)), /would skip what was committed since it stopped/);
  }
});

check.run();
