import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, initial, intent, move } from "../kinds/offset-change/testing/build-facts.ts";
import { forwardSkipsCommits } from "./OFF103-forward-skips-commits.ts";

const check = suite("OFF103 a forward move skips commits");

check("is refused unless the plan file says so", () => {
  const on = move({ from: 2204511n, to: 2230000n });
  assert.is(forwardSkipsCommits.run(intent({ allowSkip: false }), on).verdict, "fail");
  assert.is(forwardSkipsCommits.run(intent({ allowSkip: true }), on).verdict, "pass");
});

check("can't be accepted by its code; only allowSkip says that it is meant", () => {
  const on = move({ from: 9n, to: 10n });
  assert.is(effectOf(forwardSkipsCommits, on, intent({ accept: ["OFF103"] })), "blocks");
  assert.is(effectOf(forwardSkipsCommits, on, intent({ by: "admin" })), "blocks");
});

check("tells how far it is, and names the way of the command that was used", () => {
  const on = move({ from: 2204511n, to: 2230000n });
  const verdict = forwardSkipsCommits.run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "2230000 is 25489 SCNs ahead of the stored 2204511");
  assert.match((verdict.remedies ?? []).join(), "spec.allowSkip: true");
  const admin = forwardSkipsCommits.run(intent({ by: "admin" }), on);
  assert.match(JSON.stringify(admin), "--allow-skip");
});

check("never concerns a move back, to the same SCN, or an initial offset", () => {
  for (const on of [move({ from: 10n, to: 9n }), move({ from: 9n, to: 9n }), initial({ to: 9n })])
    assert.is(forwardSkipsCommits.run(intent({ allowSkip: false }), on).verdict, "pass");
});

check.run();
