/** Whatever is changed in a document or an answer: a documented exit code and a message, in time, and no secret. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { fuzz, judge, story } from "./fuzz.ts";
import { TARGETS } from "./targets.ts";

const fuzzing = suite("documents and answers that were changed");
const SEED = process.env["CDCCTL_FUZZ_SEED"] ?? "20261122";

for (const target of TARGETS) {
  fuzzing(
    `${target.name}: ${target.cases} changes end with a documented exit code, in time, without a secret`,
    async () => {
      const stage = await target.open();
      try {
        let { tried, wrong } = await judge(target, stage, undefined, 0);
        // The first one may spend its short limits on loading what the commands use, where the machine is busy.
        if (tried?.exit !== target.ends) ({ tried, wrong } = await judge(target, stage, undefined, 0));
        assert.is(tried?.exit, target.ends, tried?.output);
        assert.equal(wrong, []);
      } finally {
        await stage.close();
      }
      const { cases, failures } = await fuzz(target, SEED, 0, (done) => done < target.cases);
      assert.is(cases, target.cases);
      assert.is(failures.length, 0, failures.map(story).join("\n"));
    },
  );
}

fuzzing("there are at least 200 changes", () => {
  assert.ok(TARGETS.reduce((sum, { cases }) => sum + cases, 0) >= 200);
});

fuzzing.run();
