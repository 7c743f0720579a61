import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, goingBack, intent } from "../kinds/migration/testing/build-readings.ts";
import { RUNNING } from "../kinds/migration/testing/story.ts";
import { legacyPositionUnreadable } from "./MIG302-legacy-position-unreadable.ts";

const check = suite("MIG302 where the legacy connector would go on");

check("passes for offsets that can be read, whether it is stopped or not", () => {
  assert.is(effectOf(legacyPositionUnreadable, goingBack()), "none");
  assert.is(effectOf(legacyPositionUnreadable, goingBack({ legacy: { status: RUNNING } })), "none");
});

check("refuses no offset, one of unknown form, and a connector that is not the legacy one", () => {
  for (const legacy of [
    { offsets: [] },
    { offsets: [{ partition: { x: 1n }, offset: { scn: 1n } }] },
    { config: { "cdc.topic.prefix": "orders" } },
  ])
    assert.is(effectOf(legacyPositionUnreadable, goingBack({ legacy }), intent({ accept: ["MIG302"] })), "blocks");
});

check.run();
