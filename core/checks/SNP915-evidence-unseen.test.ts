import { suite } from "uvu";
import * as assert from "uvu/assert";
import { NOBODY_LOOKED } from "../facts/resnapshot-facts.ts";
import { unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, ORDERS, PURGED, reading } from "../kinds/resnapshot/testing/build-facts.ts";
import { evidenceUnseen } from "./SNP915-evidence-unseen.ts";

const check = suite("SNP915 evidence that can't be seen");

const some = intent({ tables: [ORDERS] });
const forbidden = unseen("may not read CDB_TAB_MODIFICATIONS", "GRANT SELECT ANY DICTIONARY TO C##CDC;");

check("warns where unlisted tables would lose changes, with the grant", () => {
  const verdict = evidenceUnseen.run(some, reading({ catalogue: PURGED, activity: forbidden }, some));
  assert.ok(verdict.verdict === "unknown");
  assert.match(verdict.seen, "CDB_TAB_MODIFICATIONS");
  assert.equal(verdict.remedies, ["GRANT SELECT ANY DICTIONARY TO C##CDC;"]);
  assert.is(effectOf(evidenceUnseen, reading({ catalogue: PURGED, activity: forbidden }, some), some), "warns");
});

check("passes where it was seen, and where nobody had to look", () => {
  for (const parts of [
    { catalogue: PURGED },
    { catalogue: PURGED, activity: unseen(NOBODY_LOOKED) },
    { activity: forbidden },
  ])
    assert.is(effectOf(evidenceUnseen, reading(parts, some), some), "none");
});

check.run();
