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

export function secret(value: string): Secret {
  return new Sealed(value);
}

/** Names of settings whose values are secrets, in Connect, Kafka client, JDBC and legacy spellings. */
const SECRET_NAME =
  /passw|pwd|secret|jaas|credential|token|api[._-]?key|private[._-]?key|keystore\.key|basic\.auth\.user\.info|license/i;

/** A value that only refers to a secret held elsewhere: `${file:/path:key}`. */
const REFERENCE = /^\$\{[^}]*\}$/;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

export function isReference(value: string): boolean {
  return REFERENCE.test(value.trim());
}

/** @returns the configuration with every literal secret replaced by `********`; references are kept, they reveal nothing. */
export function maskConfiguration(config: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      isSecretName(name) && value !== "" && !isReference(value) ? MASK : maskUserInfo(value),
    ]),
  );
}

/** Takes `user:password@` out of the URLs in a text. */
export function maskUserInfo(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^/@\s:]*:[^/@\s]*@/gi, `$1${MASK}@`);
}
