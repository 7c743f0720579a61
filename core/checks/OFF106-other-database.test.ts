import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, initial, intent, reading, STORED } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { otherDatabase } from "./OFF106-other-database.ts";

const check = suite("OFF106 an offset of another database");

check("passes when dbid and resetlogs SCN are those of the connected database, as number or text", () => {
  assert.is(effectOf(otherDatabase, reading()), "none");
  assert.is(effectOf(otherDatabase, reading({ stored: { ...STORED, dbid: "2914731", resetlogs_scn: "1" } })), "none");
});

check("refuses another dbid or another incarnation, and says what each way out loses", () => {
  for (const database of [{ dbid: 7n }, { resetlogsScn: 2200000n }]) {
    const on = reading({ database });
    const verdict = otherDatabase.run(intent(), on);
    assert.ok(verdict.verdict === "fail");
    assert.match(
      (verdict.remedies ?? []).join("\n"),
      /nothing is lost[\s\S]*Deletes between[\s\S]*Every change between/,
    );
    assert.is(effectOf(otherDatabase, on, intent({ accept: ["OFF106"] })), "blocks");
  }
});

check("an identity of 0 is another database's, not an absent one", () => {
  assert.is(effectOf(otherDatabase, reading({ stored: { ...STORED, dbid: 0n } })), "blocks");
});

check("warns of an offset that does not say where it is from", () => {
  for (const name of ["dbid", "resetlogs_scn"]) {
    const on = reading({ stored: { ...STORED, [name]: null } });
    assert.is(otherDatabase.run(intent(), on).verdict, "unknown");
    assert.is(effectOf(otherDatabase, on), "warns");
  }
});

check("does not concern a connector without an offset", () => {
  assert.is(effectOf(otherDatabase, initial({ to: 2169287n })), "none");
});

check("refuses a resnapshot too: its position means nothing in another database", () => {
  const parts = { database: { dbid: 7n } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(otherDatabase, on), "blocks");
});

check.run();
