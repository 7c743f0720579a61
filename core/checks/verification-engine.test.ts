import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, resultOf, verdictOf, verification } from "../kinds/migration/testing/build-readings.ts";
import { notSubmittable } from "./verification-engine.ts";

const MIG211 = suite("MIG211 a context that cannot submit to Spark");

const wanted = intent({ phase: "verify", verify: { engine: "spark" } });
const on = (spark: Parameters<typeof verification>[0]) => verification(spark, wanted);

MIG211("passes where the verification is local, whatever the context has", () => {
  const local = intent({ phase: "verify" });
  for (const spark of [undefined, { context: undefined, submit: undefined, onCluster: false }])
    assert.is(effectOf(notSubmittable, verification({ spark }, local), local), "none");
});

MIG211("passes with a program that submits, and a context name", () => {
  const reading = on({ spark: { context: "prod", submit: "spark-submit", onCluster: false } });
  assert.is(effectOf(notSubmittable, reading, wanted), "none");
  assert.is(verdictOf(notSubmittable, reading, wanted), "pass");
});

MIG211("refuses, even where it is accepted, with the missing key", () => {
  for (const [spark, text] of [
    [undefined, /reached by a URL/],
    [{ context: undefined, submit: undefined, onCluster: false }, /reached by a URL/],
    [{ context: "prod", submit: undefined, onCluster: false }, /the context prod has no spark\.submit/],
    [{ context: "prod", submit: "spark-submit", onCluster: true }, /of the context prod uses cluster deploy mode/],
  ] as const) {
    const reading = on({ spark });
    assert.is(effectOf(notSubmittable, reading, { ...wanted, accept: ["MIG211"] }), "blocks");
    assert.match(resultOf(notSubmittable, reading, wanted), text);
  }
});

MIG211.run();
