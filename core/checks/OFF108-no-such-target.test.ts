import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CATALOGUE, effectOf, intent, reading, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { noSuchTarget } from "./OFF108-no-such-target.ts";

const check = suite("OFF108 a position that leads to no SCN");

const timestamp = intent({ position: { to: "timestamp", timestamp: "2020-11-20T00:00:00Z" } });
const earliest = intent({ position: { to: "earliestAvailable" } });

check("passes for an SCN, and for a timestamp that the database knows", () => {
  assert.is(effectOf(noSuchTarget, reading()), "none");
  assert.is(
    effectOf(noSuchTarget, reading({ target: { by: "timestamp", scn: 2169287n } }, timestamp), timestamp),
    "none",
  );
});

check("refuses a timestamp outside what the database remembers", () => {
  const on = reading({ target: { by: "timestamp", scn: undefined } }, timestamp);
  assert.is(effectOf(noSuchTarget, on, timestamp), "blocks");
});

check(
  "refuses a timestamp that the server's offset now may not convert: on the other side of a change, or in the " +
    "hour that came twice",
  () => {
    const at = (instant: string) => {
      const wanted = intent({ position: { to: "timestamp", timestamp: instant } });
      return [reading({ target: { by: "timestamp", scn: 2169287n } }, wanted), wanted] as const;
    };
    for (const instant of ["2026-10-25T00:59:00Z", "2026-10-25T01:30:00Z", "2026-07-01T00:00:00Z"]) {
      const [on, wanted] = at(instant);
      assert.is(effectOf(noSuchTarget, on, wanted), "blocks", instant);
      assert.match(JSON.stringify(noSuchTarget.run(wanted, on)), "could be an hour off");
    }
    const [on, wanted] = at("2026-10-25T04:00:00Z");
    assert.is(effectOf(noSuchTarget, on, wanted), "none");
  },
);

check("the earliest available SCN is that of the catalogue's oldest unbroken log", () => {
  const on = reading({ target: { by: "earliestAvailable" } }, earliest);
  assert.equal(on.target, { pinned: true, scn: 2100000n });
});

check("a log that can't be opened moves the earliest available SCN past it", () => {
  const on = reading({ target: { by: "earliestAvailable" }, unopened: ["/arch/1_119_1.arc"] }, earliest);
  assert.equal(on.target, { pinned: true, scn: 2190000n });
});

check("refuses the earliest available where the redo can't be seen, or there is none", () => {
  for (const parts of [{ redo: unseen("ORA-00942") }, { catalogue: { ...CATALOGUE, archived: [], online: [] } }]) {
    const on = reading({ target: { by: "earliestAvailable" }, ...parts }, earliest);
    assert.is(effectOf(noSuchTarget, on, earliest), "blocks");
  }
});

check.run();
