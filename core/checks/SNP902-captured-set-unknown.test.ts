import { suite } from "uvu";
import * as assert from "uvu/assert";
import { unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, pastTheGap, reading, saidBy } from "../kinds/resnapshot/testing/build-facts.ts";
import { capturedSetUnknown } from "./SNP902-captured-set-unknown.ts";

const check = suite("SNP902 a captured set that is not known");

check("passes where it is known, were it empty", () => {
  assert.is(effectOf(capturedSetUnknown, reading()), "none");
  assert.is(effectOf(capturedSetUnknown, reading({ tables: [] })), "none");
});

check("refuses, for a signal too, whatever is accepted: nobody guesses about lost data", () => {
  const parts = { dictionary: unseen("ORA-00942 on CDB_TABLES", "GRANT SELECT ANY DICTIONARY TO C##CDC") };
  const wanted = intent({ accept: ["SNP902"], skipGapForUnlistedTables: "all" });
  for (const on of [reading(parts, wanted), pastTheGap(parts, wanted)]) {
    assert.is(effectOf(capturedSetUnknown, on, wanted), "blocks");
    assert.is(effectOf(capturedSetUnknown, on, intent({ by: "admin" })), "blocks");
    assert.match(saidBy(capturedSetUnknown, on), "can't be told: ORA-00942 on CDB_TABLES");
    assert.match(saidBy(capturedSetUnknown, on), "GRANT SELECT ANY DICTIONARY TO C##CDC");
  }
});

check("has a remedy of its own where the case has none", () => {
  assert.match(saidBy(capturedSetUnknown, reading({ dictionary: unseen() })), capturedSetUnknown.remedy);
});

check("refuses a configuration without cdc.tables.include", () => {
  const connector = { tables: { pdbs: ["ORCLPDB1"], include: undefined, exclude: undefined, caseSensitive: false } };
  assert.match(saidBy(capturedSetUnknown, reading({ connector })), "cdc.tables.include");
});

check.run();
