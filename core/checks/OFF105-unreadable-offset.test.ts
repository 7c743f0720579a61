import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading, STORED } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { unreadableOffset } from "./OFF105-unreadable-offset.ts";

const check = suite("OFF105 a stored offset that can't be read");

check("passes for SCNs as text and for every form of the ledger", () => {
  for (const stored of [
    { ...STORED, resume_scn: "2204511" },
    { ...STORED, released_xids: ["1:4.9.771"] },
    { ...STORED, released_xids: null },
  ])
    assert.is(effectOf(unreadableOffset, reading({ stored })), "none");
});

const damaged: readonly (readonly [string, object])[] = [
  ["no resume SCN", { resume_scn: null }],
  ["a resume SCN that is no number", { resume_scn: "abc" }],
  ["a negative resume SCN", { resume_scn: -1n }],
  ["a list in place of the resume SCN", { resume_scn: [1n] }],
  ["a version that is none", { v: "one" }],
  ["a ledger of another form", { released_xids: { a: 1n } }],
  ["a database identity that is none", { dbid: "ORCL" }],
];
for (const [name, field] of damaged)
  check(`refuses ${name}: neither direction nor what to keep can be told`, () => {
    const on = reading({ stored: { ...STORED, ...field } });
    assert.is(effectOf(unreadableOffset, on, intent({ accept: ["OFF105"] })), "blocks");
    assert.is(on.after, undefined);
  });

check("refuses a resnapshot too: whether redo is gone is asked from the stored position on", () => {
  const parts = { stored: { resume_scn: "here" } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(unreadableOffset, on), "blocks");
});

check.run();
