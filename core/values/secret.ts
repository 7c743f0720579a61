export const MASK = "********";

/** A value that must not be shown. Printing, inspecting, serialising or interpolating it gives `********`. */
export interface Secret {
  /** The value itself; only a provider may call this, when it passes the value to a client. */
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
