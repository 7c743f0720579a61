const MASK = "********";

/** A value that must not be seen. Printing, inspecting, serialising or interpolating it gives `********`. */
export interface Secret {
  /** The value itself; only a provider may ask for it, at the moment it hands it to a client. */
  open(): string;
  toString(): string;
  toJSON(): string;
}

class Sealed implements Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  open(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return MASK;
  }
}

/** Seals a value. */
export function secret(value: string): Secret {
  return new Sealed(value);
}

/** Names of settings whose values are secrets, in Connect, Kafka client, JDBC and legacy spellings. */
const SECRET_NAME =
  /passw|passphrase|(?<![a-z])pass(?![a-z])|pwd|secret|jaas|credential|token|(?:api|access|private|encryption)[._-]?key|keystore\.key|user\.info|licen[cs]e|(?<![a-z])(?:authorization|bearer)$/i;

/** Where something is found, or who finds it: `basic.auth.credentials.source`, `sasl.oauthbearer.token.endpoint.url`. */
const NO_SECRET = /\.(?:source|url|class|location|provider)$/i;

/** A value that only refers to a secret held elsewhere: `${file:/path:key}`. Without a provider's name it is a value like any other. */
const REFERENCE = /^\$\{[^{}:]+:[^{}]*\}$/;
const REFERENCES = /\$\{[^{}:]+:[^{}]*\}/g;

/** Whether a setting of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !NO_SECRET.test(name);
}

/** Whether a value is nothing but a reference to what is held elsewhere. */
export function isReference(value: string): boolean {
  return REFERENCE.test(value.trim());
}

/** `password=…` among other settings in one value: JDBC properties, a query string, a JAAS line. A quoted value ends with its quotation mark. */
const ASSIGNMENT = /(?<![\w.-])([\w.-]+)(\s*=\s*)("[^"]*"?|'[^']*'?|[^\s;&,()"']+)/g;

/** The login that a thin JDBC URL may hold: `jdbc:oracle:thin:scott/tiger@…`. */
const JDBC_LOGIN = /(jdbc:oracle:\w+:)[^@\s/]{0,300}\/\S{0,300}@/gi;

/**
 * The configuration with every literal secret replaced by `********`: the values of settings whose names say so, logins in URLs, and assignments
 * inside a value (`…;javax.net.ssl.trustStorePassword=…`). References are kept, they reveal nothing.
 */
export function maskConfiguration(config: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      isSecretName(name) && holdsSecret(name, value) ? MASK : maskText(value),
    ]),
  );
}

/** Whether anything but references is secret in the value of a setting whose name says that it holds one. */
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

/** What an HTTP header says after the scheme: `Authorization: Bearer …`. */
const HTTP_LOGIN = /(?<![\w-])(Bearer|Basic)(\s+)[\w.~+/=-]{8,}/g;

function maskText(value: string): string {
  const text = value.replace(JDBC_LOGIN, `$1${MASK}@`).replace(HTTP_LOGIN, `$1$2${MASK}`);
  return maskUserInfo(text).replace(ASSIGNMENT, (all, name, sign, assigned) =>
    isSecretName(name) && !isReference(unquoted(assigned)) ? `${name}${sign}${MASK}` : all,
  );
}

/**
 * Takes the login out of the URLs in a text: all before the last `@` of the host part, and `user:password@` with a password that should have been
 * encoded (`u:pa/ss@host`), but no port.
 */
export function maskUserInfo(text: string): string {
  return text.replace(
    /(?<![a-z0-9+.-])([a-z0-9+.-]+:\/\/)(?:[^/?#\s,]*@|[^/@\s:[,]*:(?!\d+(?:[/?#,\s]|$))[^\s,]{0,300}@)/gi,
    `$1${MASK}@`,
  );
}
