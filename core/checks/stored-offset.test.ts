import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  effectOf,
  initial,
  intent,
  known,
  reading,
  STORED,
  unseen,
} from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { lineOf } from "../values/remedy.ts";
import { storedAboveCurrent } from "./offset-target.ts";
import {
  laterOffsetVersion,
  noPosition,
  noStoredOffset,
  otherDatabase,
  severalPartitions,
  snapshotIncomplete,
  unreadableOffset,
} from "./stored-offset.ts";
import { worded } from "./testing/wording.ts";

const OFF104 = suite("OFF104 a later version of the stored offset");

OFF104("passes for version 1, as number or text", () => {
  for (const stored of [STORED, { ...STORED, v: "1" }])
    assert.is(effectOf(laterOffsetVersion, reading({ stored })), "none");
});

OFF104("refuses a later one as CDC-3002, whatever else the offset holds", () => {
  for (const stored of [{ ...STORED, v: 2n }, { v: "3" }]) {
    const verdict = worded(laterOffsetVersion).run(intent(), reading({ stored }));
    assert.ok(verdict.verdict === "fail");
    assert.match(verdict.seen, "CDC-3002");
  }
});

OFF104("refuses a resnapshot too, since missing redo is determined from the stored position", () => {
  const parts = { stored: { v: 2n, resume_scn: 2204511n } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(laterOffsetVersion, on), "blocks");
});

const OFF105 = suite("OFF105 a stored offset that cannot be read");

OFF105("passes for SCNs as text and for every form of the ledger", () => {
  for (const stored of [
    { ...STORED, resume_scn: "2204511" },
    { ...STORED, released_xids: ["1:4.9.771"] },
    { ...STORED, released_xids: null },
  ])
    assert.is(effectOf(unreadableOffset, reading({ stored })), "none");
});

const damaged: readonly (readonly [string, object])[] = [
  ["no resume SCN", { resume_scn: null }],
  ["a resume SCN that is not a number", { resume_scn: "abc" }],
  ["a negative resume SCN", { resume_scn: -1n }],
  ["a list in place of the resume SCN", { resume_scn: [1n] }],
  ["an invalid version", { v: "one" }],
  ["a version of null", { v: null }],
  ["a version of 0", { v: 0n }],
  ["a snapshot that is not JSON", { snapshot: "{" }],
  ["an unknown field that is null", { snapshot_pending: null }],
  ["a blank transaction of the last commit", { last_commit_xid: " " }],
  ["a ledger of another form", { released_xids: { a: 1n } }],
  ["an invalid database identity", { dbid: "ORCL" }],
];
for (const [name, field] of damaged)
  OFF105(`refuses ${name}: direction and remaining fields are unknown`, () => {
    const on = reading({ stored: { ...STORED, ...field } });
    assert.is(effectOf(unreadableOffset, on, intent({ accept: ["OFF105"] })), "blocks");
    assert.is(on.after, undefined);
  });

