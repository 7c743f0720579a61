import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { lateCommitPossible } from "./CON304-late-commit-possible.ts";

const check = suite("CON304 a late commit is possible");

check("always warns, because exactly-once support can't be seen, and never blocks", () => {
  for (const by of ["plan file", "admin", "rollback"] as const)
    assert.is(effectOf(lateCommitPossible, reading(), intent({ by })), "warns");
});

check("does not concern a signal alone: no offset is changed", () => {
  const parts = {};
  assert.is(resnapshot.effectOf(lateCommitPossible, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(lateCommitPossible, resnapshot.pastTheGap(parts)), "warns");
});

check(
  "of a cutover says that it is overlap; of the way back, while there is an offset to delete, that it undoes it",
  () => {
    assert.match(migration.saidBy(lateCommitPossible, migration.cutover()), "overlap, never a gap");
    assert.match(migration.saidBy(lateCommitPossible, migration.goingBack()), "could undo the change");
    assert.is(migration.effectOf(lateCommitPossible, migration.goingBack({ next: null })), "none");
  },
);

check.run();
