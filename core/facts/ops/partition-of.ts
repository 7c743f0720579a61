import { viewOf } from "../../values/bytes.ts";
/**
 * The partition that a record with a key goes to: the Java client's choice (`Utils.toPositive(Utils.murmur2(key)) %
 * partitions`), so that what cdcctl and the connector write with one key stays in one partition.
 */
export function partitionOf(key: Uint8Array, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions;
}

const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** MurmurHash2 of 32 bits with Kafka's seed; signed, as `org.apache.kafka.common.utils.Utils.murmur2` returns it. */
export function murmur2(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const whole = bytes.length & ~3;
  let hash = SEED ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(view.getInt32(at, true), M);
    word = Math.imul(word ^ (word >>> 24), M);
    hash = Math.imul(hash, M) ^ word;
  }
  if (whole < bytes.length) {
    for (let at = bytes.length - 1; at >= whole; at--) hash ^= view.getUint8(at) << (8 * (at - whole));
    hash = Math.imul(hash, M);
  }
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}
