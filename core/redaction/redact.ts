import type { Config } from "../values/config.ts";
import { digestOf } from "../values/digest.ts";
import { canonicalJson } from "../values/json.ts";
import { anyOf, inSequence } from "../values/regexp.ts";
import { MASK } from "../values/secret.ts";
import { isHarmless } from "./harmless-settings.ts";

/** Names of settings whose values are secrets, in Connect, Kafka client, JDBC, cloud and legacy spellings. */
const SECRET_NAME = anyOf(
  [
    /passw|passphrase|passcode|passkey|(?<![a-z])pass(?![a-z])|pwd|secret|jaas|credential|token/,
    inSequence([
      /(?<![a-z])/,
      anyOf([
        /api|access|account|aes|client|consumer|dek|decrypt(?:ion)?|encrypt(?:ion)?|gpg|hmac|kek|mac|master|pgp/,
        /private|rsa|sas|session|shared(?:[._-]?access)?|sign(?:ing|ature)?|ssh|storage|subscription|symmetric/,
        /wrap(?:ping)?/,
      ]),
      /[._-]?key(?![a-z])/,
    ]),
    /(?<=[a-z])(?:Api|Access|Account|Private|Encryption|Shared|SharedAccess|Master|Signing)Key/,
    /keystore\.key|user\.info|licen[cs]e|hmac/,
    /(?<![a-z])(?:sig|signature|otp|pin|pem|cookie|salt)(?![a-z])/,
    /(?<![a-z])(?:authorization|bearer)$/,
  ],
  "i",
);

/** Names that only locate something: `basic.auth.credentials.source`, `sasl.oauthbearer.token.endpoint.url`. */
const NO_SECRET = /\.(?:source|url|class|location|provider|type|algorithm|path|file)$/i;

/**
 * A value that only refers to a secret held elsewhere: `${file:/path:key}`. Without a provider's name it is an ordinary
 * value.
 */
const REFERENCE = /^\$\{[^{}:]+:[^{}]*\}$/;
const REFERENCES = /\$\{[^{}:]+:[^{}]*\}/g;

/** Whether a setting of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !NO_SECRET.test(name);
}

/** Whether a value is only a reference to a value held elsewhere. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value.trim());
}

/** The replacement for a value that is not shown, with three hexadecimal digits that change with it. */
const HIDDEN = /^hidden:[0-9a-f]{3}$/;
const SHOWN_DIGITS = 3;

/**
 * Redacts a configuration for plans, facts, journals and reports. It shows the values of settings known to be harmless
 * (`harmless-settings.ts`); a value that is secret by its name or its look becomes `********`; every other value
 * becomes `hidden:` and a digest of twelve bits, which reveals changes. Redacting twice changes nothing more.
 *
 * Why twelve bits. A plan's digests must be the same on every machine that plans, and any key that they share through
 * the plan is known to whoever reads the plan. With a whole digest, or one behind a slow function, a short password
 * could be found by trying; nothing can be computed from a digest that does not contain it. Twelve bits, the same in
 * every plan, rule out 4,095 of 4,096 wrong guesses and can't confirm one, and overlook one change in 4,096. The
 * setting's name is part of the digested text, so that equal values of two settings do not show. A `********` has no
 * digest: nothing at all is revealed about a password.
 */
export function redactConfiguration(config: Config): Record<string, string> {
  const redacted = redactSecrets(config);
  return Object.fromEntries(
    Object.entries(redacted).map(([name, value]) => [name, shows(name, value, config) ? value : hidden(name, value)]),
  );
}

/** One setting's value as it appears in a redacted configuration. @returns undefined if it is not set */
export function redactSetting(name: string, value: string): string;
export function redactSetting(name: string, value: string | undefined): string | undefined;
export function redactSetting(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : redactConfiguration({ [name]: value })[name];
}

/** Whether two configurations are the same as far as a plan or a journal shows; earlier versions hide less. */
export function sameConfiguration(one: Config, other: Config): boolean {
  return canonicalJson(redactConfiguration(one)) === canonicalJson(redactConfiguration(other));
}

function shows(name: string, value: string, config: Config): boolean {
  return value === MASK || HIDDEN.test(value) || isHarmless(name, value, config) || onlySecrets(name, value);
}

/** Settings of a secret kind whose secrets are all references, such as a JAAS line: `holdsSecret` has checked each. */
function onlySecrets(name: string, value: string): boolean {
  return isSecretName(name) && value.search(REFERENCES) >= 0;
}

/** Whether a value of a redacted configuration is not the one that was written. */
export function isHidden(value: string): boolean {
  return value.includes(MASK) || HIDDEN.test(value);
}

function hidden(name: string, value: string): string {
  const digest = digestOf(["a setting's hidden value", name, value]);
  return `hidden:${digest.slice("sha256:".length, "sha256:".length + SHOWN_DIGITS)}`;
}

/**
 * Replaces every literal secret that its name or look reveals with `********` and keeps everything else, for a
 * configuration that will be used, such as a translation. Configurations that are only shown go through
 * `redactConfiguration`. References are kept, because they reveal nothing.
 */
export function redactSecrets(config: Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      isSecretName(name) && holdsSecret(name, value) ? MASK : isReference(value) ? value : redactText(value),
    ]),
  );
}

