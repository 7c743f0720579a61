import { beginsWith, endOfPlainString, UNUSUAL, type Words, wordsOf } from "./json-walk.ts";
import type { Column } from "./table-shape.ts";

/**
 * Maps members to columns. Records of one connector have their members in one order, which is learned: a name is
 * compared with the expected one, and looked up only if it differs.
 */
interface MemberOrder {
  /**
   * For each position of a member: the bytes it begins with (brace or comma, name with quotation marks, colon), and its
   * column (-1 for none).
   */
  readonly leads: readonly Words[];
  readonly places: readonly number[];
  /**
   * @param at at the quotation mark before a name, after a brace or comma @returns -1 for a member that is not a column
   */
  columnOf(bytes: Uint8Array, at: number, end: number, member: number): number;
  /** Start of the value of the last member that was looked up; UNUSUAL for a name that is not plain. */
  afterName(): number;
  /** Whether the columns come in the order of the shape, as far as the order is known. */
  isOfShape(): boolean;
}

const decoder = new TextDecoder();

export function memberOrder(columns: readonly Column[]): MemberOrder {
  const byName = new Map(columns.map(({ name }, at) => [name, at]));
  const leads: Words[] = [];
  const places: number[] = [];
  let after = UNUSUAL;
  let ofShape: boolean | undefined = false;
  return {
    leads,
    places,
    columnOf(bytes, at, end, member) {
      const expected = leads[member];
      if (expected !== undefined && beginsWith(bytes, at - 1, end, expected.bytes)) {
        after = at - 1 + expected.bytes.length;
        return places[member] as number;
      }
      after = UNUSUAL;
      if (bytes[at] !== 0x22) return -1;
      const close = endOfPlainString(bytes, at + 1, end);
      if (close === UNUSUAL || bytes[close + 1] !== 0x3a) return -1;
      after = close + 2;
      const name = decoder.decode(bytes.subarray(at + 1, close));
      const place = byName.get(name) ?? -1;
      leads[member] = wordsOf(bytes.slice(at - 1, after));
      places[member] = place;
      ofShape = undefined;
      return place;
    },
    afterName: () => after,
    isOfShape: () => {
      ofShape ??= places.filter((column) => column >= 0).every((column, nth) => column === nth);
      return ofShape;
    },
  };
}
