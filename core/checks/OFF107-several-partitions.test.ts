import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, reading, STORED } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { severalPartitions } from "./OFF107-several-partitions.ts";

const check = suite("OFF107 an offset not under the connector's one partition");

check("passes for the one offset under the connector's own server", () => {
  assert.is(effectOf(severalPartitions, reading()), "none");
});

check("passes when the others are empty: Connect keeps removed ones so", () => {
  const offsets = [
    { partition: { server: "old" }, offset: null },
    { partition: { server: "orders" }, offset: STORED },
  ];
  assert.is(effectOf(severalPartitions, reading({ connector: { offsets } })), "none");
});

check("refuses several, and names them", () => {
  const offsets = ["orders", "old"].map((server) => ({ partition: { server }, offset: STORED }));
  const on = reading({ connector: { offsets } });
  const verdict = severalPartitions.run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, '{"server":"orders"}, {"server":"old"}');
  assert.is(effectOf(severalPartitions, on, intent({ accept: ["OFF107"] })), "blocks");
});

check("refuses one that the task never reads: another server, or a partition with one more key", () => {
  for (const partition of [{ server: "old" }, { server: "orders", task: 0n }, {}]) {
    const on = reading({ connector: { offsets: [{ partition, offset: STORED }] } });
    assert.is(effectOf(severalPartitions, on), "blocks");
    assert.is(on.after, undefined);
  }
});

check("refuses a resnapshot too: from which position redo is gone can't be told", () => {
  const parts = { connector: { offsets: [{ partition: { server: "other" }, offset: { v: 1n, resume_scn: 5n } }] } };
  for (const on of [resnapshot.reading(parts), resnapshot.pastTheGap(parts)])
    assert.is(resnapshot.effectOf(severalPartitions, on), "blocks");
});

check.run();
