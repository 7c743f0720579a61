import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import { base64Of } from "../values/base64.ts";
import { type JournalReading, readJournal } from "./read-journal.ts";
import { atOffsets, int32, joined, payloadOf, type RecordParts, topicOf } from "./testing/build-journal.ts";

const corruption = suite("a manually damaged journal ends as CDC-4002");

async function reading(records: readonly RecordParts[]): Promise<JournalReading> {
  const decoded = decodeOffset({ v: 1n, resume_scn: 1000n, journal_generation: 7n });
  if (!decoded.ok) throw new Error("an offset that can't be decoded");
  const question = { topic: "orders.cdc.txjournal", server: "orders", form: "either", stored: decoded.offset } as const;
  return readJournal(topicOf(atOffsets(records)) as unknown as KafkaPort, question);
}

const SOUND = { key: { xid: "1.1.1" } };
const payload = (bytes: Uint8Array): RecordParts => ({ value: { payload: base64Of(bytes) } });
const whole = payloadOf([{ change: Uint8Array.of(1, 2, 3) }, { undo: { scn: 5n } }]);

const DAMAGED: readonly (readonly [
  string,
  "unreadable key" | "unreadable value" | "unreadable payload",
  RecordParts,
])[] = [
  ["no key", "unreadable key", { key: null }],
  ["an empty key", "unreadable key", { key: "" }],
  ["a key that is not JSON, as another converter writes it", "unreadable key", { key: "\u0000\u0001orders" }],
  ["a key that is a text", "unreadable key", { key: '"orders"' }],
  ["a truncated key", "unreadable key", { key: '{"server":"orders","con_id":3' }],
  ["a key followed by something", "unreadable key", { key: '{"server":"orders"} {}' }],
  [
    "a key without its transaction",
    "unreadable key",
    { key: '{"server":"orders","con_id":3,"chunk":0,"generation":1}' },
  ],
  ["a transaction with a leading blank", "unreadable key", { key: { xid: " 4.9.771" } }],
  ["a transaction with a blank behind it", "unreadable key", { key: { xid: "4.9.771 " } }],
  ["a transaction with a line break behind it", "unreadable key", { key: { xid: "4.9.771\n" } }],
  ["a transaction of two numbers", "unreadable key", { key: { xid: "4.9" } }],
  [
    "a chunk number that is not a number",
    "unreadable key",
    { key: '{"server":"orders","con_id":3,"xid":"1.2.3","chunk":"0","generation":1}' },
  ],
  ["a generation beyond 64 bits", "unreadable key", { key: { generation: 2n ** 63n } }],
  ["a tombstone of an unreadable key", "unreadable key", { key: "garbage", value: null }],
  ["an empty value", "unreadable value", { value: "" }],
  ["a value that is not JSON", "unreadable value", { value: "garbage" }],
  ["a value that is JSON's null", "unreadable value", { value: "null" }],
  ["a value that is a list", "unreadable value", { value: "[]" }],
  ["a value truncated in its payload", "unreadable value", { value: '{"v":1,"payload":"AAAA' }],
  ["an envelope without content", "unreadable value", { value: '{"schema":{},"payload":null}' }],
  ["a value without its first SCN", "unreadable value", { value: { first_scn: null } }],
  ["an SCN that is not an integer", "unreadable value", { value: { last_scn: "12" } }],
  ["a value without a payload", "unreadable value", { value: { payload: null } }],
  ["a payload that is not base64", "unreadable value", { value: { payload: "AAA*" } }],
  ["a payload with padding in its middle", "unreadable value", { value: { payload: "AA==AAAA" } }],
  ["base64 of an impossible length", "unreadable value", { value: { payload: "AAAAA" } }],
  ["an empty payload", "unreadable payload", payload(new Uint8Array())],
  ["a payload truncated in its count", "unreadable payload", payload(whole.subarray(0, 3))],
  ["a payload truncated in a change", "unreadable payload", payload(whole.subarray(0, 11))],
  ["a payload without its last byte", "unreadable payload", payload(whole.subarray(0, -1))],
  ["a negative number of frames", "unreadable payload", payload(int32(-1))],
  ["more frames than bytes", "unreadable payload", payload(joined([int32(2 ** 31 - 1), Uint8Array.of(1)]))],
  ["a frame of kind 3", "unreadable payload", payload(joined([int32(1), Uint8Array.of(3)]))],
  ["a change of negative length", "unreadable payload", payload(joined([int32(1), Uint8Array.of(1), int32(-5)]))],
  [
    "a change longer than the payload",
    "unreadable payload",
    payload(joined([int32(1), Uint8Array.of(1), int32(2 ** 31 - 1)])),
  ],
];

for (const [name, what, damaged] of DAMAGED)
  corruption(`${name}: ${what}`, async () => {
    const seen = await reading([SOUND, damaged]);
    assert.equal(
      seen.problems.map((one) => one.what),
      [what],
    );
    assert.is(seen.transactions[0]?.verdict, "restored", "what is sound is still told");
    if (what === "unreadable payload") assert.is(seen.transactions[1]?.verdict, "stops");
  });

corruption(
  "an unreadable record counts even if a later one of its key follows, since the task reads them all",
  async () => {
    const seen = await reading([{ value: "garbage" }, {}, { value: "garbage" }, { value: null }]);
    assert.equal([seen.counts.unreadable, seen.problems.length], [2, 2]);
  },
);

corruption("the first of thousands of unreadable records are kept, and all are counted", async () => {
  const seen = await reading(Array.from({ length: 2000 }, () => ({ key: "garbage" })));
  assert.equal([seen.counts.unreadable, seen.problems.length], [2000, 100]);
});

corruption("no payload of dropped chunks is read except to check its base64, as the task does", async () => {
  const seen = await reading([{ key: { generation: 9 }, ...payload(Uint8Array.of(9)) }]);
  assert.equal([seen.transactions[0]?.verdict, seen.problems.length], ["stale", 0]);
});

corruption("any bytes as payload, key or value give a verdict or a problem, never anything else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.string(), fc.string(), async (bytes, key, value) => {
      const seen = await reading([
        payload(bytes),
        { key },
        { value },
        { key: { xid: "5.5.5" }, value: { payload: value } },
      ]);
      assert.is(seen.counts.records, 4);
    }),
    { numRuns: 500 },
  );
});

corruption.run();