OFF105("says what stops the task, and how a known position is written back", () => {
  const verdict = worded(unreadableOffset).run(intent(), reading({ stored: { ...STORED, v: null } }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "v is null, not 1: the task stops with CDC-3002");
  assert.match((verdict.remedies ?? []).map(lineOf).join("\n"), "spec.lastRecorded: true");
});

OFF105("refuses a resnapshot too, since missing redo is determined from the stored position", () => {
  const parts = { stored: { resume_scn: "here" } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(unreadableOffset, on), "blocks");
});

const OFF106 = suite("OFF106 an offset of another database");

OFF106("passes when dbid and resetlogs SCN are those of the connected database, as number or text", () => {
  assert.is(effectOf(otherDatabase, reading()), "none");
  assert.is(effectOf(otherDatabase, reading({ stored: { ...STORED, dbid: "2914731", resetlogs_scn: "1" } })), "none");
});

OFF106("refuses another dbid or another incarnation, and says what each remedy loses", () => {
  for (const database of [{ dbid: 7n }, { resetlogsScn: 2200000n }]) {
    const on = reading({ database });
    const verdict = worded(otherDatabase).run(intent(), on);
    assert.ok(verdict.verdict === "fail");
    assert.match(
      (verdict.remedies ?? []).map(lineOf).join("\n"),
      /nothing is lost[\s\S]*Deletes between[\s\S]*Every change between/,
    );
    assert.is(effectOf(otherDatabase, on, intent({ accept: ["OFF106"] })), "blocks");
  }
});

OFF106("takes an identity of 0 as another database's, not as an absent one", () => {
  assert.is(effectOf(otherDatabase, reading({ stored: { ...STORED, dbid: 0n } })), "blocks");
});

OFF106("refuses an offset without a database identity, at which the task stops with CDC-5001", () => {
  for (const name of ["dbid", "resetlogs_scn"]) {
    const { [name]: _gone, ...without } = STORED;
    for (const stored of [{ ...STORED, [name]: null }, without]) {
      const on = reading({ stored });
      const verdict = worded(otherDatabase).run(intent(), on);
      assert.ok(verdict.verdict === "fail");
      assert.match(verdict.seen, "CDC-5001");
      assert.is(effectOf(otherDatabase, on, intent({ accept: ["OFF106"] })), "blocks");
    }
  }
});

OFF106("says which of the two is missing", () => {
  const seen = (name: string) => {
    const verdict = worded(otherDatabase).run(intent(), reading({ stored: { ...STORED, [name]: null } }));
    return verdict.seen ?? "";
  };
  assert.match(seen("dbid"), "has no dbid");
  assert.match(seen("resetlogs_scn"), "has no resetlogs_scn");
});

OFF106("does not apply to a connector without an offset", () => {
  assert.is(effectOf(otherDatabase, initial({ to: 2169287n })), "none");
});

OFF106("refuses a resnapshot too: its position means nothing in another database", () => {
  const parts = { database: { dbid: 7n } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(otherDatabase, on), "blocks");
});

const OFF107 = suite("OFF107 an offset not under the connector's one partition");

OFF107("passes for the one offset under the connector's own server", () => {
  assert.is(effectOf(severalPartitions, reading()), "none");
});

OFF107("passes when the others are empty, since Connect keeps removed ones", () => {
  const offsets = [
    { partition: { server: "old" }, offset: null },
    { partition: { server: "orders" }, offset: STORED },
  ];
  assert.is(effectOf(severalPartitions, reading({ connector: { offsets } })), "none");
});

OFF107("refuses several, and names them", () => {
  const offsets = ["orders", "old"].map((server) => ({ partition: { server }, offset: STORED }));
  const on = reading({ connector: { offsets } });
  const verdict = worded(severalPartitions).run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, '{"server":"orders"}, {"server":"old"}');
  assert.is(effectOf(severalPartitions, on, intent({ accept: ["OFF107"] })), "blocks");
});

OFF107("refuses one that the task never reads: another server, or a partition with an additional key", () => {
  for (const partition of [{ server: "old" }, { server: "orders", task: 0n }, {}]) {
    const on = reading({ connector: { offsets: [{ partition, offset: STORED }] } });
    assert.is(effectOf(severalPartitions, on), "blocks");
    assert.is(on.after, undefined);
  }
});

OFF107("refuses a resnapshot too, since the position of the missing redo is ambiguous", () => {
  const parts = { connector: { offsets: [{ partition: { server: "other" }, offset: { v: 1n, resume_scn: 5n } }] } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(severalPartitions, on), "blocks");
});

const OFF110 = suite("OFF110 no stored offset");

OFF110("passes when one is stored", () => {
  assert.is(effectOf(noStoredOffset, reading()), "none");
});

OFF110("warns of a first offset, and never blocks it: no entry, a null or an empty one", () => {
  for (const offsets of [
    [],
    [{ partition: { server: "orders" }, offset: null }],
    [{ partition: { server: "orders" }, offset: {} }],
  ]) {
    const on = reading({ connector: { offsets } });
    assert.is(effectOf(noStoredOffset, on), "warns");
    assert.is(on.move?.direction, "initial");
  }
});

