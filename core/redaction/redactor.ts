import { showCount } from "../values/amounts.ts";
import { isKnownSetting } from "./harmless-settings.ts";
import { isSecretName, redactBlocks, redactConfiguration, redactSecrets, redactText } from "./redact.ts";

type Config = Readonly<Record<string, string>>;

/**
 * What a worker says of a configuration may repeat its values (`Invalid value … for configuration …`). An answer with a
 * secret in it is not shown: journal, report and terminal never hold one.
 */
export function redactAnswer(said: string, config: Config): string {
  const secrets = secretsOf(config);
  return secrets.some((secret) => said.includes(secret))
    ? "its reason repeats a secret of the configuration, and is not shown: see the worker's log"
    : truncateUnredacted(said, secrets);
}

/**
 * What a worker's `ConfigException` says of a value; of a setting's reference it is what the reference stands for,
 * which is not known here.
 */
const INVALID_VALUE = /Invalid value [\s\S]{0,4000}? for configuration ([\w.-]+).*/g;
const CODE = /\bCDC-\d{4}\b/;

/**
 * A stack trace, which may repeat values of the configuration as an answer may. Only the lines with a secret in them
 * are not shown: the others and the connector's own code tell why it has failed. A secret of several lines hides the
 * whole trace.
 */
export function redactTrace(trace: string, config: Config): string {
  return redactLines(trace, secretsOf(config), "the trace");
}

/**
 * What somebody else says, a worker or a record, without the lines that repeat a secret; and without what looks like
 * one whoever it is of.
 *
 * @param secrets as `secretsOf` gives them
 * @param whole what the text is called where all of it is hidden
 */
export function redactLines(said: string, secrets: readonly string[], whole = "what it says"): string {
  const repeats = (text: string) => secrets.some((secret) => text.includes(secret));
  const hidden = (text: string, what: string) => {
    const code = CODE.exec(text)?.[0];
    return (
      `${code === undefined || repeats(code) ? "" : `${code}: `}${what} repeats a secret of the configuration, and ` +
      "is not shown: see the worker's log"
    );
  };
  const shown = truncateUnredacted(said, secrets).replace(INVALID_VALUE, (all, name: string) =>
    isSecretName(name) ? `Invalid value ******** for configuration ${name}` : all,
  );
  if (secrets.some((secret) => secret.includes("\n") && shown.includes(secret))) return hidden(shown, whole);
  return redactBlocks(shown)
    .split("\n")
    .map((line) => (repeats(line) ? hidden(line, "this line") : redactText(line)))
    .join("\n");
}

/**
 * The value of a setting that is not known to be harmless, where it can be a key or a password: a shorter one, a word
 * or a sentence is too likely said for other reasons, and what the connector says of its failure must not get lost.
 */
const LIKE_A_KEY = /^(?=.*[^\p{L}])\S{8,}$/u;

/**
 * Every value that is masked, whole, and what of it is not there once it is masked. A name whose value is short enough
 * to be part of any word hides more answers than it has to.
 */
export function secretsOf(config: Config): readonly string[] {
  const masked = redactSecrets(config);
  const redacted = redactConfiguration(config);
  return Object.keys(config).flatMap((name) => {
    const [value, shown] = [config[name] ?? "", masked[name] ?? ""];
    if (value === "") return [];
    const hidden = redacted[name] !== shown && !isKnownSetting(name, config) && LIKE_A_KEY.test(value.trim());
    if (value === shown) return hidden ? [value.trim()] : [];
    // Of a value that is masked whole (JAAS), what would be masked in any text.
    const { text = "" } = { text: redactText(value) };
    // A worker trims values before it uses them.
    return [value, ...hiddenParts(value, shown), ...hiddenParts(value, text)].flatMap((part) => {
      const bare = unquoted(part.trim());
      return bare === "" ? [] : [bare];
    });
  });
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, "$2") || text;
}

/** What the mask stands for, where it stands for a part of the value. */
function hiddenParts(value: string, shown: string): readonly string[] {
  const kept = shown.split("********").filter((part) => part !== "");
  let rest = value;
  const hidden: string[] = [];
  for (const part of kept) {
    const at = rest.indexOf(part);
    if (at < 0) return [value];
    hidden.push(rest.slice(0, at));
    rest = rest.slice(at + part.length);
  }
  return [...hidden, rest].filter((part) => part !== "");
}

/**
 * Longer than any stack trace that somebody reads, and short enough for every pattern that looks for secrets in it.
 * Characters.
 */
export const LONGEST_UNREDACTED = 64 * 1024;

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
export function truncateUnredacted(said: string, secrets: readonly string[]): string {
  if (said.length <= LONGEST_UNREDACTED) return said;
  let end = LONGEST_UNREDACTED;
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
  return `${said.slice(0, end)}… (truncated, ${showCount(said.length)} characters)`;
}

/**
 * Secrets of the configurations that a command works with: nothing that a worker or a record repeats of them is shown,
 * journaled or stored.
 */
export interface Redactor {
  /** @param config with its literal values, and with what its references stand for, as far as that is known here */
  add(config: Readonly<Record<string, string>>): void;
  /** What somebody else says, without them. */
  redact(text: string): string;
}

export function redactor(): Redactor {
  const secrets = new Set<string>();
  return {
    add(config) {
      for (const secret of secretsOf(config)) secrets.add(secret);
    },
    redact: (text) => redactLines(text, [...secrets]),
  };
}
