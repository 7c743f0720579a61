import fc from "fast-check";
import type { Finding } from "../../checks/finding.ts";
import { instantOf } from "../../values/instant.ts";
import type { JsonObject } from "../../values/json.ts";
import { MAX_SCN } from "../../values/scn.ts";
import { HOSTILE } from "./hostile.ts";

/** What any plan is put together from, with texts as the worst world would send them. */

/** A page that says so has not known something: no text that comes in may say it. */
const SAID_OF_THE_UNKNOWN = /undefined|NaN|\[object/;

export const anyText = fc
  .oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: 20 }) },
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
    { weight: 1, arbitrary: fc.constantFrom(HOSTILE, "", " ", "\n", "|", "```", "a".repeat(3000)) },
  )
  .filter((text) => !SAID_OF_THE_UNKNOWN.test(text));

export const anyScn = fc.oneof(fc.bigInt({ min: 1n, max: 3_000_000n }), fc.bigInt({ min: 2n ** 53n, max: MAX_SCN }));

export const anyInstant = fc.integer({ min: 0, max: 4_000_000_000_000 }).map(instantOf);

export const anyRaw: fc.Arbitrary<JsonObject> = fc.dictionary(
  anyText,
  fc.oneof(anyText, anyScn, fc.boolean(), fc.constant(null)),
  {
    maxKeys: 4,
    noNullPrototype: true,
  },
);

export const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

const anyPlace = fc
  .record({ path: anyText, file: optional(anyText), line: optional(fc.bigInt({ min: 1n, max: 99n })) })
  .map(({ path, ...rest }) => ({ path, ...withoutUndefined(rest) }));

export const anyFinding: fc.Arbitrary<Finding> = fc
  .tuple(
    fc.record({
      code: fc.constantFrom("OFF102", "OFF103", "CON304", "TRX501"),
      title: anyText,
      verdict: fc.constantFrom("fail" as const, "unknown" as const),
      effect: fc.constantFrom("warns" as const, "accepted" as const, "blocks" as const),
      remedies: fc.array(anyText, { maxLength: 3 }),
    }),
    fc.record({ seen: optional(anyText), at: optional(anyPlace) }),
  )
  .map(([finding, rest]) => ({ ...finding, ...withoutUndefined(rest) }));

/** Optional members are left out, as the product leaves them out, not set to undefined. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
