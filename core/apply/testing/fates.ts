import * as fc from "fast-check";
import type { Fate } from "./memory-world.ts";

/** Every fault that a call or a journal entry can meet. */
export const FATES: readonly Fate[] = [
  "lost",
  "lost, applied",
  "lost, applied later",
  "refused",
  "killed before",
  "killed after",
];

/** A few faults, each after some calls and journal entries that go well: a run has about twenty. */
export const anyFates: fc.Arbitrary<Fate[]> = fc
  .array(
    fc.record({
      well: fc.nat(22),
      fate: fc.constantFrom<Fate>(...FATES),
    }),
    { minLength: 1, maxLength: 5, size: "max" },
  )
  .map((parts) => parts.flatMap(({ well, fate }) => [...Array.from<Fate>({ length: well }).fill("answered"), fate]));

/** So many milliseconds, or, as often, not at all. */
export const sometimes = (millis: number) => fc.option(fc.nat(millis), { nil: undefined, freq: 1 });
