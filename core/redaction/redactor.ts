import { showCount } from "../values/amounts.ts";
import type { Config } from "../values/config.ts";
import { isKnownSetting } from "./harmless-settings.ts";
import { isSecretName, redactBlocks, redactConfiguration, redactSecrets, redactText } from "./redact.ts";

/**
 * Redacts a worker's answer about a configuration, which may repeat its values (`Invalid value … for configuration …`).
 * An answer with a secret in it is not shown: journal, report and terminal never hold one.
 */
export function redactAnswer(answer: string, config: Config): string {
  const secrets = secretsOf(config);
  return secrets.some((secret) => answer.includes(secret))
    ? "redacted, because its reason repeats a secret of the configuration: see the worker's log"
    : truncateUnredacted(answer, secrets);
}

/**
 * The message of a worker's `ConfigException`; for a reference it repeats the resolved value, which is unknown here.
 */
const INVALID_VALUE = /Invalid value [\s\S]{0,4000}? for configuration ([\w.-]+).*/g;
const CODE = /\bCDC-\d{4}\b/;

/**
 * Redacts a stack trace, which may repeat values of the configuration like an answer. Only the lines with a secret are
 * hidden: the others and the connector's own code show why it failed. A secret of several lines hides the whole trace.
 */
export function redactTrace(trace: string, config: Config): string {
  return redactLines(trace, secretsOf(config), "the trace");
}

/**
 * Redacts a text from a worker or a record: the lines that repeat a secret, and anything that looks like a secret.
 *
 * @param secrets as returned by `secretsOf`
 * @param whole what the text is called if all of it is hidden
 */
export function redactLines(text: string, secrets: readonly string[], whole = "the text"): string {
  const repeats = (text: string) => secrets.some((secret) => text.includes(secret));
  const hidden = (text: string, what: string) => {
    const code = CODE.exec(text)?.[0];
    return (
      `${code === undefined || repeats(code) ? "" : `${code}: `}${what} is redacted, because it repeats a secret of ` +
      "the configuration: see the worker's log"
    );
  };
  const truncated = truncateUnredacted(text, secrets).replace(INVALID_VALUE, (all, name: string) =>
    isSecretName(name) ? `Invalid value ******** for configuration ${name}` : all,
  );
  if (secrets.some((secret) => secret.includes("\n") && truncated.includes(secret))) return hidden(truncated, whole);
  return redactBlocks(truncated)
    .split("\n")
    .map((line) => (repeats(line) ? hidden(line, "this line") : redactText(line)))
    .join("\n");
}

/**
 * Matches a value that can be a key or a password, in a setting that is not known to be harmless. Shorter values, words
 * and sentences are too likely to occur for other reasons, and the connector's error must not get lost.
 */
const LIKE_A_KEY = /^(?=.*[^\p{L}])\S{8,}$/u;

/**
 * Every masked value, whole, and the parts of it that masking removes. A setting whose value is short enough to be part
 * of any word hides more answers than necessary.
 */
export function secretsOf(config: Config): readonly string[] {
  const masked = redactSecrets(config);
  const redacted = redactConfiguration(config);
  return Object.keys(config).flatMap((name) => {
    const [value, visible] = [config[name] ?? "", masked[name] ?? ""];
    if (value === "") return [];
    const hidden = redacted[name] !== visible && !isKnownSetting(name, config) && LIKE_A_KEY.test(value.trim());
    if (value === visible) return hidden ? [value.trim()] : [];
    // Parts of a value that is masked whole (JAAS) are those that would be masked in any text.
    const { text = "" } = { text: redactText(value) };
    // A worker trims values before it uses them.
    return [value, ...hiddenParts(value, visible), ...hiddenParts(value, text)].flatMap((part) => {
      const bare = unquoted(part.trim());
      return bare === "" ? [] : [bare];
    });
  });
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, "$2") || text;
}

/** The parts of a value that masks replace, if they replace only parts. */
function hiddenParts(value: string, visible: string): readonly string[] {
  const kept = visible.split("********").filter((part) => part !== "");
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
 * Longer than any useful stack trace, and short enough for every pattern that searches for secrets in it. Characters.
 */
export const LONGEST_UNREDACTED = 64 * 1024;

/** The text between these two may be a secret that contains spaces. */
const OPENS = "Invalid value ";
const CLOSES = / for configuration [\w.-]/;
const FARTHEST = 4_200;

/**
 * Truncates a text before it is searched for secrets: a worker may answer with megabytes. No part of a secret is left
 * at the end: the text ends between words, before a secret that reaches beyond its end, and before a setting's value
 * whose name would come later.
 *
 * @param secrets those that are redacted afterwards
 */
export function truncateUnredacted(text: string, secrets: readonly string[]): string {
  if (text.length <= LONGEST_UNREDACTED) return text;
  let end = LONGEST_UNREDACTED;
  for (let before = -1; before !== end; ) {
    before = end;
    for (const secret of secrets) {
      const from = Math.max(0, end - secret.length + 1);
      const at = text.slice(from, end + secret.length - 1).indexOf(secret);
      if (at >= 0) end = from + at;
    }
    while (end > 0 && !/\s/.test(text.charAt(end))) end -= 1;
    const opened = text.slice(0, end + OPENS.length).lastIndexOf(OPENS);
    const isOpen = opened >= 0 && opened < end && opened > end - FARTHEST && !CLOSES.test(text.slice(opened, end));
    if (isOpen) end = opened;
  }
  return `${text.slice(0, end)}… (truncated, ${showCount(text.length)} characters)`;
}

/**
 * Collects the secrets of the configurations that a command works with: nothing that a worker or a record repeats of
 * them is shown, journaled or stored.
 */
export interface Redactor {
  /** @param config with its literal values, and with the values of its references, as far as known here */
  add(config: Config): void;
  /** Removes them from a text. */
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
