import fc from "fast-check";
import type { Scene } from "./scene.ts";

const rows = fc.uniqueArray(fc.tuple(fc.nat({ max: 60 }), fc.constantFrom("a", "b", null)), {
  selector: ([id]) => id,
  maxLength: 60,
});
const changes = (...more: readonly "junk"[]) =>
  fc.array(
    fc.record({
      op: fc.constantFrom("c", "u", "d", "r", "tombstone", "u", "c", ...more),
      row: fc.tuple(fc.nat({ max: 60 }), fc.constantFrom("a", "b", null, "?")),
      scn: fc.integer({ min: 1, max: 110 }),
      partition: fc.nat({ max: 2 }),
    }),
    { maxLength: 150 },
  );
export const truncate = fc.record({ op: fc.constant("t" as const), scn: fc.integer({ min: 1, max: 50 }) });
/** Tables and topics of all kinds, most with something wrong. */
export const scenes: fc.Arbitrary<Scene> = fc
  .record({
    rows,
    records: changes(),
    legacy: fc.option(fc.oneof(changes(), changes("junk")), { nil: undefined }),
    truncates: fc.oneof(fc.constant([]), fc.tuple(truncate)),
    compacted: fc.boolean(),
    legacyCompacted: fc.boolean(),
    withoutKey: fc.boolean(),
    startScn: fc.option(fc.constant(20n), { nil: undefined }),
  })
  .map(({ truncates, records, legacy, startScn, ...scene }) => ({
    ...scene,
    records: [...records, ...truncates],
    ...(legacy === undefined ? {} : { legacy }),
    ...(startScn === undefined ? {} : { startScn }),
  }));

export const cuts = fc.record({ ranges: fc.integer({ min: 1, max: 5 }), batch: fc.integer({ min: 1, max: 20 }) });
/** Down to memory for a few tuples only. */
export const ways = fc.record({
  memory: fc.constantFrom(32_000, 80_000, 2 ** 26),
  ranges: fc.integer({ min: 1, max: 4 }),
  partitions: fc.integer({ min: 1, max: 4 }),
});
