import { type Scale, scaleOf } from "../../core/timeline/scale.ts";
import { isGap, type RedoState, type Stretch, type Timeline } from "../../core/timeline/timeline.ts";
import type { Scn } from "../../core/values/scn.ts";
import { drawnThreads, MOST_DRAWN } from "./timeline-sentences.ts";

/**
 * The scale of a timeline: from the lowest mark or transaction to the highest mark. Undefined if there is nothing to
 * draw.
 *
 * @param apart minimum columns between named marks
 */
export function timelineScale(timeline: Timeline, columns: number, apart?: number): Scale | undefined {
  const named = [
    ...timeline.marks.map(({ scn }) => scn),
    ...timeline.transactions.slice(0, MOST_DRAWN).map(({ firstScn }) => firstScn),
  ];
  const stretches = drawnThreads(timeline.threads).flatMap((one) => one.stretches);
  // A single mark has no extent: use that of the redo.
  const ends = new Set(named).size > 1 ? named : [...named, ...stretches.flatMap(({ from, to }) => [from, to - 1n])];
  const [low, high] = [lowest(ends), highest(ends)];
  if (low === undefined || high === undefined) return undefined;
  const inside = (scn: Scn) => scn > low && scn < high;
  const edges = [...stretches.filter(({ state }) => isGap(state)), ...stretches.filter(({ state }) => !isGap(state))]
    .flatMap(({ from, to }) => [from, to])
    .filter(inside)
    .slice(0, Math.floor(columns / 4 / (apart ?? 1)));
  return scaleOf([low, high, ...named, ...edges], columns, apart);
}

/** The state drawn for a thread in each column: the worst of its range. Undefined if unknown. */
export function statesOf(stretches: readonly Stretch[], scale: Scale): readonly (RedoState | undefined)[] {
  return Array.from({ length: scale.columns }, (_, column) => {
    const { from, to } = scale.reach(column);
    return stretches.reduce<RedoState | undefined>((worst, stretch) => {
      if (stretch.from >= to || stretch.to <= from) return worst;
      return worst === undefined || WEIGHT[stretch.state] > WEIGHT[worst] ? stretch.state : worst;
    }, undefined);
  });
}

const WEIGHT: { readonly [state in RedoState]: number } = {
  archived: 0,
  online: 1,
  "in part": 2,
  unreadable: 3,
  purged: 4,
  missing: 5,
};

function lowest(scns: readonly Scn[]): Scn | undefined {
  return scns.reduce<Scn | undefined>((low, scn) => (low === undefined || scn < low ? scn : low), undefined);
}

function highest(scns: readonly Scn[]): Scn | undefined {
  return scns.reduce<Scn | undefined>((high, scn) => (high === undefined || scn > high ? scn : high), undefined);
}
