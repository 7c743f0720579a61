/** The meaning of a piece of text, shown in colour on a terminal. */
export type Tone = "strong" | "good" | "bad" | "caution" | "quiet";

/** Colours text that is already escaped. */
export type Paint = (tone: Tone, text: string) => string;

/** SGR codes: on, off. */
const CODES: { readonly [T in Tone]: readonly [number, number] } = {
  strong: [1, 22],
  good: [32, 39],
  bad: [31, 39],
  caution: [33, 39],
  quiet: [2, 22],
};

export const OWN_CODES: readonly number[] = [...new Set(Object.values(CODES).flat())];

export function painter(colour: boolean): Paint {
  if (!colour) return (_tone, text) => text;
  return (tone, text) => (text === "" ? "" : `\u001b[${CODES[tone][0]}m${text}\u001b[${CODES[tone][1]}m`);
}