OFF110("counts the signals that the task handles again, and says where they are unknown", () => {
  const initially = (signals: Parameters<typeof reading>[0]) => reading({ stored: null, ...signals });
  const signal = (type: string, offset: bigint) => ({ offset, id: `s${offset}`, type, tables: [] });
  const unread = [signal("snapshot", 3n), signal("log-state", 5n), signal("snapshot", 9n)];
  for (const [on, words] of [
    [
      initially({ signals: known({ end: 12n, unread }) }),
      "handles again 3 signals that orders.cdc.signals holds for it, 2 of which start snapshots",
    ],
    [
      initially({ signals: known({ end: 12n, unread: unread.slice(0, 1) }) }),
      "1 signal that orders.cdc.signals holds for it, 1 of which starts a snapshot",
    ],
    [
      initially({ signals: unseen("TOPIC_AUTHORIZATION_FAILED") }),
      "which signals in orders.cdc.signals the task handles again is unknown",
    ],
  ] as const) {
    const verdict = worded(noStoredOffset).run(intent(), on);
    assert.ok(verdict.verdict === "fail");
    assert.match(verdict.seen, words);
  }
  const none = worded(noStoredOffset).run(intent(), initially({}));
  assert.ok(none.verdict === "fail" && !none.seen.includes("signal"));
});

const OFF112 = suite("OFF112 an incomplete snapshot");

const withSnapshot = (snapshot: string | null) => reading({ stored: { ...STORED, snapshot } });

OFF112("passes when it is complete, or none was ever begun", () => {
  assert.is(effectOf(snapshotIncomplete, reading()), "none");
  assert.is(effectOf(snapshotIncomplete, withSnapshot(null)), "none");
});

OFF112("warns of one under way, with its progress", () => {
  const on = withSnapshot('{"v":1,"complete":false,"tables":{"A.B":{"done":true},"A.C":{"done":false}}}');
  const verdict = worded(snapshotIncomplete).run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "1 of 2 tables done");
  assert.is(effectOf(snapshotIncomplete, on), "warns");
});

OFF112("warns of progress in an unknown format, and keeps it", () => {
  for (const snapshot of ['{"v":1}', '{"v":1,"complete":1}']) {
    const on = withSnapshot(snapshot);
    assert.is(effectOf(snapshotIncomplete, on), "warns");
    assert.is(on.after?.["snapshot"], snapshot);
  }
});

const SNP909 = suite("SNP909 no stored position");

SNP909("passes for a position that the database has reached", () => {
  assert.is(resnapshot.effectOf(noPosition, resnapshot.reading()), "none");
  assert.is(resnapshot.effectOf(noPosition, resnapshot.pastTheGap()), "none");
  assert.is(
    resnapshot.effectOf(noPosition, resnapshot.reading({ stored: { ...STORED, resume_scn: 2241020n } })),
    "none",
  );
});

SNP909("refuses a connector without a stored offset: its first start takes the snapshot", () => {
  for (const stored of [null, {}]) {
    const on = resnapshot.reading({ stored });
    assert.is(resnapshot.effectOf(noPosition, on, resnapshot.intent({ accept: ["SNP909"] })), "blocks");
    assert.match(resnapshot.resultOf(noPosition, on), "has no stored offset");
    assert.match(resnapshot.resultOf(noPosition, on), "cdc.snapshot.mode=initial");
  }
});

SNP909("leaves a position that the database has not reached to OFF118, so that one problem has one message", () => {
  const on = resnapshot.reading({ stored: { ...STORED, resume_scn: 2241021n } });
  assert.is(resnapshot.effectOf(noPosition, on), "none");
  assert.is(resnapshot.effectOf(storedAboveCurrent, on, resnapshot.intent({ by: "admin" })), "blocks");
  assert.match(
    resnapshot.resultOf(storedAboveCurrent, on),
    "2241021 is above the current SCN of ORCLCDB, which is 2241020",
  );
});

SNP909("leaves an unreadable offset to the previous checks", () => {
  for (const stored of [{ resume_scn: "x" }, { ...STORED, v: 2n }])
    assert.is(resnapshot.effectOf(noPosition, resnapshot.reading({ stored })), "none");
});

OFF104.run();
OFF105.run();
OFF106.run();
OFF107.run();
OFF110.run();
OFF112.run();
SNP909.run();
