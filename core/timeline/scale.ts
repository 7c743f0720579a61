import { ascending } from "../values/lists.ts";
import type { Scn } from "../values/scn.ts";

/** Maps SCNs to columns, rising: a higher SCN never stands further left. */
export interface Scale {
  readonly columns: number;
  /** 0 to `columns` - 1; what lies outside is put at the edge. */
  columnOf(scn: Scn): number;
  /**
   * The SCNs that a column stands for: `from` inclusive, `to` exclusive. Between two anchors neighbours may share one.
   */
  reach(column: number): { readonly from: Scn; readonly to: Scn };
  /** Whether distances are in proportion everywhere. */
  readonly proportional: boolean;
  /** The one distance that is drawn much shorter than it is, so that the rest can be distinguished. */
  readonly cut: { readonly from: Scn; readonly to: Scn } | undefined;
}

/** A distance more than so many times all the others together leaves nothing of them. */
const OUT_OF_PROPORTION = 10;

/**
 * Linear in SCN between the lowest and the highest point, with every anchor in a column of its own: distances that are
 * too short for that are widened, and a single one that dwarfs all the others is cut to half of the width.
 *
 * @param columns a whole number, at least 1
 * @param apart a whole number of columns between two anchors, at least; without it one, or two where there is plenty of
 * room
 * @param points what has to be distinguished, the most important first; those for which there is no room any more share
 * columns with others
 * @throws RangeError for columns that are not whole: they never add up
 */
export function scaleOf(points: readonly Scn[], columns: number, apart?: number): Scale {
  for (const count of [columns, apart ?? 1])
    if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`${count} is not a number of columns`);
  const anchors = anchorsOf(points, Math.floor(columns / (apart ?? 1)));
  const first = anchors[0] ?? 0n;
  const last = anchors.at(-1) ?? first;
  const distances = anchors.slice(1).map((anchor, i) => anchor - (anchors[i] ?? first));
  const cut = dwarfing(distances);
  const { widths, proportional } = widthsOf(distances, columns - 1, cut, apart);
  const starts = startsOf(widths);
  /** The last anchor at or below which a condition holds that holds for the first. */
  const lastWhere = (holds: (index: number) => boolean): number => {
    let low = 0;
    let high = anchors.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (holds(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    columns,
    proportional: proportional && cut === undefined,
    cut: cut === undefined ? undefined : { from: anchors[cut] ?? first, to: anchors[cut + 1] ?? last },
    columnOf(scn) {
      if (scn <= first) return 0;
      if (scn >= last) return starts.at(-1) ?? 0;
      const i = lastWhere((at) => (anchors[at] ?? last) <= scn);
      const inside = ((scn - (anchors[i] ?? first)) * BigInt(widths[i] ?? 1)) / (distances[i] ?? 1n);
      return (starts[i] ?? 0) + Number(inside);
    },
    reach(column) {
      const i = lastWhere((at) => (starts[at] ?? 0) <= column);
      const anchor = anchors[i] ?? first;
      const [distance, width] = [distances[i], widths[i]];
      if (distance === undefined || width === undefined) return { from: anchor, to: anchor + 1n };
      const at = BigInt(column - (starts[i] ?? 0));
      const from = anchor + (at * distance) / BigInt(width);
      const to = anchor + ((at + 1n) * distance + BigInt(width) - 1n) / BigInt(width);
      return { from, to: to > from ? to : from + 1n };
    },
  };
}

/** The column in which each anchor stands. */
function startsOf(widths: readonly number[]): readonly number[] {
  const starts = [0];
  let sum = 0;
  for (const width of widths) {
    sum += width;
    starts.push(sum);
  }
  return starts;
}

/** Both ends, and of the rest as many as have room, each in a column of its own; rising. */
function anchorsOf(points: readonly Scn[], columns: number): readonly Scn[] {
  const ends = points.reduce<readonly [Scn, Scn] | undefined>(
    (seen, scn) => (seen === undefined ? [scn, scn] : [scn < seen[0] ? scn : seen[0], scn > seen[1] ? scn : seen[1]]),
    undefined,
  );
  const kept = [...new Set([...(ends ?? []), ...points])].slice(0, Math.max(1, columns));
  return kept.sort(ascending((scn) => scn));
}

/** The place of a distance that dwarfs all the others together. */
function dwarfing(distances: readonly bigint[]): number | undefined {
  if (distances.length < 3) return undefined;
  let place = 0;
  let sum = 0n;
  distances.forEach((distance, i) => {
    sum += distance;
    if (distance > (distances[place] ?? 0n)) place = i;
  });
  const largest = distances[place] ?? 0n;
  return largest > (sum - largest) * BigInt(OUT_OF_PROPORTION) ? place : undefined;
}

/** Shares columns out in proportion, each at least so many that letters stand apart. */
function widthsOf(
  distances: readonly bigint[],
  columns: number,
  cut: number | undefined,
  apart: number | undefined,
): { readonly widths: readonly number[]; readonly proportional: boolean } {
  if (distances.length === 0) return { widths: [], proportional: true };
  const least = apart ?? (columns >= distances.length * 4 ? 2 : 1);
  const others = distances.reduce((sum, distance, i) => (i === cut ? sum : sum + distance), 0n);
  const lengths = distances.map((distance, i) => Number(i === cut ? others : distance));
  const tooShort = new Set<number>();
  for (;;) {
    const rest = lengths.reduce((sum, length, i) => (tooShort.has(i) ? sum : sum + length), 0);
    const room = columns - tooShort.size * least;
    const more = lengths.findIndex((length, i) => !tooShort.has(i) && (length / rest) * room < least);
    if (more < 0)
      return { widths: rounded(lengths, tooShort, room / rest, columns, least), proportional: tooShort.size === 0 };
    tooShort.add(more);
  }
}

/** Whole columns that add up, none below the least. */
function rounded(
  lengths: readonly number[],
  tooShort: ReadonlySet<number>,
  each: number,
  columns: number,
  least: number,
): readonly number[] {
  const widths: number[] = [];
  let exact = 0;
  let used = 0;
  lengths.forEach((length, i) => {
    exact += tooShort.has(i) ? least : length * each;
    const width = Math.max(least, Math.round(exact) - used);
    widths.push(width);
    used += width;
  });
  // What rounding up the short ones has cost, or left over, is taken from or given to the widest.
  while (used !== columns) {
    const step = used > columns ? -1 : 1;
    const widest = widths.reduce((best, width, i) => (width > (widths[best] ?? 0) ? i : best), 0);
    const width = widths[widest] ?? 0;
    if (step < 0 && width <= least) break;
    widths[widest] = width + step;
    used += step;
  }
  return widths;
}
