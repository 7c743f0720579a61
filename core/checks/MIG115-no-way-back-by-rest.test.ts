import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { noWayBackByRest } from "./MIG115-no-way-back-by-rest.ts";

const check = suite("MIG115 workers that can't delete offsets");
const on = (version: string) => cutover({ worker: { version } });

check("passes for workers that can", () => {
  for (const version of ["3.6.0", "3.9.2", "4.1.0", "7.6.1-ccs"])
    assert.is(effectOf(noWayBackByRest, on(version)), "none");
});

check("warns of those that can't, and of those that don't say", () => {
  for (const version of ["3.5.1", "7.5.0-ce", "2025.1"])
    assert.is(effectOf(noWayBackByRest, on(version)), "warns", version);
  assert.match(saidBy(noWayBackByRest, on("3.5.1")), /Kafka Connect 3\.5\.1, which can't delete offsets/);
});

check.run();
