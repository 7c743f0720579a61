import { type CharSet, endsLine } from "./char-set.ts";
import { wordAt } from "./places.ts";
import type { Truth } from "./truth.ts";

/** A class of characters that no set of a list of patterns tells apart. */
export interface Letter {
  /** For each set whether it takes them. */
  readonly taken: readonly boolean[];
  /** Whether they belong to a word. */
  readonly word: boolean;
}

/** The characters that names are made of, as far as some patterns tell them apart. */
export interface Alphabet {
  readonly letters: readonly Letter[];
  /**
   * Writes the class of each character of a name.
   *
   * @returns how many there are; undefined where versions of Java differ on one, or one ends a line
   */
  read(name: string, into: Uint16Array): number | undefined;
}

/** More classes are not told apart: names that need them are matched another way. */
const MOST = 1024;
const UNREADABLE = -1;

export function alphabetOf(sets: readonly CharSet[], telling: { readonly words: boolean }): Alphabet {
  const letters: Letter[] = [];
  const bySignature = new Map<string, number>();
  const ascii = new Int32Array(128).fill(-2);
  const others = new Map<number, number>();

  function classify(c: number): number {
    if (endsLine(c)) return UNREADABLE;
    const word = telling.words ? wordAt(c, false) : 0;
    const taken: Truth[] = sets.map((set) => set(c));
    if (word === 0.5 || taken.includes(0.5)) return UNREADABLE;
    const signature = `${word}${taken.join("")}`;
    const known = bySignature.get(signature);
    if (known !== undefined) return known;
    if (letters.length === MOST) return UNREADABLE;
    const letter = letters.push({ taken: taken.map((t) => t === 1), word: word === 1 }) - 1;
    bySignature.set(signature, letter);
    return letter;
  }

  function classOf(c: number): number {
    if (c < 128) {
      const known = ascii[c] ?? -2;
      if (known !== -2) return known;
      const letter = classify(c);
      ascii[c] = letter;
      return letter;
    }
    const known = others.get(c);
    if (known !== undefined) return known;
    const letter = classify(c);
    others.set(c, letter);
    return letter;
  }

  return {
    letters,
    read(name, into) {
      let length = 0;
      for (let i = 0; i < name.length; i++) {
        const c = name.codePointAt(i) ?? 0;
        if (c > 0xffff) i++;
        const letter = classOf(c);
        if (letter === UNREADABLE) return undefined;
        into[length++] = letter;
      }
      return length;
    },
  };
}
