import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading, STORED } from "../kinds/offset-change/testing/build-facts.ts";
import { offsetMovedOn } from "./OFF111-offset-moved-on.ts";

const check = suite("OFF111 an offset that moved on since the run");

const replacing = { ...STORED, resume_scn: 2169287n };
const restore = intent({
  by: "rollback",
  position: { to: "restore", run: "2026-11-21T09-15-40Z-7f3a", offset: STORED, replacing },
});

check("concerns restoring only", () => {
  assert.is(effectOf(offsetMovedOn, reading()), "none");
});

check("passes while the offset is the one that the run stored, or is restored already", () => {
  for (const stored of [replacing, STORED])
    assert.is(effectOf(offsetMovedOn, reading({ stored }, restore), restore), "none");
});

check("refuses as soon as one field differs, in value or in type", () => {
  for (const field of [{ journal_generation: 18n }, { last_commit_scn: 2204499n }, { resume_scn: "2169287" }]) {
    const on = reading({ stored: { ...replacing, ...field } }, restore);
    assert.is(effectOf(offsetMovedOn, on, restore), "blocks");
  }
});

check("refuses when the offset was removed since", () => {
  assert.is(effectOf(offsetMovedOn, reading({ stored: null }, restore), restore), "blocks");
});

check.run();
