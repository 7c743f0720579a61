import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { TopicSeen } from "../../../schemas/generated/facts.ts";
import { topic } from "../../kinds/migration/testing/story.ts";
import { known, unseen } from "../../kinds/offset-change/testing/build-facts.ts";
import type { KafkaPort } from "../../ports/kafka.ts";
import { topicToRead } from "./plan-table.ts";

const topics = suite("warnings about a topic before a verification");

const remarks = async (parts: Partial<TopicSeen>): Promise<readonly string[]> => {
  const kafka: Partial<KafkaPort> = {
    topic: async (name) => topic(name, parts),
    extents: async () => [{ partition: 0, from: 0n, to: 9n }],
  };
  return (await topicToRead(kafka as KafkaPort, "t", true, undefined)).remarks;
};

topics("are none if it keeps every record", async () => {
  assert.equal(await remarks({}), []);
});

topics("report records deleted by age, and by size", async () => {
  assert.match(String(await remarks({ retentionMillis: known(604_800_000n) })), "t keeps records for 7 d");
  const bySize = await remarks({ retentionBytes: known(1_048_576n) });
  assert.is(bySize.length, 1);
  assert.match(String(bySize), /t keeps about 1 MB a partition \(retention\.bytes.*is not found in it/);
  assert.equal(
    (await remarks({ cleanupPolicy: known("compact"), retentionBytes: known(1n) })).filter((one) => /bytes/.test(one)),
    [],
    "only a policy of delete goes by it",
  );
});

topics("report settings that cannot be read", async () => {
  assert.match(String(await remarks({ retentionBytes: unseen() })), "retention.bytes of t can't be seen");
  assert.match(String(await remarks({ retentionMillis: unseen() })), "retention.ms of t can't be seen");
});

topics.run();
