import { escapeTerminal } from "./escape.ts";

/**
 * Several remedies as one text, one a line. Each becomes one line first: a name in it must not begin another.
 *
 * @returns undefined for none
 */
export function joinedRemedies(remedies: readonly string[]): string | undefined {
  return remedies.length === 0 ? undefined : remedies.map((remedy) => escapeTerminal(remedy)).join("\n");
}

/**
 * The remedies of a text that `joinedRemedies` made. Only such a text may be split: views take every remedy for one
 * line.
 */
export function remediesOf(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split("\n");
}
