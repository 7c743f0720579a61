/**
 * Percent-encodes one part of a URL's path, or of its login. Half of a surrogate pair has no form in a URL: it becomes
 * the replacement character.
 */
export function urlPart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}
