/** A name of Oracle's as SQL takes it, in quotation marks where Oracle would read it otherwise. */
export function identifier(name: string): string {
  return /^[A-Z][A-Z0-9_$#]*$/.test(name) ? name : quoted(name);
}

/**
 * The same to the letter, reserved words included. No name holds a quotation mark: one that claims to is written so
 * that it ends nothing.
 */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
