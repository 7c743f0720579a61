import { suite } from "uvu";
import * as assert from "uvu/assert";
import { murmur2, partitionOf } from "./partition-of.ts";

const partition = suite("the partition of a key");
const bytes = (text: string) => new TextEncoder().encode(text);

/** Hashes from Kafka's own tests (`UtilsTest.testMurmur2`). */
const HASHES = {
  "21": -973932308,
  foobar: -790332482,
  "a-little-bit-long-string": -985981536,
  "a-little-bit-longer-string": -1486304829,
  lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8: -58897971,
  abc: 479470107,
};

for (const [key, hash] of Object.entries(HASHES))
  partition(`hashes as the Java client does: ${key}`, () => {
    assert.is(murmur2(bytes(key)), hash);
    assert.is(partitionOf(bytes(key), 10), (hash & 0x7fffffff) % 10);
    assert.is(partitionOf(bytes(key), 1), 0);
  });

partition("does not depend on the position of the bytes", () => {
  const around = bytes("xfoobarx");
  assert.is(murmur2(around.subarray(1, 7)), HASHES.foobar);
});

partition.run();
