import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { manualPropertiesOpen } from "./MIG101-manual-properties-open.ts";

const check = suite("MIG101 properties that nothing translates");

const PROPERTIES = { "key.template": "x", "oracle.date.mapping": "timestamp" };
const accepting = (...accept: readonly string[]) => intent({ accept });

check("passes where everything is translated", () => {
  assert.is(effectOf(manualPropertiesOpen, cutover()), "none");
});

check("refuses, and names each with what is to be done", () => {
  const said = saidBy(manualPropertiesOpen, cutover({ properties: PROPERTIES }));
  assert.match(said, /^key\.template: the key is .*; oracle\.date\.mapping: a DATE is/);
  assert.match(said, '["key.template","oracle.date.mapping"]');
});

check("each has to be named by itself", () => {
  const one = accepting("key.template");
  assert.is(effectOf(manualPropertiesOpen, cutover({ properties: PROPERTIES }, one), one), "blocks");
  assert.not.match(saidBy(manualPropertiesOpen, cutover({ properties: PROPERTIES }, one), one), "key.template");
  const both = accepting("oracle.date.mapping", "key.template");
  assert.is(effectOf(manualPropertiesOpen, cutover({ properties: PROPERTIES }, both), both), "none");
});

check("is not accepted as a whole, by its code", () => {
  const code = accepting("MIG101");
  assert.is(effectOf(manualPropertiesOpen, cutover({ properties: PROPERTIES }, code), code), "blocks");
});

check("names every one of very many, and never a value", () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`x.unknown.${i}`, `hunter${i}`]));
  const said = saidBy(manualPropertiesOpen, cutover({ properties: many }));
  for (const name of Object.keys(many)) assert.match(said, `${name}: `);
  assert.not.match(said, "hunter");
});

check.run();
