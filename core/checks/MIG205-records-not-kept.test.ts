import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, saidBy, verdictOf, verification } from "../kinds/migration/testing/build-readings.ts";
import { topic } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { recordsNotKept } from "./MIG205-records-not-kept.ts";

const check = suite("MIG205 topics that forget");

const NAME = "orders.ORCLPDB1.SALES.ORDERS";
const on = (parts: Parameters<typeof topic>[1], name = NAME) => verification({ seen: { [name]: topic(name, parts) } });
const WEEK = known(604_800_000n);

check("passes for topics that keep their records without end", () => {
  assert.is(effectOf(recordsNotKept, verification()), "none");
});

check("warns of retention and of compaction, of new and legacy topics alike", () => {
  for (const name of [NAME, "ORCLPDB1.SALES.ORDERS"]) {
    assert.is(effectOf(recordsNotKept, on({ retentionMillis: WEEK }, name)), "warns");
    assert.match(saidBy(recordsNotKept, on({ retentionMillis: WEEK }, name)), `${name} deletes records after 7 d`);
  }
  assert.is(effectOf(recordsNotKept, on({ retentionBytes: known(1_048_576n) })), "warns");
  assert.match(
    saidBy(recordsNotKept, on({ retentionBytes: known(1_048_576n) })),
    `${NAME} deletes its oldest records beyond about 1048576 bytes a partition (retention.bytes)`,
  );
  assert.is(effectOf(recordsNotKept, on({ cleanupPolicy: known("compact"), retentionBytes: known(0n) })), "warns");
  assert.match(
    saidBy(recordsNotKept, on({ cleanupPolicy: known("compact"), retentionMillis: WEEK })),
    /^orders\..* is compacted: it keeps the last record of a key\n/,
  );
  assert.match(
    saidBy(recordsNotKept, on({ cleanupPolicy: known("compact, delete"), retentionMillis: WEEK })),
    /is compacted.*; .* deletes records after 7 d/,
  );
});

check("does not pass where policy or retention can't be seen", () => {
  for (const parts of [
    { cleanupPolicy: unseen("no right") },
    { retentionMillis: unseen("no right") },
    { retentionBytes: unseen("no right") },
  ]) {
    assert.is(verdictOf(recordsNotKept, on(parts)), "unknown");
    assert.is(effectOf(recordsNotKept, on(parts)), "warns");
  }
  assert.is(verdictOf(recordsNotKept, verification({ read: unseen() })), "unknown");
});

check("leaves topics that are missing, and tables that can't be told, to others", () => {
  assert.is(effectOf(recordsNotKept, verification({ seen: { [NAME]: "missing" } })), "none");
  assert.is(effectOf(recordsNotKept, verification({ dictionary: unseen() })), "none");
});

check.run();
