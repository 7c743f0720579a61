import { alphabetOf } from "./alphabet.ts";
import type { Automaton } from "./automaton.ts";
import type { CharSet } from "./char-set.ts";
import { type LazyDfa, lazyDfa } from "./lazy-dfa.ts";

/** A pattern with an automaton. */
interface Member {
  readonly automaton: Automaton;
}

/** The joint result of some automata for a name. */
interface PoolAnswer<M extends Member> {
  /** Whether one of those that are still in use accepts it. */
  readonly taken: boolean;
  /** Abandoned ones, which would need too many states: their result is unknown. */
  readonly dropped: readonly M[];
  /** Whether it depends on a character on which versions of Java differ. */
  readonly doubtful: boolean;
}

/** @returns undefined for a name that automata cannot read */
export type Pool<M extends Member> = (name: string) => PoolAnswer<M> | undefined;

/**
 * Runs many automata at once. If they multiply each other's states they are split into halves, and one that has too
 * many by itself is dropped.
 *
 * @param lean whether characters on which versions of Java differ count as matching
 * @param spend called with its cost, in steps
 */
export function poolOf<M extends Member>(
  members: readonly M[],
  { lean, spend }: { readonly lean: boolean; readonly spend: (steps: number) => void },
): Pool<M> {
  const automata = members.map(({ automaton }) => automaton);
  const numbers = new Map<CharSet, number>();
  for (const { states } of automata) {
    for (const state of states)
      if (state.kind === "take" && !numbers.has(state.set)) numbers.set(state.set, numbers.size);
  }
  const words = automata.some(({ states }) =>
    states.some((state) => state.kind === "place" && state.place.at === "word edge"),
  );
  const alphabet = alphabetOf([...numbers.keys()], { words, lean });
  const together = (some: readonly M[]): Together<M> => ({
    some,
    dfa: lazyDfa(
      some.map(({ automaton }) => automaton),
      alphabet,
      numbers,
      spend,
    ),
  });
  const groups = members.length === 0 ? [] : [together(members)];
  const dropped: M[] = [];
  let letters = new Uint16Array(512);

  function takes(length: number): boolean {
    for (let i = 0; i < groups.length; ) {
      const group = groups[i];
      const taken = group?.dfa.matches(letters, length);
      if (taken === true) return true;
      if (taken === false || group === undefined) i++;
      else if (group.some.length === 1) {
        for (const one of group.some) dropped.push(one);
        groups.splice(i, 1);
      } else {
        const half = group.some.length >> 1;
        groups.splice(i, 1, together(group.some.slice(0, half)), together(group.some.slice(half)));
      }
    }
    return false;
  }

  return (name) => {
    if (name.length > letters.length) letters = new Uint16Array(name.length * 2);
    const length = alphabet.read(name, letters);
    if (length === undefined) return undefined;
    return { taken: takes(length), dropped, doubtful: alphabet.doubtful };
  };
}

interface Together<M extends Member> {
  readonly some: readonly M[];
  readonly dfa: LazyDfa;
}
