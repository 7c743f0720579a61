import type { Alphabet } from "./alphabet.ts";
import type { Automaton, State } from "./automaton.ts";
import type { CharSet } from "./char-set.ts";
import type { Place } from "./tree.ts";

/**
 * Whether any of some automata accepts a name, in one pass over it. States of the deterministic automaton are created
 * on demand, so that its cost depends on the names and never on its exponential size.
 */
export interface LazyDfa {
  /**
   * @returns undefined if creating states has cost too much compared with their use, and this automaton should be
   * abandoned
   */
  matches(name: Uint16Array, length: number): boolean | undefined;
}

/** Budget for new states, in members visited: an amount for each pattern, and one for each character read. */
const ALLOWED = 20_000;

const UNSEEN = -1;
const DEAD = 0;

/** The character before a place, for `\b`. */
const AT_START = 0;
const AFTER_OTHER = 1;
const AFTER_WORD = 2;

/**
 * @param setNumber the alphabet's set that a state takes
 * @param spend called with the cost of creating states
 */
export function lazyDfa(
  automata: readonly Automaton[],
  alphabet: Alphabet,
  setNumber: ReadonlyMap<CharSet, number>,
  spend: (steps: number) => void,
): LazyDfa {
  const states: State[] = [];
  const starts: number[] = [];
  for (const automaton of automata) {
    const offset = states.length;
    starts.push(automaton.start + offset);
    for (const state of automaton.states) states.push(moved(state, offset));
  }
  const sets = states.map((state) => (state.kind === "take" ? (setNumber.get(state.set) ?? 0) : -1));
  const needsContext = states.some(({ kind }) => kind === "place");
  let left = ALLOWED * automata.length;

  // State 0 is dead, state 1 the first.
  let members: (readonly number[])[] = [];
  let before: number[] = [];
  let byKey = new Map<string, number>();
  let width = Math.max(16, alphabet.letters.length);
  let moves = new Int32Array(0);
  let accepts: Int8Array = new Int8Array(0);

  function reset(): void {
    members = [];
    closed = [];
    before = [];
    byKey = new Map();
    if (alphabet.letters.length > width) width = alphabet.letters.length * 2;
    moves = new Int32Array(width * 64).fill(UNSEEN);
    accepts = new Int8Array(64).fill(UNSEEN);
    stateOf([], AFTER_OTHER);
    stateOf(
      [...new Set(starts)].sort((a, b) => a - b),
      AT_START,
    );
  }

  function stateOf(list: readonly number[], context: number): number {
    const key = list.length === 0 ? "" : `${needsContext ? context : ""}:${list.join()}`;
    const known = byKey.get(key);
    if (known !== undefined) return known;
    const state = members.push(list) - 1;
    before.push(context);
    byKey.set(key, state);
    if (members.length > accepts.length) {
      const more = new Int32Array(moves.length * 2).fill(UNSEEN);
      more.set(moves);
      moves = more;
      const moreAccepts = new Int8Array(accepts.length * 2).fill(UNSEEN);
      moreAccepts.set(accepts);
      accepts = moreAccepts;
    }
    return state;
  }

  // Marks of the states visited by one closure; a new number for each avoids clearing them.
  const seen = new Int32Array(states.length);
  let round = 0;
  const open: number[] = [];
  // Without places in it, a state's closure is the same before every letter.
  let closed: (readonly number[])[] = [];

  /** The closure of a state before the letter (undefined: at the end). */
  function close(state: number, letter: number | undefined): readonly number[] {
    const known = closed[state];
    if (known !== undefined) return known;
    const reached: number[] = [];
    round++;
    const context = before[state] ?? AT_START;
    for (const one of members[state] ?? []) open.push(one);
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (seen[one] === round) continue;
      seen[one] = round;
      const it = states[one];
      if (it === undefined) continue;
      if (it.kind === "fork") open.push(it.next, it.other);
      else if (it.kind === "place") {
        if (holds(it.place, context, letter === undefined ? undefined : alphabet.letters[letter]?.word))
          open.push(it.next);
      } else reached.push(one);
    }
    if (!needsContext) closed[state] = reached;
    return reached;
  }

  function move(state: number, letter: number): number {
    const reached = close(state, letter);
    const taken = alphabet.letters[letter]?.taken ?? [];
    const list: number[] = [];
    round++;
    for (const one of reached) {
      const it = states[one];
      if (it?.kind !== "take" || taken[sets[one] ?? -1] !== true || seen[it.next] === round) continue;
      seen[it.next] = round;
      list.push(it.next);
    }
    list.sort((a, b) => a - b);
    left -= reached.length + list.length;
    spend(reached.length + list.length);
    return stateOf(list, alphabet.letters[letter]?.word === true ? AFTER_WORD : AFTER_OTHER);
  }

  function accepting(state: number): boolean {
    const known = accepts[state] ?? UNSEEN;
    if (known !== UNSEEN) return known === 1;
    const accepted = close(state, undefined).some((one) => states[one]?.kind === "accept");
    accepts[state] = accepted ? 1 : 0;
    return accepted;
  }

  reset();
  return {
    matches(name, length) {
      if (left < 0) return undefined;
      left += length;
      if (alphabet.letters.length > width) reset();
      let state = 1;
      for (let i = 0; i < length; i++) {
        const letter = name[i] ?? 0;
        let next = moves[state * width + letter] ?? UNSEEN;
        if (next === UNSEEN) {
          next = move(state, letter);
          moves[state * width + letter] = next;
        }
        if (next === DEAD) return false;
        state = next;
      }
      return accepting(state);
    },
  };
}

function moved(state: State, offset: number): State {
  switch (state.kind) {
    case "take":
    case "place":
      return { ...state, next: state.next + offset };
    case "fork":
      return { ...state, next: state.next + offset, other: state.other + offset };
    case "accept":
      return state;
  }
}

/**
 * Whether a place is here. No character of the name ends a line (see `Alphabet.read`). @param after whether a word
 * character follows; undefined at the end
 */
function holds(place: Place, before: number, after: boolean | undefined): boolean {
  switch (place.at) {
    case "start":
      return before === AT_START;
    case "end":
    case "line end":
      return after === undefined;
    case "line start":
      return before === AT_START && after !== undefined;
    case "word edge":
      return ((before === AFTER_WORD) !== (after === true)) !== place.negated;
  }
}
