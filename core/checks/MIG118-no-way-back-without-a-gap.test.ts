import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { noWayBackWithoutAGap } from "./MIG118-no-way-back-without-a-gap.ts";

const check = suite("MIG118 a cutover that can't be rolled back");

check("passes for a legacy connector that starts from its stored offsets", () => {
  assert.is(effectOf(noWayBackWithoutAGap, cutover()), "none");
  assert.is(effectOf(noWayBackWithoutAGap, cutover({ properties: { "start.from": "snapshot" } })), "none");
});

check("warns of force_current", () => {
  const on = cutover({ properties: { "start.from": "force_current" } });
  assert.is(effectOf(noWayBackWithoutAGap, on), "warns");
  assert.match(saidBy(noWayBackWithoutAGap, on), /a rollback is refused \(MIG307\)/);
});

check.run();
