import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { LEGACY_OFFSETS, RUNNING, STOPPED } from "../kinds/migration/testing/story.ts";
import { positionUnreadable } from "./MIG110-position-unreadable.ts";

const check = suite("MIG110 a position that can't be taken over");

check("passes for offsets that can be read, whether it runs, is paused or stopped: the cutover stops it", () => {
  for (const status of [STOPPED, RUNNING, { ...RUNNING, state: "PAUSED" }])
    assert.is(effectOf(positionUnreadable, cutover({ legacy: { status } })), "none");
});

const unreadable: readonly (readonly [string, Parameters<typeof cutover>[0], RegExp])[] = [
  ["a connector that is this one already", { legacy: { config: { "cdc.topic.prefix": "x" } } }, /not from/],
  ["no offset at all", { legacy: { offsets: [] } }, /no offset is stored/],
  [
    "a partition of unknown form",
    { legacy: { offsets: [{ partition: { a: 1n }, offset: { scn: 1n } }] } },
    /no form that is known/,
  ],
  [
    "an SCN that is none",
    { legacy: { offsets: [{ partition: { sidPdb: "A.B" }, offset: { scn: "x" } }] } },
    /no scn that can be read/,
  ],
];
for (const [name, parts, seen] of unreadable)
  check(`refuses ${name}`, () => {
    assert.is(effectOf(positionUnreadable, cutover(parts), intent({ accept: ["MIG110"] })), "blocks");
    assert.match(saidBy(positionUnreadable, cutover(parts)), seen);
  });

check("refuses a partition to leave out that is not there, and points at the plan file", () => {
  const wanted = intent({ from: { leaveOut: ["ORCLPDB1.SALES.ORDER"] } });
  assert.match(
    saidBy(positionUnreadable, cutover({ legacy: { offsets: LEGACY_OFFSETS } }, wanted), wanted),
    /no partition ORCLPDB1\.SALES\.ORDER to leave out\nDid you mean ORCLPDB1\.SALES\.ORDERS\?/,
  );
});

check.run();
