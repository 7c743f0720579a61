import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  CATALOGUE,
  effectOf,
  initial,
  intent,
  move,
  reading,
  unseen,
} from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { lineOf } from "../values/remedy.ts";
import { forwardSkipsCommits, noSuchTarget, scnAboveCurrent, storedAboveCurrent } from "./offset-target.ts";
import { worded } from "./testing/wording.ts";

const OFF101 = suite("OFF101 an SCN above the current one");

OFF101("passes up to the current SCN itself", () => {
  const database = { currentScn: 2204511n };
  assert.is(effectOf(scnAboveCurrent, move({ from: 1n, to: 2204511n }, { database })), "none");
});

OFF101("refuses the SCN after it, beyond 2^53 as well, and allowSkip changes nothing", () => {
  const database = { currentScn: 9007199254740993n };
  const on = move({ from: 1n, to: 9007199254740994n }, { database });
  for (const by of ["plan file", "admin"] as const)
    assert.is(effectOf(scnAboveCurrent, on, intent({ by, allowSkip: true, accept: ["OFF101"] })), "blocks");
});

OFF101("applies to the first offset of a connector too", () => {
  assert.is(effectOf(scnAboveCurrent, initial({ to: 2241021n })), "blocks");
});

const OFF118 = suite("OFF118 a stored SCN above the current one");
const ahead = move({ from: 2204512n, to: 2100000n }, { database: { currentScn: 2204511n } });

OFF118("passes up to the current SCN itself", () => {
  assert.is(
    effectOf(storedAboveCurrent, move({ from: 2204511n, to: 1n }, { database: { currentScn: 2204511n } })),
    "none",
  );
  assert.is(effectOf(storedAboveCurrent, initial({ to: 5n })), "none");
});

OFF118("blocks a move back from there until it is accepted, and warns under admin", () => {
  assert.is(effectOf(storedAboveCurrent, ahead), "blocks");
  assert.is(effectOf(storedAboveCurrent, ahead, intent({ accept: ["OFF118"] })), "accepted");
  assert.is(effectOf(storedAboveCurrent, ahead, intent({ by: "admin" })), "warns");
});

OFF118("blocks a resnapshot at such a position until it is accepted; admin, where nothing can be, is refused", () => {
  const accepting = resnapshot.intent({ accept: ["OFF118"] });
  for (const on of [resnapshot.reading, resnapshot.pastTheGap]) {
    assert.is(resnapshot.effectOf(storedAboveCurrent, on({})), "none");
    const above = on({ database: { currentScn: 5n } });
    assert.is(resnapshot.effectOf(storedAboveCurrent, above), "blocks");
    assert.is(resnapshot.effectOf(storedAboveCurrent, above, accepting), "accepted");
    assert.is(resnapshot.effectOf(storedAboveCurrent, above, resnapshot.intent({ by: "admin" })), "blocks");
    assert.match(resnapshot.resultOf(storedAboveCurrent, above), /would never be delivered.*spec\.accept: \[OFF118\]/s);
  }
});

OFF118("says which SCN is above which, and what it may be", () => {
  const verdict = worded(storedAboveCurrent).run(intent(), ahead);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "the stored resume SCN 2204512 is above the current SCN of");
});

OFF118("leaves an offset of another database to OFF106", () => {
  const elsewhere = move({ from: 2204512n, to: 2100000n }, { database: { currentScn: 2204511n, dbid: 5n } });
  assert.is(effectOf(storedAboveCurrent, elsewhere), "none");
});

OFF118("does not stand in the way of a rollback", () => {
  const position = { to: "restore", run: "r", offset: {}, replacing: {} } as const;
  assert.is(worded(storedAboveCurrent).run({ ...intent(), position }, ahead).verdict, "pass");
});

const OFF103 = suite("OFF103 a forward move skips commits");

OFF103("is refused unless the plan file says so", () => {
  const on = move({ from: 2204511n, to: 2230000n });
  assert.is(worded(forwardSkipsCommits).run(intent({ allowSkip: false }), on).verdict, "fail");
  assert.is(worded(forwardSkipsCommits).run(intent({ allowSkip: true }), on).verdict, "pass");
});

