import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, saidBy, verification } from "../kinds/migration/testing/build-readings.ts";
import { nothingToVerify } from "./MIG203-nothing-to-verify.ts";

const check = suite("MIG203 a plan file without tables");

check("passes where the plan file says what is verified", () => {
  assert.is(effectOf(nothingToVerify, verification()), "none");
});

check("refuses one that does not: nothing compared would pass", () => {
  const wanted = intent({ phase: "verify", verify: null });
  assert.is(effectOf(nothingToVerify, verification({}, wanted), wanted), "blocks");
  assert.match(saidBy(nothingToVerify, verification({}, wanted), wanted), /^spec\.verify is missing/);
});

check.run();
