import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, reading } from "../kinds/offset-change/testing/build-facts.ts";
import { noStoredOffset } from "./OFF110-no-stored-offset.ts";

const check = suite("OFF110 no offset stored yet");

check("passes when one is stored", () => {
  assert.is(effectOf(noStoredOffset, reading()), "none");
});

check("warns of a first offset, and never blocks it: no entry, a null or an empty one", () => {
  for (const offsets of [
    [],
    [{ partition: { server: "orders" }, offset: null }],
    [{ partition: { server: "orders" }, offset: {} }],
  ]) {
    const on = reading({ connector: { offsets } });
    assert.is(effectOf(noStoredOffset, on), "warns");
    assert.is(on.move?.direction, "initial");
  }
});

check.run();
