import { anyOf } from "./regexp.ts";
/**
 * Escapes text from outside (names, messages, configuration values) for the place where it is shown. Views compose
 * their lines first and escape them as a whole, so that no value can be missed.
 */

/**
 * Characters that are not allowed in a line of text: control characters (including ESC and C1), format characters
 * (bidirectional overrides, zero-width characters, tags), line and paragraph separators, half surrogates, and invisible
 * letters.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Whether a text contains characters that are not visible in a line. */
export function unseen(text: string): boolean {
  return text.search(UNSEEN) >= 0;
}

/**
 * Escapes for a terminal: invisible characters and those that move the cursor become `\x1b`, `\u202e`, `\u{e0041}`,
 * `\n`.
 */
export function escapeTerminal(text: string): string {
  return text.replace(UNSEEN, (character) => SHORT[character] ?? escaped(character));
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, "0")}` : `\\u{${digits}}`;
}

/** Escapes a text from outside for HTML: markup, quotes and invisible characters. */
export function escapeHtml(text: string): string {
  return escapeTerminal(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** What GitHub turns into a mention, a reference or a link, outside code; it decodes entities first. */
const LINKED = /@|#|:\/\/|www\.|(?:mailto|xmpp):|gh-\d/i;

/**
 * Words that are copied from a sentence: a number in plain digits (an SCN, an offset; counts are grouped), a
 * transaction id with its container, a redo address, the name of a run, and an Oracle name with its owner.
 */
const COPIED = anyOf([
  /^\d{5,}$/,
  /^\d+:\d+\.\d+\.\d+$/,
  /^0x[\da-f.]+$/,
  /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ-\w+$/,
  /^[A-Z][A-Z\d_$#]*(?:\.[A-Z][A-Z\d_$#]*){1,2}$/,
]);

/**
 * Escapes for Markdown, in running text or a table cell, anywhere in the line: no character opens markup, HTML, a link,
 * a mention, an issue reference or a formula, and the text stays one line and one cell. A word that would become a link
 * or that is copied becomes code, without any invisible character.
 */
export function escapeMarkdown(text: string): string {
  return escapeTerminal(text)
    .split(/(\s+)/)
    .map(wordOf)
    .join("")
    .replace(/^(?: +|[-+=])/, entity)
    .replace(/^(\d{1,9})([.)])/, (_, digits: string, end: string) => `${digits}${entity(end)}`);
}

/** Brackets and stops around a word are not copied with it. */
function wordOf(word: string): string {
  const [, before = "", own = "", after = ""] = /^([([{"']*)(.*?)([.,;:)\]}"']*)$/.exec(word) ?? [];
  if (COPIED.test(own) || LINKED.test(own)) return `${plain(before)}${codeSpan(own)}${plain(after)}`;
  return LINKED.test(word) ? codeSpan(word) : plain(word);
}

function plain(text: string): string {
  return text.replace(/[\\`|<>&~$]/g, entity).replace(/[*_[\]]/g, "\\$&");
}

/**
 * Code in Markdown: a code span, or HTML if the text contains characters that a span cannot contain everywhere (a pipe
 * in a table).
 */
export function codeSpan(text: string): string {
  const visible = escapeTerminal(text);
  if (/^[^\s`|\\](?:[^`|\\]*[^\s`|\\])?$/.test(visible)) return `\`${visible}\``;
  return `<code>${visible.replace(/[!-/:-@[-`{-~]/g, entity)}</code>`;
}

function entity(text: string): string {
  return [...text].map((character) => `&#${character.codePointAt(0)};`).join("");
}

/**
 * Percent-encodes one part of a URL's path, or of its login. Half of a surrogate pair has no form in a URL: it becomes
 * the replacement character.
 */
export function urlPart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}

/** A URL as people write it: `connect.prod:8083`. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}

/** Encodes any name as one component of a path, which can be decoded: special characters percent-encoded, never `.`. */
export function pathPart(name: string): string {
  return urlPart(name).replace(
    /[!'()*~]|^\./g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
