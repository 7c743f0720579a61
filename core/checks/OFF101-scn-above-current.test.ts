import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, initial, intent, move } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { scnAboveCurrent } from "./OFF101-scn-above-current.ts";

const check = suite("OFF101 an SCN above the current one");

check("passes up to the current SCN itself", () => {
  const database = { currentScn: 2204511n };
  assert.is(effectOf(scnAboveCurrent, move({ from: 1n, to: 2204511n }, { database })), "none");
});

check("refuses the SCN after it, beyond 2^53 as well, and allowSkip changes nothing", () => {
  const database = { currentScn: 9007199254740993n };
  const on = move({ from: 1n, to: 9007199254740994n }, { database });
  for (const by of ["plan file", "admin"] as const)
    assert.is(effectOf(scnAboveCurrent, on, intent({ by, allowSkip: true, accept: ["OFF101"] })), "blocks");
});

check("concerns the first offset of a connector too", () => {
  assert.is(effectOf(scnAboveCurrent, initial({ to: 2241021n })), "blocks");
});

check("refuses a resnapshot whose stored position the database has not reached", () => {
  for (const on of [resnapshot.reading, resnapshot.pastTheGap]) {
    assert.is(resnapshot.effectOf(scnAboveCurrent, on({})), "none");
    assert.is(resnapshot.effectOf(scnAboveCurrent, on({ database: { currentScn: 5n } })), "blocks");
  }
});

check.run();
