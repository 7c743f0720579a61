/**
 * Truncates a text to a number of characters, none of them split, with `…` if any are left out. The only way in which a
 * text is truncated for a message; tables and pages are truncated by the renderer.
 */
export function truncate(text: string, longest: number): string {
  // A character takes two units at most, so a longer text is never reduced to its limit here.
  const characters = [...text.slice(0, 2 * longest + 2)];
  return characters.length <= longest ? text : `${characters.slice(0, longest).join("")}…`;
}

/** The first line of a stack trace, which names the error. */
export function firstLine(trace: string | undefined, longest = 500): string {
  return truncate((trace ?? "").trim().split("\n", 1)[0]?.trim() ?? "", longest);
}
