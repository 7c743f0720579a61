import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ByteSink } from "../values/byte-sink.ts";
import { viewOf } from "../values/bytes.ts";
import { entryOf, keyIndex } from "./key-index.ts";
import { Scratch } from "./scratch.ts";
import { writeTuple } from "./testing/write-tuple.ts";
import { NEW_TOPIC, nextTuple, ROW, type Source, TABLE } from "./tuple.ts";

const index = suite("the index of keys");

function tuples(keys: readonly string[], source: Source = TABLE): Uint8Array {
  const all = new ByteSink();
  for (const text of keys) {
    const key = new ByteSink();
    key.ascii(text);
    writeTuple(all, source, ROW, { scn: 0n, partition: 0, offset: 0n }, key, new ByteSink(0));
  }
  return all.copied();
}

/** Gives every tuple the hash 7. */
function withOneHash(bytes: Uint8Array): Uint8Array {
  for (let at = 0; at < bytes.length; at = nextTuple(viewOf(bytes), at)) bytes.set([7, 0, 0, 0], at + 4);
  return bytes;
}

function entries(sources: readonly Uint8Array[]): readonly number[] {
  const keys = keyIndex(sources, new Scratch());
  const seen: number[] = [];
  for (const [source, bytes] of sources.entries())
    for (let at = 0; at < bytes.length; at = nextTuple(viewOf(bytes), at)) seen.push(entryOf(keys, source, at));
  return seen;
}

index("recognises a key in every source", () => {
  assert.equal(entries([tuples(["a", "b", "a"]), tuples(["b", "c"], NEW_TOPIC)]), [0, 1, 0, 1, 2]);
});

index("distinguishes keys with equal hashes", () => {
  const one = withOneHash(tuples(["a", "b", "aa", "a"]));
  const other = withOneHash(tuples(["ab", "b"], NEW_TOPIC));
  assert.equal(entries([one, other]), [0, 1, 2, 0, 3, 1]);
});

index("rejects a tuple of another source", () => {
  assert.throws(() => entries([tuples(["a"]), tuples(["b"])]), /the tuple at 0 is of another source/);
  assert.throws(() => entries([tuples(["a"], NEW_TOPIC)]), /of another source/);
});

index.run();
