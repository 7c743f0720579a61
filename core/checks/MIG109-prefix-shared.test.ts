import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { other } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { prefixShared } from "./MIG109-prefix-shared.ts";

const check = suite("MIG109 a prefix that another connector has");

check("passes where no other connector has it", () => {
  const others = known([other("a", { prefix: "orders2" }), other("b")]);
  assert.is(effectOf(prefixShared, cutover({ others })), "none");
});

check("blocks until it is accepted, and names who has it", () => {
  const on = cutover({ others: known([other("a", { prefix: "orders" }), other("b", { prefix: " orders " })]) });
  assert.is(effectOf(prefixShared, on), "blocks");
  assert.is(effectOf(prefixShared, on, intent({ accept: ["MIG109"] })), "accepted");
  assert.match(saidBy(prefixShared, on), "a and b have the prefix orders too");
});

check("can't tell by a prefix that only the worker resolves", () => {
  const on = cutover({ others: known([other("a", { prefix: `$${"{file:/etc/x:prefix}"}` })]) });
  assert.is(verdictOf(prefixShared, on), "unknown");
  assert.is(effectOf(prefixShared, on), "blocks");
});

check("never passes while the others can't be seen", () => {
  assert.is(effectOf(prefixShared, cutover({ others: unseen() })), "blocks");
});

check.run();
