/**
 * Text from outside (names, messages, configuration values) made harmless for the place where it is shown. Views
 * compose their lines first and escape them as a whole, so that no value can be forgotten.
 */

/**
 * What has no place in a line of text: control characters (ESC and C1 among them), format characters (bidirectional
 * overrides, zero-width characters, tags), line and paragraph separators, half surrogates, and letters that are drawn
 * as nothing.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Whether there is anything in a text that can't be seen in a line of it. */
export function unseen(text: string): boolean {
  return text.search(UNSEEN) >= 0;
}

interface EscapeOptions {
  /** Keep line feeds as they are. */
  readonly newlines?: boolean;
}

/** For a terminal: everything that is unseen or moves the cursor is shown as `\x1b`, `\u202e`, `\u{e0041}`, `\n`. */
export function escapeTerminal(text: string, { newlines = false }: EscapeOptions = {}): string {
  return text.replace(UNSEEN, (character) =>
    newlines && character === "\n" ? character : (SHORT[character] ?? escaped(character)),
  );
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, "0")}` : `\\u{${digits}}`;
}

/** A text from outside for HTML: markup, quotes and what can't be seen made harmless. */
export function escapeHtml(text: string, options: EscapeOptions = {}): string {
  return escapeTerminal(text, options).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Breaks a mention, a reference or a link without being seen; GitHub looks for them after entities are decoded. */
const BREAK = "&#8203;";

/**
 * For Markdown, in running text or a table cell, anywhere in the line: no character opens markup, HTML, a link, a
 * mention, an issue reference or a formula, and the text stays one line and one cell.
 */
export function escapeMarkdown(text: string): string {
  return escapeTerminal(text)
    .replace(/[\\`|<>&~$]/g, entity)
    .replace(/[*_[\]]/g, "\\$&")
    .replace(/^( +|[-+=]|\d{1,9}(?=[.)]))/, (start) => (/^\d/.test(start) ? `${start}${BREAK}` : entity(start)))
    .replace(/@/g, `@${BREAK}`)
    .replace(/(?<!&)#/g, `#${BREAK}`)
    .replace(/:(?=\/\/)/g, `:${BREAK}`)
    .replace(/www(?=\.)/gi, `$&${BREAK}`)
    .replace(/(?:mailto|xmpp)(?=:)/gi, `$&${BREAK}`)
    .replace(/gh(?=-\d)/gi, `$&${BREAK}`);
}

/**
 * For Markdown, as code: a code span, or the same in HTML where the text holds what a span can't hold everywhere (a
 * pipe in a table).
 */
export function codeSpan(text: string): string {
  const visible = escapeTerminal(text);
  if (/^[^\s`|\\](?:[^`|\\]*[^\s`|\\])?$/.test(visible)) return `\`${visible}\``;
  return `<code>${visible.replace(/[!-/:-@[-`{-~]/g, (character) => `${entity(character)}${character === "@" ? BREAK : ""}`)}</code>`;
}

function entity(text: string): string {
  return [...text].map((character) => `&#${character.codePointAt(0)};`).join("");
}
