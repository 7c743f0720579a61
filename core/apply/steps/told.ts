/** What a connector or a worker tells of itself: of any length, bounded for a message. */

const LONGEST = 500;

/** At most so many characters, none of them cut in two. */
export function shortened(text: string, longest = LONGEST): string {
  // A character takes two units at most: of a text that is longer than that some are left.
  const characters = [...text.slice(0, 2 * longest + 2)];
  return characters.length <= longest ? text : `${characters.slice(0, longest).join("")}…`;
}

/** The first line of a stack trace, which names the error. */
export function firstLine(trace: string | undefined): string {
  return shortened((trace ?? "").trim().split("\n", 1)[0]?.trim() ?? "");
}
