import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, goingBack, intent } from "../kinds/migration/testing/build-readings.ts";
import { legacyOtherIncarnation } from "./MIG304-legacy-other-incarnation.ts";

const check = suite("MIG304 a legacy position of another incarnation");

check("passes in the incarnation that it was taken in", () => {
  assert.is(effectOf(legacyOtherIncarnation, goingBack()), "none");
});

check("refuses after a RESETLOGS, and in a database that has not come to the SCN", () => {
  for (const database of [{ resetlogsScn: 2200000n }, { currentScn: 2170000n }])
    assert.is(effectOf(legacyOtherIncarnation, goingBack({ database }), intent({ accept: ["MIG304"] })), "blocks");
});

check.run();
