import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { acceptedInVain } from "./MIG113-accepted-in-vain.ts";

const check = suite("MIG113 names that accept nothing");

const on = (...accept: readonly string[]) => {
  const wanted = intent({ accept });
  return [cutover({ properties: { "key.template": "x" } }, wanted), wanted] as const;
};

check("passes for names of manual properties, and for codes", () => {
  assert.is(effectOf(acceptedInVain, ...on("key.template", "MIG108")), "none");
});

check("warns of any other name, with the one that was probably meant", () => {
  assert.is(effectOf(acceptedInVain, ...on("key.templte")), "warns");
  assert.match(saidBy(acceptedInVain, ...on("key.templte")), "did you mean key.template?");
  assert.match(
    saidBy(acceptedInVain, ...on("key.template", "other")),
    /^other is no manual property of the legacy connector\n/,
  );
});

check.run();
