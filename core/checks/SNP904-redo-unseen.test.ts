import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, pastTheGap, reading, saidBy } from "../kinds/resnapshot/testing/build-facts.ts";
import { redoUnseen } from "./SNP904-redo-unseen.ts";

const check = suite("SNP904 redo that can't be seen");

check("passes where the catalogue was read and every file tried, whatever came of it", () => {
  assert.is(effectOf(redoUnseen, reading()), "none");
  assert.is(effectOf(redoUnseen, pastTheGap()), "none");
});

check("never passes while catalogue or files can't be seen, and can't be accepted", () => {
  for (const parts of [
    { redo: unseen() },
    { probes: unseen("ORA-01031") },
    { probes: known({ applies: false, files: [] }) },
  ]) {
    const on = reading(parts);
    assert.is(redoUnseen.run(intent(), on).verdict, "unknown");
    assert.is(effectOf(redoUnseen, on, intent({ accept: ["SNP904"] })), "blocks");
    assert.is(effectOf(redoUnseen, on, intent({ by: "admin" })), "blocks");
  }
});

check("says what would let it be seen", () => {
  assert.match(
    saidBy(redoUnseen, reading({ redo: unseen("ORA-00942", "GRANT SELECT ON V_$ARCHIVED_LOG") })),
    "V_$ARCHIVED_LOG",
  );
});

check("goes by the catalogue alone where the task adds no files itself", () => {
  const parts = { connector: { miningMode: "range" }, probes: known({ applies: false, files: [] }) };
  assert.is(effectOf(redoUnseen, reading(parts)), "none");
  assert.is(reading(parts).way, "signal");
  assert.is(pastTheGap(parts).way, "past the gap");
});

check("leaves a connector without a position to SNP909", () => {
  assert.is(effectOf(redoUnseen, reading({ stored: null, redo: unseen() })), "none");
});

check.run();
