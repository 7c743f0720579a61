import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { CATALOGUE, effectOf, intent, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { severalThreads } from "./RED203-several-threads.ts";

const check = suite("RED203 several redo threads");

check("passes for one enabled thread, whatever others were disabled", () => {
  assert.is(effectOf(severalThreads, reading()), "none");
});

check("warns of two enabled threads, and when the threads can't be seen", () => {
  const threads = CATALOGUE.threads.map((thread) => ({ ...thread, enabled: "PUBLIC" }));
  const on = reading({ catalogue: { ...CATALOGUE, threads } });
  const verdict = severalThreads.run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.is(verdict.seen, "2 redo threads are enabled (1, 2)");
  assert.is(effectOf(severalThreads, on), "warns");
  assert.is(severalThreads.run(intent(), reading({ redo: unseen() })).verdict, "unknown");
});

check("warns of a resnapshot too, whichever way it goes", () => {
  for (const catalogue of [CATALOGUE, resnapshot.PURGED]) {
    const threads = catalogue.threads.map((thread) => ({ ...thread, enabled: "PUBLIC" }));
    assert.is(
      resnapshot.effectOf(severalThreads, resnapshot.reading({ catalogue: { ...catalogue, threads } })),
      "warns",
    );
  }
});

check("warns of a cutover: the new connector supports one", () => {
  const threads = CATALOGUE.threads.map((thread) => ({ ...thread, enabled: "PUBLIC" }));
  assert.is(migration.effectOf(severalThreads, migration.cutover()), "none");
  assert.is(migration.effectOf(severalThreads, migration.cutover({ catalogue: { ...CATALOGUE, threads } })), "warns");
});

check.run();