/** Whether the value of a setting with a secret name holds a secret other than references. */
function holdsSecret(name: string, value: string): boolean {
  if (!/[^\s:,;]/.test(value.replace(REFERENCES, ""))) return value.trim() !== "" && value.search(REFERENCES) < 0;
  // `login:password`
  if (/user\.info/i.test(name)) return !isReference(value.slice(value.indexOf(":") + 1)) || !/^[^:{}]*:/.test(value);
  if (!/jaas/i.test(name) || value.search(REFERENCES) < 0) return true;
  return [...value.matchAll(ASSIGNMENT)].some(
    ([, option = "", , assigned = ""]) => isSecretName(option) && !isReference(unquoted(assigned)),
  );
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, "$2");
}

/**
 * `password=…` among other settings in one value: JDBC properties, a query string, a JAAS line. A quoted value ends
 * with its quotation mark.
 */
const ASSIGNMENT = /(?<![\w.-])([\w.-]+)(\s*=\s*)("[^"]*"?|'[^']*'?|[^\s;&,()"']+)/g;

/** `X-Api-Key:…`, as headers and YAML write it. With a space after the colon a sentence may look like it. */
const HEADER = /(?<![\w.-])([\w.-]+)(:)("[^"]*"?|'[^']*'?|[^\s;&,()"']+)/g;
const SPACED_HEADER = /(?<![\w.-])((?:X-[\w-]+|[\w-]+-(?:Key|Token|Secret|Signature)))(\s*:\s+)([^\s;&,()"']+)/gi;
/** Everything after the scheme: a login, or several cookies. */
const AUTHORIZATION = inSequence(
  [
    /(?<![\w.-])((?:Proxy-)?Authorization|(?:Set-)?Cookie)/,
    /(\s*[:=]\s*)((?:Bearer|Basic)\s+)?/,
    /(?!\*{8})([^\s,"'][^\r\n,"']*)/,
  ],
  "gi",
);
const SCHEME = /^(?:Bearer|Basic|\*{8})$/i;
/** The credential of an HTTP header after the scheme: `Authorization: Bearer …`. */
const HTTP_LOGIN = /(?<![\w-])(Bearer|Basic)(\s+)[\w.~+/=-]{8,}/g;

/** `"password": "…"`, also where the JSON is a string in other JSON. */
const MEMBER = /(\\*["'])([\w .$-]{1,100})\1(\s*:\s*)(\\*"(?:[^"\\]|\\+[^"\\])*\\*"?|\\*'[^']*'?|[^\s,}\]"']+)/g;

/** A block of PEM, whole or truncated. */
const PEM = /-----BEGIN[ A-Z0-9]{0,60}-----[\s\S]*?(?:-----END[ A-Z0-9]{0,60}-----|$)/g;

/** Secrets recognisable by their format: a JWT, and keys with an issuer's prefix. */
const MARKED = anyOf(
  [
    /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/,
    /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
    /\bgh[pousr]_\w{20,}/,
    /\bgithub_pat_\w{20,}/,
    /\bglpat-[\w-]{16,}/,
    /\bxox[abeprs]-[\w-]{10,}/,
    /\bsk_(?:live|test)_\w{16,}/,
    /\bhvs\.[\w-]{16,}/,
    /\bAIza[\w-]{30,}/,
    /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
    /\bdapi[0-9a-f]{32}\b/,
  ],
  "g",
);

/** The login that a thin JDBC URL may hold: `jdbc:oracle:thin:scott/tiger@…`. */
const JDBC_LOGIN = /(jdbc:oracle:\w+:)[^@\s/]{0,300}\/\S{0,300}@/gi;

/** Removes PEM blocks, of any number of lines, from a text. */
export function redactBlocks(text: string): string {
  return text.replace(PEM, MASK);
}

/**
 * Replaces everything in a text that looks like a secret with `********`: PEM blocks, logins in URLs, members and
 * assignments of secret names, keys.
 */
export function redactText(value: string): string {
  const blocks = redactBlocks(value).replace(JDBC_LOGIN, `$1${MASK}@`);
  const logins = redactUserInfo(blocks)
    .replace(AUTHORIZATION, `$1$2$3${MASK}`)
    .replace(HTTP_LOGIN, `$1$2${MASK}`)
    .replace(MARKED, MASK);
  const members = logins.replace(MEMBER, (all, quote: string, name: string, colon: string, held: string) =>
    isSecretName(name) && !isReference(held.replace(/^\\*["']|\\*["']$/g, ""))
      ? `${quote}${name}${quote}${colon}${quote}${MASK}${quote}`
      : all,
  );
  const assigned = (all: string, name: string, sign: string, held: string): string =>
    isSecretName(name) && !isReference(unquoted(held)) && !SCHEME.test(held) ? `${name}${sign}${MASK}` : all;
  return members.replace(ASSIGNMENT, assigned).replace(HEADER, assigned).replace(SPACED_HEADER, assigned);
}

/**
 * Removes the login from the URLs in a text: all before the last `@` of the host part, and `user:password@` with a
 * password that should have been encoded (`u:pa/ss@host`), but no port.
 */
export function redactUserInfo(text: string): string {
  return text.replace(
    /(?<![a-z0-9+.-])([a-z0-9+.-]+:\/\/)(?:[^/?#\s,]*@|[^/@\s:[,]*:(?!\d+(?:[/?#,\s]|$))[^\s,]{0,300}@)/gi,
    `$1${MASK}@`,
  );
}
