/**
 * At most so many characters of a text, none of them cut in two, with `…` where any are left out. The one way in which
 * a text is shortened for a message; how a table or a page shortens is the renderer's.
 */
export function truncate(text: string, longest: number): string {
  // A character takes two units at most: of a text that is longer than that some are left.
  const characters = [...text.slice(0, 2 * longest + 2)];
  return characters.length <= longest ? text : `${characters.slice(0, longest).join("")}…`;
}

/** The first line of a stack trace, which names the error. */
export function firstLine(trace: string | undefined, longest = 500): string {
  return truncate((trace ?? "").trim().split("\n", 1)[0]?.trim() ?? "", longest);
}
