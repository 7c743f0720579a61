import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading, STORED } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { laterOffsetVersion } from "./OFF104-later-offset-version.ts";

const check = suite("OFF104 a later version of the stored offset");

check("passes for version 1, as number or text, and for an offset that says none", () => {
  const { v: _v, ...without } = STORED;
  for (const stored of [STORED, { ...STORED, v: "1" }, without])
    assert.is(effectOf(laterOffsetVersion, reading({ stored })), "none");
});

check("refuses a later one as CDC-3002, whatever else the offset holds", () => {
  for (const stored of [{ ...STORED, v: 2n }, { v: "3" }]) {
    const verdict = laterOffsetVersion.run(intent(), reading({ stored }));
    assert.ok(verdict.verdict === "fail");
    assert.match(verdict.seen, "CDC-3002");
  }
});

check("refuses a resnapshot too: whether redo is gone is asked from the stored position on", () => {
  const parts = { stored: { v: 2n, resume_scn: 2204511n } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(laterOffsetVersion, on), "blocks");
});

check.run();
