import { type CharSet, endsLine } from "./char-set.ts";
import { wordAt } from "./places.ts";
import type { Truth } from "./truth.ts";

/** A class of characters that no set of a list of patterns distinguishes. */
interface Letter {
  /** For each set whether it contains them. */
  readonly taken: readonly boolean[];
  /** Whether they belong to a word. */
  readonly word: boolean;
  /** Whether versions of Java differ on some set. */
  readonly doubtful: boolean;
}

/** The characters of names, as far as some patterns distinguish them. */
export interface Alphabet {
  readonly letters: readonly Letter[];
  /**
   * Writes the class of each character of a name.
   *
   * @returns their number; undefined if one ends a line, or may or may not belong to a word
   */
  read(name: string, into: Uint16Array): number | undefined;
  /** Whether versions of Java differ on a character of the last name: it counts as `lean` specifies. */
  readonly doubtful: boolean;
}

/** Maximum number of classes: names that need more are matched in another way. */
const MOST = 1024;
const UNREADABLE = -1;

export function alphabetOf(
  sets: readonly CharSet[],
  { words, lean }: { readonly words: boolean; readonly lean: boolean },
): Alphabet {
  const letters: Letter[] = [];
  const bySignature = new Map<string, number>();
  const ascii = new Int32Array(128).fill(-2);
  const others = new Map<number, number>();
  let doubtful = false;

  function classify(c: number): number {
    if (endsLine(c)) return UNREADABLE;
    const word = words ? wordAt(c, false) : 0;
    const taken: Truth[] = sets.map((set) => set(c));
    if (word === 0.5) return UNREADABLE;
    const signature = `${word}${taken.join()}`;
    const known = bySignature.get(signature);
    if (known !== undefined) return known;
    if (letters.length === MOST) return UNREADABLE;
    const letter =
      letters.push({
        taken: taken.map((t) => t === 1 || (t === 0.5 && lean)),
        word: word === 1,
        doubtful: taken.includes(0.5),
      }) - 1;
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
    get doubtful() {
      return doubtful;
    },
    read(name, into) {
      let length = 0;
      doubtful = false;
      for (let i = 0; i < name.length; i++) {
        const c = name.codePointAt(i) ?? 0;
        if (c > 0xffff) i++;
        const letter = classOf(c);
        if (letter === UNREADABLE) return undefined;
        if (letters[letter]?.doubtful === true) doubtful = true;
        into[length++] = letter;
      }
      return length;
    },
  };
}
