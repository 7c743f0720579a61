import { type Scale, scaleOf } from "../../core/timeline/scale.ts";
import { isGap, type RedoState, type Stretch, type Timeline } from "../../core/timeline/timeline.ts";
import { highest, lowest } from "../../core/values/lists.ts";
import type { Scn } from "../../core/values/scn.ts";
import { drawnThreads, drawnTransactions } from "./timeline-text.ts";

/**
 * The scale of a timeline: from the lowest mark or transaction to the highest mark. Undefined if there is nothing to
 * draw.
 *
 * @param apart minimum columns between named marks
 */
export function timelineScale(timeline: Timeline, columns: number, apart?: number): Scale | undefined {
  const named = [
    ...timeline.marks.map(({ scn }) => scn),
    ...drawnTransactions(timeline).map(({ firstScn }) => firstScn),
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

/** A stretch of columns with one state. */
export interface Run {
  readonly state: RedoState;
  readonly from: number;
  readonly to: number;
}

/** Merges adjacent columns that are drawn alike; those of an unknown state are in none. */
export function runsOf(states: readonly (RedoState | undefined)[], look: (state: RedoState) => string): readonly Run[] {
  const all: Run[] = [];
  states.forEach((state, column) => {
    const last = all.at(-1);
    if (state === undefined) return;
    if (last !== undefined && last.to === column && look(last.state) === look(state))
      all[all.length - 1] = { ...last, to: column + 1 };
    else all.push({ state, from: column, to: column + 1 });
  });
  return all;
}

/** The states that the picture of a timeline shows. */
export function statesShown(timeline: Timeline, scale: Scale): ReadonlySet<RedoState | undefined> {
  return new Set(drawnThreads(timeline.threads).flatMap(({ stretches }) => statesOf(stretches, scale)));
}

/** The column where an open transaction ends: that of the current SCN, or the last. */
export function endOf({ marks }: Timeline, scale: Scale): number {
  const current = marks.find(({ mark }) => mark === "current SCN")?.scn;
  return current === undefined ? scale.columns - 1 : scale.columnOf(current);
}

const WEIGHT: { readonly [state in RedoState]: number } = {
  archived: 0,
  online: 1,
  "in part": 2,
  unreadable: 3,
  purged: 4,
  missing: 5,
};
