import { memoryOf } from "../values/bytes.ts";
import { beginsWithWords, endOfPlainString, UNUSUAL, type Words, wordsOf } from "../values/json-walk.ts";

/**
 * Finds which of the wanted names a member of an object has. Records of one connector have their members in one order,
 * which is learned: a name is compared with the expected one, and looked up only if it differs.
 */
export interface MemberOrder {
  /**
   * The bytes that each member begins with (brace or comma, name with quotation marks, colon), and the place of its
   * name among the wanted ones (-1 for another name).
   */
  readonly leads: readonly Words[];
  readonly places: readonly number[];
  /**
   * @param at at the brace or comma before the member
   * @param nth its position in the object
   * @returns the place of its name among the wanted ones; -1 for another name
   */
  placeAt(bytes: Uint8Array, at: number, end: number, nth: number): number;
  /** Start of the value of the last member that was looked up; UNUSUAL for a name that is not plain. */
  afterName(): number;
  /** Whether the wanted members come in the order of their names, as far as the order is known. */
  isAsWanted(): boolean;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** @param names the wanted ones */
export function memberOrder(names: readonly string[]): MemberOrder {
  const byName = new Map(names.map((name, at) => [name, at]));
  const leads: Words[] = [];
  const places: number[] = [];
  let after = UNUSUAL;
  let asWanted: boolean | undefined = false;

  function learn(bytes: Uint8Array, at: number, end: number, nth: number): number {
    after = UNUSUAL;
    if (bytes[at + 1] !== 0x22) return -1;
    const close = endOfPlainString(bytes, at + 2, end);
    if (close === UNUSUAL || bytes[close + 1] !== 0x3a) return -1;
    after = close + 2;
    const place = byName.get(decoder.decode(bytes.subarray(at + 2, close))) ?? -1;
    leads[nth] = wordsOf(bytes.slice(at, after));
    places[nth] = place;
    asWanted = undefined;
    return place;
  }

  return {
    leads,
    places,
    placeAt(bytes, at, end, nth) {
      const { data, base } = memoryOf(bytes);
      const expected = leads[nth];
      if (expected === undefined || !beginsWithWords(data, base + at, base + end, expected))
        return learn(bytes, at, end, nth);
      after = at + expected.length;
      return places[nth] as number;
    },
    afterName: () => after,
    isAsWanted: () => {
      asWanted ??= places.filter((place) => place >= 0).every((place, nth) => place === nth);
      return asWanted;
    },
  };
}
