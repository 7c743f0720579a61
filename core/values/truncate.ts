/**
 * Longer than any stack trace that somebody reads, and short enough for every pattern that looks for secrets in it.
 * Characters.
 */
export const LONGEST_SAID = 64 * 1024;

/** What may stand between these two is a secret, with blanks in it. */
const OPENS = "Invalid value ";
const CLOSES = / for configuration [\w.-]/;
const FARTHEST = 4_200;

/**
 * Truncates what somebody else says before secrets are looked for in it: a worker may answer with megabytes. No part of
 * a secret is left at the end: the text ends between words, before a secret that reaches beyond its end, and before a
 * setting's value whose name would come later.
 *
 * @param secrets those that are redacted afterwards
 */
export function truncateSaid(said: string, secrets: readonly string[]): string {
  if (said.length <= LONGEST_SAID) return said;
  let end = LONGEST_SAID;
  for (let before = -1; before !== end; ) {
    before = end;
    for (const secret of secrets) {
      const from = Math.max(0, end - secret.length + 1);
      const at = said.slice(from, end + secret.length - 1).indexOf(secret);
      if (at >= 0) end = from + at;
    }
    while (end > 0 && !/\s/.test(said.charAt(end))) end -= 1;
    const opened = said.slice(0, end + OPENS.length).lastIndexOf(OPENS);
    const isOpen = opened >= 0 && opened < end && opened > end - FARTHEST && !CLOSES.test(said.slice(opened, end));
    if (isOpen) end = opened;
  }
  return `${said.slice(0, end)}… (truncated, ${said.length} characters)`;
}