OFF103("cannot be accepted by its code; only allowSkip confirms it", () => {
  const on = move({ from: 9n, to: 10n });
  assert.is(effectOf(forwardSkipsCommits, on, intent({ accept: ["OFF103"] })), "blocks");
  assert.is(effectOf(forwardSkipsCommits, on, intent({ by: "admin" })), "blocks");
});

OFF103("states the distance, and names the option of the command that was used", () => {
  const on = move({ from: 2204511n, to: 2230000n });
  const verdict = worded(forwardSkipsCommits).run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "2230000 is 25,489 SCNs ahead of the stored 2204511");
  assert.match((verdict.remedies ?? []).map(lineOf).join(), "spec.allowSkip: true");
  const admin = worded(forwardSkipsCommits).run(intent({ by: "admin" }), on);
  assert.match(JSON.stringify(admin), "--allow-skip");
});

OFF103(
  "says that nothing is lost where every commit up to the target is delivered, and is refused all the same",
  () => {
    const seen = (to: bigint) => {
      const verdict = worded(forwardSkipsCommits).run(intent(), move({ from: 2200000n, to }));
      return verdict.verdict === "fail" ? verdict.seen : verdict.verdict;
    };
    assert.is(
      seen(2204498n),
      "2204498 is 4,498 SCNs ahead of the stored 2200000: no commit in between would be lost, since every commit " +
        "up to 2204498 is delivered and acknowledged; transactions open at 2204498 would lose their changes before it",
    );
    assert.match(seen(2204499n), "every commit in between would be skipped, for all captured tables");
  },
);

OFF103("never applies to a move back, to the same SCN, or to an initial offset", () => {
  for (const on of [move({ from: 10n, to: 9n }), move({ from: 9n, to: 9n }), initial({ to: 9n })])
    assert.is(worded(forwardSkipsCommits).run(intent({ allowSkip: false }), on).verdict, "pass");
});

const OFF108 = suite("OFF108 a position that resolves to no SCN");

const timestamp = intent({ position: { to: "timestamp", timestamp: "2020-11-20T00:00:00Z" } });
const earliest = intent({ position: { to: "earliestAvailable" } });

OFF108("passes for an SCN, and for a timestamp that the database can map", () => {
  assert.is(effectOf(noSuchTarget, reading()), "none");
  assert.is(
    effectOf(noSuchTarget, reading({ target: { by: "timestamp", scn: 2169287n } }, timestamp), timestamp),
    "none",
  );
});

OFF108("refuses a timestamp that the database cannot map", () => {
  const on = reading({ target: { by: "timestamp", scn: undefined } }, timestamp);
  assert.is(effectOf(noSuchTarget, on, timestamp), "blocks");
});

OFF108(
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
      assert.match(JSON.stringify(worded(noSuchTarget).run(wanted, on)), "could be an hour off");
    }
    const [on, wanted] = at("2026-10-25T04:00:00Z");
    assert.is(effectOf(noSuchTarget, on, wanted), "none");
  },
);

OFF108("resolves the earliest available SCN to that of the catalogue's oldest unbroken log", () => {
  const on = reading({ target: { by: "earliestAvailable" } }, earliest);
  assert.equal(on.target, { pinned: true, scn: 2100000n });
});

OFF108("moves the earliest available SCN past a log that cannot be opened", () => {
  const on = reading({ target: { by: "earliestAvailable" }, unopened: ["/arch/1_119_1.arc"] }, earliest);
  assert.equal(on.target, { pinned: true, scn: 2190000n });
});

OFF108("refuses the earliest available where the redo is unknown, or missing", () => {
  for (const parts of [{ redo: unseen("ORA-00942") }, { catalogue: { ...CATALOGUE, archived: [], online: [] } }]) {
    const on = reading({ target: { by: "earliestAvailable" }, ...parts }, earliest);
    assert.is(effectOf(noSuchTarget, on, earliest), "blocks");
  }
});

OFF101.run();
OFF103.run();
OFF118.run();
OFF108.run();
