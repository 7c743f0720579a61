/** One thing that a plan means: a label, a sentence, and what belongs to it. Not escaped. */
export interface Consequence {
  readonly label: string;
  readonly sentence: string;
  /** One a line below the sentence. */
  readonly details: readonly string[];
  /** Details that are not among them. */
  readonly left: number;
  readonly tone: "good" | "bad" | "caution" | undefined;
}

export function consequence(label: string, sentence: string, tone?: Consequence["tone"]): Consequence {
  return { label, sentence, details: [], left: 0, tone };
}

/** The first `most` of the details, and how many are left of `all`. */
export function withDetails(
  one: Consequence,
  details: readonly string[],
  most: number,
  all: number = details.length,
): Consequence {
  return { ...one, details: details.slice(0, most), left: Math.max(0, all - most) };
}
